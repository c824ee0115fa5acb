"""What the people of one queue did with its claims together: the sums that every mark keeps up to date."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from core.store.access import View
from core.store.label_hands import COUNTS, Change, Hand, is_aside, is_done
from core.store.queue_claims import Item, QueueClaims

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Totals(NamedTuple):
    """How far a queue is; check items are in none of these."""

    claims: int
    complete: int
    wanted: int
    """Judgements wanted."""
    given: int
    """Judgements given, of those that were wanted."""


class Tally:
    """The claims of a queue, everybody's hand, and their sums."""

    _claims: QueueClaims
    _members: frozenset[str]

    def _tally(self, found: Mapping[str, tuple[Hand, NDArray[Any]]]) -> None:
        """Count what everybody did together."""
        import numpy as np

        claims = self._claims
        people = np.zeros(len(claims), np.int64)
        for name, (_, standing) in found.items():
            people += (standing == COUNTS) & self.is_member(name)
        wanted = np.where(claims.is_check, 0, claims.wanted)
        is_full = ~claims.is_check & (people >= wanted)
        self._hands = {name: hand for name, (hand, _) in found.items()}
        for name, (hand, standing) in found.items():
            hand.open_done_spans = int(claims.size[(standing > 0) & ~is_full].sum())
            if not self.is_member(name):
                hand.aside = set(hand.done)
        labelled = np.flatnonzero(people)
        self._people: dict[int, int] = dict(
            zip(claims.claim_no[labelled].tolist(), people[labelled].tolist(), strict=True)
        )
        self._claims_count = int((~claims.is_check).sum())
        self._complete = int(is_full.sum())
        self._wanted = int(wanted.sum())
        self._given = int(np.minimum(people, wanted).sum())
        self._open_spans = int(claims.size[~is_full].sum())
        self._full = is_full

    def _mark(self, one: Change) -> None:
        """Put a mark on a span, or take it off, with all that follows; spans of other queues are passed over."""
        item = self._claims.of_span(one.span_no)
        if item is None:
            return
        hand = self._hands.setdefault(one.labeller, Hand())
        hand.put(one.span_no, one.mark)
        labels = hand.labels(item)
        done = is_done(item, labels)
        self._settle(item, hand, done, done and self.is_member(one.labeller) and not is_aside(labels))
        if done or not labels:
            hand.partly.pop(item.claim_no, None)
        else:
            hand.partly[item.claim_no] = item.at, len(labels)
        if one.mark is None:
            hand.start = min(hand.start, item.at)

    def _settle(self, item: Item, hand: Hand, done: bool, counts: bool) -> None:
        """Keep the sums when somebody finishes a claim or takes that back."""
        claim, size = item.claim_no, len(item.spans)
        was_full, was_done = self._is_full(item), claim in hand.done
        counted = was_done and claim not in hand.aside
        if done != was_done:
            (hand.done.add if done else hand.done.remove)(claim)
            sign = 1 if done else -1
            hand.done_spans += sign * size
            hand.open_done_spans += 0 if was_full else sign * size
        (hand.aside.add if done and not counts else hand.aside.discard)(claim)
        if counts == counted:
            return
        before = self._people.get(claim, 0)
        after = self._people[claim] = before + (1 if counts else -1)
        if item.check:
            return
        self._given += min(after, item.wanted) - min(before, item.wanted)
        if self._is_full(item) != was_full:
            self._full[item.at] = not was_full
            sign = -1 if was_full else 1
            self._complete += sign
            self._open_spans -= sign * size
            for other in self._hands.values():
                other.open_done_spans -= sign * size if claim in other.done else 0
                other.start = min(other.start, item.at) if was_full else other.start

    def is_member(self, labeller: str) -> bool:
        """Whether the queue is for them."""
        return bool(not self._members or labeller in self._members)

    def totals(self) -> Totals:
        """How far all of them together are."""
        return Totals(self._claims_count, self._complete, self._wanted, self._given)

    def spans_of(self, labeller: str, view: View) -> tuple[int, int, int]:
        """Spans that a labeller may still label or has labelled; of these, labelled; skipped."""
        hand = self._hand(labeller)
        labelled = hand.done_spans + sum(count for _, count in hand.partly.values())
        open_partly = sum(count for at, count in hand.partly.values() if not self._is_full(self._claims[at]))
        barred = self._claims.size[self._withheld(labeller, view)].sum() if view.barred else 0
        twice = sum(n for claim, (at, n) in hand.partly.items() if claim in view.barred and not self._full[at])
        left = self._open_spans - hand.open_done_spans - open_partly - int(barred) + twice
        return labelled + left, labelled, len(hand.skipped)

    def withheld_from(self, labeller: str, view: View) -> int:
        """Claims that want labels still, but not from this labeller, who may not read all that they cite."""
        return int((self._withheld(labeller, view) & ~self._claims.is_check).sum()) if view.barred else 0

    def unread(self, restricted: NDArray[Any], readers: Mapping[str, View]) -> tuple[int, int]:
        """Claims that want labels still and that no reader may read, and those that fewer may than labels are wanted.

        Args:
            restricted: By place, whether only some may read a claim; no others are counted.
            readers: What each of those may read who label here.
        """
        import numpy as np

        asked = np.flatnonzero(restricted & ~self._full & ~self._claims.is_check)
        numbers = self._claims.claim_no[asked]
        able, left = np.zeros(len(asked), np.int64), np.zeros(len(asked), np.int64)
        for name, view in readers.items():
            may = np.ones(len(asked), bool) if view.closed is None else ~view.closed[asked]
            able += may
            left += may & ~np.isin(numbers, list(self._hand(name).done))
        given = np.array([self._people.get(number, 0) for number in numbers.tolist()], np.int64)
        too_few = (able > 0) & (left < self._claims.wanted[asked] - given)
        return int((able == 0).sum()), int(too_few.sum())

    def _withheld(self, labeller: str, view: View) -> NDArray[Any]:
        """The same by place."""
        import numpy as np

        assert view.closed is not None
        found = view.closed & ~self._full
        mine = self._hand(labeller).done & view.barred  # few: they could read them when they labelled them
        return found & ~np.isin(self._claims.claim_no, list(mine)) if mine else found

    def claims_by_labeller(self) -> dict[str, int]:
        """How many claims each labeller did whole; check items and labels that take nobody's place are left out."""
        checks = set(self._claims.checks())
        done = {name: len(hand.done - hand.aside - checks) for name, hand in self._hands.items()}
        return {name: claims for name, claims in done.items() if claims}

    def _wanting(self, item: Item, hand: Hand) -> bool:
        return item.claim_no not in hand.done and not self._is_full(item)

    def _is_full(self, item: Item) -> bool:
        return bool(not item.check and self._people.get(item.claim_no, 0) >= item.wanted)

    def _hand(self, labeller: str) -> Hand:
        return self._hands.get(labeller) or Hand()
