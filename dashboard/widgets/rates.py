"""Unsupported rates in words and as a table; nothing is computed here. No Streamlit here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pandas as pd

from core import glossary
from core.metrics import Estimate
from core.metrics.unsupported_rate import RateReport
from core.models import Failure
from core.protocol import ClaimProtocol
from core.rates_corrected import CorrectedRate, between
from core.trends import TrendPoint
from dashboard.widgets import many

BY_ANSWER = "Wilson, by answer"
"""Of every raw rate: claims of one answer are right and wrong together, so answers count, not claims."""

OWN_SHARE = "the judge's own share, not yet corrected by people"
"""What an interval here is about, named wherever one is shown."""


def bucket_words(start: datetime, end: datetime, time_zone: str) -> str:
    """A stretch of time as a person says it: one day, the week of a day, a month, or from a day to a day."""
    first = start.astimezone(ZoneInfo(time_zone))
    last = end.astimezone(ZoneInfo(time_zone)) - timedelta(seconds=1)
    if first.date() == last.date():
        return f"{first.day} {first:%B %Y}"
    if (last.date() - first.date()).days == 6:
        return f"the week of {first.day} {first:%B %Y}"
    if first.day == 1 and (first.month, first.year) == (last.month, last.year):
        return f"{first:%B %Y}"
    return f"{first.day} {first:%B} to {last.day} {last:%B %Y}"


def percent(share: float) -> str:
    """A share as a person reads it: whole per cent, never 0 for what is not nothing, never 100 for what is not all."""
    words = f"{100 * share:.0f} %"
    if words == "0 %" and share > 0:
        return "under 1 %"
    return "over 99 %" if words == "100 %" and share < 1 else words


def interval(estimate: Estimate) -> str:
    """The bounds of an estimate, as ``14–23``; empty when there are none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{100 * estimate.low:.0f}–{100 * estimate.high:.0f}"


def share(rate: RateReport) -> str:
    """A rate with its interval, as ``18 % (14–23)``; a sentence when nothing was judged."""
    if rate.estimate.estimate is None:
        return "nothing judged"
    return f"{percent(rate.estimate.estimate)} ({interval(rate.estimate)})"


def when(point: TrendPoint, time_zone: str) -> str:
    """The bucket of a point in words."""
    if point.row.start is None or point.row.end is None:
        return "answers without a date"
    return bucket_words(point.row.start, point.row.end, time_zone)


def sentence(point: TrendPoint, time_zone: str, people: CorrectedRate | None = None) -> str:
    """Say a point: judge, interval in claims of 100, how many of how many were judged, and of when.

    Args:
        point: What is said.
        time_zone: Where its bucket begins.
        people: The rate corrected by labels, which is said instead of the judge's own where there is one.
    """
    rate = point.rate
    place = f"in {when(point, time_zone)}"
    if rate.estimate.estimate is None:
        why = f"all {rate.excluded:,} were excluded" if rate.excluded else "there was none that counts"
        return f"{point.row.protocol}: no claim was judged {place}; {why}."
    found: Estimate = rate.estimate
    labels = ""
    if people is not None and people.corrected is not None and people.corrected.estimate is not None:
        found = people.corrected
        labels = f", corrected by {many(found.n, 'label')}"
    shown = f"{between(found.low or 0, found.high or 0).lower()} of 100 claims are unsupported{labels}"
    return f"{point.row.protocol}: {shown}, {rate.judged:,} of {rate.attempted:,} judged, {place}."


def lines(point: TrendPoint, time_zone: str) -> list[str]:
    """The same in short lines, with how far the excluded claims could move the share."""
    rate = point.rate
    said = [when(point, time_zone), point.row.protocol]
    said += [f"{share(rate)} unsupported" if rate.judged else share(rate)]
    said += [f"{rate.judged:,} of {rate.attempted:,} judged"]
    if bounds(rate):
        said += [f"{bounds(rate)} whatever the {rate.excluded:,} excluded are"]
    return said


def not_judged(attempted: int, closed: int, unjudged: int, failures: Mapping[str, int]) -> str:
    """Say which share of the claims that count has no conclusion, and why.

    Args:
        attempted: Claims that count.
        closed: Those whose source cannot be read here.
        unjudged: Those that the judge gave no label.
        failures: Of these, how many per kind of failure.
    """
    excluded = closed + unjudged
    if not excluded:
        return f"None of the {many(attempted, 'claim')} that count was left without a verdict." if attempted else ""
    why = [f"{closed:,} because the source is closed"] if closed else []
    why += [f"{count:,} because {glossary.FAILURES[Failure(kind)].what}" for kind, count in failures.items()]
    if (others := unjudged - sum(failures.values())) > 0:
        why.append(f"{others:,} without a reason on record")
    return f"Not judged: {excluded:,} of {attempted:,} claims ({percent(excluded / attempted)}): {', '.join(why)}."


def judges(protocols: Sequence[ClaimProtocol]) -> list[str]:
    """One line a verifier: what it is, and what its labels need under each protocol."""
    lines = []
    for verifier in dict.fromkeys(one.verifier.verifier for one in protocols):
        own = [one for one in protocols if one.verifier.verifier == verifier]
        needs = [f"{one}: {words}" for one in own if (words := glossary.thresholds(one.verifier.thresholds))]
        lines.append(f"{verifier} is {glossary.judge(verifier)}." + (f" {'; '.join(needs)}." if needs else ""))
    return lines


def bounds(rate: RateReport) -> str:
    """How far the excluded claims could move the rate, as ``17–22 %``; empty when none was excluded."""
    if not rate.excluded or rate.best is None or rate.worst is None:
        return ""
    ends = dict.fromkeys((f"{100 * rate.best:.0f}", f"{100 * rate.worst:.0f}"))
    return f"{'–'.join(ends)} %"


def figure_caption(
    points: Sequence[TrendPoint],
    what: str,
    strictness: str,
    bucket: str,
    time_zone: str,
    people: bool = False,
    drawn: str = "Bars",
) -> str:
    """What stands inside every picture of a chart: what it shows, who judged, how many, by which method.

    Args:
        points: All that is drawn.
        what: The filter in words.
        strictness: ``strict`` or ``lenient``.
        bucket: ``day``, ``week`` or ``month``.
        time_zone: Where buckets begin.
        people: Whether corrected rates are drawn, too.
        drawn: As what intervals are drawn.
    """
    judges_of = dict.fromkeys(point.row.protocol for point in points)
    n = {name: sum(point.rate.judged for point in points if point.row.protocol == name) for name in judges_of}
    said = ", ".join(f"{name} (n {count:,})" for name, count in n.items())
    method = "; hollow: corrected by labels, see the table for the method" if people else ""
    return (
        f"Unsupported claims, {strictness}, {what}; a point a {bucket}, {time_zone}. Judges: {said}. {drawn}: 95 % "
        f"interval ({BY_ANSWER}), {OWN_SHARE}{method}."
    )


def table(points: Sequence[TrendPoint], time_zone: str, people: Sequence[CorrectedRate] = ()) -> pd.DataFrame:
    """One line a point, in words and whole numbers; columns as a person reads them."""
    corrected = {"Corrected by labels": [_corrected(one) for one in people]} if people else {}
    return pd.DataFrame(
        {
            "When": [_start(when(point, time_zone)) for point in points],
            "Judge": [point.row.protocol for point in points],
            "Unsupported": [share(point.rate) for point in points],
            **corrected,
            "Claims that count": [point.rate.attempted for point in points],
            "Judged": [point.rate.judged for point in points],
            "Not judged": [_error_rate(point.rate) for point in points],
            "Source closed": [point.row.inaccessible for point in points],
            "No verdict": [point.row.unjudged for point in points],
            "If all excluded were fine or bad": [bounds(point.rate) or "—" for point in points],
            "Second-hand": [point.row.secondary_only for point in points],
            "Answers": [point.row.requests for point in points],
        }
    )


def _corrected(rate: CorrectedRate) -> str:
    found = rate.corrected
    if found is None or found.estimate is None:
        why = rate.why_not or (found.warnings[0] if found and found.warnings else "—")
        lent = rate.borrowed.rate if rate.borrowed else None
        if lent is None or lent.estimate is None:
            return why
        return f"{why} Borrowed calibration: {percent(lent.estimate)} ({interval(lent)})"
    return f"{percent(found.estimate)} ({interval(found)}), {found.n:,} labels, {found.method}"


def _error_rate(rate: RateReport) -> str:
    return percent(rate.excluded / rate.attempted) if rate.attempted else "—"


def _start(words: str) -> str:
    return words[:1].upper() + words[1:]
