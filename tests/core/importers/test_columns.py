"""Columns are told by their names, whatever their case and punctuation."""

from __future__ import annotations

from core.importers import _columns


def test_names_that_exporters_use() -> None:
    """RAGAS, an observability export, a hand-made table."""
    assert _columns.guess(["user_input", "retrieved_contexts", "response", "reference"]) == {
        "query": "user_input",
        "answer": "response",
        "evidence": "retrieved_contexts",
    }
    assert _columns.guess(["Trace ID", "Inputs", "Outputs"]) == {
        "request_id": "Trace ID",
        "query": "Inputs",
        "answer": "Outputs",
    }
    assert _columns.guess(["Claim", "Citation IDs", "Quote", "Date"]) == {
        "asked_at": "Date",
        "claim": "Claim",
        "citation_ids": "Citation IDs",
        "quote": "Quote",
    }


def test_the_likelier_name_wins() -> None:
    """A column called answer before one called output."""
    assert _columns.guess(["output", "answer"])["answer"] == "answer"


def test_every_name_belongs_to_one_field() -> None:
    """So that no column is taken twice."""
    names = [name for known in _columns.FIELDS.values() for name in known]

    assert len(names) == len(set(names))


def test_headers() -> None:
    """Blank names are places, repeated ones are numbered."""
    assert _columns.named(["a", None, "a", " ", "a"]) == ["a", "column 2", "a (2)", "column 4", "a (3)"]


def test_what_a_person_said_frees_and_takes_columns() -> None:
    """A column that was named for one field is not guessed for another."""
    found = _columns.mapped(["id", "output", "answer"], {"answer": "output", "query": "answer"}, "f")

    assert found == {"request_id": "id", "answer": "output", "query": "answer"}
