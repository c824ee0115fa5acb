"""Figures with a name and one plain sentence each, for readers who know no statistics."""

from __future__ import annotations

from core.metrics import Bounded, Estimate
from core.models import Record


class Figure(Record):
    """One number of how a judge does, with all that must stand beside it."""

    key: str
    """A word for programs: ``false_pass``."""
    title: str
    estimate: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    warnings: tuple[str, ...]
    unjudged: int = 0
    """Claims that would count but on which the judge did not conclude."""
    worst: float | None = None
    best: float | None = None
    """What the number could have been, had everything been judged; none where that is not known."""
    sentence: str


def figure(key: str, title: str, found: Estimate, sentence: str) -> Figure:
    """Name a number.

    Args:
        key: For programs.
        title: For people.
        found: The number.
        sentence: What it means, with ``{range}`` where the interval goes, of 100; see ``in_hundred``.
    """
    bounds = found.model_dump(include={"unjudged", "worst", "best"}) if isinstance(found, Bounded) else {}
    shown = {name: getattr(found, name) for name in Estimate.model_fields}
    return Figure(key=key, title=title, sentence=said(found, sentence), **shown, **bounds)


def said(found: Estimate, sentence: str) -> str:
    """The sentence with the interval put in, or why there is no number."""
    if found.estimate is None:
        return f"No figure: {(found.warnings or ('no data',))[0]}."
    return sentence.replace("{range}", in_hundred(found)).replace("{value}", f"{found.estimate:.2f}")


def in_hundred(found: Estimate) -> str:
    """An interval as "6 to 11", of 100; as the estimate alone where there is none."""
    if found.low is None or found.high is None:
        return f"{100 * (found.estimate or 0):.0f}"
    low, high = round(100 * found.low), round(100 * found.high)
    return f"{low} to {high}" if low != high else f"about {low}"
