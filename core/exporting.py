"""What the store holds, out to files: claim tables, verdicts, reports and gold, each file whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from core import exporters, gold_card, label_files, notebook_files, old_answers, plugins
from core.errors import InputError
from core.gold import ClaimGold, Gold, PersonLabel, SpanGold, of
from core.models import JudgedClaim, Label, MergePolicy, Record
from core.notebook_reading import Reader
from core.old_answers import Groups
from core.people import Person
from core.pseudonyms import Pseudonyms
from core.store import Store
from core.store.label_records import StoredLabel
from core.store.records import ClaimFilter, Sort, StoredVerdict

Passed = Callable[[Iterable[Any]], Iterator[Any]]
"""Passes rows on unchanged while they are written, and sees each."""


class ExportRequest(Record):
    """What somebody wants to have, and where; the filters are those of the review list."""

    what: Literal["claims", "verdicts", "report", "failures", "gold", "labels", "notebook"]
    """``failures`` is written by ``core.failure_report``."""
    out: Path
    """Its suffix names the format; gold goes into a new folder when it has none."""
    protocol: str | None = None
    """Whose verdicts; none means the only one there is."""
    labels: tuple[Label | None, ...] = ()
    request_id: str | None = None
    flags: tuple[str, ...] = ()
    text: str = ""
    unsupported: Literal["strict", "lenient"] | None = None
    level: Literal["spans", "claims", "labels"] = "spans"
    """Which rows of gold go into a single file."""
    guideline: str = ""
    """Gold is made of labels under this version only."""
    merge: MergePolicy = MergePolicy.ALL
    """How gold of spans becomes a claim's."""
    stale: bool = False
    """Whether gold whose texts changed since is written too, marked."""
    pseudonyms: bool = False
    """Whether labels are written under pseudonyms instead of the labellers' names; see ``core.pseudonyms``."""
    name: str = ""
    """The notebook's, or its id."""
    groups: tuple[str, ...] | None = None
    """Words of sources that nobody in these groups may see are left out, empty for everyone's; none: the desk's own."""
    reader: Person | None = None
    """For whose eyes: claims that are concealed from them (``core.reveal``) are left out; none: who keeps the desk."""
    who: str = ""
    """Who takes it out, for the audit chain."""


class ExportReport(Record):
    """What was written."""

    out: Path
    rows: int
    protocol: str | None
    """Whose verdicts; none for labels by people."""
    said: str
    """The same in a sentence."""


def export(store: Store, request: ExportRequest, progress: Callable[[int, int], None] | None = None) -> ExportReport:
    """Write what is asked for, and tell how many claims or verdicts of how many (0 when unknown) are written.

    What ``progress`` raises ends the export, and nothing is left of it.

    Raises:
        InputError: No exporter writes that suffix, the protocol is not one of the store's, or the place is taken.
        OSError: The place cannot be written.
    """
    out = request.out
    if request.what == "labels":
        shown = old_answers.events(store, store.labels.events(), request.groups)
        named = _unnamed_events(store, shown) if request.pseudonyms else shown
        rows = _whole(out, lambda part: label_files.write(named, part, store.gold.drawn()))
        return ExportReport(out=out, rows=rows, protocol=None, said=f"{rows} labelling events written to {out}")
    if request.what == "gold":
        return _export_gold(store, request)
    if request.what == "notebook":
        return _export_notebook(store, request)
    filters = request.model_dump(include={"labels", "request_id", "flags", "text", "unsupported"})
    is_report = _member(out).KIND == "report"
    if is_report and any(filters.values()):
        raise InputError("A report gives the figures of all claims", "leave the filters out, or write a table")
    wanted = ClaimFilter(
        protocol=one_protocol(store, request.protocol),
        sort=Sort.WORST_FIRST if is_report else Sort.AS_IMPORTED,
        reader=request.reader,
        **filters,
    )
    write = {"claims": export_claims, "verdicts": export_verdicts, "report": export_report}[request.what]
    if progress:
        total = 0 if request.what == "verdicts" else store.claim_page(wanted, 1).total
        rows = write(store, wanted, out, lambda rows: _told(rows, progress, total), request.groups)
    else:
        rows = write(store, wanted, out, groups=request.groups)
    things = "verdicts" if request.what == "verdicts" else "claims"
    said = f"{rows} {things} judged by {wanted.protocol} written to {out}"
    return ExportReport(out=out, rows=rows, protocol=wanted.protocol, said=said)


def _unnamed_events(store: Store, events: Iterable[StoredLabel]) -> Iterator[StoredLabel]:
    names = Pseudonyms(store.path)
    for one in events:
        event = one.event.model_copy(update={"labeller": names.of(one.event.labeller)})
        yield one.model_copy(update={"event": event})


def _export_notebook(store: Store, request: ExportRequest) -> ExportReport:
    notebook = notebook_files.one_notebook(store, request.name)
    reader = Reader(groups=request.groups)
    cells = _whole(request.out, lambda part: notebook_files.write(store, notebook, part, reader))
    said = f"{cells} cells of the notebook {notebook.name!r} written to {request.out}"
    return ExportReport(out=request.out, rows=cells, protocol=None, said=said)


def one_protocol(store: Store, name: str | None) -> str:
    """The protocol asked for, or the only one there is; never a mixture.

    Raises:
        InputError: There is none of that name, none at all, or more than one to choose from.
    """
    there = [info.name for info in store.protocols()]
    if not there:
        raise InputError("No verifier has judged anything in this store yet", "import answers first")
    if name is None and len(there) > 1:
        raise InputError("Several protocols judged this store", f"choose with --protocol: {', '.join(there)}")
    if name is not None and name not in there:
        raise InputError(f"No protocol {name!r} in this store", f"choose one of: {', '.join(there)}")
    return name or there[0]


def write_claims(claims: Iterable[JudgedClaim], out: Path) -> int:
    """Write claims to a file whose suffix names the format.

    Returns:
        How many claims were given.

    Raises:
        InputError: No exporter writes that suffix, or ``out`` is a folder.
        OSError: The place cannot be written.
    """
    member = _member(out)
    rows: Iterable[Record] = (claim.row for claim in claims) if member.KIND == "table" else claims
    return _whole(out, lambda part: int(member.write(rows, part)))


def export_claims(store: Store, wanted: ClaimFilter, out: Path, passed: Passed = iter, groups: Groups = None) -> int:
    """Write the claims of the review list, in its order: as many as its total says. See ``write_claims``."""
    if _member(out).KIND == "table":
        return write_records(passed(old_answers.rows(store, wanted, groups)), out)
    return write_claims(passed(old_answers.judged(store, store.judged_claims(wanted), groups)), out)


def export_report(store: Store, wanted: ClaimFilter, out: Path, passed: Passed = iter, groups: Groups = None) -> int:
    """Write the claims of the review list as a report for people; see ``write_claims``.

    Raises:
        InputError: The suffix is not that of a report.
    """
    _member(out, "report")
    return write_claims(passed(old_answers.judged(store, store.judged_claims(wanted), groups)), out)


def export_verdicts(store: Store, wanted: ClaimFilter, out: Path, passed: Passed = iter, groups: Groups = None) -> int:
    """Write what each stage said of the claims of the review list, a line each; gives how many lines.

    Raises:
        InputError: The suffix is not that of a table.
    """
    return write_records(passed(old_answers.verdicts(store, wanted, groups)), out, StoredVerdict)


def export_gold(store: Store, gold: Gold, level: str, out: Path, groups: Groups = None) -> int:
    """Write gold as one table.

    Args:
        store: Says what of the cited texts may be shown.
        gold: Who agrees on what.
        level: ``spans``, ``claims``, or ``labels``: one row per person's label.
        out: Its suffix names the format.
        groups: Of whoever gets it; none stands for whoever keeps the desk.

    Raises:
        InputError: The suffix is not that of a table.
    """
    if level == "claims":
        return write_records(gold.claims(), out, ClaimGold)
    if level == "labels":
        return write_records(old_answers.people(store, gold.people(), groups), out, PersonLabel)
    return write_records(old_answers.gold(store, gold.spans(), groups), out, SpanGold)


def export_gold_set(store: Store, gold: Gold, out: Path, groups: Groups = None) -> None:
    """Write gold as a folder in the style of Hugging Face: data files, and a card that describes them.

    Raises:
        InputError: The folder is there already and not empty, or its place is taken by a file.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is there already", "give the name of a new folder")
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".citedesk-") as folder:
        part = Path(folder, out.name)
        data = part / "data"
        data.mkdir(parents=True)
        for level in gold_card.LEVELS:
            export_gold(store, gold, level, data / f"{level}.jsonl", groups)
        (part / "README.md").write_text(gold_card.text(gold.counts, data), encoding="utf-8", newline="\n")
        part.replace(out)


def write_page(page: str, out: Path) -> None:
    """Write a page of HTML that was made elsewhere.

    Raises:
        InputError: The suffix is another one.
        OSError: The place cannot be written.
    """
    if out.suffix != ".html":
        raise InputError(f"{out.name} is no name of a page", "end the name with .html")
    _whole(out, lambda part: part.write_text(page, encoding="utf-8", newline="\n"))


def write_records(rows: Iterable[Record], out: Path, record: type[Record] | None = None) -> int:
    """Write records, claim rows unless said otherwise, as a table whose suffix names the format.

    Raises:
        InputError: The suffix is not that of a table, or ``out`` is a folder.
    """
    member = _member(out, "table")
    kind = {} if record is None else {"record": record}
    return _whole(out, lambda part: int(member.write(rows, part, **kind)))


def _export_gold(store: Store, request: ExportRequest) -> ExportReport:
    names = Pseudonyms(store.path).of if request.pseudonyms else None
    gold = of(store, request.guideline, request.merge, request.stale, names)
    if request.out.suffix:
        rows = export_gold(store, gold, request.level, request.out, request.groups)
    else:
        export_gold_set(store, gold, request.out, request.groups)
        rows = gold.counts.spans
    counts = gold.counts
    said = (
        f"Gold of {counts.spans} spans and {counts.claims} claims under guideline {counts.guideline} written to "
        f"{request.out}; {counts.disagreements} spans in disagreement, {counts.incomplete} claims incomplete, "
        f"{counts.stale} labels stale"
    )
    return ExportReport(out=request.out, rows=rows, protocol=None, said=said)


def _member(out: Path, kind: str | None = None) -> ModuleType:
    """The exporter, of one kind or of any, that a file's suffix names."""
    members = {module.SUFFIX: module for module in plugins.load_all(exporters) if kind in (None, module.KIND)}
    if out.suffix not in members:
        raise InputError(f"No exporter writes {out.name!r}", f"end the name with one of: {', '.join(sorted(members))}")
    return members[out.suffix]


def _told(rows: Iterable[Any], progress: Callable[[int, int], None], total: int) -> Iterator[Any]:
    for done, row in enumerate(rows, start=1):
        yield row
        progress(done, total)


def _whole(out: Path, write: Callable[[Path], int]) -> int:
    """Write beside the place and move there when done, so that a failure leaves nothing half-written."""
    if out.is_dir():
        raise InputError(f"{out} is a folder", "give the name of a file")
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".citedesk-") as folder:
        part = Path(folder, out.name)
        count = write(part)
        part.replace(out)
    return count
