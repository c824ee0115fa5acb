"""What cells hold: placeholders, lists written into text, ids, values of every kind."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.importers import _cells
from core.importers._json import RowError


@pytest.mark.parametrize("text", ["N/A", " n/a ", "NaN", "null", "None", "-", "—", "#REF!", "#N/A", "undefined"])
def test_placeholders(text: str) -> None:
    """Letter case and white space do not count."""
    assert _cells.is_placeholder(text)


@pytest.mark.parametrize("value", ["", "no", "unknown", "0", "None of them.", 0, None, "n/a [1]"])
def test_what_is_no_placeholder(value: object) -> None:
    """Words that may be an answer, and emptiness, which is not noted."""
    assert not _cells.is_placeholder(value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('["a", "b"]', ["a", "b"]),
        ("['a', \"it's\"]", ["a", "it's"]),
        ("('a', 'b')", ["a", "b"]),
        ('{"id": "x"}', [{"id": "x"}]),
        ("{'id': 'x'}", [{"id": "x"}]),
        ("[1, null]", [1, None]),
        ("[1] The fee rose.", None),
        ("(see below)", None),
        ("[unquoted, words]", None),
        ("plain", None),
        ("[__import__('os')]", None),
    ],
)
def test_lists_in_text(text: str, found: list[Any] | None) -> None:
    """JSON or Python's own writing; nothing is run, and prose that begins with a bracket stays prose."""
    assert _cells.listed(text, "c") == found


@pytest.mark.parametrize("text", ["['a' 'b']", "['a'\n 'b']", '["a", "b" "c"]'])
def test_lists_without_commas_are_refused(text: str) -> None:
    """As NumPy prints arrays; read as Python they would become one passage."""
    with pytest.raises(RowError, match="without commas"):
        _cells.listed(text, "c")


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 1000 + "]" * 1000, "(" * 500 + ")" * 500])
def test_bottomless_nesting(text: str) -> None:
    """It is text or it is refused; it never ends the import."""
    try:
        found = _cells.listed(text, "c")
    except RowError:
        found = None
    assert found is None


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=10), max_size=5))
def test_lists_come_back(texts: list[str]) -> None:
    """Whatever stands in them, written either way."""
    assert _cells.listed(json.dumps(texts), "c") == texts
    assert _cells.listed(str(texts), "c") == texts


@given(st.text(max_size=60) | st.text("[]{}()'\",\\ a1\n#:", max_size=30))
def test_any_text_is_a_list_or_none_or_refused(text: str) -> None:
    """No other exception."""
    try:
        found = _cells.listed(text, "c")
    except RowError:
        return
    assert found is None or isinstance(found, list)


@pytest.mark.parametrize(
    ("value", "known", "found"),
    [
        ("C1, C2; C3|C4\nC5", (), ["C1", "C2", "C3", "C4", "C5"]),
        ("Lee, 2021", ("Lee, 2021",), ["Lee, 2021"]),
        ('["a,b", 2]', (), ["a,b", "2"]),
        (7.0, (), ["7"]),
        ([1, "x"], (), ["1", "x"]),
        (" , ", (), []),
    ],
)
def test_ids(value: object, known: tuple[str, ...], found: list[str]) -> None:
    """One or several; a known one is never parted."""
    assert _cells.ids(value, "c", known) == found


def test_values_of_every_kind() -> None:
    """As what JSON can hold."""
    assert _cells.plain(float("inf"), "c") is None
    assert _cells.plain(datetime(2026, 11, 30, 9, tzinfo=UTC), "c") == "2026-11-30T09:00:00+00:00"
    assert _cells.plain(date(2026, 11, 30), "c") == "2026-11-30"
    assert _cells.plain(Decimal("1.50"), "c") == "1.50"
    assert _cells.plain([("key", b"value")], "c") == [["key", "value"]]
    assert _cells.plain(uuid.UUID(int=1), "c") == "00000000-0000-0000-0000-000000000001"
    with pytest.raises(RowError, match="not UTF-8 text"):
        _cells.plain(b"\xff", "c")
    with pytest.raises(RowError, match="no text in the file's encoding"):
        _cells.plain("\udc80", "c")
