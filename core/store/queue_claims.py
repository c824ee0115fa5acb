"""The claims of one queue in the order in which they are given out, column by column: a hundred thousand are little."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from core.store.connection import Session

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CLAIMS = """
select i.claim_no, c.claim_uid, i.wanted, i.check_label is not null as is_check, s.span_no, s.cite
from current_queue_items i join standing_claims c using (claim_no) join spans s using (claim_no)
where i.queue_no = ? order by i.place, i.claim_no, s.position
"""


class Item(NamedTuple):
    """One claim of the queue."""

    at: int
    """Its place among them, from 0."""
    claim_no: int
    claim_uid: str
    wanted: int
    """People whose labels are wanted."""
    check: bool
    spans: tuple[int, ...]
    cites: tuple[str | None, ...]

    def cite(self, span_no: int) -> str | None:
        """The citation of one of its spans."""
        return self.cites[self.spans.index(span_no)]


class QueueClaims:
    """The claims of a queue; ``claims[3]`` is the fourth."""

    def __init__(self, columns: dict[str, NDArray[Any]] | None = None) -> None:
        """Hold what ``read`` read; nothing when that is not given.

        Args:
            columns: One row a span, those of a claim together.
        """
        import numpy as np

        numbers = columns["claim_no"] if columns else np.empty(0, np.int32)
        is_first = np.ones(len(numbers), bool)
        is_first[1:] = numbers[1:] != numbers[:-1]
        starts = np.flatnonzero(is_first)
        self.claim_no: NDArray[Any] = numbers[starts]
        self.size: NDArray[Any] = np.diff(starts, append=len(numbers))
        """Spans of each."""
        self.wanted: NDArray[Any] = columns["wanted"][starts] if columns else numbers
        self.is_check: NDArray[Any] = columns["is_check"][starts] if columns else is_first
        self._starts = starts
        self._spans: list[int] = columns["span_no"].tolist() if columns else []
        # Few citations have a name of their own, so each name is kept once.
        names: dict[str | None, str | None] = {}
        cites = columns["cite"].tolist() if columns else []
        self._cites = [names.setdefault(cite, cite) for cite in cites]
        uids = columns["claim_uid"][starts].tolist() if columns else []
        self._uids: list[str] = uids
        self._at = {uid: at for at, uid in enumerate(uids)}
        self._sorted = np.argsort(np.asarray(self._spans, np.int64))
        self.span_no: NDArray[Any] = np.asarray(self._spans, np.int64)[self._sorted]
        """Every span, sorted."""
        self.at_of_span: NDArray[Any] = (np.cumsum(is_first) - 1)[self._sorted]
        """The places of their claims."""

    def __len__(self) -> int:
        """How many."""
        return len(self._uids)

    def __getitem__(self, at: int) -> Item:
        """The one at a place."""
        start = int(self._starts[at])
        end = start + int(self.size[at])
        spans, cites = tuple(self._spans[start:end]), tuple(self._cites[start:end])
        claim, wanted, check = int(self.claim_no[at]), int(self.wanted[at]), bool(self.is_check[at])
        return Item(at, claim, self._uids[at], wanted, check, spans, cites)

    def named(self, claim_uid: str) -> Item | None:
        """The one of a uid; none when it is not among them."""
        at = self._at.get(claim_uid)
        return None if at is None else self[at]

    def of_span(self, span_no: int) -> Item | None:
        """The one that a span belongs to; none when it belongs to another queue."""
        found = int(self.span_no.searchsorted(span_no))
        if found == len(self.span_no) or self.span_no[found] != span_no:
            return None
        return self[int(self.at_of_span[found])]

    def checks(self) -> Iterator[int]:
        """The numbers of the check items."""
        return iter(self.claim_no[self.is_check].tolist())


def read(session: Session, queue_no: int) -> QueueClaims:
    """The claims of a queue that stand in the store."""
    return QueueClaims(session.columns(_CLAIMS, [queue_no]))
