"""Logs and source files: what is read from them, what is refused, what is noted."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from core import importers, plugins
from core.desk import Desk
from core.loaders import Document, html
from core.registry import Registry
from core.settings import Settings
from tests.cases.material import content, file_of, told

LATER: Mapping[str, str] = {}

_FORMATS = {"jsonl": "citedesk", "cohere_v2_stream": "cohere_v2", "tsv": "csv"}
_FIELDS = {"id": "request_id", "question": "query"}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """The rows of a log, or the text of a source."""
    if given["format"] in ("html", "pdf"):
        pages = given.get("simulated_pages")
        source = html.document(html.read(content(given)).text) if pages is None else Document.of(pages)
        use = Registry.build([source.evidence("d1")]).resolve("d1").resolve.value
        return {"text": source.text, "source_status": source.status.value, "citations_to_it": use, "label": use}
    name = _FORMATS.get(given["format"], given["format"])
    name = name if name in plugins.names(importers) else "auto"
    mapping = {_FIELDS.get(field, field): column for field, column in given.get("column_map", {}).items()}
    with file_of(given) as path, closing(Desk.open(Settings(store=path.with_suffix(".duckdb")))) as desk:
        seen = told(list(importers.read(path, name, mapping)))
        columns = importers.preview(path, name, mapping, 0).columns
        report = desk.import_file(path, name, mapping=mapping)
    return seen | {"columns": list(columns), "import_status": "failed" if report.failed else "done"}
