"""The guideline page: the text as it is, the next version out of it, and half a one refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import guidelines
from core.store import Store
from dashboard import session

APP = Path(session.__file__).with_name("app.py")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The empty store of this process."""
    session.close()
    monkeypatch.setenv("CITEDESK_STORE", str(tmp_path / "desk.duckdb"))
    yield session.desk().store
    session.close()


def keep(text: str | None = None) -> AppTest:
    """Open the page, put a text in the place of the shown one, and keep it."""
    page = AppTest.from_file(str(APP), default_timeout=60).switch_page("views/guideline.py").run()
    if text is not None:
        page.text_area[0].set_value(text)
    page.button[0].click()
    page.run()
    assert not page.exception
    return page


def test_a_changed_text_is_the_next_version(store: Store) -> None:
    """The page shows the latest one; what was there stays as it was."""
    page = keep(guidelines.shipped().replace("version 1", "version of ours"))

    assert "This is guideline v2" in page.success[0].value
    assert [one.guideline for one in guidelines.every(store)] == ["v1", "v2"]
    assert guidelines.every(store)[0].text == guidelines.shipped()


def test_half_a_text_is_refused(store: Store) -> None:
    """In a sentence, and the text stays in its box."""
    page = keep("# Mine\n\n## supported\n")

    assert "0 entries for" in page.warning[0].value
    assert page.text_area[0].value == "# Mine\n\n## supported\n"
    assert len(guidelines.every(store)) == 1
