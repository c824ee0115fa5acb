"""Ids against the registry of their own request, and the links and DOIs that a text names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.markers._all import find_all
from core.models import Evidence, Resolve
from core.registry import Registry

_LINKS = ("simulated", "simulated_search", "simulated_metadata", "citation", "citations")
LATER: Mapping[str, str] = dict.fromkeys(_LINKS, "need resolvers for links and DOIs (issue 8)")

_STATUS = {Resolve.OK: "resolved", Resolve.INACCESSIBLE: "inaccessible"}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the registry says of each citation, or where the text cites a link."""
    if "text" in given:
        found = find_all(given["text"])
        ids = [cite for marker in found for cite in marker.ids]
        span = {"span": {"start": found[0].start, "end": found[-1].end}} if found else {}
        return {"urls": ids, "doi": "".join(ids), **span}
    entries = given["registry"] if "registry" in given else [given["source"]]
    entries = entries[given["request_id"]] if isinstance(entries, dict) else entries
    registry = Registry.build(
        [Evidence(id=one["id"], text="", uri=one.get("url"), accessible="read_error" not in one) for one in entries]
    )
    each = [_said(registry, cite) for one in given.get("claims") or [given["claim"]] for cite in one["citation_ids"]]
    words = {one["cite"]: one["status"] for one in each}
    return {**each[0], "each": each, "label": list(words.values()), "per_citation": words}


def _said(registry: Registry, cite: str) -> dict[str, Any]:
    said = registry.resolve(cite)
    hint = {"registry_id": said.hint, "kind": said.reason} if said.hint else None
    url = said.evidence.uri if said.evidence else None
    return {"cite": cite, "status": _STATUS.get(said.resolve, "unresolvable"), "url": url, "near_miss": hint}
