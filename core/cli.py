"""The ``citedesk`` command. Heavy imports wait inside the commands, so that ``--help`` answers at once."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli_ask import ask
from core.cli_audit import audit
from core.cli_backup import backup, restore
from core.cli_bench import bench
from core.cli_calibrate import calibrate
from core.cli_check import check
from core.cli_compare import compare
from core.cli_corpus import corpus
from core.cli_costs import costs
from core.cli_engines import is_folder, judge_into_folder, spreading
from core.cli_export import export, labels
from core.cli_guideline import guideline
from core.cli_judging import models, protocols
from core.cli_mark import mark
from core.cli_options import (
    COULD_NOT_LOOK,
    DONE,
    FINDINGS,
    desk_of,
    json_option,
    judging,
    print_spend,
    progress_bar,
    settings_of,
    store_option,
)
from core.cli_probe import probe
from core.cli_queues import queue
from core.cli_resolve import resolve
from core.cli_roles import role
from core.cli_token import token
from core.cli_trends import trends
from core.errors import CitedeskError

if TYPE_CHECKING:
    from core.desk import ImportReport
    from core.importers import BadLine
    from core.models import JudgedClaim

LABELS = (
    "supported partial contradicted irrelevant uncited unresolvable inaccessible wrong_scope secondary_only".split()
)


def main() -> None:
    """Run the command; an error of ours becomes one sentence, a traceback only with ``--debug``."""
    if "--debug" not in sys.argv:
        sys.excepthook = fault
    try:
        code = cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("Stopped.", err=True)
        code = 130
    except click.ClickException as error:
        error.show()
        code = COULD_NOT_LOOK
    except (CitedeskError, OSError) as error:
        if "--debug" in sys.argv:
            raise
        click.echo(f"citedesk: {sentence(error)}", err=True)
        code = COULD_NOT_LOOK
    sys.exit(code or DONE)


def fault(_kind: type[BaseException], error: BaseException, _traceback: object) -> None:
    """Say where Citedesk itself failed, without the error's words, which may quote what it read."""
    from core.redaction import told

    click.echo(f"citedesk: a fault of Citedesk itself; --debug says more.\n{told(error)}", err=True)


def sentence(error: CitedeskError | OSError) -> str:
    """What went wrong, for a person: what, where, what to do."""
    if isinstance(error, CitedeskError):
        return str(error)
    where = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror or error}{where}; check that the place exists, can be written and has room."


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="citedesk", prog_name="citedesk")
@click.option("--debug", is_flag=True, help="Show a traceback when something fails.")
def cli(debug: bool) -> None:
    """Check whether AI answers are supported by the sources they cite.

    Start with: citedesk demo
    """


cli.add_command(ask)
cli.add_command(audit)
cli.add_command(backup)
cli.add_command(bench)
cli.add_command(calibrate)
cli.add_command(check)
cli.add_command(compare)
cli.add_command(corpus)
cli.add_command(costs)
cli.add_command(export)
cli.add_command(guideline)
cli.add_command(labels)
cli.add_command(probe)
cli.add_command(protocols)
cli.add_command(mark)
cli.add_command(models)
cli.add_command(role)
cli.add_command(queue)
cli.add_command(resolve)
cli.add_command(restore)
cli.add_command(token)
cli.add_command(trends)


@cli.command()
@click.option("--port", default=8501, show_default=True)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@store_option
def demo(port: int, no_browser: bool, store: Path | None) -> int:
    """Open the desk on the sample answers."""
    from core.launch import check_address, serve
    from core.settings import local_path

    chosen = settings_of(store=store or local_path("demo.duckdb"))
    check_address("127.0.0.1", port, chosen.sign_in)  # before minutes of work, not after
    with desk_of(chosen) as desk:
        if not desk.store.summary().requests:
            with progress_bar("Judging the sample") as progress:
                desk.load_sample(progress)
    return serve(chosen, "127.0.0.1", port, not no_browser)


@cli.command()
@store_option
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8501, show_default=True)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--attach",
    multiple=True,
    metavar="DIR",
    help="Show a folder of verify --engine, or its address, beside the store; may be given several times.",
)
def serve(store: Path | None, host: str, port: int, no_browser: bool, attach: tuple[str, ...]) -> int:
    """Open the desk on your own store."""
    from core.launch import check_address
    from core.launch import serve as run

    chosen = settings_of(store=store, attach=attach)
    check_address(host, port, chosen.sign_in)
    with desk_of(chosen) as desk:  # a store or a folder that cannot be opened is said here, in one sentence
        for where in chosen.attach:
            desk.attached(where)
    return run(chosen, host, port, not no_browser)


@cli.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--format", "format_name", default="auto", show_default=True, help="The files' format.")
@click.option("--column", multiple=True, metavar="FIELD=COLUMN", help="Say which column of a table holds a field.")
@store_option
@judging
@json_option
def import_files(
    files: tuple[Path, ...],
    format_name: str,
    column: tuple[str, ...],
    store: Path | None,
    as_json: bool,
    **judge: Any,
) -> int:
    """Take answers into the store and judge every claim in them; an open desk does it for you."""
    from core.admin import perform
    from core.work import ImportWork, Judging

    chosen = settings_of(store=store, **judge)
    mapping, judging_by = columns_of(column), Judging.of(chosen)
    bad = 0
    for file in files:
        asked = ImportWork(path=file.absolute(), format=format_name, mapping=mapping, judging=judging_by)
        with progress_bar(f"Judging {file.name}") as progress:
            report = perform(chosen, asked, progress)
        print_report(report, as_json)
        bad += len(report.bad_lines)
    return FINDINGS if bad else DONE


@cli.command()
@click.argument("files", nargs=-1)
@click.option("--format", "format_name", default="auto", show_default=True, help="The files' format.")
@click.option("--fail-on", default="", metavar="LABEL,…", help="Exit with 1 when a claim gets one of these labels.")
@click.option(
    "--out",
    metavar="FILE",
    help="Write .parquet, .csv, .jsonl, .jsonld, .md or .html; a name without a suffix or an address is a folder.",
)
@spreading
@click.option("--stored", is_flag=True, help="Judge the answers in the store, which is what happens without FILES.")
@click.option("--adopted", metavar="NAME", help="Judge the store as an adopted protocol says.")
@store_option
@judging
@json_option
def verify(
    files: tuple[str, ...],
    format_name: str,
    fail_on: str,
    out: str | None,
    engine: str | None,
    actors: int | None,
    gpus: float,
    block_mib: float | None,
    stored: bool,
    adopted: str | None,
    store: Path | None,
    as_json: bool,
    **judge: Any,
) -> int:
    """Judge the claims of files without a store, or, without a file, the answers in the store.

    With a folder as --out, FILES may be folders and addresses (s3://…) too, of .jsonl and .parquet.
    """
    from core import verification

    chosen = settings_of(store=store, **judge)
    wanted = labels_of(fail_on)
    if files and store:
        raise click.UsageError("Give files or --store, not both: files are judged without a store.")
    if files and (stored or adopted):
        raise click.UsageError("--stored and --adopted judge the store; leave the files out.")
    if not files:
        if out or fail_on or engine:
            raise click.UsageError(
                "--out, --engine and --fail-on need files; for the store use: citedesk export claims"
            )
        from core.admin import perform
        from core.work import Judging, VerifyWork

        with progress_bar("Judging the store") as progress:
            report = perform(chosen, VerifyWork(judging=Judging.of(chosen), adopted=adopted), progress)
        print_report(report, as_json)
        return FINDINGS if report.bad_lines else DONE
    if out and is_folder(out):
        return judge_into_folder(files, out, chosen, wanted, as_json, format_name, engine, actors, gpus, block_mib)
    if engine or actors or gpus or block_mib:
        raise click.UsageError("--engine judges into a folder: name one with --out, without a suffix.")
    with progress_bar("Judging") as progress:
        run = verification.Verification(tuple(map(Path, files)), format_name, chosen, progress)
        claims = verification.printed(run.claims()) if as_json else run.claims()
        try:
            text = "" if as_json or out else verification.summary(run, claims)
            count = written(claims, Path(out)) if out else sum(1 for _claim in claims)
        finally:
            print_spend(run.spent())
    click.echo(text, nl=False)
    if out:
        click.echo(f"{count} claims judged by {run.protocol} written to {out}", err=True)
    print_notes(run.bad_lines, run.notes)
    return FINDINGS if run.bad_lines or wanted.intersection(run.labels) else DONE


@cli.command()
@store_option
@click.option("--port", default=8501, show_default=True)
def doctor(store: Path | None, port: int) -> int:
    """Look whether everything that Citedesk needs is here."""
    from core.doctor import look

    findings = look(settings_of(store=store), "127.0.0.1", port)
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        click.echo(f"{'ok  ' if finding.ok else 'MEND'}  {finding.what:<{width}}  {finding.detail}")
    return DONE if all(finding.ok for finding in findings) else FINDINGS


def columns_of(options: tuple[str, ...]) -> dict[str, str]:
    """Read ``FIELD=COLUMN`` options."""
    pairs = [option.partition("=") for option in options]
    for field, sign, _ in pairs:
        if not (field.strip() and sign):
            raise click.UsageError(f"--column {field}: write FIELD=COLUMN, for example query=Question")
    return {field.strip(): name for field, _, name in pairs}


def labels_of(option: str) -> set[str]:
    """Read a comma-separated list of labels."""
    wanted = {word.strip() for word in option.split(",") if word.strip()}
    if unknown := sorted(wanted.difference(LABELS)):
        raise click.UsageError(f"--fail-on {','.join(unknown)}: choose from {', '.join(LABELS)}")
    return wanted


def written(claims: Iterable[JudgedClaim], out: Path) -> int:
    """Write claims to a file, and give how many there were."""
    from core.exporting import write_claims  # has the store behind it, which nothing else here needs

    return write_claims(claims, out)


def print_report(report: ImportReport, as_json: bool) -> None:
    """Say what an import did: for a person on standard error, or as one JSON object."""
    if as_json:
        click.echo(report.model_dump_json())
        return
    print_notes(report.bad_lines, report.notes)
    print_spend(report.spent)
    if report.failed:
        click.echo(f"{report.source}: the import failed, none of its {len(report.bad_lines)} lines could be used")
        return
    known = f", {report.answers_known} were there already" if report.answers_known else ""
    refused = f", {len(report.bad_lines)} lines refused" if report.bad_lines else ""
    click.echo(
        f"{report.source}: {report.answers_new} answers taken in{known}{refused}; "
        f"{report.verdicts_new} claims judged by {report.protocol}"
    )


def print_notes(bad_lines: Sequence[BadLine], notes: Sequence[str]) -> None:
    """Say on standard error what was refused and what was mended; nothing is dropped silently."""
    for bad in bad_lines:
        click.echo(f"refused: {bad}", err=True)
    for note in notes:
        click.echo(f"note: {note}", err=True)
