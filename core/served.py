"""What is served of a checked answer: the texts of its claims in order, and footnotes made from the registry alone."""

from __future__ import annotations

from collections.abc import Sequence

from core import text
from core.models import CheckedAnswer, ClaimRow, Evidence, GivenClaim
from core.outcomes import Excerpt, Footnote, ServedClaim
from core.registry import Registry

EXCERPTS = 3
"""Passages that are shown when there is no answer."""


def text_of(claims: Sequence[GivenClaim]) -> str:
    """The served text: nothing but the claims' texts, in order."""
    return " ".join(claim.text for claim in claims)


def claims(checked: CheckedAnswer) -> tuple[ServedClaim, ...]:
    """The claims as they are served, in order."""
    rows = {row.claim_id: row for row in checked.rows}
    found = []
    for claim in checked.answer.claims or ():
        cites = tuple(dict.fromkeys(cite for cite in claim.citation_ids if cite.strip()))
        row = rows.get(claim.claim_id or "")
        quote = claim.quotes[0] if claim.quotes and row is not None and row.quotes else None
        found.append(ServedClaim(text=claim.text, citations=cites, quote=quote))
    return tuple(found)


def footnotes(checked: CheckedAnswer) -> tuple[Footnote, ...]:
    """One footnote a label, in the order in which the claims first cite it; a label that means nothing has none."""
    registry = Registry.build(checked.answer.evidence)
    rows = {row.claim_id: row for row in checked.rows}
    notes: dict[str, Footnote] = {}
    for claim in checked.answer.claims or ():
        for cite in claim.citation_ids:
            entry = registry.resolve(cite).evidence
            if cite in notes or entry is None:
                continue
            stretch = _stretch(entry, claim, rows.get(claim.claim_id or ""))
            notes[cite] = Footnote(**_where(entry), quote=stretch)
    return tuple(notes.values())


def excerpts(chosen: Sequence[GivenClaim], evidence: Sequence[Evidence]) -> tuple[Excerpt, ...]:
    """Stretches of passages, verbatim: the quotes of ``chosen``, or else the beginnings of the first passages."""
    registry = Registry.build(evidence)
    found = []
    for claim in chosen:
        for cite in claim.citation_ids:
            entry = registry.resolve(cite).evidence
            if entry is not None and (quote := _stretch(entry, claim, None)):
                found.append(Excerpt(**_where(entry), quote=quote))
    return tuple(found) or tuple(
        Excerpt(**_where(entry), quote=_beginning(entry)) for entry in evidence[:EXCERPTS] if entry.text.strip()
    )


def _where(entry: Evidence) -> dict[str, str | None]:
    chunk_id = entry.meta.get("chunk_id")
    return {
        "label": entry.id,
        "doc_id": chunk_id.partition(":")[0] if isinstance(chunk_id, str) else None,
        "chunk_id": chunk_id if isinstance(chunk_id, str) else None,
        "locator": entry.locator,
        "source_version": entry.source_version,
    }


def _stretch(entry: Evidence, claim: GivenClaim, row: ClaimRow | None) -> str | None:
    """The claim's quotation as the passage spells it, or else where the judge found the claim; never anything near."""
    for quote in claim.quotes:
        if spans := text.find_quote(entry.text, quote):
            return entry.text[slice(*spans[0])]
    span = next((one for one in row.spans if one.cite == entry.id), None) if row is not None else None
    if span is None or span.start is None or span.end is None:
        return None
    return entry.text[slice(*text.excerpt(entry.text, span.start, span.end))] or None


def _beginning(entry: Evidence) -> str:
    return entry.text[slice(*text.excerpt(entry.text, 0, len(entry.text)))]
