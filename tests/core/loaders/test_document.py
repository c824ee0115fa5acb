"""Documents: pages as they were read, and what is said of a source without text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.loaders import Document, SourceStatus
from core.models import Resolve
from core.registry import Registry


@given(st.lists(st.text()))
def test_the_text_of_a_page_is_not_touched(texts: list[str]) -> None:
    """Pages are numbered from 1 and keep their text, whatever its direction and its invisible characters."""
    document = Document.of(texts)

    assert [page.text for page in document.pages] == texts
    assert [page.number for page in document.pages] == list(range(1, len(texts) + 1))
    assert document.text == "\n\n".join(texts)


@pytest.mark.parametrize("texts", [[], [""], ["", " \n\f", "\u2003"]])
def test_a_scan_without_text_is_there_but_inaccessible(texts: list[str]) -> None:
    """Nothing was read, so a citation of it is inaccessible and never refuted."""
    document = Document.of(texts)

    assert document.status is SourceStatus.NO_TEXT
    assert Registry.build([document.evidence("d1")]).resolve("d1").resolve is Resolve.INACCESSIBLE


def test_one_page_with_text_makes_a_source_ready() -> None:
    """A cover without text does not hide the pages behind it."""
    document = Document.of(["", "The toll is 3 crowns."], title="Tolls")

    assert document.status is SourceStatus.READY
    assert document.evidence("d1").text == "\n\nThe toll is 3 crowns."
    assert document.evidence("d1").title == "Tolls"
