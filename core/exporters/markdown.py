"""Markdown for tickets and wikis: figures and claims, every text of an answer or a source as it stands.

No link, image, heading, table, mention, formula or HTML is ever made by a text: all that Markdown reads is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from core import __version__
from core.exporters import _report
from core.exporters._report import Entry, Passage, Report
from core.models import JudgedClaim

SUFFIX = ".md"
KIND = "report"

_ACTIVE = re.compile(r"([!#$&*<>@\[\\\]^_`{|}~])")
"""The punctuation that means something inside a line; texts never begin one, so full stops may stay."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff\ud800-\udfff]")
_JOINER = "\u2060"
_LINK = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)(?=\w)|(?<=#)(?=\d)|(?<=:)(?=[\w+-]+:)", re.IGNORECASE)
"""Where GitHub and others make links, mentions and emoji of text that was escaped already."""


def write(claims: Iterable[JudgedClaim], path: Path) -> int:
    """Write the report; all claims count, the first five hundred are shown. Returns how many there were."""
    report = _report.read(claims)
    path.write_text(page(report), encoding="utf-8", newline="\n")
    return report.total


def page(report: Report) -> str:
    """The report as text."""
    card = report.card
    judge = f"Judged by the verifier {_code(card.verifier or '')} under the protocol {_code(card.protocol or '')}. "
    judge += _report.about(card.verifier or "")
    missed = [f"- {one}" for one in report.failures]
    labels = [(_report.words_of(label), str(count)) for label, count in report.labels.items()]
    return "\n".join(
        [
            "# Citation report\n",
            judge if card.protocol else "Nothing was judged.",
            *(["\nNot judged; neither a label nor a score:\n", *missed] if missed else []),
            "\n## Figures\n",
            *_table(_report.COLUMNS, [_report.cells(one) for one in card.metrics()]),
            f"\n{_report.READING}",
            "\n## Labels\n",
            *_table(("Label", "Claims"), labels),
            "\n## Claims\n",
            _report.shown_of(report),
            *map(_entry, report.entries),
            f"\n---\n\nWritten by Citedesk {__version__}. {_report.MASKED}\n",
        ]
    )


def plain(text: str) -> str:
    """A text that reads exactly as it stands wherever it is put into a line of Markdown, tables included.

    Punctuation is escaped (CommonMark 0.31, section 2.4); an invisible joiner keeps apart what is made into links and
    mentions after parsing; a run of white space becomes one blank.
    """
    line = " ".join(_CONTROL.sub(lambda found: " " if found[0].isspace() else "\ufffd", text).split())
    return _ACTIVE.sub(r"\\\1", _LINK.sub(_JOINER, line))


def _code(name: str) -> str:
    """A name that has to be copied to the letter."""
    return plain(name) if "`" in name or not name.isprintable() else f"`{name}`"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]


def _entry(entry: Entry) -> str:
    lines = [
        f"\n### {_report.words_of(entry.label)}: {plain(entry.claim)}\n",
        f"- Request {plain(entry.request_id)}, claim {plain(entry.claim_id)}; action: {entry.action}",
    ]
    if entry.query:
        lines.append(f"- Asked: {plain(entry.query)}")
    lines += [f"- Note: {plain(remark)}" for remark in entry.remarks]
    return "\n".join([*lines, *map(_passage, entry.passages)])


def _passage(passage: Passage) -> str:
    where = ", ".join(plain(part) for part in (passage.title, passage.host) if part)
    said = f"- Cited {plain(passage.cite)}{f' ({where})' if where else ''}: {_report.words_of(passage.label)}."
    if passage.excerpt:
        said += f" “{plain(passage.excerpt)}”"
    return f"{said} {plain(passage.reason)}".rstrip()
