"""The unsupported rate (DESIGN §2): of the claims that were judged, which share is not supported?

The unit is the claim. What could not be judged leaves the denominator and is shown beside it: as a count, and as the
bounds the rate would have if all of it were bad, or none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from core.metrics import Estimate, clustered_share
from core.metrics.clustered_share import Spread
from core.models import Label, QuoteState, Record

Strictness = Literal["strict", "lenient"]

STRICT = frozenset(
    {
        Label.PARTIAL,
        Label.CONTRADICTED,
        Label.IRRELEVANT,
        Label.WRONG_SCOPE,
        Label.UNCITED,
        Label.UNRESOLVABLE,
    }
)
"""Labels that count as unsupported."""

LENIENT = STRICT - {Label.PARTIAL}
"""The same, with a claim that is entailed in part let through."""

UNSUPPORTED: Mapping[str, frozenset[Label]] = {"strict": STRICT, "lenient": LENIENT}
"""The label sets by strictness."""


class RateReport(Record):
    """A rate with everything that must stand beside it."""

    estimate: Estimate
    """Share of the judged, with its interval; the judge's own share, not corrected for the judge's errors."""
    attempted: int
    judged: int
    excluded: int
    """Attempted but without a conclusion: inaccessible, or the judge gave no label."""
    worst: float | None
    """The rate if everything excluded were bad; none when nothing was attempted."""
    best: float | None
    """The rate if nothing excluded were bad."""


def counts(label: Label | None, quote: QuoteState, strictness: Strictness = "strict") -> bool:
    """Whether a claim counts as unsupported; one that is excluded never does.

    A quotation found nowhere counts in both strictnesses, whatever the verifier said.
    """
    if label is None or label is Label.INACCESSIBLE:
        return False
    return quote is QuoteState.NOT_FOUND or label in UNSUPPORTED[strictness]


def report(
    attempted: int, inaccessible: int, unjudged: int, unsupported: int, spread: Spread | None = None
) -> RateReport:
    """Make the rate from its counts: judged = attempted − inaccessible − unjudged, rate = unsupported / judged.

    Args:
        attempted: Claims that count.
        inaccessible: Of these, whose source could not be read.
        unjudged: Of these, without a label.
        unsupported: Of the judged.
        spread: How the judged and the unsupported lie in answers, for claims of one answer are right and wrong
            together; none where every claim stands on its own.

    Raises:
        ValueError: A count is negative, or more are unsupported than judged.
    """
    if min(attempted, inaccessible, unjudged, unsupported) < 0:
        raise ValueError("counts cannot be negative")
    excluded = inaccessible + unjudged
    judged = attempted - excluded
    if unsupported > judged:
        raise ValueError(f"{unsupported} unsupported of {judged} judged is not a share")
    return RateReport(
        estimate=clustered_share.of_sums(unsupported, judged, spread),
        attempted=attempted,
        judged=judged,
        excluded=excluded,
        worst=(unsupported + excluded) / attempted if attempted else None,
        best=unsupported / attempted if attempted else None,
    )
