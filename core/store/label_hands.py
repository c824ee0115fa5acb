"""What each labeller has made of the claims of a queue: read from the log at once, or changed mark by mark.

A mark is what a person said of a span last and did not take back. In one number it grows with its event, so that the
last one is the highest: little to keep of a long log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from core.store.connection import Session
from core.store.queue_claims import Item, QueueClaims

if TYPE_CHECKING:
    from numpy.typing import NDArray

LABEL, NOT_A_CLAIM, OF_NO_QUEUE = 1, 2, 4
"""What a mark is made of; a skip is minus the number of its event."""

OPEN, ASIDE, COUNTS = 0, 1, 2
"""How a claim stands in a hand: not done, done but in no queue, done."""

_PACKED = """
event_no::bigint * 8 + case kind when 'label' then 1 when 'not_a_claim' then 2 else 0 end + if(queue_id is null, 4, 0)
"""
_NAMES = "select distinct labeller from label_events where guideline = ? order by 1"
_MARKS = f"""
select span_no, list_position(?, labeller) as hand, mark from (
  select span_no, labeller, max({_PACKED}) as mark
  from label_events e
  anti join (select undoes as event_id from label_events where undoes is not null) undone using (event_id)
  where kind in ('label', 'not_a_claim', 'skip') and guideline = ?
  group by 1, 2
)
"""
_STANDING = f"""
select guideline, max({_PACKED}) filter (kind in ('label', 'not_a_claim', 'skip') and event_id not in (
  select undoes from label_events where undoes is not null))
from label_events where labeller = ? and span_no = ? group by 1
"""


class Change(NamedTuple):
    """That the mark of a person on a span is another one since an event."""

    event_no: int
    span_no: int
    labeller: str
    guideline: str
    mark: int | None
    """None when nothing of what they said stands any more."""


class Hand:
    """What one labeller has done."""

    __slots__ = ("aside", "done", "done_spans", "marks", "open_done_spans", "partly", "skipped", "start", "view")

    def __init__(self) -> None:
        """Nothing yet."""
        self.marks: dict[int, int] = {}
        """By span."""
        self.skipped: dict[int, int] = {}
        """Skipped spans with their events."""
        self.done: set[int] = set()
        """Claims labelled whole."""
        self.aside: set[int] = set()
        """Of these, the ones that take nobody's place."""
        self.partly: dict[int, tuple[int, int]] = {}
        """Claims labelled in part, with their place in the queue and the number of spans that are."""
        self.done_spans = 0
        self.open_done_spans = 0
        """Of these, the ones of claims that others may still label."""
        self.start = 0
        """Before this place in the queue there is nothing new for them."""
        self.view: object = None
        """What they might read when that was found; see ``core.store.access.View``."""

    def put(self, span_no: int, mark: int | None) -> None:
        """Put a mark on a span, or take it off."""
        self.skipped.pop(span_no, None)
        if mark is None:
            self.marks.pop(span_no, None)
            return
        self.marks[span_no] = mark
        if mark < 0:
            self.skipped[span_no] = -mark

    def labels(self, item: Item) -> list[int]:
        """Their marks on the spans of a claim that are labelled."""
        return [mark for span in item.spans if (mark := self.marks.get(span, 0)) > 0]


def is_done(item: Item, labels: Sequence[int]) -> bool:
    """Whether somebody with these marks has labelled a claim whole: every span, or one as no claim at all."""
    return len(labels) == len(item.spans) or any(mark & NOT_A_CLAIM for mark in labels)


def is_aside(labels: Sequence[int]) -> bool:
    """Whether these marks take nobody's place, because none of them was made in a queue."""
    return all(mark & OF_NO_QUEUE for mark in labels)


def read(session: Session, claims: QueueClaims, guideline: str) -> dict[str, tuple[Hand, NDArray[Any]]]:
    """Everybody's hand under a guideline, with how each claim of the queue stands in it.

    ``open_done_spans`` is left at 0, for it depends on the others.
    """
    names = [name for (name,) in session.all(_NAMES, [guideline])]
    marks = session.columns(_MARKS, [names, guideline]) if names else {}
    found = {}
    for number, name in enumerate(names, 1):
        mine = marks["hand"] == number
        found[name] = _hand(claims, marks["span_no"][mine], marks["mark"][mine])
    return found


def _hand(claims: QueueClaims, spans: NDArray[Any], packed: NDArray[Any]) -> tuple[Hand, NDArray[Any]]:
    import numpy as np

    where = claims.span_no.searchsorted(spans)
    where[where == len(claims.span_no)] = 0
    here = claims.span_no[where] == spans if len(claims.span_no) else np.zeros(len(spans), bool)
    spans, packed, at = spans[here], packed[here], claims.at_of_span[where[here]] if here.any() else where[here]
    what = packed & 7
    labelled = (what & (LABEL | NOT_A_CLAIM)) > 0

    def count(which: NDArray[Any]) -> NDArray[Any]:
        return np.bincount(at[which], minlength=len(claims))

    labels, none = count(labelled), count((what & NOT_A_CLAIM) > 0)
    done = (labels > 0) & ((labels == claims.size) | (none > 0))
    aside = done & (count(labelled & ((what & OF_NO_QUEUE) > 0)) == labels)
    partly = np.flatnonzero((labels > 0) & ~done)
    hand = Hand()
    hand.marks = dict(zip(spans.tolist(), np.where(labelled, what, -(packed >> 3)).tolist(), strict=True))
    hand.skipped = dict(zip(spans[~labelled].tolist(), (packed[~labelled] >> 3).tolist(), strict=True))
    hand.done = set(claims.claim_no[done].tolist())
    hand.aside = set(claims.claim_no[aside].tolist())
    counted = zip(partly.tolist(), labels[partly].tolist(), strict=True)
    hand.partly = dict(zip(claims.claim_no[partly].tolist(), counted, strict=True))
    hand.done_spans = int(claims.size[done].sum())
    return hand, np.where(aside, ASIDE, np.where(done, COUNTS, OPEN))


def changes(session: Session, rows: Iterable[Mapping[str, Any]]) -> list[Change]:
    """What rows of the log that were just appended, in this write, change."""
    found = []
    for row in rows:
        number, span_no, labeller = row["event_no"], row["span_no"], row["labeller"]
        match row["kind"]:
            case "undo":
                standing = session.all(_STANDING, [labeller, span_no])
                found += [Change(number, span_no, labeller, one, unpacked(mark)) for one, mark in standing]
            case "flag":
                pass
            case kind:
                mark = LABEL if kind == "label" else NOT_A_CLAIM if kind == "not_a_claim" else -number
                if mark > 0 and row["queue_id"] is None:
                    mark |= OF_NO_QUEUE
                found.append(Change(number, span_no, labeller, row["guideline"], mark))
    return found


def unpacked(packed: int | None) -> int | None:
    """A mark as a hand keeps it."""
    if packed is None:
        return None
    event_no, what = divmod(packed, 8)
    return what if what & (LABEL | NOT_A_CLAIM) else -event_no
