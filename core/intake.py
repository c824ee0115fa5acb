"""What a file would bring before anything of it is stored, and what of it was refused, as a table to keep."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from core import extraction, importers, pipeline, plugins
from core.errors import CitedeskError
from core.exporters.csv import cell
from core.importers import FIELDS, BadLine, guess
from core.models import Answer, Record, Resolve
from core.registry import Registry
from core.segmenters import DEFAULT
from core.settings import Settings

ROWS = 10
"""Rows that are looked at."""


class LookedAt(Record):
    """One answer as an import would take it."""

    request_id: str
    asked_at: datetime | None
    query: str | None
    text: str
    """The answer, or the claims that were given instead."""
    passages: int
    claims: int
    """Claims that would be judged: those that count, and those that cite."""
    citations: int
    usable: int
    """Of the citations: those that lead to a passage of this request."""
    notes: tuple[str, ...]
    """What was put right or merged while reading."""


class Look(Record):
    """The first rows of a file, read in one way."""

    format: str
    """The importer's name."""
    columns: tuple[str, ...]
    """Of a table; empty otherwise."""
    answers: tuple[LookedAt, ...]
    bad_lines: tuple[BadLine, ...]
    problem: str | None
    """Why a table gives no rows yet, in a sentence."""


def trouble_with_judge(settings: Settings) -> CitedeskError | None:
    """Why the judge of the settings cannot be had here; none when it can. A model of the hub is fetched for this."""
    try:
        pipeline.build(settings)
    except CitedeskError as error:
        return error
    return None


def look(path: Path, format: str = "auto", mapping: Mapping[str, str] | None = None, segmenter: str = DEFAULT) -> Look:
    """Read the first ten rows of a file as an import with this segmenter would; nothing is stored.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    found = importers.preview(path, format, mapping, ROWS)
    return Look(
        format=found.format,
        columns=found.columns,
        answers=tuple(_looked_at(answer, segmenter) for answer in found.answers),
        bad_lines=tuple(bad.model_copy(update={"file": path.name}) for bad in found.bad_lines),
        problem=found.problem,
    )


def formats() -> dict[str, str]:
    """Every format that is read: the importer's name, and a few words for a person."""
    titles = {name: plugins.load(importers, name).__doc__ or name for name in plugins.names(importers)}
    return {name: re.split(r"[:,.]| as ", text, maxsplit=1)[0].strip() for name, text in titles.items()}


def mapping_of(columns: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """The mapping that reads a table as a person chose; empty when the names of the columns say the same.

    Args:
        columns: Of the table.
        chosen: Field → column, for every field; an empty name means that the table does not hold it.
    """
    told = guess(columns)
    if {field: column for field, column in chosen.items() if column} == told:
        return {}
    return {field: chosen.get(field, "") for field in FIELDS if chosen.get(field) or field in told}


def refused_table(rows: Iterable[BadLine]) -> str:
    """Refused rows as CSV, one a line, with nothing in it that a spreadsheet would run."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["file", "line", "field", "reason"])
    writer.writerows([cell(value) for value in (bad.file, bad.line, bad.field, bad.reason)] for bad in rows)
    return "\ufeff" + out.getvalue().encode("utf-8", "replace").decode("utf-8")


def _looked_at(answer: Answer, segmenter: str) -> LookedAt:
    registry = Registry.build(answer.evidence)
    counted = [claim for claim in extraction.claims(answer, segmenter) if claim.material or claim.cites]
    cites = [cite for claim in counted for cite in claim.cites]
    given = " · ".join(claim.text for claim in answer.claims or ())
    return LookedAt(
        request_id=answer.request_id,
        asked_at=answer.asked_at,
        query=answer.query,
        text=answer.answer or given,
        passages=len(answer.evidence),
        claims=len(counted),
        citations=len(cites),
        usable=sum(registry.resolve(cite).resolve is Resolve.OK for cite in cites),
        notes=answer.notes,
    )
