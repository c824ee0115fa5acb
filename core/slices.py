"""Where claims fail more often than elsewhere: slices of one protocol's claims, each with the filter that finds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.failures import failing
from core.metrics import Estimate, Measure, clustered_share, slice_lift
from core.metrics.slice_lift import Count, SliceLift
from core.models import Record
from core.store import Store
from core.store.records import MANY_CITES, ClaimFilter
from core.store.slices import DIMENSIONS, Sliced, Totals
from core.words import STOP_WORDS

DIMENSION_WORDS: Mapping[str, str] = {
    "flag": "What the claim holds",
    "generator": "Who wrote the answer",
    "source": "Source",
    "age": "Age of the source",
    "cites": "Citations of the claim",
    "topic": "Word of the question",
    "corpus": "Corpus",
}
_FIELDS: Mapping[str, str] = {
    "flag": "flags",
    "generator": "generator",
    "source": "source",
    "age": "age",
    "cites": "cite_count",
    "topic": "topic",
    "corpus": "corpus",
}
MOST = 40
"""Slices of one dimension: those with most judged claims."""

FEWEST = 5
"""Judged claims of a slice at least."""

TOPICS = 20
"""Words of questions that count as topics: the most frequent that say something."""

_FLAGS: Mapping[str, str] = {
    "causal": "a cause",
    "legal": "law",
    "medical": "medicine",
    "from_prose": "was missing from the claim list",
}
_AGES: Mapping[str, str] = {
    "month": "source up to 30 days old when asked",
    "year": "source up to a year old when asked",
    "three_years": "source one to three years old when asked",
    "older": "source over three years old when asked",
    "unknown": "age of the source unknown",
}


class Slice(Record):
    """One slice against all claims of the filter."""

    dimension: str
    value: str
    words: str
    failed: int
    judged: int
    rate: Estimate
    rest: Estimate
    """The rate of all other claims."""
    lift: Measure
    """How many times as often as elsewhere; 1 is no difference."""
    excess: float
    """Failures more than the slice would have at the rate of all claims: n · (rate − overall)."""
    q: float | None
    """Corrected for the number of slices; none where too few failures are expected to test."""
    stands_out: bool
    wanted: ClaimFilter
    """Exactly its judged claims."""
    bad: ClaimFilter
    """Exactly those of them that fail."""


class SliceReport(Record):
    """Every slice of a filter, most excess failures first."""

    judged: int
    failed: int
    design_effect: float
    """By how much failures that fall on the same answers widen the intervals; 1 is not at all."""
    slices: tuple[Slice, ...]


def ranked(store: Store, wanted: ClaimFilter, strictness: str, dimensions: Sequence[str] = DIMENSIONS) -> SliceReport:
    """Rank the slices of a filter.

    Args:
        store: Where the verdicts are.
        wanted: Which claims; what it fixes already is no slice.
        strictness: ``strict`` or ``lenient``.
        dimensions: Some of ``DIMENSIONS``.
    """
    free = [one for one in dimensions if getattr(wanted, _FIELDS[one]) in (None, ())]
    totals, counted = store.slices.counts(wanted, strictness, free, MOST * 8)
    found = {(dimension, one.value): one for dimension in free for one in _said(dimension, counted[dimension], totals)}
    effect = design_effect(totals)
    counts = {f"{dimension}\0{value}": Count(one.failed, one.judged) for (dimension, value), one in found.items()}
    lifts = slice_lift.rank(counts, Count(totals.failed, totals.judged), effect)
    made = [_made(one, found[_key(one.name)], totals, wanted, strictness) for one in lifts]
    made.sort(key=lambda one: (-one.excess, one.dimension, one.value))
    return SliceReport(judged=totals.judged, failed=totals.failed, design_effect=effect, slices=tuple(made))


def bad_sources(report: SliceReport) -> list[Slice]:
    """The sources that failing claims cite most, most first."""
    cited = [one for one in report.slices if one.dimension == "source" and one.failed]
    return sorted(cited, key=lambda one: (-one.failed, one.value))


def design_effect(totals: Totals) -> float:
    """How much wider requests make the variance of the rate than that many independent claims would; never below 1.

    Where nothing or everything failed, or there is one request, nothing can be told of it.
    """
    if totals.spread.clusters < 2 or totals.failed in (0, totals.judged):
        return 1.0
    return clustered_share.design_effect(totals.failed, totals.judged, totals.spread)


def words(dimension: str, value: str) -> str:
    """A slice in a few words, as it stands in lists and in the filter."""
    if dimension == "cites":
        many = "or more " if value == str(MANY_CITES) else ""
        return "cites nothing" if value == "0" else f"cites {value} {many}source{'' if value == '1' else 's'}"
    if dimension == "flag":
        return f"holds {_FLAGS.get(value, f'a {value}')}" if value != "from_prose" else _FLAGS[value]
    if dimension == "age":
        return _AGES[value]
    before = {"generator": "written by", "source": "source", "topic": "the question says", "corpus": "corpus"}
    return f"{before[dimension]} {value}"


def sentence(one: Slice) -> str:
    """A slice in one sentence for somebody who knows no statistics."""
    share = f"{one.failed:,} of {one.judged:,} fail"
    if one.lift.estimate is None:
        return f"{share}; {one.lift.warnings[0]}" if one.lift.warnings else share
    times = f"{one.lift.estimate:.1f} times as often as elsewhere"
    sure = "more than chance explains" if one.stands_out else "chance may explain it"
    return f"{share}, {times}; {sure}"


def _said(dimension: str, counted: Sequence[Sliced], totals: Totals) -> list[Sliced]:
    """Slices that say something: large enough, not everything, and of topics no words without a subject."""
    large = [one for one in counted if FEWEST <= one.judged < totals.judged and _can_be_sent(one.value)]
    if dimension == "topic":
        half = totals.judged / 2
        return [
            one
            for one in large
            if one.judged <= half and len(one.value) > 3 and one.value not in STOP_WORDS and not one.value.isdigit()
        ][:TOPICS]
    return large[:MOST]


def _can_be_sent(value: str) -> bool:
    """Whether a value can stand in an address: half a surrogate pair cannot."""
    return not any("\ud800" <= char <= "\udfff" for char in value)


def _key(name: str) -> tuple[str, str]:
    dimension, _, value = name.partition("\0")
    return dimension, value


def _made(one: SliceLift, counted: Sliced, totals: Totals, wanted: ClaimFilter, strictness: str) -> Slice:
    dimension, value = _key(one.name)
    held: Any = {"flag": (value,), "cites": int(value) if dimension == "cites" else None}.get(dimension, value)
    mine = wanted.model_copy(update={_FIELDS[dimension]: held, "judged_only": True})
    return Slice(
        dimension=dimension,
        value=value,
        words=words(dimension, value),
        failed=counted.failed,
        judged=counted.judged,
        rate=one.rate,
        rest=one.rest,
        lift=one.lift,
        excess=counted.failed - counted.judged * totals.failed / totals.judged,
        q=one.q,
        stands_out=one.stands_out,
        wanted=mine,
        bad=failing(mine, strictness),
    )
