"""Sentences and claims of a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core import extraction
from core.models import Answer
from tests.cases.material import placed

LATER: Mapping[str, str] = {}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the text is cut into."""
    text = given["text"]
    spans = extraction.sentences(text)
    gaps = zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)], strict=True)
    sentences = placed(spans)
    return {
        "sentences": sentences,
        "separate_units": sentences,
        "lossless": all(left <= right and not text[left:right].strip() for left, right in gaps),
        "claims": [
            {"text": claim.text, "start": claim.start, "end": claim.end, "linked": claim.notes}
            for claim in extraction.claims(Answer(request_id="case", answer=text))
        ],
    }
