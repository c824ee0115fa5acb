"""Quotations in a source: verbatim places, the nearest place of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core import quotes
from core.models import Claim, Evidence, MergePolicy, Pair, QuoteState
from core.registry import Registry
from core.semantic import Judge
from core.settings import Settings
from core.text import find_quote
from tests.cases.material import placed

LATER: Mapping[str, str] = {}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """How the quotation stands in the source that is cited."""
    quote, versions = given["quote"], given.get("sources") or {"": given["source"]}
    cited = given.get("source_version_cited", "")
    text, active = versions[cited], cited == given.get("current_version", cited)
    claim = Claim(claim_id="c1", text=quote, cites=("s",), quotes=(quote,))
    registry = Registry.build([Evidence(id="s", text=text)])
    row = quotes.check(claim, [registry.resolve("s")], registry, MergePolicy.ALL).rows[0]
    near, places = row.nearest, find_quote(text, quote)
    now = Registry.build([Evidence(id="s", text=text, active=active)]).resolve("s")
    return {
        "verbatim": row.match is QuoteState.VERBATIM,
        "verbatim_in": {version: bool(find_quote(one, quote)) for version, one in versions.items()},
        "match": {"start": row.start, "end": row.end},
        "matches": placed(places),
        "near_miss": near is not None,
        "near_miss_kind": near.differs if near else None,
        "nearest": {"start": near.start, "end": near.end} if near else None,
        "flags": [now.reason],
        "source_status": Judge.build(Settings()).judge([Pair(claim=quote, evidence=text)])[0].reason,
    }
