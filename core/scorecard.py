"""The six metrics over claim rows (DESIGN §2), each with what it is a share of and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.metrics import Estimate, unsupported_rate, wilson
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
    def of(cls, name: str, unit: str, numerator: int, attempted: int, excluded: int = 0) -> Metric:
        """Make the share of ``numerator`` among what was attempted and not excluded.

        Raises:
            ValueError: The counts make no share.
        """
        judged = attempted - excluded
        return cls(
            name=name,
            unit=unit,
            numerator=numerator,
            denominator=judged,
            estimate=wilson.interval(numerator, judged),
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
    """Count rows, read once, into the six metrics.

    Raises:
        ValueError: The rows come from more than one protocol; no figure joins two.
    """
    tally: Counter[str] = Counter()
    judges: set[tuple[str, str]] = set()
    for row in rows:
        judges.add((row.verifier, row.protocol))
        if len(judges) > 1:
            raise ValueError("rows of more than one protocol have no common rate")
        _count(row, tally)
    verifier, protocol = next(iter(judges), (None, None))
    return Scorecard(
        verifier=verifier,
        protocol=protocol,
        structurally_cited=Metric.of("structurally cited", "claims", tally["well_cited"], tally["eligible"]),
        citations_resolvable=Metric.of(
            "citations resolvable", "citations", tally["resolvable"], tally["cites"], tally["cites_unread"]
        ),
        citation_support=Metric.of(
            "citation support", "claim × citation", tally["supported"], tally["cites"], tally["cites_unjudged"]
        ),
        uncited_material=Metric.of("uncited material", "material claims", tally["uncited"], tally["material"]),
        quote_failures=Metric.of(
            "quote failures", "quotations", tally["quotes_failed"], tally["quotes"], tally["quotes_unread"]
        ),
        unsupported=Metric.of("unsupported (strict)", "claims", tally["strict"], tally["eligible"], tally["excluded"]),
        unsupported_lenient=Metric.of(
            "unsupported (lenient)", "claims", tally["lenient"], tally["eligible"], tally["excluded"]
        ),
        secondary_only=tally["secondary_only"],
    )


def _count(row: ClaimRow, tally: Counter[str]) -> None:
    """Add one row."""
    tally["material"] += row.material
    tally["uncited"] += row.material and row.structural is Structural.UNCITED
    if not is_eligible(row):
        return
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
