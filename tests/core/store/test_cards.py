"""Retrieval cards come back as they were kept, one a request."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from core.store import Store
from core.store.cards import CardPassage, RetrievalCard


def passage(rank: int, **changes: Any) -> CardPassage:
    """A candidate that was packed, with changes."""
    values: dict[str, Any] = {
        "chunk_id": f"a1b2c3d4e5f6:p1.{rank}-90",
        "title": "Tolls \ud83d",
        "locator": "toll.txt, paragraph 1",
        "rank": rank,
        "bm25_rank": None,
        "dense_rank": rank,
        "score": 0.03,
        "cosine": 0.5,
        "overlap": 0.2,
        "cut": "",
    }
    return CardPassage(**(values | changes))


def card(*passages: CardPassage) -> RetrievalCard:
    """A search that found these."""
    return RetrievalCard(
        request_id="q-1",
        retrieved_at=datetime(2026, 11, 30, 9, tzinfo=UTC),
        corpus="main",
        embedder="bag@1+00000000",
        searched=12,
        threshold=0.3,
        seconds=0.01,
        passages=passages,
    )


def test_a_card_comes_back_as_it_was(store: Store) -> None:
    """The first of a request stays."""
    kept = card(passage(1), passage(2, cut="below the threshold", cosine=0.1))
    store.queries.add_card(kept)
    store.queries.add_card(card())

    assert store.queries.card("q-1") == kept
    assert store.queries.card("q-2") is None


def test_what_was_packed_and_the_nearest_that_was_not() -> None:
    """Nearest in meaning, wherever it stood in the ranking; none when nothing was cut."""
    far, near = passage(2, cut="below the threshold", cosine=0.1), passage(3, cut="no room", cosine=0.4)

    assert card(passage(1), far, near).packed == (passage(1),)
    assert card(passage(1), far, near).nearest_cut == near
    assert card(passage(1)).nearest_cut is None
