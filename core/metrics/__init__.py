"""Metrics, one statistic per file, each giving estimate, interval, n, method and warnings."""

from __future__ import annotations

from enum import StrEnum

from core.models import Record


class Undefined(StrEnum):
    """Why a statistic has no value: stored, counted, shown, so never renamed."""

    NO_DATA = "no_data"
    NO_OVERLAP = "no_overlap"
    NO_VARIATION = "no_variation"
    ONE_CLASS = "one_class"
    ZERO_VARIANCE = "zero_variance"
    WEAK_JUDGE = "weak_judge"
    NO_PROBABILITY = "no_probability"
    NO_FAILURE_ELSEWHERE = "no_failure_elsewhere"

    @property
    def sentence(self) -> str:
        """The same for a reader."""
        return _SENTENCES[self]


_SENTENCES = {
    Undefined.NO_DATA: "no data",
    Undefined.NO_OVERLAP: "no item was labelled twice, so there is nothing to compare",
    Undefined.NO_VARIATION: "every label is the same, so agreement cannot be told from chance; read the raw agreement",
    Undefined.ONE_CLASS: "all items are of one class, so there is nothing to tell apart",
    Undefined.ZERO_VARIANCE: "one of the two never varies, so a correlation is undefined",
    Undefined.WEAK_JUDGE: "the judge is hardly better than guessing (sensitivity + specificity − 1 under 0.2), "
    "so its share says too little about the rate",
    Undefined.NO_PROBABILITY: "no label has an inclusion probability, so nobody can say which claims the labels stand "
    "for; label a drawn sample, or all claims with probability 1",
    Undefined.NO_FAILURE_ELSEWHERE: "nothing outside the slice failed, so how many times as often has no value",
}


class Estimate(Record):
    """A share with its uncertainty; an undefined value says why."""

    estimate: float | None
    low: float | None
    high: float | None
    """The interval, in the unit of the estimate."""
    n: int
    method: str
    warnings: tuple[str, ...] = ()


class Bounded(Estimate):
    """An estimate over what was judged, with what it could have been had everything been judged."""

    unjudged: int
    """Pairs without a label; they are in neither ``n`` nor the estimate."""
    worst: float | None
    """The value at its worst, whatever the unjudged pairs would have been."""
    best: float | None
    """The value if every unjudged pair had been judged as people did."""


class Measure(Estimate):
    """An estimate whose absence has a reason that programs can count."""

    reason: Undefined | None = None
    """Why there is no estimate; its sentence stands first among the warnings."""
    flags: tuple[str, ...] = ()
    """What a reader must know of the input, as ``word`` or ``word:whom``: "constant_rater:a"."""


def undefined(reason: Undefined, n: int, method: str, *warnings: str) -> Measure:
    """A statistic without a value, with the reason as a code and as a sentence."""
    said = (reason.sentence, *warnings)
    return Measure(estimate=None, low=None, high=None, n=n, method=method, warnings=said, reason=reason)


def measured(found: Estimate, flags: tuple[str, ...] = ()) -> Measure:
    """An estimate as a measure; one without a value had no data."""
    reason = Undefined.NO_DATA if found.estimate is None else None
    return Measure(**found.model_dump(), reason=reason, flags=flags)
