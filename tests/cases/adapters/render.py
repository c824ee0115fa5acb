"""A text with its highlighted spans, cut at every border."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from core.exporters import html
from core.text import find_quote, segments

LATER: Mapping[str, str] = {}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is shown, and what of it is marked."""
    text = given["text"]
    quoted = [{"start": start, "end": end} for start, end in find_quote(text, given.get("quote", ""))]
    spans = given.get("spans", quoted)
    marks = [(one["start"], one["end"], str(number)) for number, one in enumerate(spans)]
    pieces = segments(text, marks)
    starts = [sum(len(piece) for piece, _ in pieces[:number]) for number in range(len(pieces))]
    shown = [
        [(start, start + len(piece)) for start, (piece, kinds) in zip(starts, pieces, strict=True) if kind in kinds]
        for _, _, kind in marks
    ]
    markup = "".join(html.text(piece) for piece, _ in pieces)
    return {
        "html": markup,
        "well_formed_html": ElementTree.fromstring(f"<p>{markup}</p>") is not None,
        "visible_text": "".join(piece for piece, _ in pieces),
        "highlighted": [
            {"id": one.get("id"), "start": places[0][0], "end": places[-1][1]}
            for one, places in zip(spans, shown, strict=True)
        ],
    }
