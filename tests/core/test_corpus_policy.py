"""What a corpus lets be asked outside, put together with what desk and run say: never wider than any of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.corpus_policy import NOBODY, CorpusPolicy, corpus_of, of_corpora, of_corpus, own, within
from core.models import Answer
from core.reference_lookup import protocol_name
from core.reference_policy import Also, Credential, Endpoint, Endpoints, Limits, Lives, ReferencePolicy

HOSTS = ("example.org", "www.example.org", "a.www.example.org", "example.com", "b.example.com", "other.test")
PATTERNS = (*HOSTS, "*.example.org", "*.www.example.org", "*.example.com", "*.org", "*.com")
KINDS = frozenset({Also.URLS, Also.IDENTIFIERS})

kinds = st.frozensets(st.sampled_from(sorted(KINDS)))
lists = st.lists(st.sampled_from(PATTERNS), max_size=3, unique=True).map(tuple)
secrets = st.lists(st.builds(Credential, host=st.sampled_from(HOSTS), env=st.sampled_from(["A", "B"])), max_size=2).map(
    tuple
)
limits = st.builds(
    Limits,
    redirects=st.integers(0, 20),
    bytes=st.integers(1, 10**7),
    seconds=st.floats(0.1, 100),
    per_second=st.floats(0.1, 10),
    per_host=st.integers(1, 8),
)
policies = st.builds(
    ReferencePolicy,
    also=st.frozensets(st.sampled_from(list(Also))),
    chosen=st.booleans(),
    offline=st.booleans(),
    contact=st.sampled_from([None, "a@b.example", "c@d.example"]),
    allow=lists,
    deny=lists,
    ports=st.sampled_from([(80, 443), (443,), (8443,)]),
    robots=st.booleans(),
    credentials=secrets,
    limits=limits,
    lives=st.builds(Lives, gone_after_hours=st.floats(24, 100)),
    endpoints=st.builds(
        Endpoints, doi=st.builds(Endpoint, url=st.sampled_from(["https://a.test"]), per_second=st.just(1.0))
    ),
)
said = st.builds(CorpusPolicy, also=kinds, allow=lists, deny=lists, credentials=secrets, offline=st.booleans())


def permitted(policy: ReferencePolicy | CorpusPolicy) -> set[str]:
    """The hosts, of some, that two lists let be opened."""
    rules = ReferencePolicy(allow=policy.allow, deny=policy.deny)
    return {host for host in HOSTS if rules.permits(host)}


@given(policies, said)
def test_a_corpus_never_gets_more_than_itself_or_the_run_allows(policy: ReferencePolicy, corpus: CorpusPolicy) -> None:
    """Kinds, hosts and offline are the narrower; pace, contact, ports, robots and registries stay as they were."""
    found = of_corpus(policy, "handbook", corpus)

    assert found.also & KINDS <= corpus.also
    if policy.chosen:
        assert found.also <= policy.also
    assert found.also - KINDS == policy.also - KINDS, "what people supplied asks nobody"
    assert permitted(found) == permitted(policy) & permitted(corpus)
    assert found.offline == (policy.offline or corpus.offline)
    for name in ("contact", "ports", "robots", "limits", "lives", "endpoints"):
        assert getattr(found, name) == getattr(policy, name)
    assert set(found.credentials) <= {*policy.credentials, *corpus.credentials}


@given(policies, policies)
def test_a_run_never_gets_more_than_the_desk_allows(desk: ReferencePolicy, run: ReferencePolicy) -> None:
    """Hosts, ports, robots, limits, offline; secrets and registries are the desk's, what to look up is the run's."""
    found = within(desk, run)

    assert found.also == run.also
    assert permitted(found) == permitted(desk) & permitted(run)
    assert found.offline == (desk.offline or run.offline)
    assert set(found.ports) == set(desk.ports) & set(run.ports)
    assert found.robots == (desk.robots or run.robots)
    for outer in (desk, run):
        for name, value in outer.limits:
            assert getattr(found.limits, name) <= value
        assert found.lives.gone_after_hours >= outer.lives.gone_after_hours
    assert (found.credentials, found.endpoints) == (desk.credentials, desk.endpoints)
    assert found.contact == (run.contact or desk.contact)


@given(policies, said, said)
def test_doing_it_twice_changes_nothing(policy: ReferencePolicy, one: CorpusPolicy, other: CorpusPolicy) -> None:
    """So the name of a protocol does not depend on how often a policy passed; more corpora only narrow."""
    assert within(policy, policy) == policy
    once = of_corpus(policy, "handbook", one)
    assert of_corpus(once, "handbook", one) == once
    both = of_corpora(policy, {"a": one, "b": other}, ["b", "a"])
    assert both.also & KINDS <= one.also & other.also
    assert permitted(both) == permitted(policy) & permitted(one) & permitted(other)


@given(policies, policies, said)
def test_the_desk_bounds_what_a_corpus_is_given(
    desk: ReferencePolicy, run: ReferencePolicy, corpus: CorpusPolicy
) -> None:
    """The whole way: desk, run, corpus."""
    found = of_corpus(within(desk, run), "handbook", corpus)

    assert permitted(found) <= permitted(desk)
    assert found.offline or not desk.offline
    assert set(found.ports) <= set(desk.ports)
    assert found.robots or not desk.robots


def test_lists_that_have_no_host_in_common_leave_none() -> None:
    """An empty list would mean all."""
    found = of_corpus(
        ReferencePolicy(allow=("a.test",)), "handbook", CorpusPolicy(also=frozenset({Also.URLS}), allow=("b.test",))
    )

    assert found.allow == NOBODY
    assert not found.permits("a.test")
    assert not found.permits("b.test")


@pytest.mark.parametrize(
    ("run", "corpus", "expected"),
    [
        ({}, {"also": {"urls"}}, {"urls"}),
        ({"also": {"urls", "identifiers"}}, {"also": set()}, set()),
        ({"also": {"urls"}}, {"also": {"identifiers"}}, {"identifiers"}),
        ({"also": {"urls"}, "chosen": True}, {"also": {"identifiers"}}, set()),
        ({"also": set(), "chosen": True}, {"also": {"urls"}}, set()),
        ({"also": {"urls", "supplied"}, "chosen": True}, {"also": set()}, {"supplied"}),
    ],
)
def test_a_corpus_chooses_where_nobody_chose_for_the_run(
    run: dict[str, Any], corpus: dict[str, Any], expected: set[str]
) -> None:
    """What the desk does by default gives way to what the corpus says; what a person chose is only narrowed."""
    found = of_corpus(ReferencePolicy(**run), "handbook", CorpusPolicy(**corpus))

    assert found.also == expected
    assert found.chosen


def test_offline_says_whose_it_is() -> None:
    """The desk's own word goes before the corpus's."""
    corpus = CorpusPolicy(also=KINDS, offline=True)

    assert of_corpus(ReferencePolicy(), "handbook", corpus).works_offline == "the corpus handbook"
    assert of_corpus(ReferencePolicy(offline=True), "handbook", corpus).works_offline == "this desk"
    assert of_corpus(ReferencePolicy(), "handbook", CorpusPolicy(also=KINDS)).works_offline == "this desk"


def test_the_name_of_a_protocol_tells_policies_apart_and_nothing_else() -> None:
    """Two corpora that allow different hosts judge under different names; who chose is no part of it."""
    one = of_corpus(ReferencePolicy(), "a", CorpusPolicy(also=frozenset({Also.URLS}), allow=("a.test",)))
    other = of_corpus(ReferencePolicy(), "b", CorpusPolicy(also=frozenset({Also.URLS}), allow=("b.test",)))
    plain = ReferencePolicy(also=frozenset({Also.URLS}), allow=("a.test",))

    assert protocol_name(one) == protocol_name(plain) != protocol_name(other)
    assert protocol_name(of_corpus(plain, "c", CorpusPolicy())) is None


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ({}, "asks nobody: registry only"),
        ({"also": {"urls"}, "offline": True}, "asks nobody: it works offline"),
        ({"also": {"urls"}}, "looks up links"),
        ({"also": {"urls", "identifiers"}}, "looks up links and DOIs, arXiv ids and titles"),
        (
            {"also": {"urls"}, "allow": ("b.test", "a.test"), "deny": ("c.test",)},
            "looks up links, pages only at a.test, b.test, never at c.test",
        ),
        (
            {"also": {"urls"}, "credentials": [{"host": "a.test", "env": "KEY"}]},
            "looks up links, with a credential for a.test",
        ),
    ],
)
def test_a_policy_in_words(policy: dict[str, Any], words: str) -> None:
    """They go on from the corpus's name."""
    assert str(CorpusPolicy.model_validate(policy)) == words
    assert own({"handbook": CorpusPolicy.model_validate(policy)}, ["handbook", "other"]) == (
        f"The corpus handbook {words}."
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"also": ["supplied"]}, {"also": ["everything"]}, {"allow": ("http://a.example",)}, {"deny": ("*",)},
        {"contact": "a@b.example"}, {"robots": False}, {"credentials": [{"host": "a.example", "secret": "x"}]},
    ],
)  # fmt: skip
def test_what_a_corpus_cannot_say(wrong: dict[str, Any]) -> None:
    """Neither what is the desk's to say, nor a secret itself."""
    with pytest.raises(ValidationError):
        CorpusPolicy.model_validate(wrong)


@pytest.mark.parametrize(
    ("meta", "name"),
    [({"corpus": " handbook "}, "handbook"), ({"corpus": ""}, None), ({"corpus": ["handbook"]}, None), ({}, None)],
)
def test_an_answer_names_its_corpus(meta: dict[str, Any], name: str | None) -> None:
    """In the field that asking writes and logs may have."""
    assert corpus_of(Answer(request_id="r1", answer="Yes.", meta=meta)) == name
