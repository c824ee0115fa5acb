"""W3C Web Annotation (JSON-LD): every claim as an annotation of its answer, linked to the texts it cites.

Source: Web Annotation Data Model, W3C Recommendation of 23 February 2017, sections 4.2.4 (TextQuoteSelector) and 4.2.5
(TextPositionSelector); positions are Unicode code points, half-open, over exactly the text that ``source`` names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from core.exporters._report import safe_link
from core.models import ClaimRow, Evidence, JudgedClaim, Label, SpanRow, digest
from core.text import Span, sha256

SUFFIX = ".jsonld"
KIND = "document"

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
AROUND = 32
"""Code points before and after a quotation that help to find it again in a text that has moved."""


def write(claims: Iterable[JudgedClaim], path: Path) -> int:
    """Write one annotation page with an annotation a claim, streaming; returns how many."""
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f'{{"@context": "{CONTEXT}", "type": "AnnotationPage", "items": [')
        for claim in claims:
            # Escaped to ASCII: half of a surrogate pair has no UTF-8, and must not stop the others.
            file.write((",\n" if count else "\n") + json.dumps(annotation(claim)))
            count += 1
        file.write("\n]}\n")
    return count


def annotation(claim: JudgedClaim) -> dict[str, Any]:
    """One claim as an annotation: its target is its place in the answer; its bodies are label, reasons, cited texts."""
    row, answer, uid = claim.row, claim.answer, claim.answer.uid
    bodies: list[dict[str, Any]] = [_said(row.label or "no verdict", "classifying")]
    bodies += [_said(reason, "commenting") for reason in dict.fromkeys(span.reason for span in row.spans) if reason]
    bodies += [body for span in row.spans if (body := _cited(span, answer.evidence))]
    name = quote(f"{row.request_id}/{row.claim_id}", safe="", errors="surrogatepass")
    return {
        "id": f"urn:citedesk:claim:{digest([uid, row.protocol, row.claim_id])[:16]}:{name}",
        "type": "Annotation",
        "motivation": "assessing",
        "creator": {"type": "Software", "name": row.protocol},
        "body": bodies,
        "target": _targets(row, answer.answer, f"urn:citedesk:answer:{uid}"),
    }


def selectors(text: str, span: Span) -> list[dict[str, Any]]:
    """The two selectors of a stretch of a text; both select the same."""
    start, end = span
    return [
        {"type": "TextPositionSelector", "start": start, "end": end},
        {
            "type": "TextQuoteSelector",
            "exact": text[start:end],
            "prefix": text[max(0, start - AROUND) : start],
            "suffix": text[end : end + AROUND],
        },
    ]


def _said(value: str | Label, purpose: str) -> dict[str, Any]:
    return {"type": "TextualBody", "value": str(value), "purpose": purpose, "format": "text/plain"}


def _targets(row: ClaimRow, answer: str | None, source: str) -> list[dict[str, Any]]:
    """The fragments of a claim in its answer; the whole answer when the claim does not stand in it word for word."""
    if answer is None or not row.fragments or row.start is None:
        return [{"type": "SpecificResource", "source": source}]
    return [
        {"type": "SpecificResource", "source": source, "selector": selectors(answer, fragment)}
        for fragment in row.fragments
    ]


def _cited(span: SpanRow, evidence: Iterable[Evidence]) -> dict[str, Any] | None:
    """The cited text, with the stretch that carries the verdict; none when the id means nothing, or two texts."""
    entries = [entry for entry in evidence if entry.id == span.cite]
    if len({entry.text for entry in entries}) != 1:
        return None
    entry = entries[0]
    source: dict[str, Any] = {"id": f"urn:citedesk:text:{sha256(entry.text)}", "type": "Text", "format": "text/plain"}
    if link := safe_link(entry.uri):
        source["via"] = link
    if entry.title:
        source["label"] = entry.title
    body: dict[str, Any] = {"type": "SpecificResource", "purpose": "linking", "source": source}
    if span.start is not None and span.end is not None and 0 <= span.start < span.end <= len(entry.text):
        body["selector"] = selectors(entry.text, (span.start, span.end))
    return body
