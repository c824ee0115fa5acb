"""HTML for sharing: one file with figures and claims, without script, without anything fetched, light and dark.

Texts of answers and sources are data: every one is escaped, isolated in its own direction, and masked where it names a
person. The page's own policy forbids scripts, images, fonts, frames and forms, whatever a text may hold.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from core import __version__
from core.exporters import _report
from core.exporters._report import Entry, Passage, Report
from core.models import JudgedClaim
from core.scorecard import Metric, Scorecard
from core.text import segments

SUFFIX = ".html"
KIND = "report"

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]")
"""What no page may hold, and the two overrides that make a text read in another order than it stands."""


def write(claims: Iterable[JudgedClaim], path: Path) -> int:
    """Write one self-contained page; all claims count, the first five hundred are shown. Returns how many came."""
    report = _report.read(claims)
    path.write_text(page(report), encoding="utf-8", newline="\n")
    return report.total


def page(report: Report) -> str:
    """The page as text."""
    style = Path(__file__).with_name("_report.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="referrer" content="no-referrer">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Citation report</title>\n<style>{style}</style>\n</head>\n<body>\n<main>",
            *_head(report),
            "<h2>Claims</h2>",
            f'<p class="soft">{_report.shown_of(report)}</p>',
            *map(_article, report.entries),
            f'<p class="soft">Written by Citedesk {__version__}. {_report.MASKED}</p>',
            "</main>\n</body>\n</html>\n",
        ]
    )


def text(value: str) -> str:
    """A text as it stands, for an element or an attribute: nothing in it is markup, and no direction leaks out."""
    return f"<bdi>{_escaped(value)}</bdi>"


def _escaped(value: str) -> str:
    return escape(_CONTROL.sub("\ufffd", value), quote=True)


def _head(report: Report) -> list[str]:
    card = report.card
    return [
        "<h1>Citation report</h1>",
        f"<p>{_judge(card)}</p>",
        *_missed(report),
        f'<section class="head">{_figure(card)}</section>',
        "<h2>Labels</h2>",
        _bar(report),
        "<h2>Figures</h2>",
        f'<div class="wide">{_table(card.metrics())}</div>',
        f'<p class="soft">{_report.READING}</p>',
    ]


def _judge(card: Scorecard) -> str:
    if card.protocol is None or card.verifier is None:
        return "Nothing was judged."
    return f"Judged by the verifier {text(card.verifier)} under the protocol <code>{text(card.protocol)}</code>. " + (
        _report.about(card.verifier)
    )


def _missed(report: Report) -> list[str]:
    """What was not judged, apart from every label."""
    if not report.failures:
        return []
    lines = "".join(f"<li>{one}</li>" for one in report.failures)
    return [f'<p class="soft">Not judged; neither a label nor a score:</p><ul class="remarks">{lines}</ul>']


def _figure(card: Scorecard) -> str:
    one = card.unsupported
    counts = f"{one.attempted} attempted, {one.judged} judged, {one.excluded} excluded"
    if one.estimate.estimate is None:
        return f'<p class="soft">Unsupported claims</p><p class="figure">no data</p><p>{counts}</p>'
    lenient = card.unsupported_lenient.estimate.estimate
    return (
        '<p class="soft">Unsupported claims, strict</p>'
        f'<p class="figure">{_report.percent(one.estimate.estimate)}</p>'
        f"<p>{one.numerator} of {one.judged} judged claims · 95% interval {_report.interval(one)} · "
        f"lenient {_report.percent(lenient)}</p>"
        f'<p class="soft">{counts} · bounds {_report.bounds(one)}</p>'
    )


def _bar(report: Report) -> str:
    """Labels as one bar, with a legend that says the same in words."""
    if not report.total:
        return '<p class="soft">No claims.</p>'
    parts, legend, left = [], [], 0.0
    for label, count in report.labels.items():
        width = 100 * count / report.total
        parts.append(f'<rect class="{label}" x="{left:.3f}%" width="{width:.3f}%" height="14"/>')
        legend.append(f'<li class="{label}">{_report.words_of(label)} {count}</li>')
        left += width
    return f'<svg aria-hidden="true">{"".join(parts)}</svg><ul class="legend">{"".join(legend)}</ul>'


def _table(metrics: Sequence[Metric]) -> str:
    heads = "".join(f"<th>{name}</th>" for name in _report.COLUMNS)
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in _report.cells(one))}</tr>" for one in metrics)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _article(entry: Entry) -> str:
    remarks = "".join(f"<li>{text(remark)}</li>" for remark in entry.remarks)
    return "".join(
        [
            f'<article class="{entry.label or "none"}">',
            f'<p class="soft"><span class="label">{_report.words_of(entry.label)}</span> · {entry.action} · ',
            f"{text(entry.request_id)} · {text(entry.claim_id)}</p>",
            f'<h3 dir="auto">{_marked(entry.claim, entry.differing)}</h3>',
            f'<p class="soft">Asked: {text(entry.query)}</p>' if entry.query else "",
            f'<ul class="remarks">{remarks}</ul>' if remarks else "",
            *(_quote(passage, entry.differing) for passage in entry.passages),
            "</article>",
        ]
    )


def _quote(passage: Passage, differing: Sequence[str]) -> str:
    where = f"{text(passage.cite)}" + (f" · {text(passage.title)}" if passage.title else "")
    if passage.link:
        attributes = f'href="{_escaped(passage.link)}" target="_blank" rel="noopener noreferrer"'
        where += f" · <a {attributes}>{text(passage.host)}</a>"
    return "".join(
        [
            f'<blockquote class="{passage.label or "none"}">',
            f'<p class="soft">{where} · <span class="label">{_report.words_of(passage.label)}</span></p>',
            f'<p dir="auto">{_marked(passage.excerpt, differing)}</p>' if passage.excerpt else "",
            f'<p class="soft">{text(passage.reason)}</p>' if passage.reason else "",
            "</blockquote>",
        ]
    )


def _marked(shown: str, differing: Sequence[str]) -> str:
    """A text, for a block of its own direction, with the first whole-word place of each differing word marked."""
    marks = []
    for word in differing:
        found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", shown)
        if found:
            marks.append((found.start(), found.end(), "differs"))
    pieces = segments(shown, marks)
    return "".join(f"<mark>{_escaped(piece)}</mark>" if kinds else _escaped(piece) for piece, kinds in pieces if piece)
