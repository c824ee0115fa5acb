"""``docs/http.md`` says what the code does: outcomes, refusals, settings, fields, the example."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from core.api_contract import OPERATIONS, REFUSALS, BlockedBody, QueryBody, ServedBody
from core.outcomes import TABLE
from core.settings import PACKAGE, ApiSettings

PAGE = (PACKAGE.parent / "docs" / "http.md").read_text(encoding="utf-8")
FIELDS = "outcome gate generator answer claims citations excerpts reason claim_index".split()


def rows() -> Iterator[str]:
    """The lines that its tables must have."""
    for ending, rule in TABLE.items():
        body = ", ".join(f"`{name}`" for name in FIELDS if name in rule.body)
        told, log = (body, "yes") if rule.logged else (f"`detail`: {body}", "no")
        yield f"| `{ending}` | {' or '.join(map(str, rule.statuses))} | {told} | {log} |"
    for reply in REFUSALS:
        yield f"| {reply.status} | {reply.when} |"
    for name, field in ApiSettings.model_fields.items():
        yield f"| `CITEDESK_API__{name.upper()}` | {field.default} |"
    for name in QueryBody.model_fields:
        yield f"| `{name}` | "


@pytest.mark.parametrize("row", list(rows()))
def test_the_page_has_every_row_of_the_contract(row: str) -> None:
    """Word by word, as the code has it."""
    assert any(line.startswith(row) for line in PAGE.splitlines())


def test_the_page_has_no_row_too_many() -> None:
    """An outcome or status that is gone is gone from the page."""
    found = [line for line in PAGE.splitlines() if re.match(r"\| (`\w+` \| )?\d{3}\b", line)]

    assert len(found) == len(TABLE) + len(REFUSALS)


def test_the_page_names_every_operation() -> None:
    """By its path."""
    assert [one.path for one in OPERATIONS if one.path not in PAGE] == []


def test_the_examples_are_of_the_contract() -> None:
    """The answer, and the error of a stream."""
    (answer,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    ServedBody.model_validate_json(answer)
    (error,) = re.findall(r"event: error\ndata: (.*)", PAGE)
    said = json.loads(error)

    assert said.pop("status") == 422
    BlockedBody.model_validate(said)
