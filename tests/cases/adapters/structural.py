"""The shape of citations, and what a registry with clashing ids says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core import extraction, resolvability, structural
from core.importers.citedesk import answer_of
from core.models import Resolve
from core.registry import Registry

LATER: Mapping[str, str] = {}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is found in each claim, and in the registry."""
    evidence = [{"text": "", **entry} for entry in given["registry"]]
    answer = answer_of({"request_id": "case", "claims": given["claims"], "evidence": evidence})
    registry = Registry.build(answer.evidence)
    findings: list[dict[str, Any]] = [
        {"registry_id": id_, "status": Resolve.DUPLICATE_ID.value} for id_ in sorted(registry.conflicts)
    ]
    cites: list[str] = []
    silent = False
    for number, claim in enumerate(extraction.claims(answer)):
        structure = structural.check(claim, registry.ids)
        cites += claim.cites
        if structure.structural != "ok":
            findings.append({"claim": number, "status": structure.structural.value})
        for one in resolvability.check(claim, structure, registry):
            silent = silent or (one.resolve is Resolve.OK and one.cite in registry.conflicts)
            if one.resolve is Resolve.NOT_IN_REGISTRY:
                findings.append({"claim": number, "citation_id": one.cite, "status": "unresolvable"})
    return {"findings": findings, "effective_citation_ids": cites, "must_not_resolve_silently": not silent}
