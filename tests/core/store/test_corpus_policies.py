"""What corpora let be asked, in the store: added and never changed, bound into the audit chain, kept by a migration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from core import audit_check
from core.corpus_policy import CorpusPolicy
from core.reference_policy import Also, Credential
from core.store import Store, open_store
from core.store.migration import known, migrate
from tests.core.store import build

LINKS = CorpusPolicy(
    also=frozenset({Also.URLS, Also.IDENTIFIERS}),
    allow=("*.example.org",),
    deny=("bad.example.org",),
    credentials=(
        Credential(host="a.example.org", env="KEY"),
        Credential(host="b.example.org", header="X-Key", file=Path("/keys/b")),
    ),
)
OFFLINE = CorpusPolicy(also=frozenset({Also.URLS}), offline=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_store(tmp_path / "desk.duckdb") as one:
        yield one


def test_what_was_said_last_counts_and_all_of_it_is_kept(store: Store) -> None:
    """Each corpus for itself; taking a policy away is one more thing that was said."""
    held = store.corpus_policies
    held.say("handbook", LINKS, "ann")
    held.say("papers", OFFLINE, "bob")
    held.say("handbook", OFFLINE, "bob")
    assert held.current() == {"handbook": OFFLINE, "papers": OFFLINE}

    held.say("handbook", None, "ann")

    assert held.current() == {"papers": OFFLINE}
    assert [(one.corpus, one.policy, one.who) for one in held.history("handbook")] == [
        ("handbook", LINKS, "ann"),
        ("handbook", OFFLINE, "bob"),
        ("handbook", None, "ann"),
    ]
    assert [one.corpus for one in held.history()] == ["handbook", "papers", "handbook", "handbook"]


def test_saying_it_again_writes_nothing(store: Store) -> None:
    """Neither a policy that stands, nor that there is none."""
    held = store.corpus_policies
    held.say("papers", None, "ann")
    held.say("handbook", LINKS, "ann")
    held.say("handbook", LINKS.model_copy(update={"also": frozenset(reversed(sorted(LINKS.also)))}), "bob")

    assert [(one.corpus, one.who) for one in held.history()] == [("handbook", "ann")]
    assert store.audit.count() == 1


def test_every_word_is_bound_into_the_chain(store: Store) -> None:
    """A row that is changed, or one that nobody said, is found."""
    store.corpus_policies.say("handbook", LINKS, "ann")
    store.corpus_policies.say("handbook", None, "bob")
    (entries,) = store.audit.entries()
    assert [(one.person, one.act, one.subject) for one in entries] == [
        ("ann", "set_policy", "corpus_policy 1"),
        ("bob", "set_policy", "corpus_policy 2"),
    ]
    assert audit_check.verify(store).fault is None

    with store._connection.write() as session:
        session.run("update corpus_policies set policy = null where policy_no = 1")
    fault = audit_check.verify(store).fault
    assert fault is not None
    assert fault.subject == "corpus_policy 1"


def test_it_is_there_when_the_store_is_opened_again(tmp_path: Path) -> None:
    """As it was said."""
    path = tmp_path / "desk.duckdb"
    with open_store(path) as one:
        one.corpus_policies.say("handbook", LINKS, "ann")
    with open_store(path) as one:
        assert one.corpus_policies.current() == {"handbook": LINKS}


def test_a_store_of_before_has_no_policies_and_takes_one(tmp_path: Path) -> None:
    """Version 20 had no such table; its answers come over."""
    path = tmp_path / "desk.duckdb"
    with open_store(path) as one:
        one.record(build.batch(build.checked(build.answer("r1"), [])))
        expected = one.answers()
    older = build.older(path, 20)

    with open_store(older) as one:
        assert one.answers() == expected
        assert one.corpus_policies.current() == {}
        one.corpus_policies.say("handbook", OFFLINE, "ann")
        assert one.corpus_policies.current() == {"handbook": OFFLINE}


def test_the_chain_goes_on_over_the_migration(tmp_path: Path) -> None:
    """A store as version 20 made it takes a policy, and its chain holds."""
    path = tmp_path / "desk.duckdb"
    with duckdb.connect(str(path), config={"storage_compatibility_version": "v1.0.0"}) as root:
        migrate(root, path, known()[:20])

    with open_store(path) as one:
        one.corpus_policies.say("handbook", LINKS, "ann")
        assert one.corpus_policies.current() == {"handbook": LINKS}
        assert audit_check.verify(one).fault is None
