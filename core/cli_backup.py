"""``citedesk backup`` and ``citedesk restore``: a whole store, out to a folder and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_options import DONE, FINDINGS, json_option, progress_bar, settings_of, store_option
from core.errors import InputError

if TYPE_CHECKING:
    from core.backup import BackupReport


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@store_option
@json_option
def backup(target: Path, store: Path | None, as_json: bool) -> int:
    """Write everything in the store to the new folder TARGET; an open desk does it for you and goes on working.

    The folder holds each table as Parquet, a sha256 of every file, and a manifest that is written last. The verdict
    cache is not part of it.
    """
    from core.admin import perform
    from core.backup_work import BackupWork

    chosen = settings_of(store=store)
    if not chosen.store.exists():
        raise InputError(f"There is no store {chosen.store}", "name it with --store")
    with progress_bar("Writing", "rows") as progress:
        report = perform(chosen, BackupWork(path=target.absolute(), who=chosen.labeller), progress)
    if as_json:
        click.echo(report.model_dump_json(exclude={"audit"}))
    else:
        click.echo(f"{_size(report)} written to {report.path}. Checksum: {report.checksum}")
    return DONE


@click.command()
@click.argument("backup", type=click.Path(path_type=Path))
@click.option("--checksum", metavar="SHA256", help="What was printed when the backup was made: it must be that one.")
@store_option
@json_option
def restore(backup: Path, checksum: str | None, store: Path | None, as_json: bool) -> int:
    """Make a new store of the folder BACKUP and check its audit chain; exit with 1 when the chain does not hold.

    Every file is checked before anything is written. A store that is there already is never overwritten. A backup of an
    older Citedesk is brought up to date.
    """
    from core.backup import restore as run

    chosen = settings_of(store=store)
    with progress_bar("Restoring", "rows") as progress:
        report = run(backup, chosen.store, progress, checksum)
    assert report.audit is not None, "a restored store is checked"
    if as_json:
        click.echo(report.model_dump_json())
    else:
        click.echo(f"{_size(report)} of {report.made_at:%Y-%m-%d %H:%M} UTC restored to {report.path}.")
        fault, head = report.audit.fault, f"{report.audit.entries}:{report.audit.head}"
        holds = f"The audit chain holds: {report.audit.entries:,} entries. Head: {head}"
        click.echo(
            holds if fault is None else f"The audit chain does not hold: {fault.what}. See: citedesk audit verify"
        )
    return DONE if report.audit.fault is None else FINDINGS


def _size(report: BackupReport) -> str:
    files = f" and {report.files} files" if report.files else ""
    return f"{report.rows:,} rows in {report.tables} tables{files} ({report.bytes / 1e6:.1f} MB)"
