"""``citedesk mark``: days on the time axis of trends, such as releases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_options import DONE, json_option, settings_of, store_option

if TYPE_CHECKING:
    from core.mark_work import MarksReport, MarkWork
    from core.settings import Settings


@click.group()
def mark() -> None:
    """Mark days on the time axis of trends; guidelines and first uses of judges are marked by themselves."""


@mark.command("add")
@click.argument("date")
@click.argument("text")
@store_option
@json_option
def add(date: str, text: str, store: Path | None, as_json: bool) -> int:
    """Mark DATE (as 2026-11-30) with TEXT, such as 'release 4.2'."""
    from core.mark_work import AddMarkWork

    chosen = settings_of(store=store)
    _say(_perform(chosen, AddMarkWork(day=date, text=text, who=chosen.labeller)), as_json)
    return DONE


@mark.command("list")
@store_option
@json_option
def list_marks(store: Path | None, as_json: bool) -> int:
    """List the marks that people made, by day."""
    from core.mark_work import MarksWork

    _say(_perform(settings_of(store=store), MarksWork()), as_json)
    return DONE


@mark.command("remove")
@click.argument("mark_id")
@store_option
@json_option
def remove(mark_id: str, store: Path | None, as_json: bool) -> int:
    """Take MARK_ID off the time axis."""
    from core.mark_work import TakeMarkBackWork

    chosen = settings_of(store=store)
    _say(_perform(chosen, TakeMarkBackWork(mark_id=mark_id, who=chosen.labeller)), as_json)
    return DONE


def _say(report: MarksReport, as_json: bool) -> None:
    for one in report.marks:
        click.echo(one.model_dump_json() if as_json else f"{one.mark_id}  {one.day}  {one.text}  ({one.who})")


def _perform(chosen: Settings, work: MarkWork) -> MarksReport:
    from core.admin import perform

    return perform(chosen, work, lambda done, total: None)
