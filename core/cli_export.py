"""``citedesk export`` and ``citedesk labels``: what the store holds, out to files, and labels back in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli_options import DONE, FINDINGS, json_option, progress_bar, settings_of, store_option

if TYPE_CHECKING:
    from core.label_files import LabelReport

Command = Callable[..., Any]

protocol_option = click.option(
    "--protocol", metavar="NAME@N+HASH", help="Whose verdicts.  [default: the only one, else required]"
)
pseudonyms_option = click.option("--pseudonyms", is_flag=True, help="Write pseudonyms instead of labellers' names.")
out_argument = click.argument("out", type=click.Path(path_type=Path))


def readers(command: Command) -> Command:
    """Give a command the options that say who will read the file."""
    for option in (
        click.option("--everyone", is_flag=True, help="Leave out words of sources that only some groups may see."),
        click.option("--group", multiple=True, metavar="NAME", help="The same, but for what this group may see."),
    ):
        command = option(command)
    return command


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
@readers
@store_option
def export_claims(out: Path, store: Path | None, **wanted: Any) -> int:
    """Write the claim table of one protocol to OUT (.jsonl, .csv, .parquet, .jsonld)."""
    return write(store, "claims", out, wanted)


@export.command("verdicts")
@out_argument
@choosing
@readers
@store_option
def export_verdicts(out: Path, store: Path | None, **wanted: Any) -> int:
    """Write what each stage said of each claim to OUT (.jsonl, .csv, .parquet)."""
    return write(store, "verdicts", out, wanted)


@export.command("report")
@out_argument
@click.option("--failures", is_flag=True, help="Write why claims fail, and where more than elsewhere (.html).")
@click.option("--lenient", is_flag=True, help="Of the failures: do not count partial claims as unsupported.")
@protocol_option
@readers
@store_option
def export_report(out: Path, failures: bool, lenient: bool, store: Path | None, **wanted: Any) -> int:
    """Write the figures of all claims, and the worst claims in full, for people, to OUT (.html, .md)."""
    if lenient and not failures:
        raise click.UsageError("--lenient says how failures are counted; give it with --failures.")
    if failures:
        wanted["unsupported"] = "lenient" if lenient else "strict"
    return write(store, "failures" if failures else "report", out, wanted)


@export.command("gold")
@out_argument
@click.option("--level", type=click.Choice(["spans", "claims", "labels"]), default="spans", show_default=True)
@click.option("--guideline", metavar="VERSION", help="Only labels under this version.  [default: the present one]")
@click.option("--merge", type=click.Choice(["all", "any"]), default="all", show_default=True)
@click.option("--stale", is_flag=True, help="Also gold whose claim or passage changed since, marked.")
@pseudonyms_option
@readers
@store_option
def export_gold(out: Path, guideline: str | None, store: Path | None, **wanted: Any) -> int:
    """Write what people agree on to OUT: a new folder for Hugging Face, or one level in a file.

    The folder has all levels and a card; a file (.jsonl, .csv, .parquet) has the level chosen. A claim is gold when
    every span of it is.
    """
    from core.guidelines import FIRST

    return write(store, "gold", out, wanted | {"guideline": guideline or FIRST})


@export.command("notebook")
@click.argument("name")
@click.option("--format", "format_", type=click.Choice(["ipynb", "html", "md"]), default="ipynb", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where.  [default: the name, here]")
@readers
@store_option
def export_notebook(name: str, format_: str, out: Path | None, store: Path | None, **who: Any) -> int:
    """Write the notebook NAME (or its id): questions, notes, and what was served, with footnotes."""
    from core.notebook_files import file_name

    return write(store, "notebook", out or Path(file_name(name, format_)), {"name": name, **who})


@labels.command("export")
@out_argument
@pseudonyms_option
@readers
@store_option
def export_labels(out: Path, store: Path | None, **wanted: Any) -> int:
    """Write every labelling event, undone ones too, to OUT, one JSON object a line."""
    return write(store, "labels", out, wanted)


@labels.command()
@store_option
@json_option
def anchoring(store: Path | None, as_json: bool) -> int:
    """Say how often people changed their label after they were shown a judge's word, and in which direction."""
    from core.admin import perform
    from core.anchoring import NOBODY
    from core.people_work import AnchoringWork

    chosen = settings_of(store=store)
    found = perform(chosen, AnchoringWork(), lambda done, total: None).found if chosen.store.exists() else ()
    if not found and not as_json:
        click.echo(NOBODY)
    for one in found:
        click.echo(one.model_dump_json() if as_json else one.sentence)
    return DONE


@labels.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--as", "kind", metavar="KIND", help="events, claim-gold, or a labelling tool.  [default: by its looks]")
@click.option("--map", "pairs", multiple=True, metavar="THEIRS=OURS", help="What a word of another tool means.")
@click.option("--guideline", metavar="NAME", help="Under which labels of another tool were given.")
@click.option("--design", type=click.Choice(["census", "random"]), help="How claims of claim-gold were drawn.")
@click.option("--probability", type=float, help="Of each claim being drawn, with --design random.")
@store_option
@json_option
def import_labels(
    files: tuple[Path, ...], store: Path | None, as_json: bool, pairs: tuple[str, ...], **said: Any
) -> int:
    """Take labels out of FILES into the store that holds their claims; what is known stays as it is.

    FILES are events that labels export wrote, labels of whole claims (claim-gold: request_id, claim_id, label,
    labeller), or what Label Studio, Argilla or Potato export, or a CSV.
    """
    from core.admin import perform
    from core.label_intake import meanings
    from core.work import LabelsWork

    asked = {name: value for name, value in said.items() if value is not None} | {"words": meanings(pairs)}
    bad = 0
    for file in files:
        work = LabelsWork.model_validate({"path": file.absolute(), **asked})
        report = perform(settings_of(store=store), work, lambda done, total: None)
        bad += len(report.bad_lines)
        if as_json:
            click.echo(report.model_dump_json())
            continue
        for line in report.bad_lines:
            click.echo(f"refused: {line}", err=True)
        for warning in label_warnings(report):
            click.echo(warning, err=True)
        known = f", {report.events_known} were there already" if report.events_known else ""
        refused = f", {len(report.bad_lines)} lines refused" if report.bad_lines else ""
        click.echo(f"{report.source}: {report.events_new} labels taken in{known}{refused}")
    return FINDINGS if bad else DONE


def label_warnings(report: LabelReport) -> Iterator[str]:
    """What a person should know of labels that were taken in."""
    for word, count in report.unmapped.items():
        yield f"{report.source}: {count} rows say {word!r}; tell what that means with --map {word!r}=LABEL"
    if report.suspicious:
        items = ", ".join(report.suspicious[:10]) + ("…" if len(report.suspicious) > 10 else "")
        yield (
            f"{report.source}: {len(report.suspicious)} items share all labels, comments and times with another one "
            f"and may be copies: {items}. They were taken in."
        )


def write(store: Path | None, what: str, out: Path, wanted: dict[str, Any]) -> int:
    """Have the store write what is wanted, and say on standard error what was written."""
    everyone, groups = wanted.pop("everyone", False), wanted.pop("group", ())
    if everyone and groups:
        raise click.UsageError("Give --group or --everyone, not both.")
    from core.admin import perform
    from core.models import Label
    from core.work import ExportWork

    if "labels" in wanted:
        wanted["labels"] = tuple(label_named(name, Label) for name in wanted["labels"])
    asked = ExportWork.model_validate(
        {"what": what, "out": out.absolute(), "groups": groups or (() if everyone else None), **wanted}
    )
    chosen = settings_of(store=store)
    asked = asked.model_copy(update={"who": chosen.labeller})
    with progress_bar(f"Writing {out.name}", "rows") as progress:
        report = perform(chosen, asked, progress)
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
