"""What the cases write in short: long texts as templates, files as bytes or as the value that they hold."""

from __future__ import annotations

import base64
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.importers import BadLine
from core.models import Answer
from core.text import Span

_ABOUT = frozenset({"format", "column_map", "encoding"})
"""Fields of a case that say how its file is to be read; what is left is the file."""


def spelt_out(given: Mapping[str, Any]) -> dict[str, Any]:
    """The input with ``text_template`` written out as its ``text``."""
    template = given.get("text_template")
    if template is None:
        return dict(given)
    text = template["prefix"] + template["repeat"] * template["times"] + template["suffix"]
    return {"text": text} | {key: value for key, value in given.items() if key != "text_template"}


def content(given: Mapping[str, Any]) -> bytes:
    """The bytes of the file that a case is about."""
    if "bytes_b64" in given:
        return base64.b64decode(given["bytes_b64"])
    if "text" in given:
        return str(given["text"]).encode()
    value = next(value for name, value in given.items() if name not in _ABOUT)
    return json.dumps(value, ensure_ascii=False).encode()


def placed(spans: Iterable[Span | None]) -> list[dict[str, int]]:
    """Spans as the cases write them; a span that there is not is left out."""
    return [{"start": span[0], "end": span[1]} for span in spans if span]


def reply(given: Mapping[str, Any]) -> dict[str, Any]:
    """The vendor's reply of which a case gives only the text and what is attached to it."""
    text, attached = given["answer"], given.get("annotations", given.get("citations", ()))
    part = {"type": "output_text", "text": text, "annotations": attached}
    grounding = {"groundingSupports": given.get("grounding_supports", ())}
    replies = {
        "openai_responses": {"output": [{"content": [part]}]},
        "openai_chat": {"choices": [{"message": {"content": text, "annotations": attached}}]},
        "gemini_grounding": {"candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": grounding}]},
        "cohere_v2": {"message": {"content": [{"type": "text", "text": text}], "citations": attached}},
        "perplexity": {"choices": [{"message": {"content": text}}], "citations": attached},
    }
    return {"payload": replies[given["vendor"]]}


def told(rows: Sequence[Answer | BadLine]) -> dict[str, Any]:
    """The rows of a log as the cases call them; what Citedesk has no field for stands beside the others."""
    answers = [(line, row) for line, row in enumerate(rows, 1) if isinstance(row, Answer)]
    first = answers[0][1] if answers else Answer(request_id="none")
    return {
        "rows": [{"id": one.request_id, "question": one.query, "answer": one.answer, **one.meta} for _, one in answers],
        "row_ids": [one.request_id for _, one in answers],
        "errors": [row.model_dump() for row in rows if isinstance(row, BadLine)],
        "warnings": [{"line": line, "note": note} for line, one in answers for note in one.notes],
        "answer": first.answer,
        "registry": [
            {**dict(one), "id": one.id or None, "metadata": one.meta.get("metadata")} for one in first.evidence
        ],
        "citations": citations_of(first),
    }


def citations_of(answer: Answer) -> list[dict[str, Any]]:
    """The citations that an answer's log attaches by position; those of one stretch together."""
    uris = {one.id: one.uri for one in answer.evidence}
    places: dict[tuple[int, int], list[str]] = {}
    for one in answer.annotations:
        places.setdefault((one.start, one.end), []).append(one.cite)
    return [
        {"start": start, "end": end, "ids": cites, "url": uris.get(cites[0]), "chunk": _chunk(cites[0])}
        for (start, end), cites in places.items()
    ]


def _chunk(cite: str) -> int | None:
    found = re.fullmatch(r"chunk (\d+)", cite)
    return int(found[1]) if found else None


@contextmanager
def file_of(given: Mapping[str, Any]) -> Iterator[Path]:
    """The file that a case is about, for as long as it is looked at, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        path.write_bytes(content(given))
        yield path
