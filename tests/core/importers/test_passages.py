"""Passages of logs: what they are called, and what they lack."""

from __future__ import annotations

import pytest

from core.importers._json import RowError
from core.importers._passages import shaped


def test_names() -> None:
    """Text, id, address, title and locator wherever the log keeps them; the rest stays beside them."""
    notes: list[str] = []
    rows = shaped(
        [
            {"page_content": "x", "doc_id": 7, "metadata": {"source": "https://a.example/x"}, "score": 1},
            {"text": "y", "id": "b", "url": "https://b.example/", "title": "B", "active": False},
            {"content": "z", "id": "c", "metadata": {"source": "c.pdf", "locator": "p4"}},
        ],
        None,
        notes,
    )

    assert notes == []
    assert rows[0] == {
        "id": 7,
        "text": "x",
        "accessible": True,
        "uri": "https://a.example/x",
        "metadata": {"source": "https://a.example/x"},
        "score": 1,
    }
    assert (rows[1]["uri"], rows[1]["title"], rows[1]["active"]) == ("https://b.example/", "B", False)
    assert (rows[2]["title"], rows[2]["locator"]) == ("c.pdf", "p4")


def test_what_is_missing_is_said() -> None:
    """No text: inaccessible. No id: nothing can cite it, and its place is no id."""
    notes: list[str] = []
    rows = shaped([{"id": "a"}, {"id": "b", "text": " "}, "x", None], None, notes)

    assert [row["accessible"] for row in rows] == [False, False, True, False]
    assert [row["id"] for row in rows] == ["a", "b", "", ""]
    assert notes == ["Without an id, so that no citation can name it: evidence 3, 4"]


def test_ids_beside_the_passages() -> None:
    """One for each, in order; another number of them cannot be matched."""
    assert [row["id"] for row in shaped(["x", "y"], ["a", 2], [])] == ["a", 2]
    with pytest.raises(RowError, match="1 ids for 2 passages"):
        shaped(["x", "y"], ["a"], [])
