"""Formats are told from one another, and a preview shows what an import would begin with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core import importers
from core.errors import ImportFormatError
from core.importers import BadLine
from core.models import Answer

PLAIN = {"request_id": "r1", "answer": "It rained.", "evidence": []}


def write(path: Path, *rows: Any) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_what_no_vendor_claims_is_citedesk(tmp_path: Path) -> None:
    """The last resort takes any JSON lines, so that broken ones are reported line by line."""
    assert importers.detect(write(tmp_path / "log", PLAIN)).__name__ == "core.importers.citedesk"
    assert [row.line for row in importers.read(write(tmp_path / "log.jsonl", 1, 2)) if isinstance(row, BadLine)] == [
        1,
        2,
    ]


def test_a_file_that_two_take_for_theirs_needs_a_name(tmp_path: Path) -> None:
    """They are listed."""
    both = {"output": [{"content": [{"type": "output_text", "text": "x", "annotations": []}]}], "groundingMetadata": {}}
    path = write(tmp_path / "log.jsonl", both)

    with pytest.raises(ImportFormatError, match=r"--format: gemini_grounding, openai_responses"):
        importers.read(path)
    assert len(list(importers.read(path, "openai_responses"))) == 1


def test_a_preview_reads_the_first_rows_only(tmp_path: Path) -> None:
    """Answers and refused rows, ten together unless said otherwise."""
    path = write(tmp_path / "log.jsonl", PLAIN, 5, *[PLAIN] * 20)
    seen = importers.preview(path)
    short = importers.preview(path, rows=1)

    assert (seen.format, seen.columns, seen.problem) == ("citedesk", (), None)
    assert (len(seen.answers), len(seen.bad_lines)) == (9, 1)
    assert (len(short.answers), len(short.bad_lines)) == (1, 0)


def test_a_table_that_does_not_say_what_to_check_shows_its_columns(tmp_path: Path) -> None:
    """With the problem, so that a person can say which column is which."""
    path = tmp_path / "log.csv"
    path.write_text("Trace,Said\nt1,It rained.\n", encoding="utf-8")
    unclear = importers.preview(path)
    clear = importers.preview(path, mapping={"answer": "Said", "request_id": "Trace"})

    assert (unclear.format, unclear.columns, unclear.answers) == ("csv", ("Trace", "Said"), ())
    assert unclear.problem
    assert (clear.problem, [(one.request_id, one.answer) for one in clear.answers]) == (None, [("t1", "It rained.")])


def test_only_tables_take_a_mapping(tmp_path: Path) -> None:
    """Anything else would be ignored in silence."""
    with pytest.raises(ImportFormatError, match="The format citedesk has no columns to name"):
        importers.read(write(tmp_path / "log.jsonl", PLAIN), mapping={"answer": "x"})


@pytest.mark.parametrize(("name", "content"), [("a.png", b"\x89PNG\r\n\x1a\n\0\0"), ("a", b"\0\1\2\3" * 9)])
def test_a_picture_is_no_log(tmp_path: Path, name: str, content: bytes) -> None:
    """One sentence."""
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(ImportFormatError):
        importers.read(path)


def test_rows_are_read_as_they_are_asked_for(tmp_path: Path) -> None:
    """The first answer is there before the file is read to its end."""
    path = write(tmp_path / "log.jsonl", PLAIN, PLAIN)
    rows = importers.read(path)

    assert isinstance(next(rows), Answer)
