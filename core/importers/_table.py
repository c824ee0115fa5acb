"""One row of a table → one answer: cells are taken into the shape of DESIGN §4 and then read like any other line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.importers import _cells
from core.importers._columns import CHECKED
from core.importers._json import RowError
from core.importers._passages import shaped
from core.importers.citedesk import answer_of
from core.models import Answer

_DUE_TEXT = ("request_id", "query", "model", "answer", "claim", "claim_id")
_DUE_ID = ("request_id", "claim_id", "citation_ids", "evidence_ids")


def answer(
    cells: Mapping[str, object],
    mapping: Mapping[str, str],
    notes: Sequence[str] = (),
    dated: frozenset[str] = frozenset(),
) -> Answer:
    """Read one row.

    A placeholder such as N/A counts as nothing, and that is noted; a row whose answer is one is a request that got no
    answer. Columns without a field are kept in ``meta``. A time that cannot be read leaves the answer undated.

    Args:
        cells: Column → value, as the reader of the file gives it.
        mapping: Field → column.
        notes: What the reader of the file put right already.
        dated: Columns whose value the spreadsheet holds as a date.

    Raises:
        RowError: Named by its column: a value of another type than its field needs, or nothing to check.
    """
    said = list(notes)
    values = {column: _cells.plain(value, column) for column, value in cells.items()}
    placeheld: dict[str, str] = {}
    fields: dict[str, Any] = {}
    for field, column in mapping.items():
        value = values.pop(column, None)
        if _cells.is_placeholder(value):
            placeheld[field] = value.strip()
            said.append(f"{column} had the placeholder {value.strip()!r}, which was read as nothing")
            value = None
        if value is not None and field in _DUE_ID and column in dated:
            raise RowError(column, "a date where an id is due; format the column as text before ids are typed in")
        blank = isinstance(value, str) and not value.strip()
        fields[field] = None if blank else _cells.text_of(value) if field in _DUE_TEXT else value
    try:
        found = _answer(fields, mapping, placeheld, said)
    except RowError as error:
        raise _by_column(error, mapping) from error
    kept = {column: value for column, value in values.items() if value is not None and value != ""}
    return found.model_copy(update={"meta": kept | found.meta, "notes": (*said, *found.notes)})


def _answer(
    fields: Mapping[str, Any], mapping: Mapping[str, str], placeheld: Mapping[str, str], notes: list[str]
) -> Answer:
    row: dict[str, Any] = {key: fields.get(key) for key in ("request_id", "query", "answer")}
    row["evidence"] = _evidence(fields, mapping, notes)
    row["claims"] = _claims(fields, mapping, [str(entry["id"]) for entry in row["evidence"]], notes)
    row["generator"] = {"name": _cells.text_of(fields.get("generator")), "model": fields.get("model")}
    row["asked_at"] = asked_at = _cells.text_of(fields.get("asked_at"))
    empty = next((placeheld[field] for field in CHECKED if field in placeheld), None)
    if not row["answer"] and not row["claims"] and empty is not None:
        # The line says itself that there was no answer: a request like any other, without text to check.
        return _dated(row | {"answer": empty}, asked_at, notes).model_copy(update={"answer": None})
    return _dated(row, asked_at, notes)


def _dated(row: Mapping[str, Any], asked_at: object, notes: list[str]) -> Answer:
    """The answer, undated when its time cannot be read; which column holds the time was often guessed."""
    try:
        return answer_of(row)
    except RowError as error:
        if error.field != "asked_at":
            raise
        notes.append(f"{asked_at!r} is no date and time like 2026-11-30T09:00:00Z, so the answer is undated")
        return answer_of({**row, "asked_at": None})


def _evidence(fields: Mapping[str, Any], mapping: Mapping[str, str], notes: list[str]) -> list[dict[str, Any]]:
    value = fields.get("evidence")
    passages = None if value is None else _cells.listed(value, mapping["evidence"])
    if passages is None:
        passages = [] if value is None else [_cells.text_of(value)]
    if fields.get("evidence_ids") is None:
        return shaped(passages, None, notes)
    ids = _cells.ids(fields["evidence_ids"], mapping["evidence_ids"])
    if len(passages) == 1 and len(ids) != 1 and isinstance(fields["evidence_ids"], str):
        ids = [fields["evidence_ids"]]  # one passage has one id, however it is written
    return shaped(passages or [None] * len(ids), ids, notes)


def _claims(
    fields: Mapping[str, Any], mapping: Mapping[str, str], known: Sequence[str], notes: list[str]
) -> list[Any] | None:
    claims: list[Any] | None = None
    if fields.get("claims") is not None:
        claims = _cells.listed(fields["claims"], mapping["claims"])
        if claims is None:
            raise RowError("claims", "no list, neither as JSON nor as Python prints it")
        claims = [{"text": each} if isinstance(each, str) else each for each in claims]
    elif fields.get("claim") is not None:
        quote = fields.get("quote")
        claims = [{"text": fields["claim"], "claim_id": fields.get("claim_id")}]
        claims[0]["quote"] = None if quote is None else _quotes(quote, mapping["quote"])
    cites = fields.get("citation_ids")
    if cites is not None and claims is not None and len(claims) == 1 and isinstance(claims[0], dict):
        claims[0].setdefault("citation_ids", _cells.ids(cites, mapping["citation_ids"], known))
    elif cites is not None:
        notes.append(f"{mapping['citation_ids']} does not say what each of them is cited for, so it was not used")
    return claims


def _quotes(value: object, column: str) -> object:
    """One quotation, or the list of them, as texts or as objects that hold one."""
    found = _cells.listed(value, column)
    if found is None:
        return _cells.text_of(value)
    return [each.get("text") if isinstance(each, Mapping) else each for each in found]


def _by_column(error: RowError, mapping: Mapping[str, str]) -> RowError:
    """The same refusal with the column's name for the field's, as the person sees it in the table."""
    field = (error.field or "").replace("claims[0].text", "claim").replace("claims[0].", "")
    stem = field.split("[")[0].split(".")[0]
    column = mapping.get(stem)
    return error if column is None else RowError(column, error.reason)
