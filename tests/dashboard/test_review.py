"""Review as a page: filters in the address, pages of the list, and the claim that a link asks for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.desk import Desk
from core.settings import Settings
from tests.dashboard.conftest import make_store

Open = Callable[..., AppTest]


def component(app: AppTest, name: str) -> dict[str, Any]:
    """What a component of the page was given."""
    (found,) = (one.proto for one in app.get("bidi_component") if one.proto.component_name == name)
    data: dict[str, Any] = json.loads(found.json)
    return data


def listed(app: AppTest) -> dict[str, Any]:
    """What the list was given."""
    assert not app.exception
    return component(app, "citedesk_claim_list")


def inspected(app: AppTest) -> dict[str, Any]:
    """What the inspector was given."""
    return component(app, "citedesk_inspector")


def pills(app: AppTest, label: str) -> Any:
    """A row of chips by its label."""
    groups: list[Any] = list(app.get("button_group"))
    return next(one for one in groups if one.label == label)


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 120 claims in 60 answers, the second of each citing nothing; tests leave it as it is."""
    answers = (
        {
            "request_id": f"r{number:02}",
            "query": f"How heavy is lamp {number}?",
            "asked_at": "2026-11-16T12:00:00Z" if number % 2 else "2026-11-09T12:00:00Z",
            "generator": {"name": "g", "model": "one" if number < 30 else "two"},
            "claims": [
                {"text": f"Lamp {number} weighs 40 grams.", "citation_ids": ["C1"]},
                {"text": f"Lamp {number} was sold to Norway in March.", "citation_ids": []},
            ],
            "evidence": [{"id": "C1", "text": f"Lamp {number} weighs 40 grams."}],
        }
        for number in range(60)
    )
    return make_store(tmp_path_factory.mktemp("many"), *answers)


def test_opens_on_the_worst_claim(many: Path, open_page: Open) -> None:
    """The first line is selected, worst first, and the list says how many there are."""
    app = open_page(many, "review")
    data = listed(app)

    assert (data["first"], data["last"], data["total"]) == (1, 50, 120)
    assert {item["label"] for item in data["items"]} == {"uncited"}
    assert data["selected"] == data["items"][0]["uid"] == inspected(app)["uid"]
    assert pills(app, "Verdicts").options == [":green[●] Supported 60", ":violet[○] Uncited 60"]


def test_a_chip_filters_and_stands_in_the_address(many: Path, open_page: Open) -> None:
    """One click leaves the supported claims; the address says so, and the other counts stay."""
    app = open_page(many, "review")
    pills(app, "Verdicts").set_value(["supported"]).run()

    assert app.query_params["labels"] in ("supported", ["supported"])
    assert listed(app)["total"] == 60
    assert pills(app, "Verdicts").options == [":green[●] Supported 60", ":violet[○] Uncited 60"]


@pytest.mark.parametrize(
    ("params", "total"),
    [
        ({"q": "LAMP 7"}, 12),  # 7, 17, 27, 37, 47 and 57, with two claims each
        ({"q": "norway"}, 60),
        ({"generator": "two"}, 60),
        ({"request": "r07"}, 2),
        ({"bucket": "2026-11-16T00:00:00+00:00/2026-11-23T00:00:00+00:00"}, 60),
        ({"labels": "supported", "generator": "one"}, 30),
        ({"unsupported": "strict"}, 60),
        ({"structure": "uncited"}, 60),
        ({"undated": "1"}, 0),
        ({"sort": "nonsense", "flag": "", "labels": "nonsense", "bucket": "x/y", "page": "-3"}, 120),
    ],
)
def test_the_address_filters(many: Path, open_page: Open, params: dict[str, str], total: int) -> None:
    """Whatever narrows the list can be sent as a link; nonsense is left out."""
    app = open_page(many, "review", **params)

    assert listed(app)["total"] == total


def test_the_address_opens_a_claim_where_it_stands(many: Path, open_page: Open) -> None:
    """A link to the 107th claim opens the third page with that claim selected and shown."""
    third = listed(open_page(many, "review", page="3"))
    assert (third["first"], third["last"]) == (101, 120)
    uid = third["items"][6]["uid"]

    app = open_page(many, "review", claim=uid)

    assert (listed(app)["page"], listed(app)["selected"], inspected(app)["uid"]) == (3, uid, uid)
    assert inspected(app)["outside"] == ""


def test_the_inspector_keeps_its_claim_when_the_filter_leaves_it_out(many: Path, open_page: Open) -> None:
    """Filtering must not lose what one is looking at."""
    app = open_page(many, "review")
    uid = listed(app)["selected"]
    app = open_page(many, "review", claim=uid, labels="supported")

    assert inspected(app)["uid"] == uid
    assert "your filters leave it out" in inspected(app)["outside"]
    assert uid not in {item["uid"] for item in listed(app)["items"]}
    assert listed(app)["page"] == 1


def test_a_page_past_the_end_is_the_last(many: Path, open_page: Open) -> None:
    """An old link to a page that is gone shows the last one."""
    assert listed(open_page(many, "review", page="99"))["first"] == 101


def test_an_unknown_claim_is_said_beside_the_list(many: Path, open_page: Open) -> None:
    """A link from another store opens the list and a sentence."""
    app = open_page(many, "review", claim="feedbeef")

    assert inspected(app)["missing"] == "Claim feedbeef is not in this store."
    assert listed(app)["total"] == 120


def test_an_unknown_judge_is_said(many: Path, open_page: Open) -> None:
    """Verdicts of another judge are never shown under the name of the one asked for."""
    app = open_page(many, "review", protocol="nli@9+00000000")

    assert "nli" in app.warning[0].value
    assert inspected(app)["protocol"].startswith("lexical@1")


def test_nothing_left_offers_a_way_back(many: Path, open_page: Open) -> None:
    """One button takes every filter off, the judge and the order stay."""
    app = open_page(many, "review", q="zeppelin", sort="as_imported")
    assert listed(app)["total"] == 0

    next(one for one in app.button if one.label == "Take all filters off").click().run()

    assert listed(app)["total"] == 120
    assert "sort" in app.query_params
    assert "q" not in app.query_params


def test_a_narrowing_is_named_and_taken_off(many: Path, open_page: Open) -> None:
    """What came with a link from the trend stands as a chip in words."""
    bucket = "2026-11-16T00:00:00+00:00/2026-11-23T00:00:00+00:00"
    app = open_page(many, "review", bucket=bucket, counted="1")
    chips = pills(app, "Also narrowed to")
    assert chips.options == ["asked in the week of 16 November 2026 ✕", "only claims that count ✕"]

    chips.set_value(["counted"]).run()

    assert listed(app)["total"] == 120
    assert "bucket" not in app.query_params


def test_days_are_said_in_the_zone_of_the_address(many: Path, open_page: Open) -> None:
    """Whoever comes from a point of Trends reads the week that they clicked."""
    bucket = "2026-11-15T23:00:00+00:00/2026-11-22T23:00:00+00:00"
    app = open_page(many, "review", bucket=bucket, tz="Europe/Berlin")

    assert pills(app, "Also narrowed to").options == ["asked in the week of 16 November 2026 ✕"]


def test_a_verdict_of_another_judge_is_named_as_such(store_of: Callable[..., Path], open_page: Open) -> None:
    """A claim that the chosen judge never saw is shown with the verdict that exists, and says whose it is."""
    path = store_of({"request_id": "early", "claims": [{"text": "The moon is made of cheese."}]})
    settings = Settings(store=path)
    desk = Desk.open(settings)
    stricter = desk.verify_stored(settings.model_copy(update={"thresholds": {"supported": 0.9}}))
    log = path.with_name("more.jsonl")
    log.write_text(json.dumps({"request_id": "later", "claims": [{"text": "The sun is made of bread."}]}) + "\n")
    usual = desk.import_file(log)
    desk.close()
    uid = listed(open_page(path, "review", protocol=usual.protocol, request="later"))["items"][0]["uid"]

    app = open_page(path, "review", protocol=stricter.protocol, claim=uid)

    assert inspected(app)["protocol"] == usual.protocol
    assert inspected(app)["outside"].startswith(f"{stricter.protocol} never judged this claim")


def test_an_empty_store_says_what_would_be_here(tmp_path: Path, open_page: Open) -> None:
    """No empty table."""
    app = open_page(tmp_path / "new.duckdb", "review")

    assert app.title[0].value == "Nothing to review yet"
    assert not app.get("bidi_component")


def test_what_was_not_judged_is_filtered_by_its_reason(store_of: Callable[..., Path], open_page: Open) -> None:
    """The list says the reason in words, a chip narrows to it and takes it off."""
    evidence = [{"id": "C1", "text": "The lamp weighs 40 grams."}]
    claims = [
        {"text": "The lamp weighs 40 grams.", "citation_ids": ["C1"]},
        {"text": "灯の重さは40グラムです。", "citation_ids": ["C1"]},
    ]
    path = store_of({"request_id": "r1", "claims": claims, "evidence": evidence})
    app = open_page(path, "review")
    chips = pills(app, "Not judged, because")
    assert chips.options == ["the judge cannot read this text 1"]

    chips.set_value(["unreadable"]).run()

    data = listed(app)
    assert (data["total"], data["items"][0]["why"]) == (
        1,
        "not judged: the judge cannot read this text, ask another judge",
    )
    assert app.query_params["failure"] in ("unreadable", ["unreadable"])
    assert pills(app, "Also narrowed to").options == ["not judged\\: the judge cannot read this text ✕"]
    assert listed(open_page(path, "review", failure="nonsense"))["total"] == 2
