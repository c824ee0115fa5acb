"""Corpora in the store: versions, who may see what, and names that keep their text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.chunking import pieces
from core.errors import StoreConflict, StoreError
from core.loaders import Page
from core.sources import Withheld, sha256_of
from core.store import Store
from core.store.source_log import Added, NewSource, Taken

NOW = datetime(2026, 11, 30, tzinfo=UTC)
LATER = NOW + timedelta(days=365)


def add(
    store: Store,
    *texts: str,
    uri: str = "file:///a.txt",
    corpus: str = "main",
    groups: Sequence[str] | None = None,
    retain_until: datetime | None = None,
    size: int = 800,
) -> Added:
    """Add a source of these pages."""
    new = NewSource(
        corpus=corpus,
        uri=uri,
        title="Tolls",
        media="text",
        file_sha256="0" * 64,
        groups=None if groups is None else tuple(groups),
        retain_until=retain_until,
    )
    pages = [Page(number=at, text=text) for at, text in enumerate(texts, 1)]
    return store.corpora.add(new, pages, pieces(pages, size), f"test/{size}", "ann")


def texts(store: Store, groups: Sequence[str] | None = (), corpus: str = "main", now: datetime = NOW) -> list[str]:
    """What a new request may see."""
    return [chunk.text for chunk in store.corpora.chunks(corpus, groups, now)]


def test_a_source_comes_back_as_it_went_in(store: Store) -> None:
    """Pages, boxes, chunks and what they are called."""
    boxes = np.arange(20, dtype="<f4").tobytes()
    first = Page(number=1, text="# Fees", size=(612.0, 792.0), boxes=boxes, notes=("Has a figure",))
    pages = [first, Page(number=2, text="  \n"), Page(number=3, text="The toll: 3\U0010ffff\ud800.")]
    new = NewSource(corpus="main", uri="file:///x/t.pdf", title="T", media="pdf", file_sha256="1" * 64)
    added = store.corpora.add(new, pages, pieces(pages), "test", "ann")
    doc_id = sha256_of(page.text for page in pages)[:12]

    assert added.taken is Taken.NEW
    assert store.corpora.sources("main") == [added.source]
    assert (added.source.doc_id, added.source.version, added.source.pages) == (doc_id, "v1", 3)
    assert (added.source.unread, added.source.notes) == ((2,), ("page 1: Has a figure",))
    assert store.corpora.page(doc_id, 1) == first
    assert store.corpora.page_boxes(doc_id, 1) == boxes
    assert store.corpora.page_text(doc_id, 3) == pages[2].text
    assert store.corpora.page(doc_id, 4) is None
    one, two = store.corpora.chunks("main", (), NOW)
    assert (one.chunk_id, one.text, one.ordinal) == (f"{doc_id}:p1.0-6", "# Fees", 0)
    assert (two.text, two.ordinal, two.locator) == (pages[2].text, 1, "t.pdf, page 3, paragraph 1")
    assert store.corpora.chunk(two.chunk_id) == two


def test_the_same_again_adds_nothing(store: Store) -> None:
    """Not the text, not the source, not an event."""
    add(store, "The toll is 3.")
    before = store.corpora.state("main")

    assert add(store, "The toll is 3.").taken is Taken.KNOWN
    assert store.corpora.state("main") == before
    assert len(store.corpora.events(add(store, "The toll is 3.").source.doc_id)) == 1


def test_a_changed_file_is_a_new_version_and_the_old_one_keeps_its_name(store: Store) -> None:
    """New requests see the new one; the old chunk's id gives the old text for ever."""
    add(store, "The toll is 3.")
    (old,) = store.corpora.chunks("main", (), NOW)
    added = add(store, "The toll is 4.")

    assert (added.taken, added.source.version) == (Taken.NEW_VERSION, "v2")
    assert texts(store) == ["The toll is 4."]
    assert store.corpora.chunk(old.chunk_id) == old
    assert [one.superseded for one in store.corpora.versions("main", old.uri)] == [True, False]
    assert store.corpora.standing("main", [old.uri, "file:///b.txt"]) == {old.uri: added.source}


def test_a_file_that_is_as_it_was_stands_again(store: Store) -> None:
    """No third version, and the text of the second is out of use."""
    add(store, "The toll is 3.")
    add(store, "The toll is 4.")
    again = add(store, "The toll is 3.")

    assert (again.taken, again.source.version) == (Taken.STANDS_AGAIN, "v1")
    assert texts(store) == ["The toll is 3."]
    assert store.corpora.standing("main", ["file:///a.txt"])["file:///a.txt"].version == "v1"
    assert add(store, "The toll is 5.").source.version == "v3"


def test_rights_go_on_to_the_next_version_unless_others_are_named(store: Store) -> None:
    """Nobody gets to see more because a file was written."""
    add(store, "one", groups=["hr"], retain_until=LATER)
    two = add(store, "two").source
    three = add(store, "three", groups=[]).source

    assert (two.groups, two.retain_until) == (("hr",), LATER)
    assert (three.groups, three.retain_until) == ((), LATER)
    again = add(store, "three", groups=["it"])
    assert (again.taken, again.source.groups) == (Taken.CHANGED_RIGHTS, ("it",))
    assert add(store, "three").source.groups == ("it",)


def test_what_a_person_took_out_of_use_stays_out(store: Store) -> None:
    """Also when its file is added again or has changed; until a person puts it back."""
    source = add(store, "one").source
    (out,) = store.corpora.deactivate(source.doc_id, None, "ann")

    assert out.withheld(None, NOW) is Withheld.DEACTIVATED
    assert add(store, "one").taken is Taken.KNOWN
    two = add(store, "two").source
    assert two.deactivated
    assert add(store, "one").source.deactivated
    assert texts(store) == []
    (back,) = store.corpora.activate(two.doc_id, "main", "ben")
    assert texts(store) == ["two"]
    assert back.active
    assert [(event.kind, event.who) for event in store.corpora.events(two.doc_id)] == [
        ("stood", "ann"), ("deactivated", "ann"), ("superseded", "ann"), ("activated", "ben")
    ]  # fmt: skip


def test_retention_ends_at_its_moment(store: Store) -> None:
    """Not before, and it can be prolonged."""
    source = add(store, "one", retain_until=LATER).source

    assert texts(store, now=LATER - timedelta(microseconds=1)) == ["one"]
    assert texts(store, now=LATER) == []
    store.corpora.retain(source.doc_id, None, None, "ann")
    assert texts(store, now=LATER) == ["one"]


def test_an_unknown_source_is_said(store: Store) -> None:
    """In a sentence; nothing is written."""
    add(store, "one", corpus="a")
    doc_id = store.corpora.sources()[0].doc_id

    with pytest.raises(StoreError, match=f"No source {doc_id} is in the corpus 'b'"):
        store.corpora.deactivate(doc_id, "b", "ann")
    with pytest.raises(StoreError, match="No source 0 is in any corpus"):
        store.corpora.allow("0", None, ["hr"], "ann")


def test_one_text_in_two_places_is_stored_once_and_seen_where_it_may_be(store: Store) -> None:
    """A chunk has one name and one number; each place has its own rights."""
    add(store, "one", uri="file:///hr/a.txt", groups=["hr"])
    add(store, "one", uri="file:///all/a.txt")
    add(store, "one", corpus="other", groups=["it"])

    assert texts(store) == ["one"]
    assert texts(store, ["it"], "other") == ["one"]
    (seen,) = store.corpora.chunks("main", (), NOW)
    (other,) = store.corpora.chunks("other", ["it"], NOW)
    assert (seen.uri, seen.groups, seen.chunk_no) == ("file:///all/a.txt", (), other.chunk_no)
    assert store.corpora.chunks_of([seen.chunk_id], "other")[seen.chunk_id].corpus == "other"
    store.corpora.deactivate(seen.doc_id, "main", "ann")
    assert texts(store) == []
    assert texts(store, None, "other") == ["one"]


def test_an_id_of_two_texts_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve digits can be made to meet; the second text is not taken for the first."""
    add(store, "one")
    same = sha256_of(["one"])[:12] + "f" * 52
    monkeypatch.setattr("core.store.source_log.sha256_of", lambda pages: same)

    with pytest.raises(StoreConflict, match="This text and another one have the id"):
        add(store, "two", uri="file:///b.txt")
    assert texts(store) == ["one"]


def test_other_rules_give_other_chunks_and_old_names_go_on(store: Store) -> None:
    """Requests see the new ones; those that are the same have the same number."""
    text = "The toll is 3 crowns.\n\nBoats pay.\n\nAll others pay."
    add(store, text, size=22)
    old = list(store.corpora.chunks("main", (), NOW))
    add(store, text, size=35)
    new = list(store.corpora.chunks("main", (), NOW))

    assert [chunk.text for chunk in old] == ["The toll is 3 crowns.", "Boats pay.", "All others pay."]
    assert [chunk.text for chunk in new] == ["The toll is 3 crowns.\n\nBoats pay.", "All others pay."]
    assert new[1].chunk_no == old[2].chunk_no
    assert store.corpora.chunks_of([chunk.chunk_id for chunk in old]).keys() == {chunk.chunk_id for chunk in old}
    assert store.corpora.chunk(old[0].chunk_id.replace("p1.0-21", "p1.0-20")) is None


def test_a_failure_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a page without its chunks."""
    monkeypatch.setattr("core.store.source_log._cut", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        add(store, "one")
    monkeypatch.undo()

    assert store.corpora.sources() == []
    assert add(store, "one").taken is Taken.NEW


def test_many_documents_are_streamed_in_their_order(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when they are fetched group after group."""
    monkeypatch.setattr("core.store.source_texts._DOCUMENTS_AT_ONCE", 2)
    wanted = [f"text {number}" for number in range(5)]
    for number, text in enumerate(wanted):
        add(store, text, uri=f"file:///{9 - number}.txt")

    assert texts(store) == wanted


GROUPS = st.lists(st.sampled_from(["a", "b", "c"]), unique=True, max_size=3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(
    placed=st.lists(st.tuples(st.integers(0, 5), st.sampled_from("xy"), GROUPS, st.booleans()), max_size=5),
    caller=GROUPS,
)
def test_a_caller_never_sees_what_is_not_theirs(
    store: Store, placed: list[tuple[int, str, list[str], bool]], caller: list[str]
) -> None:
    """Not in chunks, ids, counts or names of corpora: what they get is what a store without the rest would give."""
    corpus = f"c{id(placed)}-{len(store.corpora.sources())}"
    mine: dict[str, set[str]] = {"x": set(), "y": set()}
    for at, (number, where, groups, out) in enumerate(placed):
        source = add(store, f"text {number}", uri=f"file:///{at}", corpus=corpus + where, groups=groups).source
        if out and not source.deactivated:
            store.corpora.deactivate(source.doc_id, corpus + where, "ann")
            mine[where].discard(source.doc_id)
    for one in (source for where in mine for source in store.corpora.sources(corpus + where)):
        if not one.deactivated and (not one.groups or set(one.groups) & set(caller)):
            mine[one.corpus[-1]].add(one.doc_id)
    for where, ids in mine.items():
        seen = list(store.corpora.chunks(corpus + where, caller, NOW))
        assert sorted(chunk.doc_id for chunk in seen) == sorted(ids)
        assert all(not chunk.groups or set(chunk.groups) & set(caller) for chunk in seen)
        assert store.corpora.visible(corpus + where, caller, NOW) == ids
        infos = {info.name: info for info in store.corpora.corpora(caller, NOW)}
        assert (corpus + where in infos) == bool(ids)
        if ids:
            info = infos[corpus + where]
            assert (info.sources, info.chunks) == (len(ids), len(ids))
