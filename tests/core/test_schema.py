"""The published JSON Schema is the record's own, and real rows obey it."""

from __future__ import annotations

import json

from jsonschema import Draft202012Validator

from core.models import ClaimRow
from docs.schema.generate import HOME, schemas
from tests.core.rows import claim_row

CONTRACT = (
    "request_id claim_id claim start end fragments answer_match material flags cites structural resolve quote quotes "
    "semantic label action location excerpt excerpt_start excerpt_end qualifiers spans verifier protocol notes"
).split()


def test_the_committed_schema_is_current() -> None:
    """``make schema`` was run after the last change of a record."""
    assert {name: (HOME / name).read_text(encoding="utf-8") for name in schemas()} == schemas()


def test_a_row_has_the_fields_of_the_contract_in_order() -> None:
    """The names and their order are what readers of the rows rely on."""
    assert list(json.loads(claim_row().model_dump_json())) == CONTRACT


def test_a_row_obeys_the_schema() -> None:
    """A printed row validates against the published schema, which allows no further field."""
    schema = json.loads((HOME / "claim-row.schema.json").read_text(encoding="utf-8"))
    validator = Draft202012Validator(schema)

    assert validator.is_valid(json.loads(claim_row().model_dump_json()))
    assert not validator.is_valid(json.loads(claim_row().model_dump_json()) | {"more": 1})
    assert set(schema["required"]) == set(ClaimRow.model_fields)
