"""Untrusted text: what exports, reports and verdicts make of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from core.exporters import html
from core.exporters._report import safe_link
from core.exporters.csv import cell
from core.loaders.html import document
from tests.cases.adapters import semantic
from tests.fakes.simulated_web import opened

LATER: Mapping[str, str] = {}

_TEXTS = ("title", "claim", "answer", "annotator_note")


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """The label of a claim and its span, the cells of an export, what is opened, or the texts and links of a report."""
    if given.keys() & {"url", "urls"}:
        return opened(given)
    if "span" in given:
        return semantic.observe({"claim": given["claim"], "spans": [{"citation_id": "s", "text": given["span"]}]})
    if "export_rows" in given:
        values = [value for row in given["export_rows"] for value in row.values()]
        changed = [value for value in values if isinstance(value, str) and cell(value) != value]
        numbers = [cell(value) for value in values if not isinstance(value, str)]
        return {"numbers_unchanged": numbers, "text_cells_neutralised": changed}
    shown = [html.text(given[name]) for name in _TEXTS if name in given]
    return {
        "visible_text": document("".join(shown[:1])).text,
        "html": "".join(shown),
        "external_requests": len(LexborHTMLParser("".join(shown)).css("[src], [srcset], link, object, style")),
        "hrefs": [safe_link(uri) for uri in given.get("source_urls", ())],
        "href": safe_link(given.get("source_url")),
    }
