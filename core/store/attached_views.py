"""The views that make a run folder look like a store: our tables, column by column, over the columns of its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.models import ClaimRow
from core.store.conditions import terms_of

PARTS = """
create table parts (
  claims varchar, answers varchar, first_claim integer, first_request integer, first_verdict integer, is_first boolean,
  protocol_no integer
)
"""

OF_CLAIMS = """
create view attached_claims as
select c.*, p.protocol_no, p.is_first, p.first_claim + c.file_row_number as claim_no,
  p.first_verdict + c.file_row_number as verdict_no, p.first_request + c.answer_row as request_no
from read_parquet({files}, filename = true, file_row_number = true, hive_partitioning = false) c
join parts p on p.claims = c.filename
"""

OF_REQUESTS = """
create view attached_requests as
select a.*, p.first_request + a.file_row_number as request_no
from read_parquet({files}, filename = true, file_row_number = true, hive_partitioning = false) a
join parts p on p.answers = a.filename and p.is_first
"""

_FIELDS = ", ".join(f'"{name}" := "{name}"' for name in ClaimRow.model_fields)
ROW_JSON = f"to_json(struct_pack({_FIELDS}))::varchar"
"""A claim's row as the store keeps it, of the columns of a file."""

_SAME = """
label structural resolve quote semantic material attempted unsupported_strict unsupported_lenient flags why source
differing cite_count source_date row_sha256 verdict_no claim_no protocol_no
""".split()
_VERDICT: Mapping[str, str] = {
    **{name: name for name in _SAME},
    "run_no": "protocol_no",
    "row_json": ROW_JSON,
}
_CLAIM: Mapping[str, str] = {
    **{name: name for name in "claim_no claim_uid request_no position splitter claim_id answer_match material".split()},
    "text": "claim",
    "first_char": "start",
    "end_char": '"end"',
    "fragments": "to_json(fragments)",
    "flags": "flags",
    "leaked": "'[]'",
    "quotes": "'[]'",
    "notes": "to_json(notes)",
    "queue_order": "hash(claim_uid)",
}
_REQUEST: Mapping[str, str] = {
    **{
        name: name
        for name in (
            "request_no request_uid request_id query asked_at asked_at_as_given generator_name generator_model answer "
            "given_claims meta notes annotations"
        ).split()
    },
    "source": "'attached run'",
    "recorded_at": "'epoch'::timestamptz",
}
_ENTRIES = (
    "(select request_no, unnest(json_extract(evidence, '$[*]')) as entry, "
    "unnest(range(json_array_length(evidence)::bigint)) as place from attached_requests)"
)
_STAGES = "(select verdict_no, unnest(stages) as stage, unnest(range(len(stages))) as place from attached_claims)"
_SPANS = (
    "(select claim_no, unnest(if(len(cites) = 0, [null], cites)) as cite, unnest(range(greatest(len(cites), 1))) "
    "as place from attached_claims where is_first)"
)
_STATES = ("retrieved", "in_context", "active", "accessible")
_TEXT_NO = "request_no::bigint * 65536 + place"
_SAID = ("locator", "source_version", "uri", "title")

VIEWS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "requests": ("attached_requests", _REQUEST),
    "claims": ("attached_claims where is_first", _CLAIM),
    "claim_verdicts": ("attached_claims", _VERDICT),
    "texts": (_ENTRIES, {"text_no": _TEXT_NO, "sha256": "sha256(entry ->> '$.text')", "text": "entry ->> '$.text'"}),
    "spans": (
        f"(select *, row_number() over () as span_no from {_SPANS})",
        {"span_no": "span_no", "claim_no": "claim_no", "position": "place", "cite": "cite"},
    ),
    "registry_entries": (
        _ENTRIES,
        {
            "request_no": "request_no",
            "position": "place",
            "cite": "entry ->> '$.id'",
            "text_no": _TEXT_NO,
            **{name: f"entry ->> '$.{name}'" for name in (*_SAID, *_STATES)},
            "groups": "entry -> '$.groups'",
            "meta": "entry -> '$.meta'",
        },
    ),
    "stage_verdicts": (
        _STAGES,
        {
            "verdict_no": "verdict_no",
            "position": "place",
            **{name: f"stage.{name}" for name in "cite stage status outcome reason".split()},
        },
    ),
    "question_words": (
        f"(select request_no, unnest(list_distinct({terms_of('query')})) as word from attached_requests "
        "where query is not null)",
        {"request_no": "request_no", "word": "word"},
    ),
}
"""Table → what it is read from, and each of its columns over that; columns that are not named are null."""

WIDER = {"text_no": "bigint"}
"""Columns of another type than in a store."""

CURRENT: Mapping[str, str] = {
    "latest_verdicts": "claim_verdicts",
    "current_verdicts": "claim_verdicts",
    "standing_requests": "requests",
    "standing_claims": "claims",
}
"""Views of a store that leave out what was replaced or withdrawn: here nothing was."""


def list_of(files: Sequence[str]) -> str:
    """Names of files as a list in SQL."""
    return "[" + ", ".join("'" + name.replace("'", "''") + "'" for name in files) + "]"
