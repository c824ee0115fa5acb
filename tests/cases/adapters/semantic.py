"""Whether cited spans support a claim, and what a claim with several spans comes to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core import pipeline
from core.models import Answer, Evidence, GivenClaim
from core.settings import Settings

LATER: Mapping[str, str] = {}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """The labels of the spans and of the claim."""
    cites = tuple(span["citation_id"] for span in given["spans"])
    answer = Answer(
        request_id="case",
        claims=(GivenClaim(text=given["claim"], citation_ids=cites),),
        evidence=tuple(Evidence(id=span["citation_id"], text=span["text"]) for span in given["spans"]),
    )
    (checked,) = pipeline.check([answer], *pipeline.build(Settings(verifier="nli", cache=None)))
    row = checked.rows[0]
    return {"label": row.label, "flags": list(row.notes), "per_span": {span.cite: span.label for span in row.spans}}
