"""``citedesk costs``: what paid models have cost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_options import DONE, json_option, settings_of, store_option

if TYPE_CHECKING:
    from core.spend import CostLine
    from core.store.queries import QueryCosts


@click.command()
@store_option
@json_option
def costs(store: Path | None, as_json: bool) -> int:
    """Say what the desk spent on paid models: calls, tokens and dollars by day and model, and by served answer.

    Days are days in UTC. A cost that is not known, for a model without a price or a call that broke off, is counted
    apart and never as 0.
    """
    from core.admin import perform
    from core.work import CostsWork

    chosen = settings_of(store=store)
    found: Sequence[CostLine] = ()
    questions: QueryCosts | None = None
    if chosen.store.exists():
        report = perform(chosen, CostsWork(), lambda done, total: None)
        found, questions = report.lines, report.questions
    for line in [one.model_dump_json() for one in found] if as_json else as_lines(found):
        click.echo(line)
    if questions is not None:
        said = json.dumps({"questions": questions.model_dump() | {"per_served": questions.per_served}})
        click.echo(said if as_json else "\n".join(question_lines(questions)))
    return DONE


def question_lines(questions: QueryCosts) -> Iterator[str]:
    """What a served answer costs, and what went into questions that got none."""
    price = "cost not known" if questions.per_served is None else f"${questions.per_served:.4f} each"
    unknown = f", {questions.served_unknown} of unknown cost" if questions.served_unknown else ""
    yield f"{questions.served:,} answers served, {price}{unknown}; {questions.repaired:,} of them after a repair."
    if questions.lost_calls:
        unknown = f" and an unknown amount for {questions.lost_unknown} of them" if questions.lost_unknown else ""
        yield f"{questions.lost_calls:,} calls for questions without an answer: ${questions.lost_cost:.4f}{unknown}."
    if questions.failed_median_s is not None:
        yield (
            f"{questions.failed:,} question{'s' * (questions.failed != 1)} got no answer; half of them ended within "
            f"{questions.failed_median_s:.1f} s."
        )


def as_lines(found: Sequence[CostLine]) -> list[str]:
    """A table for a person, with the sum below it."""
    from core.spend import sentence

    if not found:
        return ["Nothing was spent."]
    head = ("day", "model", "calls", "failed", "batch", "read", "from cache", "written", "dollars")
    rows = [head, *(_cells(line) for line in found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    table = ["  ".join(_pad(cell, widths[n], n > 1) for n, cell in enumerate(row)).rstrip() for row in rows]
    return [*table, "", f"{sentence(found)}."]


def _cells(line: CostLine) -> tuple[str, ...]:
    unknown = f"unknown for {line.unknown}" if line.unknown else ""
    dollars = f"{line.cost:.4f}" if line.unknown < line.calls else ""
    counts = (line.calls, line.failed, line.batch_calls, line.input + line.cache_write, line.cache_read, line.output)
    return str(line.day), line.model, *(f"{count:,}" for count in counts), " + ".join(filter(None, (dollars, unknown)))


def _pad(cell: str, width: int, right: bool) -> str:
    return cell.rjust(width) if right else cell.ljust(width)
