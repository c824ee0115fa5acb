"""``citedesk audit``: who did what and when, and whether nobody changed it since."""

from __future__ import annotations

import re
from pathlib import Path

import click

from core.cli_options import DONE, FINDINGS, json_option, progress_bar, settings_of, store_option
from core.errors import InputError

_HEAD = re.compile(r"(\d{1,18}):([0-9a-f]{64})")


@click.group()
def audit() -> None:
    """Read and check the record of who labelled, changed, saw and exported what."""


@audit.command()
@click.option("--head", metavar="N:SHA256", help="What an earlier check printed: the chain must still lead through it.")
@store_option
@json_option
def verify(head: str | None, store: Path | None, as_json: bool) -> int:
    """Recompute the chain and compare it with what is stored; exit with 1 at the first thing that does not hold."""
    from core.admin import perform
    from core.people_work import AuditWork

    chosen = settings_of(store=_existing(store))
    with progress_bar("Checking") as progress:
        report = perform(chosen, AuditWork(head=_head(head)), progress)
    if as_json:
        click.echo(report.model_dump_json())
    elif report.fault is None:
        click.echo(f"The audit chain holds: {report.entries:,} entries. Head: {report.entries}:{report.head}")
    else:
        fault = report.fault
        act = f"entry {fault.number} ({fault.act}, {fault.subject})" if fault.number else fault.subject or "the chain"
        click.echo(f"The audit chain does not hold at {act}: {fault.what}.")
    return DONE if report.fault is None else FINDINGS


@audit.command("list")
@click.option("--person", metavar="NAME", help="Only what this person did.")
@click.option("--subject", metavar="SUBJECT", help="Only what was done to this, or to things of this kind: queue.")
@click.option("--limit", default=1000, show_default=True, type=click.IntRange(1), help="Entries at most, oldest first.")
@store_option
@json_option
def list_acts(person: str | None, subject: str | None, limit: int, store: Path | None, as_json: bool) -> int:
    """List what was done, oldest first."""
    from core.admin import perform
    from core.people_work import ActsWork

    chosen = settings_of(store=_existing(store))
    asked = ActsWork(person=person, subject=subject, limit=limit)
    report = perform(chosen, asked, lambda done, total: None)
    for one in report.entries:
        line = f"{one.number}  {one.done_at:%Y-%m-%d %H:%M:%S} UTC  {one.person}  {one.act}  {one.subject}"
        click.echo(one.model_dump_json() if as_json else line)
    if report.more:
        click.echo(
            f"There are more; the first {limit} are shown. Choose with --person, --subject or --limit.", err=True
        )
    return DONE


def _existing(store: Path | None) -> Path | None:
    """A check must not make the store that it is to check."""
    path = settings_of(store=store).store
    if not path.exists():
        raise InputError(f"There is no store {path}", "name it with --store")
    return store


def _head(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    found = _HEAD.fullmatch(text.strip())
    if found is None:
        raise InputError(f"--head {text} is no head of a chain", "give what an earlier check printed, N:SHA256")
    return int(found[1]), found[2]
