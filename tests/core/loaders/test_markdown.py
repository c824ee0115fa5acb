"""Markdown: the text stays as it was written; headings are found where they are some."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.loaders import markdown


def headings(text: str) -> list[tuple[int, str]]:
    """Where headings begin, and what they say."""
    return [(one.start, one.text) for one in markdown.document(text).pages[0].headings]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# Fees\n\n## Boats ##\n", [(0, "Fees"), (8, "Boats")]),
        ("Fees\n====\n\nBoats\n---\n", [(0, "Fees"), (11, "Boats")]),
        ("   ### C# #\n", [(0, "C#")]),
        ("#hashtag\n\n    # code\n", []),
        ("#\n\n##   \n", []),
        ("```\n# no\n```\n# yes\n", [(13, "yes")]),
        ("~~~sh\n# no\n```\n# no\n", []),
        ("- item\n---\n| a |\n|---|\n", []),
        ("---\ntitle: x\n---\n# yes", [(17, "yes")]),
    ],
)
def test_headings(text: str, found: list[tuple[int, str]]) -> None:
    """Hash signs and underlines, not in code, lists, tables or front matter."""
    assert headings(text) == found


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: 'Tolls'\ndate: 2026\n---\n# Fees\n", "Tolls"),
        ("# Fees\n\n# Boats", "Fees"),
        ("No heading.", None),
        ("", None),
    ],
)
def test_the_title(text: str, title: str | None) -> None:
    """That of the front matter, else the first heading."""
    assert markdown.document(text).title == title


def test_the_text_is_not_touched(tmp_path: Path) -> None:
    """Markup is part of it: what is quoted from it must stand in it."""
    text = "# *Fees*\n\nThe toll is **3** crowns [1](x).\n"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")

    assert markdown.load(tmp_path / "a.md").text == text


@given(st.text(alphabet="#=-`~ \tab\n:'"))
def test_headings_stand_in_the_text(text: str) -> None:
    """In order, each where it says."""
    found = headings(text)

    assert found == sorted(found)
    for start, name in found:
        assert name
        assert name in text[start:].split("\n", 1)[0]


@pytest.mark.parametrize(
    "line", ["# " + " " * 200_000 + "x", "# " + "#" * 200_000 + "x", "```\n" * 50_000, "#\n" * 50_000]
)
def test_no_line_takes_long(line: str) -> None:
    """The time grows with the length."""
    began = time.process_time()
    headings(line)

    assert time.process_time() - began < 2
