"""Which column of a table holds which field: by its name, or as a person says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import ImportFormatError

FIELDS: Mapping[str, tuple[str, ...]] = {
    "request_id": (
        "requestid", "traceid", "recordid", "id", "rowid", "exampleid", "sampleid", "questionid", "queryid", "runid",
    ),
    "query": ("query", "question", "userinput", "userquery", "userquestion", "input", "inputs", "prompt"),
    "asked_at": ("askedat", "timestamp", "createdat", "datetime", "starttime", "time", "date", "ts"),
    "generator": ("generator", "system", "appname", "app", "bot", "assistant"),
    "model": ("model", "modelname", "llm"),
    "answer": (
        "answer", "response", "generatedanswer", "modelanswer", "modelresponse", "output", "outputs", "modeloutput",
        "generatedtext", "generation", "completion", "prediction", "result",
    ),
    "claims": ("claims", "statements"),
    "claim": ("claim", "claimtext", "statement"),
    "claim_id": ("claimid",),
    "citation_ids": ("citationids", "citedids", "cites", "citations", "citation", "cite"),
    "quote": ("quote", "quotes", "quotation"),
    "evidence": (
        "evidence", "contexts", "retrievedcontexts", "context", "retrievedcontext", "passages", "passage", "documents",
        "retrieveddocuments", "docs", "chunks", "sources", "evidencetext", "sourcetext",
    ),
    "evidence_ids": (
        "evidenceids", "evidenceid", "contextids", "retrievedcontextids", "passageids", "passageid", "documentids",
        "docids", "chunkids", "sourceids",
    ),
}  # fmt: skip
"""Every field a column can hold, with the names it goes by, the likeliest first; case and punctuation do not count."""

_CLAIM_TABLE = frozenset({"quote", "quotes", "structural", "resolve", "semantic"})
"""Columns by which our own claim table is known: there ``quote`` says how the quotations stand, not what they are."""

CHECKED = ("answer", "claims", "claim")
"""The fields of which a table needs one: without them there is nothing to check."""


def named(cells: Sequence[object]) -> list[str]:
    """Names for the columns of a header, each once: a blank one is named by its place, a second one is numbered."""
    names: list[str] = []
    for place, cell in enumerate(cells, 1):
        name = stem = "" if cell is None else str(cell).strip()
        name = stem = stem or f"column {place}"
        number = 2
        while name in names:
            name = f"{stem} ({number})"
            number += 1
        names.append(name)
    return names


def guess(columns: Sequence[str]) -> dict[str, str]:
    """Field → column, for every field that a column is named after; no column is taken twice."""
    by_name: dict[str, str] = {}
    for column in columns:
        by_name.setdefault("".join(char for char in column.casefold() if char.isalnum()), column)
    if by_name.keys() >= _CLAIM_TABLE:
        del by_name["quote"]
    found = (
        (field, next((by_name[name] for name in names if name in by_name), None)) for field, names in FIELDS.items()
    )
    return {field: column for field, column in found if column is not None}


def mapped(columns: Sequence[str], mapping: Mapping[str, str] | None, where: str) -> dict[str, str]:
    """What a person said, and for the fields not spoken of what the other columns are named after.

    Args:
        columns: The names in the header.
        mapping: Field → column; an empty column name leaves the field out.
        where: The file, for messages.

    Raises:
        ImportFormatError: A field or column that does not exist, or no column that could be checked.
    """
    said = dict(mapping or {})
    for field, column in said.items():
        if field not in FIELDS:
            raise ImportFormatError(f"There is no field called {field!r}", f"choose one of: {', '.join(FIELDS)}")
        if column and column not in columns:
            raise ImportFormatError(f"{where} has no column called {column!r}", f"it has: {_listed(columns)}")
    free = [column for column in columns if column not in said.values()]
    found = {field: column for field, column in guess(free).items() if field not in said}
    found |= {field: column for field, column in said.items() if column}
    if not any(field in found for field in CHECKED):
        raise ImportFormatError(
            f"{where} has no column that is named like an answer or a claim",
            f"say which one it is; the columns are: {_listed(columns)}",
        )
    return found


def _listed(columns: Sequence[str]) -> str:
    """The names as one line that can be printed, at most 20 of them."""
    shown = [" ".join(column.encode("utf-8", "backslashreplace").decode("utf-8").split())[:40] for column in columns]
    return ", ".join(shown[:20]) + (f" and {len(shown) - 20} more" if len(shown) > 20 else "")
