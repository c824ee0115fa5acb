"""Sources and chunks: names that keep their meaning, and who may see what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sources import Place, Source, Withheld, locator, place_of, sha256_of

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SOURCE = Source(
    doc_id="0" * 12,
    corpus="main",
    uri="file:///a.txt",
    title=None,
    version="v1",
    sha256="0" * 64,
    file_sha256="0" * 64,
    media="text",
    pages=2,
    characters=3,
    unread=(2,),
    superseded=False,
    deactivated=False,
    groups=(),
    retain_until=None,
    added_at=NOW,
    notes=(),
)


@given(st.lists(st.text(max_size=4), max_size=4), st.lists(st.text(max_size=4), max_size=4))
def test_a_source_is_its_pages(one: list[str], other: list[str]) -> None:
    """Two have the same name only when every page has the same text."""
    assert (sha256_of(one) == sha256_of(other)) == (
        one == other or ({len(one), len(other)} == {0, 1} and not any([*one, *other]))
    )


def test_one_page_is_hashed_as_it_is() -> None:
    """Anybody can compute the name of a plain file: printf abc | sha256sum."""
    assert sha256_of(["abc"]) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@given(st.integers(0, 2**48 - 1), st.integers(1, 9_999), st.integers(0, 10**6), st.integers(1, 10**6))
def test_an_id_is_read_as_it_was_written(doc: int, page: int, start: int, length: int) -> None:
    """Document, page, first and last-plus-one code point."""
    place = Place(f"{doc:012x}", page, start, start + length)

    assert place_of(str(place)) == place


@pytest.mark.parametrize(
    "name",
    [
        "",
        "9f2c1a7b4e10",
        *(f"9f2c1a7b4e10:{place}" for place in "p0.0-8 p4.8-8 p4.00-8 p4.-1-8 p٤.0-8 p4.0-0 4.0-8 p4.0-8:x".split()),
        "9f2c1a7b4e10:p4.0-812 ",
        "9f2c1a7b4e10:p4.0-812\n",
        "9F2C1A7B4E10:p4.0-812",
    ],
)
def test_what_merely_looks_like_an_id_is_none(name: str) -> None:
    """To the character; nothing is trimmed or folded."""
    assert place_of(name) is None


@pytest.mark.parametrize(
    ("changes", "groups", "why"),
    [
        ({}, (), None),
        ({"groups": ("hr",)}, ("hr", "it"), None),
        ({"groups": ("hr",)}, ("it",), Withheld.GROUPS),
        ({"groups": ("hr",)}, (), Withheld.GROUPS),
        ({"groups": ("hr",)}, None, None),
        ({"groups": ("hr",), "deactivated": True}, (), Withheld.GROUPS),
        ({"deactivated": True, "superseded": True}, (), Withheld.DEACTIVATED),
        ({"superseded": True}, None, Withheld.SUPERSEDED),
        ({"retain_until": NOW}, None, Withheld.EXPIRED),
        ({"retain_until": NOW + timedelta(seconds=1)}, None, None),
        ({"unread": (1, 2)}, None, Withheld.NO_TEXT),
    ],
)
def test_why_a_source_is_withheld(
    changes: dict[str, Any], groups: tuple[str, ...] | None, why: Withheld | None
) -> None:
    """Who may not see it learns nothing else about it."""
    assert SOURCE.model_copy(update=changes).withheld(groups, NOW) is why


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (("file:///a/policy.pdf", 9, 4, "Refunds", 2), "policy.pdf, page 4, § Refunds, paragraph 2"),
        (("file:///a/toll%20list.txt", 1, 1, None, 3), "toll list.txt, paragraph 3"),
        (("file:///a.md", 1, 1, "word " * 40, 1), "a.md, § " + "word " * 15 + "word…, paragraph 1"),
    ],
)
def test_a_locator_is_for_a_reader(where: tuple[str, int, int, str | None, int], said: str) -> None:
    """File, page where there are several, section, paragraph."""
    assert locator(*where) == said
