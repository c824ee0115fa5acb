"""What ``citedesk corpus`` prints: sources and what became of files, for a person or as JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from core.corpora import AddReport, TakenFile
    from core.corpus_policy import CorpusPolicy
    from core.corpus_work import CorpusPolicyReport, SourcesReport
    from core.sources import Source


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def printable(line: str) -> str:
    """A line that a terminal only shows: names and titles come from files and may hold what it would obey."""
    return _CONTROL.sub("\ufffd", line)


def added_rows(report: AddReport) -> Iterator[str]:
    """One JSON object a file."""
    for file in report.files:
        yield json.dumps(file.model_dump(mode="json"))
    for kind, found in (("refused", report.refused), ("passed_over", report.passed_over)):
        for one in found:
            yield json.dumps({"path": one.path, "taken": kind, "reason": one.reason})


def added_lines(report: AddReport) -> Iterator[str]:
    """What was done, for a person: in numbers, then what of it is worth a look."""
    counts = Counter(file.taken.value for file in report.files)
    words = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items()) or "nothing taken in"
    chunks = sum(file.chunks for file in report.files if file.taken in ("new", "new_version"))
    pages = sum(file.source.pages for file in report.files if file.taken in ("new", "new_version"))
    yield f"{report.corpus}: {words}; {pages:,} pages, {chunks:,} chunks"
    for file in report.files:
        yield from _worth_a_look(file)
    endings = Counter(PurePath(one.path).suffix or "no ending" for one in report.passed_over)
    if endings:
        listed = ", ".join(f"{count:,} {ending}" for ending, count in endings.most_common())
        yield f"passed over, for no loader reads them: {listed} (--json names them)"


def _worth_a_look(file: TakenFile) -> Iterator[str]:
    source = file.source
    if file.taken == "new_version":
        yield f"  {source.version} of {name_of(source)}"
    if source.deactivated:
        yield f"  {name_of(source)} is there and stays out of use; to use it: citedesk corpus activate {source.doc_id}"
    if file.taken not in ("new", "new_version"):
        return
    if source.unread:
        which = ", ".join(map(str, source.unread[:10])) + (", …" if len(source.unread) > 10 else "")
        yield f"  {name_of(source)}: {len(source.unread):,} of {source.pages:,} pages have no text ({which})"
    said = tuple(f"page {number}: " for number in source.unread) if source.pages > 1 else ("",) * len(source.unread)
    if notes := [note for note in source.notes if not note.startswith(said)]:
        more = f"; all {len(notes):,} notes: citedesk corpus show {source.doc_id}" if len(notes) > 1 else ""
        yield f"  {name_of(source)}: {notes[0]}{more}"


def listed(found: Sequence[Source]) -> Iterator[str]:
    """One line a source."""
    if not found:
        yield "There are no sources. Add some with: citedesk corpus add PATH"
    for one in found:
        pages = f"{one.pages:,} page{'' if one.pages == 1 else 's'}"
        title = f"   {one.title}" if one.title else ""
        yield f"{one.doc_id}   {one.corpus}, {name_of(one)}, {one.version}   {pages}   {state(one)}{title}"


def shown(report: SourcesReport, doc_id: str) -> Iterator[str]:
    """One source for a person: itself, its versions, its story."""
    for one in report.sources:
        if one.doc_id != doc_id:
            continue
        yield from listed([one])
        yield f"    {one.uri}"
        yield f"    {one.media}, {one.characters:,} characters, {report.chunks:,} chunks, text sha256 {one.sha256}"
        yield from (f"    {note}" for note in one.notes)
    others = [one for one in report.sources if one.doc_id != doc_id]
    if others:
        yield "Other versions:"
        yield from (f"    {line}" for line in listed(others))
    yield from policies(report.policies)
    yield "Done about it:"
    for event in report.events:
        words = ["" if event.groups is None else f"to {', '.join(event.groups) or 'everyone'}"]
        words += [f"until {event.until:%Y-%m-%d}" if event.until else "for ever"] if event.kind == "retained" else []
        said = " ".join(["added" if event.kind == "stood" else event.kind, *filter(None, words)])
        yield f"    {event.recorded_at:%Y-%m-%d %H:%M} UTC   {event.corpus} {event.version}   {said}   by {event.who}"


def policies(found: Mapping[str, CorpusPolicy]) -> Iterator[str]:
    """What corpora let be looked up outside, one line a corpus that says something of its own."""
    yield from (f"References: {name} {policy}" for name, policy in found.items())


def policy_lines(name: str, report: CorpusPolicyReport) -> Iterator[str]:
    """What one corpus says of references, and who said what before."""
    own = report.policies.get(name)
    yield f"{name} {own}" if own else f"{name} has no policy of its own: what the desk and the run say holds"
    for said in report.history:
        words = "left it to the desk" if said.policy is None else f"{name} {said.policy}"
        yield f"    {said.recorded_at:%Y-%m-%d %H:%M} UTC   {words}   by {said.who}"


def policy_row(name: str, report: CorpusPolicyReport) -> str:
    """The same as a line of JSON."""
    own = report.policies.get(name)
    history = [one.model_dump(mode="json", exclude={"corpus"}) for one in report.history]
    said = own.model_dump(mode="json") if own else None
    return json.dumps({"corpus": name, "policy": said, "sources": report.sources, "history": history})


def source_row(source: Source, policy: CorpusPolicy | None = None) -> str:
    """A source as a line of JSON, with its state in a word and what its corpus lets be looked up outside."""
    references = policy and policy.model_dump(mode="json")
    return json.dumps(source.model_dump(mode="json") | {"state": state(source), "references": references})


def state(source: Source) -> str:
    """Whether a source is in use, and for whom, in a few words."""
    why = source.withheld(None, datetime.now(UTC))
    words = [why.value.replace("_", " ") if why else "in use"]
    words += [f"for {', '.join(source.groups)}"] if source.groups else []
    words += [f"until {source.retain_until:%Y-%m-%d}"] if source.retain_until and not why else []
    return " ".join(words)


def name_of(source: Source) -> str:
    """The name of the file that a source was read from."""
    return unquote(source.uri.rpartition("/")[2])
