"""``citedesk trends``: rates over time, one protocol after another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_options import DONE, json_option, progress_bar, settings_of, store_option

if TYPE_CHECKING:
    from core.measure_work import TrendsReport
    from core.metrics import Estimate
    from core.rates_corrected import CorrectedRate
    from core.trends import TrendPoint

SPLITS = ("label", "generator", "corpus", "source", "flag")
"""Of ``core.store.records.Split``; named here, for the store takes long to load."""


@click.command()
@click.option("--protocol", "protocols", multiple=True, metavar="NAME@N+HASH", help="Only these.  [default: every one]")
@click.option("--by", type=click.Choice(["day", "week", "month"]), default="week", show_default=True)
@click.option("--time-zone", default="UTC", show_default=True, help="Where days begin, as in Europe/Berlin.")
@click.option("--lenient", is_flag=True, help="Do not count partial claims as unsupported.")
@click.option("--generator", help="Only answers of this model, or name.")
@click.option("--split", type=click.Choice(SPLITS), help="Count each of these apart, the largest first.")
@store_option
@json_option
def trends(
    protocols: tuple[str, ...],
    by: str,
    time_zone: str,
    lenient: bool,
    generator: str | None,
    split: str | None,
    store: Path | None,
    as_json: bool,
) -> int:
    """Say each protocol's unsupported rate, raw and corrected, by the day, week or month of its questions."""
    from core.admin import perform
    from core.measure_work import TrendsWork

    work = TrendsWork(
        protocols=protocols,
        bucket=by,
        time_zone=time_zone,
        strictness="lenient" if lenient else "strict",
        generator=generator,
        split=split,
    )
    with progress_bar("Counting") as progress:
        found = perform(settings_of(store=store), work, progress)
    for line in rows(found) if as_json else lines(found, by, time_zone):
        click.echo(line)
    return DONE


def rows(found: TrendsReport) -> Iterator[str]:
    """One JSON object a point, with its corrected rate; split, there is none."""
    for point, rate in _pairs(found):
        yield json.dumps(point.model_dump(mode="json") | {"corrected": rate and rate.model_dump(mode="json")})


def lines(found: TrendsReport, by: str, time_zone: str) -> Iterator[str]:
    """The same for a person; the judge's own rate is named raw, and the last one is said in a sentence."""
    for (group, protocol), some in groupby(_pairs(found), key=lambda pair: (pair[0].row.group, pair[0].row.protocol)):
        rate = "share of this verdict" if found.split == "label" else "unsupported rate"
        of = "" if found.split is None else f"{found.split} {group or 'none named'}, "
        people = "" if found.split else ", and corrected by labels"
        yield f"{of}{protocol}, {rate} by {by} ({time_zone}): raw, judged{people}"
        last: CorrectedRate | None = None
        for one, last in some:
            yield (
                f"    {one.row.bucket or 'undated':<12}{_share(one.rate.estimate):<26}{one.rate.judged:,} of "
                f"{one.rate.attempted:,} judged, {one.rate.excluded:,} excluded   {_by_people(last)}".rstrip()
            )
        if last is not None:
            yield f"    {one.row.bucket or 'Undated'}: {last.sentence}"
            if last.corrected is None:
                yield f"    No corrected rate: {last.why_not}"
            if last.borrowed is not None:
                yield f"    Borrowed calibration: {last.borrowed.sentence}"


def _pairs(found: TrendsReport) -> Iterator[tuple[TrendPoint, CorrectedRate | None]]:
    rates = [None] * len(found.points) if found.split else found.corrected
    yield from zip(found.points, rates, strict=True)


def _by_people(rate: CorrectedRate | None) -> str:
    if rate is None:
        return ""
    if rate.corrected is None or rate.corrected.estimate is None:
        return "no corrected rate"
    return f"corrected {_share(rate.corrected)}, {rate.corrected.n:,} labels"


def _share(rate: Estimate) -> str:
    if rate.estimate is None or rate.low is None or rate.high is None:
        return "no claim judged"
    return f"{rate.estimate:.1%} [{rate.low:.1%}, {rate.high:.1%}]"
