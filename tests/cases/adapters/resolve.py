"""Ids against their request's registry; the links and DOIs that a text names; what the outside says of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.identifiers import identify
from core.markers._all import find_all
from core.registry import Registry
from tests.fakes.simulated_web import WORDS, registered, told

LATER: Mapping[str, str] = {}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the registry says of each citation, or where the text cites a link, or what a simulated web answers."""
    if "text" in given:
        found = find_all(given["text"])
        ids = [cite for marker in found for cite in marker.ids]
        span = {"span": {"start": found[0].start, "end": found[-1].end}} if found else {}
        return {"urls": ids, "doi": "".join(ids), **span}
    if not {"registry", "source"} & given.keys():
        return told(given)
    registry, by_doi = registered(given)
    cited = [{"citation_ids": given["citations"]}] if "citations" in given else given.get("claims") or [given["claim"]]
    each = [_said(registry, by_doi.get(identify(cite), cite)) for one in cited for cite in one["citation_ids"]]
    words = {one["registry_id"]: one["status"] for one in each}
    return {**each[0], "each": each, "label": list(words.values()), "per_citation": words}


def _said(registry: Registry, cite: str) -> dict[str, Any]:
    said = registry.resolve(cite)
    hint = {"registry_id": said.hint, "kind": said.reason} if said.hint else None
    url = said.evidence.uri if said.evidence else None
    return {"registry_id": cite, "status": WORDS.get(said.resolve, "unresolvable"), "url": url, "near_miss": hint}
