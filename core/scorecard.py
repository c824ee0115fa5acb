"""The six metrics over claim rows (DESIGN §2), each with what it is a share of and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from core.metrics import Estimate, clustered_share, unsupported_rate
from core.metrics.clustered_share import Spread
from core.models import ClaimRow, Label, QuoteState, Record, Structural


class Metric(Record):
    """A share with its counts, interval and bounds."""

    name: str
    """As printed, in plain words."""
    unit: str
    """What is counted: claims, citations or quotations."""
    numerator: int
    denominator: int
    """The judged: attempted − excluded."""
    estimate: Estimate
    attempted: int
    judged: int
    excluded: int
    """Attempted, but without a conclusion."""
    lowest: float | None
    """The share if nothing excluded counted."""
    highest: float | None
    """The share if everything excluded counted."""

    @classmethod
    def of(
        cls, name: str, unit: str, numerator: int, attempted: int, excluded: int = 0, spread: Spread | None = None
    ) -> Metric:
        """Make the share of ``numerator`` among what was attempted and not excluded.

        Args:
            name: As printed.
            unit: What is counted.
            numerator: Of the judged.
            attempted: All there are.
            excluded: Of these, without a conclusion.
            spread: How they lie in answers, whose claims are right and wrong together; none where each stands alone.

        Raises:
            ValueError: The counts make no share.
        """
        judged = attempted - excluded
        return cls(
            name=name,
            unit=unit,
            numerator=numerator,
            denominator=judged,
            estimate=clustered_share.of_sums(numerator, judged, spread),
            attempted=attempted,
            judged=judged,
            excluded=excluded,
            lowest=numerator / attempted if attempted else None,
            highest=(numerator + excluded) / attempted if attempted else None,
        )

    def line(self) -> str:
        """One line of text: name, share with its interval, counts."""
        share = self.estimate
        if share.estimate is None or share.low is None or share.high is None:
            figure = "no data"
        else:
            figure = f"{share.estimate:6.1%}  [{share.low:.1%}, {share.high:.1%}]"
        counts = f"{self.numerator} of {self.judged} {self.unit}"
        if self.excluded:
            counts += f"; {self.excluded} of {self.attempted} not judged: {self.lowest:.1%} to {self.highest:.1%}"
        return f"{self.name:<30} {figure:<26} {counts}"


class Scorecard(Record):
    """The six metrics of one protocol; the last one in both strictnesses."""

    verifier: str | None
    """None when there are no rows."""
    protocol: str | None
    structurally_cited: Metric
    """Claims with citations of a sound shape, of all that should have or do have citations."""
    citations_resolvable: Metric
    """Citations whose id leads to usable evidence; those that exist but cannot be read here are excluded."""
    citation_support: Metric
    """Claim × citation found supported; inaccessible ones and those without a verdict are excluded."""
    uncited_material: Metric
    """Material claims without a citation."""
    quote_failures: Metric
    """Quotations that are not verbatim in what is cited; those with nothing readable to look in are excluded."""
    unsupported: Metric
    """The unsupported rate, strict."""
    unsupported_lenient: Metric
    """The same, with partly entailed claims let through."""
    secondary_only: int
    """Claims that rest on a repetition of another source: judged, not unsupported, shown apart."""

    def metrics(self) -> tuple[Metric, ...]:
        """All of them, in the order of reading."""
        return (
            self.structurally_cited,
            self.citations_resolvable,
            self.citation_support,
            self.uncited_material,
            self.quote_failures,
            self.unsupported,
            self.unsupported_lenient,
        )

    def lines(self) -> list[str]:
        """One line a metric, then who judged."""
        judged_by = f"judged by {self.verifier} under {self.protocol}" if self.protocol else "nothing was judged"
        return [*(metric.line() for metric in self.metrics()), judged_by]


def is_eligible(row: ClaimRow) -> bool:
    """Whether a claim counts: it is material, or it cites (a raw marker left in the text is an attempt to)."""
    return row.material or bool(row.cites) or row.structural is Structural.LEAKED_MARKER


def scorecard(rows: Iterable[ClaimRow]) -> Scorecard:
    """Count rows, read once, into the six metrics; they may come in any order.

    Raises:
        ValueError: The rows come from more than one protocol; no figure joins two.
    """
    tally = _Tally()
    judges: set[tuple[str, str]] = set()
    for row in rows:
        judges.add((row.verifier, row.protocol))
        if len(judges) > 1:
            raise ValueError("rows of more than one protocol have no common rate")
        tally.add(row)
    verifier, protocol = next(iter(judges), (None, None))
    metrics, secondary_only = tally.close()
    return Scorecard(verifier=verifier, protocol=protocol, secondary_only=secondary_only, **metrics)


class _Share(NamedTuple):
    """What one metric is a share of, by what is counted."""

    name: str
    unit: str
    numerator: str
    attempted: str
    excluded: str = ""


_SHARES: Mapping[str, _Share] = {
    "structurally_cited": _Share("structurally cited", "claims", "well_cited", "eligible"),
    "citations_resolvable": _Share("citations resolvable", "citations", "resolvable", "cites", "cites_unread"),
    "citation_support": _Share("citation support", "claim × citation", "supported", "cites", "cites_unjudged"),
    "uncited_material": _Share("uncited material", "material claims", "uncited", "material"),
    "quote_failures": _Share("quote failures", "quotations", "quotes_failed", "quotes", "quotes_unread"),
    "unsupported": _Share("unsupported (strict)", "claims", "strict", "eligible", "excluded"),
    "unsupported_lenient": _Share("unsupported (lenient)", "claims", "lenient", "eligible", "excluded"),
}


class _Tally:
    """Counts of all rows, and of each metric how its hits lie in answers: a few hundred bytes an answer.

    The rows of an answer need not follow each other: stored ones come worst first.
    """

    def __init__(self) -> None:
        self._all: Counter[str] = Counter()
        self._answers: dict[str, list[int]] = {}
        """Of each answer its hits and judged pairs, one metric after the other."""

    def add(self, row: ClaimRow) -> None:
        """Count one row."""
        own = _count(row)
        self._all.update(own)
        held = self._answers.setdefault(row.request_id, [0] * (2 * len(_SHARES)))
        for at, of in enumerate(_SHARES.values()):
            held[2 * at] += own[of.numerator]
            held[2 * at + 1] += own[of.attempted] - own[of.excluded]

    def close(self) -> tuple[dict[str, Metric], int]:
        """The metrics by field, and how many claims rest on a repetition."""
        counts = self._all
        metrics = {
            field: Metric.of(
                of.name,
                of.unit,
                counts[of.numerator],
                counts[of.attempted],
                counts[of.excluded],
                Spread.of((held[2 * at], held[2 * at + 1]) for held in self._answers.values()),
            )
            for at, (field, of) in enumerate(_SHARES.items())
        }
        return metrics, counts["secondary_only"]


def _count(row: ClaimRow) -> Counter[str]:
    """What one row counts for."""
    tally: Counter[str] = Counter()
    tally["material"] += row.material
    tally["uncited"] += row.material and row.structural is Structural.UNCITED
    if not is_eligible(row):
        return tally
    tally["eligible"] += 1
    tally["well_cited"] += row.structural is Structural.OK
    tally["excluded"] += row.label in (None, Label.INACCESSIBLE)
    tally["strict"] += unsupported_rate.counts(row.label, row.quote, "strict")
    tally["lenient"] += unsupported_rate.counts(row.label, row.quote, "lenient")
    tally["secondary_only"] += row.label is Label.SECONDARY_ONLY
    for span in row.spans:
        tally["cites"] += 1
        tally["cites_unread"] += span.label is Label.INACCESSIBLE
        tally["cites_unjudged"] += span.label in (None, Label.INACCESSIBLE)
        tally["resolvable"] += span.label not in (Label.INACCESSIBLE, Label.UNRESOLVABLE)
        tally["supported"] += span.label in (Label.SUPPORTED, Label.SECONDARY_ONLY)
    for quote in row.quotes:
        tally["quotes"] += 1
        tally["quotes_unread"] += quote.match is QuoteState.NOT_GIVEN
        tally["quotes_failed"] += quote.match in (QuoteState.NEAR_MISS, QuoteState.NOT_FOUND)
    return tally
