"""Checked answers as plain columns outside a store: what a run folder holds, and what an attached run is read from.

Claims have the columns of ``core.exporters.parquet``, so that other tools find what they find in an exported table, and
behind them those that the pages count by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from core.exporters import parquet
from core.models import CheckedAnswer, StageVerdict
from core.store import answers as stored_answers
from core.store import verdicts
from core.store.encoding import dump_json, encode_text
from core.store.records import claim_uid

if TYPE_CHECKING:
    import pyarrow as pa

_COUNTED = ("row_sha256", "attempted", "unsupported_strict", "unsupported_lenient", "why", "source", "source_date")
_LISTED = ("differing", "cite_count")
_ANSWER = ("asked_at", *stored_answers.FIELDS.split(", "))


def claim_schema() -> pa.Schema:
    """The columns of claims."""
    import pyarrow as pa

    extra: dict[str, pa.DataType] = {
        "claim_uid": pa.string(),
        "answer_row": pa.int32(),
        "position": pa.int32(),
        "splitter": pa.string(),
        "row_sha256": pa.string(),
        "attempted": pa.bool_(),
        "unsupported_strict": pa.bool_(),
        "unsupported_lenient": pa.bool_(),
        "why": pa.string(),
        "source": pa.string(),
        "source_date": pa.date32(),
        "differing": pa.list_(pa.string()),
        "cite_count": pa.int32(),
        "stages": pa.list_(parquet.schema(StageVerdict).empty_table().to_struct_array().type),
    }
    return pa.schema([*parquet.schema(), *pa.schema(extra)])


def answer_schema() -> pa.Schema:
    """The columns of answers; ``evidence`` is the registry, as JSON."""
    import pyarrow as pa

    kinds = {"asked_at": pa.timestamp("us", "UTC")}
    return pa.schema({name: kinds.get(name, pa.string()) for name in ("request_uid", *_ANSWER, "evidence")})


def claims(checked: Sequence[CheckedAnswer], splitter: str) -> list[dict[str, Any]]:
    """A row a claim, in the order of answers and claims; ``answer_row`` counts the answers from 0."""
    return [row for number, one in enumerate(checked) for row in _claims(number, one, splitter)]


def _claims(number: int, checked: CheckedAnswer, splitter: str) -> Iterator[dict[str, Any]]:
    uid = checked.answer.uid
    judged = verdicts.rows_of(checked, range(len(checked.rows)))
    for position, (claim, one) in enumerate(zip(checked.claims, judged, strict=True), start=1):
        columns = verdicts.columns_of(one)
        yield _stored(
            {
                **one.row.model_dump(),
                **{name: columns[name] for name in (*_COUNTED, *_LISTED)},
                "claim_uid": claim_uid(uid, splitter, claim),
                "answer_row": number,
                "position": position,
                "splitter": splitter,
                "stages": [stage.model_dump() for stage in one.stages],
            }
        )


def answers(checked: Sequence[CheckedAnswer]) -> list[dict[str, Any]]:
    """A row an answer, in the same order."""
    return [_stored(_answer(one)) for one in checked]


def _answer(checked: CheckedAnswer) -> dict[str, Any]:
    evidence = dump_json([entry.model_dump() for entry in checked.answer.evidence])
    return {"request_uid": checked.answer.uid, **stored_answers.columns_of(checked.answer), "evidence": evidence}


def _stored(value: Any) -> Any:
    """A value with every text in it as the store would keep it, which is almost always the text itself."""
    if isinstance(value, str):
        return encode_text(str(value))
    if isinstance(value, dict):
        return {_stored(name): _stored(one) for name, one in value.items()}
    return [_stored(one) for one in value] if isinstance(value, list | tuple) else value
