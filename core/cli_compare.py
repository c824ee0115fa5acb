"""``citedesk compare``: two or more protocols on the same claims."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_options import DONE, json_option, progress_bar, settings_of, store_option

if TYPE_CHECKING:
    from core.comparison import Comparison, Pairing
    from core.metrics.paired_test import PairedTest


@click.command()
@click.argument("protocols", nargs=-1, required=True, metavar="A B…")
@click.option("--gold", metavar="ID", help="Hold both against a gold set; list them with: citedesk calibrate --list")
@click.option("--lenient", is_flag=True, help="Do not count partial claims as unsupported.")
@click.option("--shared", is_flag=True, help="Compare on the claims that all judged, although they judged others too.")
@store_option
@json_option
def compare(
    protocols: tuple[str, ...], gold: str | None, lenient: bool, shared: bool, store: Path | None, as_json: bool
) -> int:
    """Compare what protocols A, B… say of the same claims: what changed first, and whether it is more than chance."""
    from core.admin import perform
    from core.measure_work import CompareWork

    work = CompareWork(protocols=protocols, gold=gold, strictness="lenient" if lenient else "strict", shared=shared)
    with progress_bar("Comparing") as progress:
        found = perform(settings_of(store=store), work, progress)
    click.echo(found.model_dump_json() if as_json else "\n".join(lines(found)))
    return DONE


def lines(found: Comparison) -> Iterator[str]:
    """The same for a person."""
    from core.rates_corrected import sentence

    yield f"{found.n:,} claims of {found.requests:,} answers, the same for all; {found.strictness} rule."
    for side in found.sides:
        rate = side.rate.estimate
        share = "none" if rate.estimate is None else f"{rate.estimate:.1%} [{rate.low:.1%}, {rate.high:.1%}]"
        yield (
            f"{side.protocol}   raw unsupported {share} of {rate.n:,} judged, {side.rate.excluded:,} excluded   "
            f"cost {side.cost_said}, latency {side.latency_said}"
        )
        yield f"    {sentence(side.protocol, None, side.rate.estimate)}"
    for pair in found.pairs:
        yield ""
        yield from _pair(pair)


def _pair(one: Pairing) -> Iterator[str]:
    yield one.sentence
    yield f"{one.changed:,} of {one.n:,} claims have another label."
    yield f"    {one.first:<24} {one.second:<24} claims"
    for change in one.changes:
        yield f"{'changed ' if change.changed else '        '}{change.first:<20} {change.second:<24} {change.n:>6,}"
    yield f"Unsupported by {one.first} only: {one.first_only:,}; by {one.second} only: {one.second_only:,}."
    yield f"Labels as a whole: {_test(one.labels, one.labels_p_holm)}"
    if one.gold is None:
        yield one.gold_why_not
    else:
        yield (
            f"Of {one.gold.n:,} claims with gold {one.gold.first_only:,} only {one.first} gets right, "
            f"{one.gold.second_only:,} only {one.second}: {_test(one.gold.test, one.gold.p_holm)}"
        )


def _test(test: PairedTest, holm: float | None) -> str:
    from core.metrics.paired_test import ALPHA

    corrected = "" if holm is None else f", with Holm's correction {holm:.2g}"
    chance = "more than chance explains" if (test.p if holm is None else holm) <= ALPHA else "chance may explain it"
    return f"{chance} ({test.method}, p = {test.p:.2g}{corrected})."
