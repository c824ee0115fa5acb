"""``citedesk corpus``: the sources that answers are made of."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli_options import COULD_NOT_LOOK, DONE, FINDINGS, json_option, progress_bar, settings_of, store_option
from core.corpus_lines import (
    added_lines,
    added_rows,
    listed,
    name_of,
    policies,
    policy_lines,
    policy_row,
    printable,
    shown,
    source_row,
    state,
)
from core.errors import InputError

if TYPE_CHECKING:
    from core.corpus_policy import CorpusPolicy
    from core.corpus_work import SourcesReport
    from core.reference_policy import Credential

PATHS_AT_ONCE = 100
"""Paths that go to an open desk in one request, whose size is limited."""

corpus_option = click.option("--corpus", "corpus_name", metavar="NAME", help="Only in this corpus.  [default: any]")
id_argument = click.argument("doc_id", metavar="ID")


@click.group()
def corpus() -> None:
    """Take sources in, list them, say who may see them and how long; an open desk does it for you."""


@corpus.command("add")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=click.Path(path_type=Path))
@click.option("--corpus", "corpus_name", metavar="NAME", help="The corpus to add to.  [default: main]")
@click.option("--group", multiple=True, metavar="NAME", help="A group that may see them; may be repeated.")
@click.option("--everyone", is_flag=True, help="Everyone may see them, whatever was said of an earlier version.")
@click.option("--title", help="A title instead of the one that the file says; for a single file.")
@click.option("--retain-until", metavar="DATE", help="The day, in UTC, from which on they are withheld: 2027-01-31.")
@store_option
@json_option
def add_files(
    paths: tuple[Path, ...],
    corpus_name: str | None,
    group: tuple[str, ...],
    everyone: bool,
    title: str | None,
    retain_until: str | None,
    store: Path | None,
    as_json: bool,
) -> int:
    """Take files and folders into a corpus: text, Markdown, HTML, PDF, DOCX.

    A file that changed becomes the next version of its source; the ones before it stay for the answers that cite them.
    Without --group a new version may be seen by whoever may see the one before it, and a new source by everyone.
    """
    from core.admin import perform
    from core.corpus_work import CorpusAddWork
    from core.sources import CORPUS

    if group and everyone:
        raise click.UsageError("Give --group or --everyone, not both.")
    if missing := next((path for path in paths if not path.exists()), None):
        raise InputError(f"{missing} is not there", "check the name")
    if title is not None and (len(paths) > 1 or paths[0].is_dir()):
        raise click.UsageError("--title is for a single file.")
    chosen, until = settings_of(store=store), moment(retain_until)
    refused, trouble = 0, ""
    for first in range(0, len(paths), PATHS_AT_ONCE):
        asked = CorpusAddWork(
            paths=tuple(path.absolute() for path in paths[first : first + PATHS_AT_ONCE]),
            corpus=CORPUS if corpus_name is None else corpus_name,
            groups=() if everyone else group or None,
            title=title,
            retain_until=until,
        )
        with progress_bar("Reading", "files, then passages") as progress:
            report = perform(chosen, asked, progress)
        for line in added_rows(report) if as_json else added_lines(report):
            click.echo(printable(line))
        for one in report.refused:
            click.echo(printable(f"refused: {one.reason}"), err=True)
        refused += len(report.refused)
        trouble = report.trouble or trouble
    if trouble:
        click.echo(f"citedesk: the files are in, but cannot be asked yet: {trouble}", err=True)
        return COULD_NOT_LOOK
    return FINDINGS if refused else DONE


@corpus.command("list")
@corpus_option
@store_option
@json_option
def list_sources(corpus_name: str | None, store: Path | None, as_json: bool) -> int:
    """List the sources of every corpus, versions out of use too, and what corpora let be looked up outside."""
    from core.corpus_work import SourcesReport, SourcesWork

    there = settings_of(store=store).store.exists()
    report = _asked(store, SourcesWork(corpus=corpus_name)) if there else SourcesReport(sources=())
    rows = (source_row(one, report.policies.get(one.corpus)) for one in report.sources)
    for line in rows if as_json else (*listed(report.sources), *policies(report.policies)):
        click.echo(printable(line))
    return DONE


@corpus.command("show")
@id_argument
@corpus_option
@store_option
@json_option
def show(doc_id: str, corpus_name: str | None, store: Path | None, as_json: bool) -> int:
    """Show a source: its versions, what of it could not be read, who did what about it."""
    from core.corpus_work import SourcesWork

    report = _asked(store, SourcesWork(corpus=corpus_name, doc_id=_document(doc_id)))
    if as_json:
        click.echo(report.model_dump_json())
    else:
        for line in shown(report, _document(doc_id)):
            click.echo(printable(line))
    return DONE


@corpus.command()
@id_argument
@corpus_option
@store_option
def deactivate(doc_id: str, corpus_name: str | None, store: Path | None) -> int:
    """Take a source out of use: no new request sees it, answers of before hide its text, the record stays."""
    return _change(store, "deactivate", doc_id, corpus_name)


@corpus.command()
@id_argument
@corpus_option
@store_option
def activate(doc_id: str, corpus_name: str | None, store: Path | None) -> int:
    """Put a source back into use, also a version that a newer one took over from."""
    return _change(store, "activate", doc_id, corpus_name)


@corpus.command()
@id_argument
@click.argument("date", metavar="DATE|forever")
@corpus_option
@store_option
def retain(doc_id: str, date: str, corpus_name: str | None, store: Path | None) -> int:
    """Say from which day on, in UTC, a source is withheld and its text hidden."""
    until = None if date == "forever" else moment(date)
    return _change(store, "retain", doc_id, corpus_name, until=until)


@corpus.command()
@id_argument
@click.option("--group", multiple=True, metavar="NAME", help="A group that may see it; may be repeated.")
@click.option("--everyone", is_flag=True, help="Everyone may see it.")
@corpus_option
@store_option
def allow(doc_id: str, group: tuple[str, ...], everyone: bool, corpus_name: str | None, store: Path | None) -> int:
    """Say who may see a source."""
    if bool(group) == everyone:
        raise click.UsageError("Give --group, once or more, or --everyone.")
    return _change(store, "allow", doc_id, corpus_name, groups=group)


@corpus.command()
@click.argument("name", metavar="NAME")
@click.option(
    "--also",
    multiple=True,
    type=click.Choice(["nothing", "urls", "identifiers"]),
    help="What may be looked up beyond the registry of an answer; may be repeated.",
)
@click.option("--allow", multiple=True, metavar="HOST", help="Open pages only there, *.example.org for all below.")
@click.option("--deny", multiple=True, metavar="HOST", help="Never open pages there.")
@click.option(
    "--credential",
    multiple=True,
    metavar="HOST[/HEADER]=env:NAME|file:PATH",
    help="Where the secret for a host is to be found; the secret itself is never stored.",
)
@click.option("--offline", is_flag=True, help="Ask nobody; what would be looked up is said to be not checked.")
@click.option("--clear", is_flag=True, help="Leave it to the desk again, as for answers that name no corpus.")
@store_option
@json_option
def references(
    name: str,
    also: tuple[str, ...],
    allow: tuple[str, ...],
    deny: tuple[str, ...],
    credential: tuple[str, ...],
    offline: bool,
    clear: bool,
    store: Path | None,
    as_json: bool,
) -> int:
    """Say what may be looked up outside for answers over a corpus, in the place of what was said before.

    Without options: see what was said. No run gets more than its corpus allows, and none more than the desk allows.
    """
    from core.admin import perform
    from core.corpus_work import CorpusPolicyWork

    bounds = bool(allow or deny or credential)
    if clear and (also or bounds or offline):
        raise click.UsageError("Give --clear alone.")
    if bounds and not also:
        raise click.UsageError("Say with --also what may be looked up.")
    if "nothing" in also and (len(set(also)) > 1 or bounds):
        raise click.UsageError("--also nothing leaves nothing to look up; give it alone.")
    change = bool(also) or offline or clear
    policy = _policy(also, allow, deny, credential, offline) if change and not clear else None
    work = CorpusPolicyWork(corpus=name, change=change, policy=policy)
    report = perform(settings_of(store=store), work, lambda done, total: None)
    told = [policy_row(name.strip(), report)] if as_json else list(policy_lines(name.strip(), report))
    for line in told[:1] if change else told:
        click.echo(printable(line))
    if change and not report.sources:
        click.echo(printable(f"{name.strip()} holds no source at this desk; check the name."), err=True)
    return DONE


def _policy(
    also: tuple[str, ...], allow: tuple[str, ...], deny: tuple[str, ...], credential: tuple[str, ...], offline: bool
) -> CorpusPolicy:
    from pydantic import ValidationError

    from core.corpus_policy import CorpusPolicy

    kinds = {"urls", "identifiers"} if offline and not also else set(also) - {"nothing"}
    try:
        return CorpusPolicy.model_validate(
            {
                "also": sorted(kinds),
                "allow": allow,
                "deny": deny,
                "credentials": [*map(_credential, credential)],
                "offline": offline,
            }
        )
    except ValidationError as error:
        raise click.UsageError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None


def _credential(option: str) -> Credential:
    """Read ``HOST[/HEADER]=env:NAME`` or ``…=file:PATH``."""
    from core.reference_policy import Credential

    place, _, where = option.partition("=")
    (host, _, header), (kind, _, named) = place.partition("/"), where.partition(":")
    if not host or not named or kind not in ("env", "file"):
        said = "HOST=env:NAME or HOST=file:PATH: the secret itself is never stored"
        raise click.UsageError(f"--credential for {host or 'a host'}: write {said}")
    found = {"env": named} if kind == "env" else {"file": Path(named).absolute()}
    return Credential.model_validate({"host": host.lower()} | found | ({"header": header} if header else {}))


def moment(date: str | None) -> datetime | None:
    """The beginning of a day, in UTC.

    Raises:
        UsageError: It is no day of the calendar.
    """
    if date is None:
        return None
    try:
        return datetime.strptime(date, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise click.UsageError(f"{date} is no day; write it as 2027-01-31") from None


def _document(name: str) -> str:
    """The document that an id names; of a chunk's id its first half."""
    return name.partition(":")[0]


def _asked(store: Path | None, work: Any) -> SourcesReport:
    from core.admin import perform

    report: SourcesReport = perform(settings_of(store=store), work, lambda done, total: None)
    return report


def _change(store: Path | None, change: str, doc_id: str, corpus_name: str | None, **said: Any) -> int:
    from core.corpus_work import SourceChange, SourceWork

    work = SourceWork(change=SourceChange(change), doc_id=_document(doc_id), corpus=corpus_name, **said)
    for source in _asked(store, work).sources:
        line = f"{source.doc_id}   {source.corpus}, {name_of(source)}, {source.version}   {state(source)}"
        click.echo(printable(line), err=True)
    return DONE
