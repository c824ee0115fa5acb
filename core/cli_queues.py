"""``citedesk queue``: make labelling queues, see how far they are, enlarge and close them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli_options import DONE, json_option, settings_of, store_option
from core.errors import InputError

if TYPE_CHECKING:
    from core.queue_work import QueueLine, QueueWork
    from core.settings import Settings

DESIGNS = "census random stratified uncertainty error_seeking".split()
STRATA = "verdict label disagreement flag".split()


@click.group()
def queue() -> None:
    """Draw claims into queues for people to label; an open desk shows them at once."""


@queue.command()
@click.argument("name")
@click.option("--design", type=click.Choice(DESIGNS), default="random", show_default=True, help="How claims are drawn.")
@click.option("--size", type=click.IntRange(1), metavar="N", help="Claims wanted; a census has none.")
@click.option("--stratum", type=click.Choice(STRATA), help="What strata are made of, with --design stratified.")
@click.option("--protocol", metavar="NAME@N+HASH", help="Only claims that this judge has seen; whose verdicts count.")
@click.option("--other-protocol", metavar="NAME@N+HASH", help="The judge to compare with.")
@click.option("--label", "labels", multiple=True, metavar="LABEL", help="Only claims with this label; may be repeated.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another number draws other claims.")
@click.option("--overlap", type=click.IntRange(1, 9), default=1, show_default=True, help="People for each claim.")
@click.option("--double", type=click.FloatRange(0, 1), default=0.0, help="Share of claims that get one person more.")
@click.option("--checks", type=click.IntRange(0), default=0, help="Claims with known gold to mix in.")
@click.option("--labeller", "labellers", multiple=True, metavar="NAME", help="Who may label; may be repeated. [all]")
@click.option("--guideline", default="v1", show_default=True, metavar="VERSION")
@click.option("--explore", is_flag=True, help="For exploration only: its labels feed no rate.")
@click.option("--not-blind", is_flag=True, help="Let its labellers see what judges said of its claims.")
@store_option
@json_option
def make(name: str, store: Path | None, as_json: bool, **said: Any) -> int:
    """Make a queue of claims drawn at random, or by another design."""
    from core.queue_work import NewQueueWork

    chosen = settings_of(store=store)
    return _done(chosen, NewQueueWork(spec=_spec(name, **said), who=chosen.labeller), as_json)


@queue.command("list")
@store_option
@json_option
def list_queues(store: Path | None, as_json: bool) -> int:
    """List every queue, closed ones too, and how far each is."""
    from core.queue_work import QueuesWork

    chosen = settings_of(store=store)
    found = _perform(chosen, QueuesWork(who=chosen.labeller)) if chosen.store.exists() else ()
    for line in [one.model_dump_json() for one in found] if as_json else as_lines(found):
        click.echo(line)
    return DONE


@queue.command("top-up")
@click.argument("queue_id", metavar="ID")
@click.argument("more", type=click.IntRange(0), metavar="N", default=0)
@store_option
@json_option
def top_up(queue_id: str, more: int, store: Path | None, as_json: bool) -> int:
    """Draw N claims more into a queue; a census takes everything that is new."""
    from core.queue_work import TopUpWork

    chosen = settings_of(store=store)
    return _done(chosen, TopUpWork(queue_id=queue_id, more=more, who=chosen.labeller), as_json)


@queue.command()
@click.argument("queue_id", metavar="ID")
@click.option("--open", "open_again", is_flag=True, help="Open it again instead.")
@store_option
@json_option
def close(queue_id: str, open_again: bool, store: Path | None, as_json: bool) -> int:
    """Give out nothing more of a queue; what was labelled is kept."""
    from core.queue_work import CloseQueueWork

    chosen = settings_of(store=store)
    work = CloseQueueWork(queue_id=queue_id, who=chosen.labeller, open_again=open_again)
    return _done(chosen, work, as_json)


def as_lines(found: Sequence[QueueLine]) -> list[str]:
    """One line a queue, for a person."""
    if not found:
        return ["There are no queues."]
    rows = [
        (
            line.queue.queue_id,
            line.queue.name,
            line.queue.spec.design.replace("_", " "),
            f"{line.state.complete:,} of {line.state.claims:,}",
            str(line.queue.spec.overlap),
            line.queue.spec.guideline,
            "closed" if line.queue.closed else "open",
            "" if line.queue.spec.feeds_rates else "exploration only",
        )
        for line in found
    ]
    table = [("id", "name", "design", "claims complete", "overlap", "guideline", "state", ""), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    return ["  ".join(cell.ljust(widths[n]) for n, cell in enumerate(row)).rstrip() for row in table]


def _spec(name: str, *, protocol: str | None, labels: tuple[str, ...], **said: Any) -> Any:
    from pydantic import ValidationError

    from core.models import Label
    from core.store.queue_records import QueueSpec
    from core.store.records import ClaimFilter

    if labels and protocol is None:
        raise InputError("--label names verdicts and no judge", "add --protocol")
    if unknown := sorted(set(labels).difference(Label)):
        raise InputError(f"--label {', '.join(unknown)} is no label", f"choose from {', '.join(Label)}")
    fields = {"feeds_rates": not said.pop("explore"), "blind": not said.pop("not_blind")}
    filter = ClaimFilter(protocol=protocol, labels=tuple(map(Label, labels))) if protocol else None
    try:
        return QueueSpec(name=name, filter=filter, double_share=said.pop("double"), **fields, **said)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"The {first['loc'][0]} cannot be used ({first['msg']})", "correct it") from error


def _done(settings: Settings, work: QueueWork, as_json: bool) -> int:
    (line,) = _perform(settings, work)
    if as_json:
        click.echo(line.model_dump_json())
        return DONE
    click.echo("\n".join(as_lines([line])))
    for remark in line.remarks:
        click.echo(remark, err=True)
    if line.margin:
        click.echo(f"A share measured on it is good to about ±{line.margin:.1%} (95%, worst case).", err=True)
    return DONE


def _perform(settings: Settings, work: QueueWork) -> Sequence[QueueLine]:
    from core.admin import perform

    return perform(settings, work, lambda done, total: None).queues
