"""A file of JSON objects in any of its shapes: each object once, a broken one alone refused, constant memory."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import ImportFormatError
from core.importers import BadLine, _file, _records

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8) | st.sampled_from(['a"}', "\\", "[{", "é😀"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(st.text(max_size=4), JSON, max_size=3), min_size=1, max_size=5)


def read(tmp_path: Path, content: bytes) -> list[tuple[int, Any]]:
    """What the file gives: objects as they are, refused rows by their reason."""
    path = tmp_path / "rows.json"
    path.write_bytes(content)
    found = [(number, row.reason if isinstance(row, BadLine) else row) for number, row in _records.records(path)]
    assert len(found) == _records.count(path)
    return found


@pytest.mark.parametrize(
    "content",
    [
        b'{"a": 1}\n\n{"a": 2}\n',
        b'[{"a": 1}, {"a": 2}]',
        b'\xef\xbb\xbf[\n  {"a": 1},\n  {\n    "a": 2\n  }\n]\n',
        b'{\n "a": 1\n}\n{\n "a": 2\n}\n',
        b'[{"a": 1},\n{"a": 2}]',
    ],
)
def test_the_shape_of_the_file_does_not_matter(tmp_path: Path, content: bytes) -> None:
    """Lines, a list on one line or on many, objects one after another."""
    assert [row for _, row in read(tmp_path, content)] == [{"a": 1}, {"a": 2}]


def test_lines_are_numbered_by_line_and_lists_by_position(tmp_path: Path) -> None:
    """A reader must find the row again."""
    assert [number for number, _ in read(tmp_path, b'{"a": 1}\n\n{"a": 2}')] == [1, 3]
    assert [number for number, _ in read(tmp_path, b'[\n\n{"a": 1},\n\n{"a": 2}]')] == [1, 2]


def test_a_broken_row_costs_only_itself(tmp_path: Path) -> None:
    """In lines and in lists alike."""
    assert read(tmp_path, b'not json\n{"a": 1}\nnull\n[1,2]\n') == [
        (1, "invalid JSON at column 1 (Expecting value)"),
        (2, {"a": 1}),
        (3, "null where an object is due"),
        (4, "a list where an object is due"),
    ]
    assert read(tmp_path, b'[{"a": 1}, null, [1, {}], {"a": }, "x", {"a": 2, "a": 3}, {"a": 4}]') == [
        (1, {"a": 1}),
        (2, "null where an object is due"),
        (3, "a list where an object is due"),
        (4, "invalid JSON at column 7 (Expecting value)"),
        (5, "text where an object is due"),
        (6, "given twice in one object"),
        (7, {"a": 4}),
    ]


def test_two_broken_lines_are_two_bad_rows(tmp_path: Path) -> None:
    """A brace that is never closed does not swallow the next line."""
    assert [number for number, _ in read(tmp_path, b"{broken\n{also broken\n")] == [1, 2]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'[{"a": 1}, {"a"', "invalid JSON at column 5 (Expecting ':' delimiter)"),
        (b'[{"a": 1},', "the list is not closed, so the file may be cut short"),
        (b'[{"a": 1}] rest', "invalid JSON at column 1 (Expecting value)"),
    ],
)
def test_a_file_that_was_cut_short_says_so(tmp_path: Path, content: bytes, reason: str) -> None:
    """What is whole goes in."""
    assert read(tmp_path, content) == [(1, {"a": 1}), (2, reason)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=OBJECTS, indent=st.sampled_from([None, 0, 2]), ascii_only=st.booleans(), step=st.integers(1, 7))
def test_every_list_comes_back(
    tmp_path: Path, rows: list[dict[str, Any]], indent: int | None, ascii_only: bool, step: int
) -> None:
    """Whatever stands in the texts, and wherever the pieces end that are read."""
    content = json.dumps(rows, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    splitter = _records._Splitter()
    pieces = [piece for at in range(0, len(content), step) for piece in splitter.feed(content[at : at + step])]

    assert [json.loads(piece) for piece in pieces if isinstance(piece, bytes)] == rows
    assert list(splitter.rest()) == []
    assert [row for _, row in read(tmp_path, content)] == rows


def test_a_large_list_needs_little_memory(tmp_path: Path) -> None:
    """20 MB are read in less than 2."""
    path = tmp_path / "large.json"
    path.write_text(json.dumps([{"a": "x" * 1000}] * 20_000), encoding="utf-8")
    tracemalloc.start()
    count = sum(1 for _ in _records.records(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert count == 20_000
    assert peak < 2_000_000


def test_an_endless_object_ends_the_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused with what follows it, instead of filling the memory."""
    monkeypatch.setattr(_file, "MAX_LINE", 200_000)
    found = read(tmp_path, b'[{"a": 1}, {"a": "' + b"x" * 500_000 + b'"}, {"a": 2}]')

    assert found == [(1, {"a": 1}), (2, "longer than 32 MiB; what follows it was not read")]


@pytest.mark.parametrize("content", [b"[]", b"[\n]\n", b"\n" * 70_000])
def test_a_file_without_rows_is_refused(tmp_path: Path, content: bytes) -> None:
    """An empty log is no successful import."""
    with pytest.raises(ImportFormatError, match="holds no rows"):
        read(tmp_path, content)


def test_paths_show_what_a_file_is_about() -> None:
    """Lists left out, short values beside their path, also when the head ends in the middle."""
    head = b'[{"object": "response", "output": [{"content": [{"type": "output_text", "text": "say \\"a\\": b", "annot'

    assert _records.paths(head) == {
        "object",
        "object=response",
        "output",
        "output.content",
        "output.content.type",
        "output.content.type=output_text",
        "output.content.text",
        'output.content.text=say \\"a\\": b',
    }
