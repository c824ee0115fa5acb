"""Home: an empty store explains itself and can be filled with one click; a full one says what to do next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboard.test_review import listed

Open = Callable[..., AppTest]


def press(app: AppTest, label: str) -> AppTest:
    """Press the button with this label."""
    return next(one for one in app.button if one.label == label).click().run()


def test_an_empty_store_explains_itself(tmp_path: Path, open_page: Open) -> None:
    """What this is, a button for the sample, and two ways to bring one's own answers."""
    app = open_page(tmp_path / "new.duckdb")

    assert not app.exception
    assert app.title[0].value == "Do your AI answers say what their sources say?"
    assert [one.label for one in app.button] == ["Load the sample", "Choose a file"]
    assert app.code[0].value == "citedesk import your-answers.jsonl"
    assert not app.metric


def test_one_button_fills_it(tmp_path: Path, open_page: Open) -> None:
    """After the sample is loaded the same page shows three people's numbers."""
    app = press(open_page(tmp_path / "new.duckdb"), "Load the sample")

    assert not app.exception
    assert [one.label for one in app.metric] == ["Labeller", "Product manager", "Analyst"]
    assert set(app.dataframe[0].value["What"]) == {"sample answers, stricter threshold", "sample answers"}


def test_the_product_managers_number_is_the_list_it_opens(sample: Path, open_page: Open) -> None:
    """As many claims are listed as the card said, all of them unsupported."""
    app = open_page(sample)
    number = next(one.value for one in app.metric if one.label == "Product manager")

    data = listed(press(app, "See the worst"))

    assert data["total"] == int(number.replace(",", ""))
    assert not {item["label"] for item in data["items"]} & {"supported", "inaccessible", "none"}


def test_every_card_leads_somewhere(sample: Path, open_page: Open) -> None:
    """The trend opens with a sentence."""
    app = press(open_page(sample), "Open the trend")

    assert not app.exception
    assert "unsupported" in app.title[0].value


def test_both_states_lead_to_the_data_page(sample: Path, tmp_path: Path, open_page: Open) -> None:
    """From an empty store and from a full one."""
    for store, button in ((tmp_path / "new.duckdb", "Choose a file"), (sample, "Bring more answers")):
        app = press(open_page(store), button)

        assert not app.exception
        assert app.title[0].value == "Bring your answers"


@pytest.mark.parametrize("name", ["dé sk $x$.duckdb", "[a](b).duckdb"])
def test_the_path_is_text(tmp_path: Path, open_page: Open, store_of: Callable[..., Path], name: str) -> None:
    """A file name is not read as Markdown."""
    claims: list[dict[str, Any]] = [{"text": "The lamp weighs 40 grams."}]
    path = store_of({"request_id": "r", "claims": claims}).rename(tmp_path / name)
    app = open_page(path)

    assert not app.exception
    assert name in "".join(one.value for one in app.caption).replace("\\", "")
