"""The sets that reading is measured on, and the page that says how it went."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docs.reading.generate import GOLD, HALVES, PAGE, page


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of one set."""
    return [json.loads(line) for line in (GOLD / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_committed_page_is_current() -> None:
    """``make reading`` was run after the last change of what finds claims."""
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize(("name", "least"), [("materiality", 200), ("segmentation", 120)])
def test_a_set_is_large_and_has_two_halves(name: str, least: int) -> None:
    """Ids and texts are distinct, and half of what is asked for is held out."""
    found = rows(name)
    sizes = [sum(row["half"] == half for row in found) for half in HALVES]

    assert len({row["id"] for row in found}) == len({row["text"] for row in found}) == len(found) >= least
    assert sum(sizes) == len(found)
    assert min(sizes) >= least // 2


def test_only_statements_are_material() -> None:
    """The kind says why a sentence is not."""
    assert all(row["material"] == (row["kind"] == "statement") for row in rows("materiality"))


def test_sentences_lie_in_their_text() -> None:
    """In order, apart, trimmed, and all of the text but white space and rules."""
    for row in rows("segmentation"):
        at = 0
        for start, end in row["sentences"]:
            assert at <= start < end <= len(row["text"])
            assert not row["text"][at:start].strip("- \n"), row["id"]
            assert row["text"][start:end] == row["text"][start:end].strip()
            at = end
