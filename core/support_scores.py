"""A judge's support score of a claim: how sure it is that the cited text carries it, merged over the claim's spans.

Under ``all`` every span must carry the claim, so the claim's score is the lowest; under ``any`` one is enough, so it is
the highest. Under ``joint`` the spans are judged as one text whose scores are not kept, so there is none.
"""

from __future__ import annotations

from typing import NamedTuple

from core.models import Label, MergePolicy
from core.protocol import ClaimProtocol
from core.store.judged_gold import Saying, SpanScores

NAMES = ("entailment", "coverage", "cosine")
"""What judges call it; the first that a span has."""

_SUPPORTS = (Label.SUPPORTED, Label.SECONDARY_ONLY)


class SupportScore(NamedTuple):
    """How sure a judge is of a claim."""

    value: float | None
    """In [0, 1]; none where a span that decides has no score."""
    held: bool
    """Whether something other than the threshold keeps it from being called supported: a qualifier, a quotation."""


def own_threshold(protocol: ClaimProtocol) -> float | None:
    """The least support score at which a protocol calls a span supported; none where it has no such threshold."""
    return protocol.verifier.thresholds.get("supported")


def of(said: Saying, protocol: ClaimProtocol) -> SupportScore:
    """The score of one claim.

    At the protocol's own threshold and above it ``held`` is what happened. Below, it is a forecast from what the judge
    noted; judging again tells.
    """
    own = own_threshold(protocol)
    scored = [(_value(one), one) for one in said.spans]
    known = [(value, one) for value, one in scored if value is not None]
    if protocol.merge is MergePolicy.JOINT or not known:
        return SupportScore(None, False)
    if protocol.merge is MergePolicy.ALL:
        if len(known) < len(scored):
            return SupportScore(None, False)
        return SupportScore(min(value for value, _ in known), any(_held(one, value, own, said) for value, one in known))
    free = [value for value, one in known if not _held(one, value, own, said)]
    return SupportScore(max(free or [value for value, _ in known]), not free)


def _value(span: SpanScores) -> float | None:
    return next((span.scores[name] for name in NAMES if name in span.scores), None)


def _held(span: SpanScores, value: float, own: float | None, said: Saying) -> bool:
    if own is None or span.label in _SUPPORTS:
        return False
    if value >= own:
        return True
    lacks_number = span.scores.get("numbers", 1.0) < 1
    return said.disagrees or lacks_number or span.scores.get("contradiction", 0.0) > value
