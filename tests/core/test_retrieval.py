"""Retrieval: who may see what comes first; what is found, packed and cut, and why."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import retrieval
from core.errors import InputError
from core.hits import BELOW, NO_ROOM, Retrieval
from core.models import utc_now
from core.retrieval import Retriever
from core.store import Store, open_store
from tests.core.corpora_of import fill
from tests.fakes.bag_of_words import BagOfWords

TEXTS = {
    "toll.txt": "The toll for the bridge is 3 crowns.",
    "ferry.txt": "The ferry to Nordholm takes 40 minutes.",
    "mill.txt": "The mill was built in 1850 and has four floors.",
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_store(tmp_path / "s.duckdb") as opened:
        yield opened


def retriever(store: Store, model: BagOfWords | None = None) -> Retriever:
    """A retriever whose embedder is the fake."""
    fake = model or BagOfWords()
    return Retriever(store, lambda: fake)


def texts(found: Retrieval) -> list[str]:
    """What is packed."""
    return [hit.chunk.text for hit in found.packed]


def test_the_nearest_passage_comes_first_and_the_far_ones_are_cut(store: Store) -> None:
    """With both ranks, the cosine, and the threshold below which the others are."""
    fill(store, TEXTS)
    found = retriever(store).search("What is the toll for the bridge?", "main", None)

    assert texts(found) == [TEXTS["toll.txt"]]
    assert found.packed[0].bm25_rank == found.packed[0].dense_rank == 1
    assert found.packed[0].chunk.locator == "toll.txt, paragraph 1"
    assert found.searched == 3
    assert {hit.cut for hit in found.cut} == {BELOW}
    assert all(hit.cosine < found.threshold for hit in found.cut)
    assert [hit.score for hit in found.candidates] == sorted((hit.score for hit in found.candidates), reverse=True)


def test_no_more_is_packed_than_there_is_room_for(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither more passages nor more tokens; a passage that does not fit is left out whole, a smaller one goes in."""
    fill(
        store,
        {"a.txt": "toll bridge one", "b.txt": "toll bridge two and some more words", "c.txt": "toll bridge three"},
    )
    search = retriever(store)
    two = search.search("toll bridge", "main", None, k=2)
    monkeypatch.setattr(retrieval, "CONTEXT_TOKENS", 6)
    small = search.search("toll bridge", "main", None)

    assert len(two.packed) == 2
    assert [hit.cut for hit in two.cut] == [NO_ROOM]
    assert sorted(texts(small)) == ["toll bridge one", "toll bridge three"]
    assert [hit.cut for hit in small.cut] == [NO_ROOM]


def test_a_deep_search_looks_ten_times_as_deep(store: Store) -> None:
    """For saying why something was not found."""
    fill(store, {f"{number}.txt": f"toll bridge number {number}" for number in range(30)})
    search = retriever(store)

    assert len(search.search("toll bridge", "main", None, k=2).packed) == 2
    assert len(search.search("toll bridge", "main", None, k=2, deep=True).packed) == 20


def test_only_what_is_in_use_is_found(store: Store) -> None:
    """Not what was taken out of use, superseded, or kept for a time that is over."""
    fill(store, TEXTS)
    search = retriever(store)
    by_title = {source.title: source.doc_id for source in store.corpora.sources("main")}
    tomorrow = utc_now() + timedelta(days=1)
    store.corpora.retain(by_title["ferry.txt"], None, tomorrow, "me")
    fill(store, {"toll.txt": "The toll for the bridge is 4 crowns."})
    store.corpora.deactivate(by_title["mill.txt"], None, "me")

    assert texts(search.search("toll bridge", "main", None)) == ["The toll for the bridge is 4 crowns."]
    assert search.search("mill", "main", None).searched == 2
    assert texts(search.search("ferry to Nordholm", "main", None)) == [TEXTS["ferry.txt"]]
    assert search.search("ferry to Nordholm", "main", None, now=tomorrow).searched == 1


def test_vectors_are_computed_once(store: Store) -> None:
    """Also by another process; another model computes its own."""
    fill(store, TEXTS)
    first, again, other = BagOfWords(), BagOfWords(), BagOfWords("other")
    said: list[tuple[int, int]] = []

    assert retriever(store, first).prepare("main", lambda done, of: said.append((done, of))) == 3
    assert said == [(3, 3)]
    assert retriever(store, again).prepare("main") == 0
    retriever(store, again).search("toll", "main", None)
    assert again.asked == ["toll"]
    assert retriever(store, other).prepare("main") == 3


def test_what_was_computed_stays_when_it_is_broken_off(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one goes on from there."""
    fill(store, TEXTS)
    monkeypatch.setattr(retrieval, "EMBED_AT_ONCE", 1)

    def stop(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        retriever(store).prepare("main", stop)
    assert retriever(store).prepare("main") == 1


@pytest.mark.parametrize("query", ["", " \n", "x" * 2001])
def test_a_question_that_is_none_is_refused(store: Store, query: str) -> None:
    """Before anything is read."""
    fill(store, TEXTS)
    with pytest.raises(InputError, match="The question has"):
        retriever(store).search(query, "main", None)


def test_a_corpus_that_is_not_there_and_one_that_is_not_for_the_caller_are_the_same(store: Store) -> None:
    """The same words, so that nobody learns which it is."""
    fill(store, TEXTS, dict.fromkeys(TEXTS, ("board",)), corpus="secret")
    search = retriever(store)
    said = []
    for name in ("secret", "no-such"):
        with pytest.raises(InputError) as refused:
            search.search("toll", name, ())
        said.append(str(refused.value).replace(name, "…"))

    assert said[0] == said[1]
    assert search.search("toll", "secret", ("board",)).searched == 3


GROUPS = st.sets(st.sampled_from(["a", "b"]))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Retriever, Iterator[int]]]:
    """One store for all examples, each of which makes corpora of its own."""
    with open_store(tmp_path_factory.mktemp("groups") / "s.duckdb") as opened:
        yield opened, retriever(opened), count()


@settings(max_examples=25)
@given(
    seen=st.lists(st.sampled_from(["toll bridge", "toll gate", "ferry toll", "mill"]), max_size=4),
    unseen=st.lists(st.sampled_from(["toll bridge", "toll toll", "bridge toll fee", "mill"]), max_size=4),
    caller=GROUPS,
)
def test_what_a_caller_may_not_see_moves_nothing(
    shared: tuple[Store, Retriever, Iterator[int]], seen: list[str], unseen: list[str], caller: set[str]
) -> None:
    """Texts, ids, ranks, scores, counts and order are those of a corpus without it, though it was added first."""
    store, search, numbers = shared
    alone, both = f"alone{next(numbers)}", f"both{next(numbers)}"
    mine = {f"s{number}.txt": f"{text} {number}" for number, text in enumerate(seen)}
    theirs = {f"u{number}.txt": f"{text} {number}" for number, text in enumerate(unseen)}
    fill(store, mine, dict.fromkeys(mine, sorted(caller)), alone)
    fill(store, theirs, dict.fromkeys(theirs, ("c",)), both)
    fill(store, mine, dict.fromkeys(mine, sorted(caller)), both)

    assert _told(search, alone, caller) == _told(search, both, caller)


def _told(search: Retriever, corpus: str, groups: set[str]) -> object:
    """All that a caller is told of a search, but for the time it took and the store's own numbers."""
    try:
        found = search.search("toll bridge", corpus, sorted(groups))
    except InputError as refused:
        return str(refused).replace(corpus, "…")
    hits = [hit.model_dump(exclude={"chunk": {"chunk_no", "corpus"}}) for hit in found.candidates]
    return found.searched, found.threshold, hits
