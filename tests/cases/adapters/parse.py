"""Markers, vendors' offsets and quotations in an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core import extraction, importers
from core.markers._all import find_all
from core.models import Answer, Evidence
from core.offsets import Offsets, Unit
from core.text import find_quote
from tests.cases.material import file_of, placed, reply, told

LATER: Mapping[str, str] = {}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """What stands where in the answer, and which ids it names."""
    if "vendor" in given:
        with file_of(reply(given)) as path:
            return told(list(importers.read(path, given["vendor"])))
    text, base = given["answer"], given.get("index_base", 1)
    urls = {str(one["cite_index"] + 1 - base): one["url"] for one in given.get("vendor_citations", ())}
    evidence = tuple(Evidence(id=id_, text="", uri=urls.get(id_)) for id_ in (*given.get("registry_ids", ()), *urls))
    claims = extraction.claims(Answer(request_id="case", answer=text, evidence=evidence))
    markers = find_all(text, frozenset(entry.id for entry in evidence))
    quotes = [span for claim in claims for quote in claim.quotes for span in find_quote(text, quote)[:1]]
    offsets = Offsets(text, Unit(given.get("offset_unit", "code_points")))
    spans = [offsets.locate(one["start"], one["end"]).span for one in given.get("spans", ())]
    return {
        "markers": [{**one._asdict(), "ids": list(one.ids), "url": urls.get("".join(one.ids))} for one in markers],
        "locators": {one.ids[-1]: one.locator for one in markers if one.locator},
        "ids_in_order": [id_ for marker in markers for id_ in marker.ids],
        "claims": [{**dict(one), "ids": list(one.cites)} for one in claims],
        "quotes": placed(quotes),
        "spans": placed(spans),
    }
