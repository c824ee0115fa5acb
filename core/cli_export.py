"""``citedesk export`` and ``citedesk labels``: what the store holds, out to files, and labels back in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from core.cli_options import DONE, FINDINGS, json_option, progress_bar, settings_of, store_option

Command = Callable[..., Any]

protocol_option = click.option(
    "--protocol", metavar="NAME@N+HASH", help="Whose verdicts.  [default: the only one, else required]"
)
out_argument = click.argument("out", type=click.Path(path_type=Path))


@click.group()
def export() -> None:
    """Write what the store holds to a file."""


@click.group()
def labels() -> None:
    """Take the labels that people gave out of the store, or into it."""


def choosing(command: Command) -> Command:
    """Give a command the options that choose claims, as the review list does."""
    for option in (
        click.option("--unsupported", type=click.Choice(["strict", "lenient"]), help="Only unsupported claims."),
        click.option("--text", default="", help="Only claims with these words in claim, question or request."),
        click.option("--flag", "flags", multiple=True, help="Only claims with one of these flags."),
        click.option("--request", "request_id", metavar="ID", help="Only claims of this request."),
        click.option("--label", "labels", multiple=True, help="Only claims with one of these labels (or: none)."),
        protocol_option,
    ):
        command = option(command)
    return command


@export.command("claims")
@out_argument
@choosing
@store_option
def export_claims(out: Path, store: Path | None, **wanted: Any) -> int:
    """Write the claim table of one protocol to OUT (.jsonl, .csv, .parquet, .jsonld)."""
    return write(store, "claims", out, wanted)


@export.command("verdicts")
@out_argument
@choosing
@store_option
def export_verdicts(out: Path, store: Path | None, **wanted: Any) -> int:
    """Write what each stage said of each claim to OUT (.jsonl, .csv, .parquet)."""
    return write(store, "verdicts", out, wanted)


@export.command("report")
@out_argument
@protocol_option
@store_option
def export_report(out: Path, store: Path | None, **wanted: Any) -> int:
    """Write the figures of all claims, and the worst claims in full, for people, to OUT (.html, .md)."""
    return write(store, "report", out, wanted)


@export.command("gold")
@out_argument
@click.option("--level", type=click.Choice(["spans", "claims", "labels"]), default="spans", show_default=True)
@click.option("--guideline", metavar="VERSION", help="Only labels under this version.  [default: the present one]")
@click.option("--merge", type=click.Choice(["all", "any"]), default="all", show_default=True)
@store_option
def export_gold(out: Path, guideline: str | None, store: Path | None, **wanted: Any) -> int:
    """Write what people agree on to OUT: a new folder for Hugging Face, or one level in a file.

    The folder has all levels and a card; a file (.jsonl, .csv, .parquet) has the level chosen. A claim is gold when
    every span of it is.
    """
    from core.labelling import GUIDELINE

    return write(store, "gold", out, wanted | {"guideline": guideline or GUIDELINE})


@labels.command("export")
@out_argument
@store_option
def export_labels(out: Path, store: Path | None) -> int:
    """Write every labelling event, undone ones too, to OUT, one JSON object a line."""
    return write(store, "labels", out, {})


@labels.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@store_option
@json_option
def import_labels(files: tuple[Path, ...], store: Path | None, as_json: bool) -> int:
    """Take labelling events out of FILES into the store that holds their claims; what is known stays as it is."""
    from core.admin import perform
    from core.work import LabelsWork

    bad = 0
    for file in files:
        report = perform(settings_of(store=store), LabelsWork(path=file.absolute()), lambda done, total: None)
        bad += len(report.bad_lines)
        if as_json:
            click.echo(report.model_dump_json())
            continue
        for line in report.bad_lines:
            click.echo(f"refused: {line}", err=True)
        known = f", {report.events_known} were there already" if report.events_known else ""
        refused = f", {len(report.bad_lines)} lines refused" if report.bad_lines else ""
        click.echo(f"{report.source}: {report.events_new} labelling events taken in{known}{refused}")
    return FINDINGS if bad else DONE


def write(store: Path | None, what: str, out: Path, wanted: dict[str, Any]) -> int:
    """Have the store write what is wanted, and say on standard error what was written."""
    from core.admin import perform
    from core.models import Label
    from core.work import ExportWork

    if "labels" in wanted:
        wanted["labels"] = tuple(label_named(name, Label) for name in wanted["labels"])
    asked = ExportWork.model_validate({"what": what, "out": out.absolute(), **wanted})
    with progress_bar(f"Writing {out.name}", "rows") as progress:
        report = perform(settings_of(store=store), asked, progress)
    click.echo(report.said, err=True)
    return DONE


def label_named(name: str, labels: Any) -> Any:
    """The label of that name; none for "none"."""
    if name == "none":
        return None
    try:
        return labels(name)
    except ValueError:
        raise click.UsageError(f"--label {name}: choose from {', '.join(labels)}, none") from None
