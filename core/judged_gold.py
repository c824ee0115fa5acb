"""Gold beside what a judge says of the same claims: the one place where the two meet.

Only claims that rates count (DESIGN §2) are in here, and only gold about texts as they stand now.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.gold_sets import GoldClaim, GoldSet
from core.metrics.confusion import NOT_SUPPORTED, Outcome
from core.metrics.unsupported_rate import Strictness
from core.models import Failure, Label, Record
from core.protocol import ClaimProtocol
from core.store import Store
from core.store.judged_gold import Saying
from core.support_scores import of as support_of

_INACCESSIBLE = Label.INACCESSIBLE


class JudgedItem(Record):
    """One claim with gold, and what the judge says of it."""

    claim_uid: str
    request_uid: str
    request_id: str
    claim: str
    gold: str
    """One of the nine labels, or ``not_supported``."""
    gold_strict: bool | None
    """Whether people make it unsupported by the strict rule; none when they found it inaccessible."""
    gold_lenient: bool | None
    said: Label | None
    """None without a conclusion."""
    said_strict: bool | None
    """Whether the judge makes it unsupported; none when it did not conclude, or found it inaccessible."""
    said_lenient: bool | None
    failure: Failure | None
    score: float | None
    """The judge's support score, in [0, 1]; see ``core.support_scores``."""
    held: bool
    """Whether something other than the threshold keeps it from being called supported."""
    probability: float | None

    def outcome(self, strictness: Strictness = "strict") -> Outcome | None:
        """For binary figures: ``supported`` or ``not_supported`` on both sides; none where people did not say."""
        gold, said = self.gold_strict, self.said_strict
        if strictness == "lenient":
            gold, said = self.gold_lenient, self.said_lenient
        return None if gold is None else Outcome(_side(gold), None if said is None else _side(said), self.request_uid)


class Silence(Record):
    """Why the judge gives no conclusion on claims with gold; the kinds exclude one another."""

    never_seen: int
    """Claims that it was never asked about under this protocol."""
    abstained: int
    """Claims without a label although nothing failed: it was not reached, or there was nothing to judge."""
    failed: dict[str, int]
    """Claims per kind of failure, in the order of the kinds, truncated ones apart."""
    truncated: int
    inaccessible: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.never_seen + self.abstained + sum(self.failed.values()) + self.truncated + self.inaccessible


class Judged(Record):
    """The claims of a gold set with what one protocol says of them."""

    items: tuple[JudgedItem, ...]
    """In the order of their uids; those that the judge never saw are not among them."""
    stale: int
    """Left out: claim or cited text reads otherwise by now."""
    not_counted: int
    """Left out: neither material nor citing anything, so that no rate counts them."""
    silence: Silence

    def outcomes(self, strictness: Strictness = "strict") -> list[Outcome]:
        """For binary figures, the claims on which people concluded."""
        return [one for item in self.items if (one := item.outcome(strictness)) is not None]


def join(store: Store, protocol: ClaimProtocol, gold: GoldSet) -> Judged:
    """Put a gold set beside what a protocol says of its claims."""
    fresh = [one for one in gold.claims if not one.stale]
    said = store.judged_gold.said(str(protocol), [one.claim_uid for one in fresh])
    counted = [one for one in fresh if one.claim_uid not in said or said[one.claim_uid].attempted]
    items = [_item(one, said[one.claim_uid], protocol) for one in counted if one.claim_uid in said]
    return Judged(
        items=tuple(items),
        stale=len(gold.claims) - len(fresh),
        not_counted=len(fresh) - len(counted),
        silence=_silence(items, len(counted) - len(items)),
    )


def _item(gold: GoldClaim, said: Saying, protocol: ClaimProtocol) -> JudgedItem:
    concluded = said.label is not None and said.label is not _INACCESSIBLE
    score = support_of(said, protocol)
    return JudgedItem(
        claim_uid=gold.claim_uid,
        request_uid=gold.request_uid,
        request_id=said.request_id,
        claim=said.claim,
        gold=gold.coarse or str(gold.label),
        gold_strict=gold.unsupported_strict,
        gold_lenient=gold.unsupported_lenient,
        said=said.label,
        said_strict=said.strict if concluded else None,
        said_lenient=said.lenient if concluded else None,
        failure=said.failure,
        score=score.value,
        held=score.held,
        probability=gold.probability,
    )


def _silence(items: Sequence[JudgedItem], never_seen: int) -> Silence:
    mute = [one for one in items if one.said is None]
    kinds = [one.failure for one in mute if one.failure not in (None, Failure.TRUNCATED)]
    return Silence(
        never_seen=never_seen,
        abstained=sum(one.failure is None for one in mute),
        failed={str(kind): kinds.count(kind) for kind in Failure if kind in kinds},
        truncated=sum(one.failure is Failure.TRUNCATED for one in mute),
        inaccessible=sum(one.said is _INACCESSIBLE for one in items),
    )


def _side(unsupported: bool) -> str:
    return NOT_SUPPORTED if unsupported else str(Label.SUPPORTED)
