"""What a search finds: passages with their ranks, what of them is given to a generator, and what is kept of it."""

from __future__ import annotations

from core.models import Record, utc_now
from core.sources import Chunk
from core.store.cards import CardPassage, RetrievalCard

BELOW, NO_ROOM = "below the threshold", "no room"
"""Why a passage was not packed."""


class Hit(Record):
    """One passage that a search found."""

    chunk: Chunk
    bm25_rank: int | None
    """Counted from 1; none when it holds none of the question's words or others came first."""
    dense_rank: int | None
    score: float
    """Of the fused ranking."""
    cosine: float
    """Of question and passage, from -1 to 1."""
    overlap: float
    """Share of the question's words that it holds, long ones weighing more."""
    cut: str = ""
    """Why it was not packed; empty when it was."""


class Retrieval(Record):
    """What one search found and what of it a generator is given."""

    corpus: str
    candidates: tuple[Hit, ...]
    """All that were looked at, best first."""
    threshold: float
    """The least cosine, for a passage without the question's words."""
    seconds: float
    searched: int
    """Passages that the caller may see."""
    embedder: str = ""
    """Name @ number + first 8 hex of its digest."""

    @property
    def packed(self) -> tuple[Hit, ...]:
        """What a generator is given, best first."""
        return tuple(hit for hit in self.candidates if not hit.cut)

    @property
    def cut(self) -> tuple[Hit, ...]:
        """What it is not given, the nearest first."""
        return tuple(hit for hit in self.candidates if hit.cut)


def card_of(found: Retrieval, request_id: str) -> RetrievalCard:
    """What is kept of a search: places, ranks and reasons, no text."""
    return RetrievalCard(
        request_id=request_id,
        retrieved_at=utc_now(),
        passages=tuple(
            CardPassage(
                chunk_id=hit.chunk.chunk_id,
                title=hit.chunk.title,
                locator=hit.chunk.locator,
                rank=rank,
                **hit.model_dump(exclude={"chunk"}),
            )
            for rank, hit in enumerate(found.candidates, start=1)
        ),
        **found.model_dump(exclude={"candidates"}),
    )
