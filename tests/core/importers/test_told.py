"""Questions and answers in the many shapes that tracing tools log."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.importers._passages import passages_in
from core.importers._told import answer_in, opened, query_in

TURNS = [
    {"role": "user", "content": "How long?"},
    {"role": "assistant", "content": [{"type": "text", "text": "57 "}, {"type": "text", "text": "km."}]},
]
LANGCHAIN = {"lc": 1, "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": {"content": "57 km."}}


@pytest.mark.parametrize(
    "output",
    [
        "57 km.",
        '"57 km."',
        {"answer": "57 km."},
        {"output": {"result": "57 km."}},
        json.dumps({"response": "57 km."}),
        TURNS,
        {"messages": TURNS},
        {"choices": [{"message": {"role": "assistant", "content": "57 km."}}]},
        {"generations": [[{"text": "57 km."}]]},
        LANGCHAIN,
        [LANGCHAIN],
    ],
)
def test_answers(output: object) -> None:
    """Text, objects, messages, parts; as values or as JSON."""
    assert answer_in(output) == "57 km."


@pytest.mark.parametrize(
    "given",
    [
        "How long?",
        {"query": "How long?"},
        {"args": ["How long?"], "kwargs": {}},
        TURNS,
        {"messages": TURNS},
        {"input": TURNS},
    ],
)
def test_questions(given: object) -> None:
    """The last turn of the user."""
    assert query_in(given) == "How long?"


@pytest.mark.parametrize("output", [None, "", " ", 5, [], {}, {"documents": []}, {"answer": None}, [TURNS[0]] * 2])
def test_what_names_no_answer(output: object) -> None:
    """Nothing is guessed from it."""
    assert answer_in(output) is None


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["content", "text", "role", "type", "messages", "output", "kwargs", "id"]), inner
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_value(value: Any) -> None:
    """A text with words in it, or none."""
    for found in (answer_in(value), query_in(value)):
        assert found is None or found.strip()
    assert all(isinstance(each, str | dict) for each in passages_in(value))


def test_passages() -> None:
    """A list, bare or under a name, also as JSON, also of JSON."""
    document = {"page_content": "x"}

    assert passages_in(json.dumps([document])) == [document]
    assert passages_in({"documents": ["x", json.dumps(document)]}) == ["x", document]
    assert passages_in({"n": 1}) == passages_in("prose") == passages_in(None) == []


@pytest.mark.parametrize(
    "text",
    [
        "[" * 900 + "]" * 900,
        '["\\ud83d"]',
        '{"a": 1, "a": 2}',
        "[" + "9" * 5000 + "]",
        "{broken",
        "[1], [2]",
        '"a", "held": "b"',
    ],
)
def test_json_that_is_not_safe_to_keep_stays_text(text: str) -> None:
    """Nested without end, half characters, keys given twice, endless numbers, and what is no JSON."""
    assert opened(text) == text
