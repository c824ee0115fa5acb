"""What a report for people says, as data: figures over all claims, and the first claims in full.

Every text of an answer or a source is masked (``core.masking``) and cut here, so that no format can forget it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from urllib.parse import urlsplit

from core import glossary
from core.masking import mask
from core.models import (
    Answer,
    ClaimRow,
    Evidence,
    Failure,
    JudgedClaim,
    Label,
    Record,
    Resolve,
    SpanRow,
    Structural,
)
from core.scorecard import Metric, Scorecard, scorecard
from core.text import excerpt

SHOWN = 500
"""Claims shown in full; the figures count them all. A report that a mail programme refuses helps nobody."""

CLAIM_WORDS, EXCERPT_WORDS = 120, 25
_WORD_LENGTH = 6.4
"""Code points a word may have on average before a text is cut: 160 for an excerpt of 25 words."""

_AROUND = 100
"""Code points on either side of an excerpt that masking looks at: an address may begin before it."""

_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ud800-\udfff]")

READING = (
    "Attempted are all claims that say something checkable or cite something. Excluded are those without a conclusion: "
    "the source cannot be read here, or the judge gave no label. A rate is the share of the judged (attempted minus "
    "excluded); the bounds say what it would be if none, or all, of the excluded counted. The interval is Wilson 95%, "
    "by answer, for claims of one answer are right and wrong together. These are the judge's own shares, not corrected "
    "for the judge's errors."
)
"""What the figures mean, for somebody who sees only the report."""

MASKED = "Excerpts have at most 25 words; e-mail addresses, telephone and account numbers are masked."


class Passage(Record):
    """One citation of a claim, as a report shows it."""

    cite: str
    label: Label | None
    reason: str
    title: str
    """Title or locator of the source; empty when the id means nothing."""
    link: str | None
    """An ``http`` or ``https`` address that is safe to click; none otherwise."""
    host: str
    excerpt: str
    """At most 25 words of the cited text, masked; empty when there is nothing to show."""


class Entry(Record):
    """One claim, as a report shows it."""

    request_id: str
    claim_id: str
    query: str
    claim: str
    label: Label | None
    action: str
    remarks: tuple[str, ...]
    """What structure, registry, quotations and qualifiers said, a sentence each."""
    differing: tuple[str, ...]
    """Words of the claim and of its excerpts that are said to differ."""
    passages: tuple[Passage, ...]


class Report(Record):
    """All that a report shows."""

    card: Scorecard
    labels: dict[str, int]
    """Claims per label, ``none`` for those without; the most frequent first."""
    failures: tuple[str, ...]
    """How many claims were not judged, and why: a sentence a kind of failure, the most frequent first."""
    total: int
    entries: tuple[Entry, ...]
    """The first ``SHOWN`` claims, in the order given."""


def read(claims: Iterable[JudgedClaim]) -> Report:
    """Read all claims once, in constant memory.

    Raises:
        ValueError: The claims were judged under more than one protocol.
    """
    labels: Counter[str] = Counter()
    failures: Counter[Failure] = Counter()
    entries: list[Entry] = []

    def passing() -> Iterator[JudgedClaim]:
        for claim in claims:
            labels[claim.row.label or "none"] += 1
            failures.update(_failures(claim.row))
            if len(entries) < SHOWN:
                entries.append(_entry(claim))
            yield claim

    card = scorecard(claim.row for claim in passing())
    return Report(
        card=card,
        labels=dict(labels.most_common()),
        failures=tuple(_missed(kind, count) for kind, count in failures.most_common()),
        total=labels.total(),
        entries=tuple(entries),
    )


def about(verifier: str) -> str:
    """What a verifier is, as a sentence to stand behind its name; words of ours only."""
    return f"It is {glossary.judge(verifier)}."


def _failures(row: ClaimRow) -> Iterator[Failure]:
    """The failure that left a claim without a label; of several spans the first one's."""
    if row.label is None:
        found = (failure for span in row.spans if (failure := glossary.failure_of(span)))
        yield from islice(found, 1)


def _missed(failure: Failure, count: int) -> str:
    what, then = glossary.FAILURES[failure]
    return f"{count} {'claim' if count == 1 else 'claims'}: {what}{f' ({then})' if then else ''}."


def words_of(label: str | None) -> str:
    """A label, or the absence of one, in words for a person."""
    return "No verdict" if label in (None, "none") else str(label).replace("_", " ").capitalize()


def shown_of(report: Report) -> str:
    """How many of the claims are shown in full, in a sentence."""
    if report.total <= len(report.entries):
        return f"All {report.total} claims."
    return f"The first {len(report.entries)} of {report.total} claims; all of them are in the claim table."


COLUMNS = ("Measure", "Share", "95% interval", "Counted", "Judged", "Attempted", "Excluded", "Bounds")
"""Heads of the table of figures; ``cells`` fills a line."""


def cells(metric: Metric) -> tuple[str, ...]:
    """One measure as a line of that table."""
    counts = (metric.numerator, metric.judged, metric.attempted, metric.excluded)
    share = percent(metric.estimate.estimate)
    return (metric.name, share, interval(metric), *map(str, counts), bounds(metric))


def percent(share: float | None) -> str:
    """A share in per cent, or that there is none."""
    return "no data" if share is None else f"{share:.1%}"


def interval(metric: Metric) -> str:
    """Both ends of the interval, or nothing."""
    low, high = metric.estimate.low, metric.estimate.high
    return "" if low is None or high is None else f"{low:.1%} to {high:.1%}"


def bounds(metric: Metric) -> str:
    """The share if none, and if all, of the excluded counted."""
    return f"{percent(metric.lowest)} to {percent(metric.highest)}" if metric.attempted else "no data"


def safe_link(uri: str | None) -> str | None:
    """The address if a browser can only read it as ``http`` or ``https``; none otherwise."""
    if uri is None or _UNSAFE.search(uri):
        return None
    try:
        parts = urlsplit(uri)
        return uri if parts.scheme in ("http", "https") and parts.hostname else None
    except ValueError:  # a broken IPv6 host
        return None


def clip(text: str, words: int) -> str:
    """A masked text of at most so many words, on one line; what is cut is marked with an ellipsis."""
    line = " ".join(mask(text).split())
    start, end = excerpt(line, 0, len(line), words, int(words * _WORD_LENGTH))
    return line[start:end] + (" …" if end < len(line) else "")


def _entry(claim: JudgedClaim) -> Entry:
    row, answer = claim.row, claim.answer
    differing = [word for one in row.qualifiers if one.agrees is False for word in (one.claim, one.evidence) if word]
    return Entry(
        request_id=clip(row.request_id, EXCERPT_WORDS),
        claim_id=clip(row.claim_id, EXCERPT_WORDS),
        query=clip(answer.query or "", CLAIM_WORDS),
        claim=clip(row.claim, CLAIM_WORDS),
        label=row.label,
        action=glossary.ACTIONS[row.action],
        remarks=tuple(_remarks(claim)),
        differing=tuple(dict.fromkeys(differing)),
        passages=tuple(_passage(span, answer) for span in row.spans),
    )


def _remarks(claim: JudgedClaim) -> Iterator[str]:
    row = claim.row
    if row.structural in (Structural.MALFORMED, Structural.LEAKED_MARKER):
        yield f"Citation: {str(row.structural).replace('_', ' ')}."
    if row.resolve not in (Resolve.OK, Resolve.NOT_CHECKED):
        yield f"Registry: {str(row.resolve).replace('_', ' ')}."
    for quote in row.quotes:
        differs = f" ({clip(quote.nearest.differs, EXCERPT_WORDS)})" if quote.nearest else ""
        yield f"“{clip(quote.text, EXCERPT_WORDS)}” {glossary.QUOTATIONS[quote.match]}{differs}."
    for one in row.qualifiers:
        if one.agrees is False:
            theirs = None if one.evidence is None else clip(one.evidence, EXCERPT_WORDS)
            shown = one.model_copy(update={"claim": clip(one.claim, EXCERPT_WORDS), "evidence": theirs})
            words = glossary.compared(shown)
            yield f"{words[0].upper()}{words[1:]}."
    for note in row.notes:
        yield clip(note, CLAIM_WORDS)


def _passage(span: SpanRow, answer: Answer) -> Passage:
    found = [entry for entry in answer.evidence if entry.id == span.cite]
    entry = found[0] if len({each.text for each in found}) == 1 else None
    shown = _excerpt(span, entry)
    mismatch = "The span does not match its source. " if shown is None else ""
    link = safe_link(entry.uri) if entry else None
    if link is not None and mask(link) != link:
        link = None
    return Passage(
        cite=clip(span.cite, EXCERPT_WORDS),
        label=span.label,
        reason=clip(mismatch + glossary.reason(span.reason), CLAIM_WORDS),
        title=clip((entry.title or entry.locator or "") if entry else "", EXCERPT_WORDS),
        link=link,
        host=(urlsplit(link).hostname or "") if link else "",
        excerpt=shown or "",
    )


def _excerpt(span: SpanRow, entry: Evidence | None) -> str | None:
    """The span's excerpt, masked with what stands around it; none when it is not where it is said to be."""
    if not span.excerpt:
        return ""
    text, at = span.excerpt, 0
    if entry is not None and span.start is not None:
        at = entry.text.find(span.excerpt, span.start)
        if at < 0 or at >= (len(entry.text) if span.end is None else max(span.end, span.start + 1)):
            return None
        text = entry.text
    begin = max(0, at - _AROUND)
    masked = mask(text[begin : at + len(span.excerpt) + _AROUND])[at - begin :][: len(span.excerpt)]
    return clip(masked, EXCERPT_WORDS)
