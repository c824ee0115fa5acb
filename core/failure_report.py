"""The failures of one filter as one page for somebody else: figures, reasons, slices, examples; no script.

Texts are masked and escaped; the page's own policy forbids everything that could load or run.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from core import __version__, exporters, exporting, failures, old_answers, slices
from core.exporters import html
from core.exporting import ExportReport, ExportRequest
from core.failures import FailureReason, Overview
from core.masking import mask
from core.metrics import Estimate
from core.models import utc_now
from core.old_answers import Groups
from core.slices import Slice, SliceReport
from core.store import Store
from core.store.records import ClaimFilter, ClaimPage

EXAMPLES = 3
"""Claims of each reason that are shown."""

MOST = 25
"""Rows of a table."""

LONGEST = 600
"""Code points of a claim that are shown."""

_STYLE = """
.share { width: 34%; } .share svg { height: 10px; }
.share rect { fill: var(--accent); } .share .back { fill: var(--line); }
td:first-child { white-space: normal; overflow-wrap: anywhere; }
@media print { :root { color-scheme: light; } h2 { break-after: avoid; } tr, article { break-inside: avoid; } }
"""


def export(store: Store, request: ExportRequest) -> ExportReport:
    """Write the page of all claims that a protocol judged to the file that is asked for.

    Raises:
        InputError: There is no such protocol, or the file is no page.
        OSError: The place cannot be written.
    """
    wanted = ClaimFilter(protocol=exporting.one_protocol(store, request.protocol), reader=request.reader)
    strictness = request.unsupported or "strict"
    words = f"judge {wanted.protocol} · {strictness} counting · all claims that count"
    exporting.write_page(page(store, wanted, strictness, words, groups=request.groups), request.out)
    failed = failures.overview(store, wanted, strictness).failed
    said = f"Why {failed:,} claims fail, judged by {wanted.protocol}, written to {request.out}"
    return ExportReport(out=request.out, rows=failed, protocol=wanted.protocol, said=said)


def page(
    store: Store,
    wanted: ClaimFilter,
    strictness: str,
    words: str,
    now: datetime | None = None,
    groups: Groups = None,
) -> str:
    """Write the page.

    Args:
        store: Where the verdicts are.
        wanted: Which claims, and for whose eyes; whoever gets the file sees what that person may see.
        strictness: ``strict`` or ``lenient``.
        words: The filter in words.
        now: The date that it bears.
        groups: Reasons that quote sources which nobody in these groups may see are left out; none: the desk's own.
    """
    found = failures.overview(store, wanted, strictness)
    report = slices.ranked(store, wanted, strictness)
    examples = [(one, old_answers.page(store, one.wanted, EXAMPLES, 0, groups)) for one in found.reasons[:MOST]]
    body = [
        "<h1>Why claims fail</h1>",
        f"<p>{html.text(mask(words))}</p>",
        *_head(found, wanted.protocol, store.slices.data_sha256(wanted), now or utc_now()),
        "<h2>Reasons</h2>",
        '<p class="soft">Every failing claim stands under one reason; the numbers add up.</p>',
        *_reasons(found),
        "<h2>Where it fails more</h2>",
        '<p class="soft">Slices with most failures beyond the rate of all claims. “More than chance” is corrected for '
        "the number of slices: at most one in twenty of them is chance.</p>",
        *_slices(report),
        "<h2>Sources that failing claims cite most</h2>",
        *_sources(slices.bad_sources(report)),
        "<h2>Examples</h2>",
        *_left_out(store, [one.claim_uid for _, shown in examples for one in shown.items], groups),
        *(line for reason, shown in examples for line in _examples(reason, shown)),
        f'<p class="soft">Written by Citedesk {__version__}. E-mail addresses, telephone and account numbers are '
        "masked.</p>",
    ]
    return _framed("\n".join(body))


def _framed(body: str) -> str:
    style = Path(exporters.__file__).with_name("_report.css").read_text(encoding="utf-8") + _STYLE
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Why claims fail</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n{body}\n"
        "</main>\n</body>\n</html>\n"
    )


def _head(found: Overview, protocol: str, sha256: str, now: datetime) -> Iterator[str]:
    share = "–" if found.rate.estimate is None else _percent(found.rate.estimate)
    yield f'<section class="head"><p class="figure">{share}</p>'
    yield f"<p>{html.text(failures.sentence(found, protocol))}.</p>"
    left = found.attempted - found.judged
    if left:
        yield f"<p>{left:,} of the {found.attempted:,} claims that count were not judged and are in no figure.</p>"
    yield (
        f'<p class="soft">Judge {html.text(protocol)} · n = {found.judged:,} · {found.rate.method} · the judge’s own '
        f"share, not corrected by people · {now:%Y-%m-%d %H:%M} UTC · data sha256 <code>{sha256}</code></p></section>"
    )


def _reasons(found: Overview) -> Iterator[str]:
    rows = [(one.words, f"{one.claims:,}", _bar(one.claims / found.failed)) for one in found.reasons]
    yield from _table(("Reason", "Claims", "Of all that fail"), rows)


def _slices(report: SliceReport) -> Iterator[str]:
    rows = [
        (
            one.words,
            f"{one.failed:,} of {one.judged:,}",
            _interval(one.rate),
            "–" if one.lift.estimate is None else f"{one.lift.estimate:.1f}",
            f"{one.excess:+.1f}",
            "yes" if one.stands_out else "no",
        )
        for one in report.slices[:MOST]
    ]
    yield from _table(("Slice", "Fail", "Rate (95 %)", "Times elsewhere", "Too many", "More than chance"), rows)


def _sources(found: Sequence[Slice]) -> Iterator[str]:
    rows = [(one.value, f"{one.failed:,} of {one.judged:,}", _interval(one.rate)) for one in found[:MOST]]
    yield from _table(("Source", "Fail", "Rate (95 %)"), rows)


def _left_out(store: Store, uids: Sequence[str], groups: Groups) -> Iterator[str]:
    """Of how many examples only the claim is shown."""
    if hidden := len(store.corpora.hidden_of_claims(uids, groups, utc_now())):
        of = "1 example comes" if hidden == 1 else f"{hidden:,} examples come"
        yield f"<p>{of} from answers with sources that may not be shown here; their words are left out.</p>"


def _examples(reason: FailureReason, shown: ClaimPage) -> Iterator[str]:
    yield f"<h3>{html.text(reason.words)} · {reason.claims:,}</h3>"
    for one in shown.items:
        why = f"<p>{html.text(mask(one.why))}</p>" if one.why else ""
        source = f'<p class="soft">Source: {html.text(mask(one.source))}</p>' if one.source else ""
        asked = f'<p class="soft">Asked: {html.text(mask(one.query[:LONGEST]))}</p>' if one.query else ""
        claim = html.text(mask(one.claim[:LONGEST]))
        yield f'<article class="{one.label or "none"}"><p>{claim}</p>{why}{source}{asked}</article>'


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if not rows:
        yield "<p>There is none.</p>"
        return
    yield f'<div class="wide"><table><tr>{"".join(f"<th>{name}</th>" for name in names)}</tr>'
    for row in rows:
        cells = "".join(
            cell if cell.startswith('<td class="share">') else f"<td>{html.text(mask(cell))}</td>" for cell in row
        )
        yield f"<tr>{cells}</tr>"
    yield "</table></div>"


def _bar(share: float) -> str:
    return (
        '<td class="share"><svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" '
        f'aria-label="{_percent(share)}"><rect class="back" width="100" height="10"/>'
        f'<rect width="{100 * share:.2f}" height="10"/></svg></td>'
    )


def _interval(rate: Estimate) -> str:
    if rate.estimate is None or rate.low is None or rate.high is None:
        return "–"
    return f"{_percent(rate.estimate)} ({100 * rate.low:.0f}–{100 * rate.high:.0f})"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
