"""The ``citedesk`` command. Heavy imports wait inside the commands, so that ``--help`` answers at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.errors import CitedeskError, InputError

if TYPE_CHECKING:
    from core.desk import Desk, ImportReport
    from core.importers import BadLine
    from core.settings import Settings
    from core.verification import Progress

DONE, FINDINGS, COULD_NOT_LOOK = 0, 1, 2
"""Exit codes: done; bad lines or findings that were asked for; wrong use or could not look."""

LABELS = (
    "supported partial contradicted irrelevant uncited unresolvable inaccessible wrong_scope secondary_only".split()
)


def main() -> None:
    """Run the command; an error of ours becomes one sentence, a traceback only with ``--debug``."""
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


def judging(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that choose how claims are judged."""
    for option in (
        click.option("--threshold", multiple=True, metavar="NAME=VALUE", help="Set one of the verifier's thresholds."),
        click.option("--merge", type=click.Choice(["all", "any", "joint"]), help="How a claim's spans become one."),
        click.option("--verifier", metavar="NAME", help="Who judges support.  [default: lexical]"),
    ):
        command = option(command)
    return command


store_option = click.option("--store", type=click.Path(path_type=Path), metavar="FILE", help="The store to use.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line, and nothing else.")


@cli.command()
@click.option("--port", default=8501, show_default=True)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@store_option
def demo(port: int, no_browser: bool, store: Path | None) -> int:
    """Open the desk on the sample answers."""
    from core.launch import check_address, serve
    from core.settings import local_path

    chosen = settings_of(store=store or local_path("demo.duckdb"))
    check_address("127.0.0.1", port)  # before minutes of work, not after
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
def serve(store: Path | None, host: str, port: int, no_browser: bool) -> int:
    """Open the desk on your own store."""
    from core.launch import check_address
    from core.launch import serve as run

    chosen = settings_of(store=store)
    check_address(host, port)
    with desk_of(chosen):  # a store that cannot be opened is said here, in one sentence
        pass
    return run(chosen, host, port, not no_browser)


@cli.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--format", "format_name", default="auto", show_default=True, help="The files' format.")
@store_option
@judging
@json_option
def import_files(files: tuple[Path, ...], format_name: str, store: Path | None, as_json: bool, **judge: Any) -> int:
    """Take answers into the store and judge every claim in them."""
    chosen = settings_of(store=store, **judge)
    bad = 0
    with desk_of(chosen) as desk:
        for file in files:
            with progress_bar(f"Judging {file.name}") as progress:
                report = desk.import_file(file, format_name, progress)
            print_report(report, as_json)
            bad += len(report.bad_lines)
    return FINDINGS if bad else DONE


@cli.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--format", "format_name", default="auto", show_default=True, help="The files' format.")
@click.option("--fail-on", default="", metavar="LABEL,…", help="Exit with 1 when a claim gets one of these labels.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write .parquet, .csv or .jsonl.")
@store_option
@judging
@json_option
def verify(
    files: tuple[Path, ...],
    format_name: str,
    fail_on: str,
    out: Path | None,
    store: Path | None,
    as_json: bool,
    **judge: Any,
) -> int:
    """Judge the claims of files without a store, or, without a file, the answers in the store."""
    from core import verification

    chosen = settings_of(store=store, **judge)
    wanted = labels_of(fail_on)
    if files and store:
        raise click.UsageError("Give files or --store, not both: files are judged without a store.")
    if not files:
        if out or fail_on:
            raise click.UsageError("--out and --fail-on need files; for the store use: citedesk export claims")
        with desk_of(chosen) as desk, progress_bar("Judging the store") as progress:
            report = desk.verify_stored(chosen, progress)
        print_report(report, as_json)
        return FINDINGS if report.bad_lines else DONE
    with progress_bar("Judging") as progress:
        run = verification.Verification(files, format_name, chosen, progress)
        rows = verification.printed(run.rows()) if as_json else run.rows()
        text = "" if as_json or out else verification.summary(run, rows)
        count = verification.write(rows, out) if out else sum(1 for _row in rows)
    click.echo(text, nl=False)
    if out:
        click.echo(f"{count} claims judged by {run.protocol} written to {out}", err=True)
    print_notes(run.bad_lines, run.notes)
    return FINDINGS if run.bad_lines or wanted.intersection(run.labels) else DONE


@cli.group()
def export() -> None:
    """Write what the store holds to a file."""


@export.command("claims")
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--protocol", metavar="NAME@N+HASH", help="Whose verdicts.  [default: the only one, else required]")
@store_option
def export_claims(out: Path, protocol: str | None, store: Path | None) -> int:
    """Write the claim table of one protocol to OUT (.jsonl, .csv or .parquet)."""
    from core import verification
    from core.store.records import ClaimFilter, Sort

    with desk_of(settings_of(store=store)) as desk:
        chosen = desk.one_protocol(protocol)
        count = verification.write(desk.store.rows(ClaimFilter(protocol=chosen, sort=Sort.AS_IMPORTED)), out)
    click.echo(f"{count} claims judged by {chosen} written to {out}", err=True)
    return DONE


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


def settings_of(
    store: Path | None = None, verifier: str | None = None, merge: str | None = None, threshold: tuple[str, ...] = ()
) -> Settings:
    """The settings of the environment, with what the command line says put over them."""
    from pydantic import ValidationError

    from core.settings import Settings

    said = {"store": store, "verifier": verifier, "merge": merge, "thresholds": thresholds_of(threshold) or None}
    try:
        return Settings(**{name: value for name, value in said.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        name = f"CITEDESK_{first['loc'][0]}".upper() if first["loc"] else "the environment"
        raise InputError(f"{name} has a value that cannot be used ({first['msg']})", "correct or unset it") from error


def thresholds_of(options: tuple[str, ...]) -> dict[str, float]:
    """Read ``NAME=VALUE`` options."""
    thresholds = {}
    for option in options:
        name, _, value = option.partition("=")
        try:
            thresholds[name.strip()] = float(value)
        except ValueError:
            raise click.UsageError(f"--threshold {option}: write NAME=VALUE, for example supported=0.8") from None
    return thresholds


def labels_of(option: str) -> set[str]:
    """Read a comma-separated list of labels."""
    wanted = {word.strip() for word in option.split(",") if word.strip()}
    if unknown := sorted(wanted.difference(LABELS)):
        raise click.UsageError(f"--fail-on {','.join(unknown)}: choose from {', '.join(LABELS)}")
    return wanted


@contextmanager
def desk_of(settings: Settings) -> Iterator[Desk]:
    """Open the desk on its store and close it again."""
    from core.desk import Desk

    desk = Desk.open(settings)
    try:
        yield desk
    finally:
        desk.close()


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """A bar on standard error, only at a terminal and only when the work takes over a second."""
    from tqdm import tqdm

    with tqdm(desc=what, unit=" answers", delay=1, disable=not sys.stderr.isatty(), file=sys.stderr) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total or None
            bar.update(done - bar.n)

        yield show


def print_report(report: ImportReport, as_json: bool) -> None:
    """Say what an import did: for a person on standard error, or as one JSON object."""
    if as_json:
        click.echo(report.model_dump_json())
        return
    print_notes(report.bad_lines, report.notes)
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
