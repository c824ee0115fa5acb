"""Retrieval cards: what was found for a question, what of it a generator was given, and what was cut and why."""

from __future__ import annotations

import json
from datetime import datetime

from core.models import Record
from core.store.connection import Session
from core.store.encoding import dump_json, in_utc


class CardPassage(Record):
    """One passage that was looked at; without its text, which is the registry's and the corpus's to show."""

    chunk_id: str
    title: str | None
    locator: str | None
    rank: int
    """In the fused ranking, counted from 1."""
    bm25_rank: int | None
    """In the ranking by words; none when it holds none of the question's or others came first."""
    dense_rank: int | None
    """In the ranking by meaning; none when others came first."""
    score: float
    """Of the fused ranking."""
    cosine: float
    """Of question and passage, from -1 to 1."""
    overlap: float
    """Share of the question's words that it holds, long ones weighing more."""
    cut: str
    """Why the generator was not given it; empty when it was."""


class RetrievalCard(Record):
    """One search; it says nothing of citations, and citation metrics say nothing of it."""

    request_id: str
    retrieved_at: datetime
    corpus: str
    embedder: str
    """Name @ number + first 8 hex of its digest."""
    searched: int
    """Passages that the caller could see."""
    threshold: float
    """Least cosine of a passage that does not hold the question's words."""
    seconds: float
    passages: tuple[CardPassage, ...]
    """Every candidate, best first."""

    @property
    def packed(self) -> tuple[CardPassage, ...]:
        """What the generator was given."""
        return tuple(one for one in self.passages if not one.cut)

    @property
    def nearest_cut(self) -> CardPassage | None:
        """Of what it was not given, the one nearest in meaning."""
        return max((one for one in self.passages if one.cut), key=lambda one: one.cosine, default=None)


_FIELDS = ", ".join(RetrievalCard.model_fields)


def add(session: Session, card: RetrievalCard) -> None:
    """Keep a card; one of this request that is kept already stays as it is."""
    if session.one("select 1 from retrieval_cards where request_id = ?", [card.request_id]) is None:
        values = card.model_dump(exclude={"passages"}) | {"retrieved_at": in_utc(card.retrieved_at)}
        passages = dump_json([one.model_dump() for one in card.passages])
        session.append("retrieval_cards", [values | {"passages": passages}])


def get(session: Session, request_id: str) -> RetrievalCard | None:
    """The card of one request; none when nothing was retrieved for it."""
    row = session.one(f"select {_FIELDS} from retrieval_cards where request_id = ?", [request_id])
    if row is None:
        return None
    values = dict(zip(RetrievalCard.model_fields, row, strict=True))
    passages = tuple(CardPassage.model_validate(one) for one in json.loads(values["passages"]))
    return RetrievalCard(**values | {"passages": passages, "retrieved_at": in_utc(values["retrieved_at"])})
