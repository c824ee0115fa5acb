"""Failures as a page: what is shown stands in the address, and every number opens its claims in Review."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import failures
from core.desk import Desk
from core.people import Person, Role
from core.settings import Settings
from core.store.records import ClaimFilter
from dashboard.widgets import address
from dashboard.widgets.failure_controls import SHOWN
from tests.dashboard.test_blind import blind as blind  # a fixture

Open = Callable[..., AppTest]
ME = Person(name="ana", role=Role.ADMIN)


def tables(app: AppTest) -> list[dict[str, Any]]:
    """What each table of the page was given."""
    assert not app.exception
    found = (one.proto for one in app.get("bidi_component") if one.proto.component_name == "citedesk_pick_table")
    return [json.loads(one.json) for one in found]


def button(app: AppTest, start: str) -> Any:
    """The button whose label begins so."""
    return next(one for one in app.button if one.label.startswith(start))


@pytest.mark.parametrize("part", SHOWN)
def test_every_part_opens(sample: Path, open_page: Open, part: str) -> None:
    """The sentence stands first, with the filter in words above the table."""
    app = open_page(sample, "failures", show=part)

    assert "of 100 such claims are unsupported" in app.title[0].value
    assert len(tables(app)) == 1
    assert part == "saved" or any("Showing\\: judge lexical" in one.value for one in app.caption)


def test_reasons_add_up(sample: Path, open_page: Open) -> None:
    """Their numbers are those of the sentence."""
    app = open_page(sample, "failures")
    rows = tables(app)[0]["rows"]
    total = sum(int(row["cells"][1]["text"]) for row in rows)

    assert f"{total} of 101" in app.title[0].value.replace("\\", "")


def test_a_reason_opens_with_its_groups(sample: Path, open_page: Open) -> None:
    """The address names it; its claims are one click away, exactly as many as the number says."""
    app = open_page(sample, "failures", reason="irrelevant")
    reasons, groups = tables(app)

    assert reasons["selected"] == "irrelevant"
    assert groups["named"] == "Groups"
    number = next(row["cells"][1]["text"] for row in reasons["rows"] if row["key"] == "irrelevant")
    app = button(app, "Show these").click().run()
    assert not app.exception
    (shown,) = (
        json.loads(one.proto.json)
        for one in app.get("bidi_component")
        if one.proto.component_name == "citedesk_claim_list"
    )
    assert f"{shown['total']}" == number


def test_filters_round_trip_through_the_address(sample: Path) -> None:
    """Whatever a reason or slice is, a link says it."""
    desk = Desk.open(Settings(store=sample))
    infos = desk.store.protocols()
    desk.close()
    wanted = ClaimFilter(
        protocol=infos[0].name,
        judged_only=True,
        unsupported="strict",
        reason="contradicted.number",
        differs=("number", "unit"),
        source="A title, with commas",
        cite_count=0,
        age="three_years",
        topic="inhaler",
        terms=("dose", "units"),
        reader=ME,
    )

    assert address.review_filter(address.review_params(wanted), infos, ME) == wanted
    assert address.review_filter({"cites": "99", "age": "ancient"}, infos, ME).cite_count is None


def test_a_view_is_saved_listed_and_opened(store_of: Callable[..., Path], open_page: Open, tmp_path: Path) -> None:
    """Under a name, by its address; one that is gone says so."""
    path = store_of({"request_id": "r1", "claims": [{"text": "The moon is made of cheese."}]})
    app = open_page(path, "failures", reason="uncited.uncited")
    next(one for one in app.text_input if one.label == "Name" and (one.value or "").startswith("judge")).set_value(
        "Cheese"
    )
    app = next(one for one in app.button if one.label == "Save under this name").click().run()
    assert not app.exception

    listed = tables(open_page(path, "failures", show="saved"))[0]["rows"]
    assert [row["cells"][0]["text"] for row in listed] == ["Cheese"]

    app = open_page(path, "failures", view=listed[0]["key"])
    assert app.query_params["reason"] in ("uncited.uncited", ["uncited.uncited"])
    app = open_page(path, "failures", view="0" * 16)
    assert "no saved view" in app.warning[0].value


def test_before_and_after_are_the_same_claims(sample: Path, open_page: Open) -> None:
    """Two judges of the sample: how many labels differ is said, and the changed rows lead."""
    app = open_page(sample, "failures", show="changes")
    rows = tables(app)[0]["rows"]

    assert any("claims that both judged have another label" in one.value for one in app.text)
    assert rows[0]["cells"][0]["label"] != rows[0]["cells"][1]["label"]


def test_what_is_hidden_is_in_no_figure(blind: tuple[Path, list[str]], open_page: Open) -> None:
    """The uncited claim of a blind queue fails for nobody who is to label it."""
    path, _ = blind
    app = open_page(path, "failures")

    assert tables(app)[0]["rows"] == []
    assert "0 of 1" in app.title[0].value.replace("\\", "")
    assert any("1 claim is not counted here" in one.value for one in app.caption)


def test_an_empty_store_says_what_would_be_here(tmp_path: Path, open_page: Open) -> None:
    """No empty table."""
    app = open_page(tmp_path / "new.duckdb", "failures")

    assert app.title[0].value == "No failures to look into yet"
    assert not app.get("bidi_component")


def test_page_and_core_give_the_same_figure(sample: Path, open_page: Open) -> None:
    """The sentence is that of the one function."""
    desk = Desk.open(Settings(store=sample))
    protocol = address.usual_protocol(desk.store.protocols())
    found = failures.overview(desk.store, ClaimFilter(protocol=protocol), "lenient")
    desk.close()
    app = open_page(sample, "failures", unsupported="lenient")

    assert app.title[0].value.replace("\\", "") == f"{failures.sentence(found, protocol)}."


def test_an_sql_cell_is_added_and_run(store_of: Callable[..., Path], open_page: Open) -> None:
    """On the notebook page: the example runs, and its result stays."""
    path = store_of({"request_id": "r1", "claims": [{"text": "The moon is made of cheese."}]})
    app = open_page(path, "ask")
    app = button(app, "Ask the tables").click().run()
    assert app.text_area[0].value.startswith("select protocol")

    app = button(app, "Run").click().run()

    assert not app.exception
    assert app.dataframe[0].value.iloc[0].tolist()[1:] == ["uncited", 1]
    assert any("every row says by which" in one.value for one in app.caption)

    app.text_area[0].set_value("attach 'x'")
    app = button(app, "Run").click().run()
    assert "ATTACH is not allowed" in app.warning[0].value
