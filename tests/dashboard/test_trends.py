"""Trends: a sentence first, one line a judge, undated apart, and counts that are those of the list behind them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.dashboard.test_home import press
from tests.dashboard.test_review import listed, pills

Open = Callable[..., AppTest]


def figure(app: AppTest) -> dict[str, Any]:
    """The chart as the browser is given it."""
    (chart,) = app.get("plotly_chart")
    spec: dict[str, Any] = json.loads(chart.proto.spec)
    return spec


def answer(number: int, asked_at: str | None, **more: Any) -> dict[str, Any]:
    """One supported claim and one that cites nothing."""
    return {
        "request_id": f"r{number}",
        "asked_at": asked_at,
        "claims": [
            {"text": f"Lamp {number} weighs 40 grams.", "citation_ids": ["C1"]},
            {"text": f"Lamp {number} was sold to Norway in March.", "citation_ids": []},
        ],
        "evidence": [{"id": "C1", "text": f"Lamp {number} weighs 40 grams."}],
        **more,
    }


def test_a_sentence_comes_first(store_of: Callable[..., Path], open_page: Open) -> None:
    """1 of 2 claims: 50 %, Wilson 95 % from 9.5 to 90.5, and the interval says whose share it is."""
    app = open_page(store_of(answer(1, "2026-11-18T10:00:00Z")), "trends", tz="UTC")

    assert not app.exception
    said = app.header[0].value.replace("\\", "")
    assert said.split(": ", 1)[1] == "50 % unsupported (9–91), 2 of 2 judged, in the week of 16 November 2026."
    assert "not yet corrected by people" in app.caption[0].value
    assert "lexical is a baseline on this machine" in app.caption[2].value


def test_each_judge_is_a_line_of_its_own(sample: Path, open_page: Open) -> None:
    """The sample was judged twice; no point of one judge is joined to the other's."""
    data = figure(open_page(sample, "trends"))["data"]

    assert len(data) == 2
    assert all(len({key[0] for key in trace["customdata"]}) == 1 for trace in data)
    assert all(len(trace["x"]) >= 10 for trace in data)


def test_a_judge_can_be_left_out(sample: Path, open_page: Open) -> None:
    """The address says which judges are shown."""
    app = open_page(sample, "trends")
    chips = pills(app, "Judges")
    kept = chips.value[0]
    chips.set_value([kept]).run()

    assert [trace["customdata"][0][0] for trace in figure(app)["data"]] == [kept]
    assert app.query_params["protocols"] in (kept, [kept])


def test_undated_answers_stand_apart(store_of: Callable[..., Path], open_page: Open) -> None:
    """They are in no line, and their button leads to exactly them."""
    path = store_of(answer(1, "2026-11-18T10:00:00Z"), answer(2, None), answer(3, None))
    app = open_page(path, "trends")

    assert [key[1] for trace in figure(app)["data"] for key in trace["customdata"]] == ["2026-11-16"]
    assert app.subheader[0].value == "Without a date"
    assert listed(press(app, "Show these 4 claims"))["total"] == 4


def test_only_undated_answers_have_a_chart_without_a_line(store_of: Callable[..., Path], open_page: Open) -> None:
    """The rate is shown, and why there is no time line."""
    app = open_page(store_of(answer(1, None)), "trends")

    assert "no time line" in "".join(one.value for one in app.text)
    assert [trace["mode"] for trace in figure(app)["data"]] == ["markers"]


def test_lenient_lets_partial_support_through(sample: Path, open_page: Open) -> None:
    """The same claims are judged, fewer of them are unsupported."""
    strict = open_page(sample, "trends").dataframe[0].value
    lenient = open_page(sample, "trends", strictness="lenient").dataframe[0].value

    assert list(strict["Judged"]) == list(lenient["Judged"])
    assert list(strict["Unsupported"]) != list(lenient["Unsupported"])


def test_days_begin_where_the_reader_lives(store_of: Callable[..., Path], open_page: Open) -> None:
    """Half past eleven on Sunday evening in Berlin is Monday in Tokyo."""
    path = store_of(answer(1, "2026-11-15T22:30:00Z"))

    assert "9 November" in open_page(path, "trends", tz="Europe/Berlin").header[0].value
    assert "16 November" in open_page(path, "trends", tz="Asia/Tokyo").header[0].value


def test_nothing_judged_is_no_rate(store_of: Callable[..., Path], open_page: Open) -> None:
    """A closed source is excluded; with nothing else there is no 0 %."""
    closed = answer(1, "2026-11-18T10:00:00Z")
    closed["claims"] = closed["claims"][:1]
    closed["evidence"][0]["accessible"] = False
    app = open_page(store_of(closed), "trends")

    assert "no claim was judged" in app.header[0].value
    assert "Not judged: 1 of 1 claims (100 %): 1 because the source is closed." in app.caption[0].value.replace(
        "\\", ""
    )
    assert figure(app)["data"][0]["y"] == [None]
    assert list(app.dataframe[0].value["Unsupported"]) == ["nothing judged"]


def test_one_generator_at_a_time(store_of: Callable[..., Path], open_page: Open) -> None:
    """Only its answers are counted, and it goes along to the list."""
    path = store_of(
        answer(1, None, generator={"name": "g", "model": "one"}),
        answer(2, None, generator={"name": "g", "model": "two"}),
    )
    app = open_page(path, "trends", generator="two")

    assert list(app.dataframe[0].value["Answers"]) == [1]


def test_an_empty_store_says_what_would_be_here(tmp_path: Path, open_page: Open) -> None:
    """No empty chart."""
    app = open_page(tmp_path / "new.duckdb", "trends")

    assert app.title[0].value == "No rates yet"
    assert not app.get("plotly_chart")
