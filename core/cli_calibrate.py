"""``citedesk calibrate``: how far what the desk decides can be trusted, measured against people's labels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_options import DONE, json_option, progress_bar, settings_of, store_option

if TYPE_CHECKING:
    from core.calibration import Calibration
    from core.figures import Figure
    from core.gate_work import GateReport, GateWork
    from core.metrics import Estimate


@click.command()
@click.option("--protocol", metavar="NAME@N+HASH", help="Whose verdicts.  [default: the only one, else required]")
@click.option("--gold", metavar="ID", help="Against which gold set.  [default: the only one, else required]")
@click.option("--list", "listed", is_flag=True, help="List the gold sets of the store instead.")
@click.option("--weight", type=float, default=1.0, show_default=True, help="False strips that one false pass is worth.")
@click.option(
    "--card", type=click.Path(path_type=Path), metavar="FILE", help="Write the judge's record card, Markdown."
)
@click.option("--adopt", is_flag=True, help="Make a new protocol of the cheapest threshold, or of --threshold.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Which threshold to adopt.")
@click.option("--name", help="What to call the adopted protocol.")
@click.option("--gate", is_flag=True, help="Both errors of the gate instead: what passed, and what it stopped in vain.")
@click.option(
    "--level",
    type=click.Choice(["citations", "quotes", "support"]),
    help="With --gate: what an answer is held to.  [default: what answers are served by]",
)
@click.option("--guideline", metavar="VERSION", help="With --gate: only labels under it.  [default: the present one]")
@click.option(
    "--merge",
    type=click.Choice(["all", "any"]),
    default="all",
    help="With --gate: how labels of spans become a claim's.",
)
@store_option
@json_option
def calibrate(
    protocol: str | None,
    gold: str | None,
    listed: bool,
    weight: float,
    card: Path | None,
    adopt: bool,
    threshold: float | None,
    name: str | None,
    gate: bool,
    level: str | None,
    guideline: str | None,
    merge: str,
    store: Path | None,
    as_json: bool,
) -> int:
    """Measure a judge, or the gate, against what people decided on the same claims."""
    if weight <= 0:
        raise click.UsageError("--weight: a false pass must be worth more than nothing.")
    if (threshold is not None or name) and not adopt:
        raise click.UsageError("--threshold and --name go with --adopt.")
    if gate:
        return gate_errors(store, _gate_work(level, protocol, guideline, merge), as_json)
    if listed:
        return gold_list(store, as_json)
    from core.admin import perform
    from core.measure_work import AdoptWork, CalibrateWork

    chosen = settings_of(store=store)
    asked = CalibrateWork(protocol=protocol, gold=gold, weight=weight)
    with progress_bar("Measuring") as progress:
        found = perform(chosen, asked, progress)
    if card is not None:
        from core.judge_card import card as written

        card.write_text(written(found), encoding="utf-8")
        click.echo(f"The record card of {found.protocol} is in {card}", err=True)
    click.echo(found.model_dump_json() if as_json else "\n".join(lines(found)))
    if adopt:
        work = AdoptWork(measured=asked, threshold=threshold, name=name, who=chosen.labeller)
        made = perform(chosen, work, lambda done, total: None).adopted
        click.echo(
            f"Adopted as {made.name}: {made.protocol}. Old verdicts stay; judge the store with: "
            f"citedesk verify --stored --adopted {made.name}",
            err=True,
        )
    return DONE


def lines(one: Calibration) -> Iterator[str]:
    """Everything a person should read of a calibration."""
    yield (
        f"{one.protocol} against {one.gold.title} ({one.gold.gold_id}, sha256 {one.gold_sha256[:12]}): {one.n:,} "
        f"claims with gold, {one.judged:,} judged."
    )
    kinds = one.silence.model_dump(exclude={"failed"}) | one.silence.failed
    if said := ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in kinds.items() if count):
        yield f"Silent on {one.silence.total:,}: {said}."
    yield ""
    for figure in (*one.figures, *(one.scores.figures if one.scores else ())):
        yield _figure_line(figure)
        yield f"    {figure.sentence}"
    yield ""
    yield f"{'people say':<16}{'judge says':<16}{'claims':>8}"
    for cell in one.labels.cells if one.labels else one.cells:
        yield f"{cell.gold:<16}{cell.said:<16}{cell.n:>8,}"
    yield ""
    yield from _sentences(one)


def _sentences(one: Calibration) -> Iterator[str]:
    yield one.rate.sentence
    yield from one.rate.notes
    if one.rate.corrected is None:
        yield one.rate.why_not
    else:
        yield f"Method: {one.rate.corrected.method}; {one.rate.corrected.because}."
    yield from one.plan
    if one.people is not None:
        yield f"People among themselves, {one.people.claims:,} claims: raw agreement {_range(one.people.raw)}."
    yield one.best.sentence if one.best else one.thresholds_why_not
    for why in (one.labels_why_not, one.scores_why_not, one.people_why_not):
        if why:
            yield why
    yield from one.notes
    first = one.disagreements[0] if one.disagreements else None
    if first is not None:
        yield (
            f"{len(one.disagreements):,} disagreements; the surest mistake: claim {first.claim_uid}, judge "
            f"{first.said or 'none'}, people {first.gold}."
        )


def _figure_line(one: Figure) -> str:
    bounds = ""
    if one.unjudged and one.worst is not None and one.best is not None:
        bounds = f", {one.worst:.3f} to {one.best:.3f} had all been judged"
    return f"{one.title:<26}{_range(one):<28}n {one.n:,}{bounds}"


def _range(one: Figure | Estimate) -> str:
    if one.estimate is None:
        return "none"
    return f"{one.estimate:.3f}" + ("" if one.low is None or one.high is None else f" [{one.low:.3f}, {one.high:.3f}]")


def gold_list(store: Path | None, as_json: bool) -> int:
    """Print the gold sets of a store."""
    from core.admin import perform
    from core.measure_work import GoldSetsWork

    found = perform(settings_of(store=store), GoldSetsWork(), lambda done, total: None).sets
    for one in found:
        feeds = "feeds rates" if one.feeds_rates else "feeds no rate"
        said = f"{one.gold_id}   {one.n:,} claims, {one.design}, {feeds}   {one.title}"
        click.echo(one.model_dump_json() if as_json else said)
    if not found and not as_json:
        click.echo("There is no gold in this store yet.")
    return DONE


def _gate_work(level: str | None, protocol: str | None, guideline: str | None, merge: str) -> GateWork:
    from core.gate import Level
    from core.gate_work import GateWork
    from core.guidelines import FIRST
    from core.models import MergePolicy

    return GateWork(
        level=Level(level) if level else None,
        protocol=protocol,
        guideline=guideline or FIRST,
        merge=MergePolicy(merge),
    )


def gate_errors(store: Path | None, asked: GateWork, as_json: bool) -> int:
    """Print leaks and false blocks, by how many claims an answer has."""
    from core.admin import perform

    with progress_bar("Passing the gate") as progress:
        report = perform(settings_of(store=store), asked, progress)
    click.echo(report.model_dump_json() if as_json else "\n".join(gate_lines(report)))
    return DONE


def gate_lines(report: GateReport) -> Iterator[str]:
    """Both errors as a table, with what its words mean."""
    from core.gate_errors import share_words

    yield (
        f"Gate at level {report.level}, verdicts of {report.protocol}, against labels under guideline "
        f"{report.guideline} ({report.gold:,} claims with gold)."
    )
    yield f"{'answers':<14}{'n':>7}{'unlabelled':>12}  {'leaks':<34}false blocks"
    for one in report.errors:
        leaks, blocks = share_words(one.leaks, one.leak_rate), share_words(one.false_blocks, one.false_block_rate)
        yield f"{one.length:<14}{one.answers:>7,}{one.unlabelled:>12,}  {leaks:<34}{blocks}"
    yield "Leaks: answers with a claim that people do not call supported, which passed; of all such answers."
    yield "False blocks: answers whose claims people call supported, which were stopped; of all such answers."
    yield "Intervals are Wilson 95%. An answer with a claim without gold (no label, or people differ) is in neither."
