"""What a file would bring: looked at without storing, and the refused rows as a table to keep."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import importers, intake, plugins
from core.errors import ImportFormatError
from core.importers import FIELDS, BadLine
from tests.core.test_cli import GOOD, log


def test_the_first_ten_rows_are_looked_at(tmp_path: Path) -> None:
    """As an import would take them, with what would be judged; the eleventh is not read."""
    file = log(tmp_path / "a.jsonl", *[GOOD | {"request_id": f"r{number}"} for number in range(9)], "no", "never read")
    found = intake.look(file)
    first = found.answers[0]

    assert (found.format, found.columns, found.problem) == ("citedesk", (), None)
    assert [one.request_id for one in found.answers] == [f"r{number}" for number in range(9)]
    assert [(bad.file, bad.line) for bad in found.bad_lines] == [("a.jsonl", 10)]
    assert (first.query, first.text) == ("When does the gate open?", "The gate opens at 7 in the morning.")
    assert (first.passages, first.claims, first.citations, first.usable) == (1, 1, 1, 1)


def test_citations_that_lead_nowhere_are_counted(tmp_path: Path) -> None:
    """Unknown ids and passages that were never shown are not usable; greetings are no claims."""
    answer = {
        "answer": "Hello! The lamp weighs 40 grams. [C1] It was sold to Norway in March. [C2] It is red. [C9]",
        "evidence": [{"id": "C1", "text": "40 grams"}, {"id": "C2", "text": "Norway", "in_context": False}],
    }
    (one,) = intake.look(log(tmp_path / "a.jsonl", answer)).answers

    assert (one.claims, one.citations, one.usable) == (3, 3, 1)
    assert one.notes[0].startswith("The line has no request_id")


def test_a_file_that_cannot_be_read_is_one_error(tmp_path: Path) -> None:
    """As an import says it."""
    with pytest.raises(ImportFormatError, match="does not exist"):
        intake.look(tmp_path / "none.jsonl")


def test_every_format_has_a_name() -> None:
    """A few words for each importer, no two alike."""
    titles = intake.formats()

    assert list(titles) == plugins.names(importers)
    assert len(set(titles.values())) == len(titles)
    assert all(0 < len(words) < 45 and "`" not in words for words in titles.values())


def test_choosing_what_the_names_say_is_no_mapping() -> None:
    """So that a command and the page read the same table in the same way."""
    columns = ["Question", "Response", "ctx"]

    assert intake.mapping_of(columns, {"query": "Question", "answer": "Response", "evidence": ""}) == {}
    assert intake.mapping_of(columns, {"query": "Question", "answer": "Response", "evidence": "ctx"}) == {
        "query": "Question",
        "answer": "Response",
        "evidence": "ctx",
    }


def test_a_column_that_is_taken_off_stays_off() -> None:
    """What the name told and the person did not want is said as empty."""
    chosen = {"query": "", "answer": "Response"}

    assert intake.mapping_of(["Question", "Response"], chosen) == {"query": "", "answer": "Response"}


@given(st.lists(st.text(), min_size=1, unique=True), st.data())
def test_a_mapping_gives_what_was_chosen(columns: list[str], data: st.DataObject) -> None:
    """Put over what the names tell, it reads every field from the column chosen for it, and no other."""
    chosen = {field: data.draw(st.sampled_from(["", *columns])) for field in FIELDS}
    mapping = intake.mapping_of(columns, chosen)
    told = importers.guess(columns)
    read = told if not mapping else {field: column for field, column in mapping.items() if column}

    assert read == {field: column for field, column in chosen.items() if column}
    assert not mapping or set(told) <= set(mapping)


def test_refused_rows_come_as_a_table_that_runs_nothing() -> None:
    """Formulas are neutralised, line breaks and half emoji do no harm."""
    rows = [
        BadLine(file="a.csv", line=2, field="=cmd()", reason="+1"),
        BadLine(file="a\ud800.csv", line=3, field=None, reason='a "quoted"\nline'),
    ]
    read = list(csv.reader(io.StringIO(intake.refused_table(rows).removeprefix("\ufeff"), newline="")))

    assert read == [
        ["file", "line", "field", "reason"],
        ["a.csv", "2", "'=cmd()", "'+1"],
        ["a?.csv", "3", "", 'a "quoted"\nline'],
    ]
