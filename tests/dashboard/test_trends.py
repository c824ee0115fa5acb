"""Trends: a sentence first, one line a judge, undated apart, and counts that are those of the list behind them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from core import time_marks
from core.store import open_store
from tests.dashboard.test_home import press
from tests.dashboard.test_review import listed, pills

Open = Callable[..., AppTest]


def figure(app: AppTest) -> dict[str, Any]:
    """The chart as the browser is given it."""
    spec: dict[str, Any] = json.loads(app.get("plotly_chart")[0].proto.spec)
    return spec


def lines(app: AppTest) -> list[dict[str, Any]]:
    """The lines of the chart, without its bars."""
    return [trace for trace in figure(app)["data"] if trace["type"] == "scatter"]


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
    """1 of 2 claims, but of one answer: Wilson 95 % of 0.5 of 1, and the interval says whose share it is."""
    app = open_page(store_of(answer(1, "2026-11-18T10:00:00Z")), "trends", tz="UTC")

    assert not app.exception
    said = app.title[0].value.replace("\\", "")
    assert said.split(": ", 1)[1] == (
        "between 5 and 95 of 100 claims are unsupported, 2 of 2 judged, in the week of 16 November 2026."
    )
    assert any("not yet corrected by people" in one.value for one in app.caption)
    assert any("lexical is a baseline on this machine" in one.value for one in app.caption)


def test_each_judge_is_a_line_of_its_own(sample: Path, open_page: Open) -> None:
    """The sample was judged twice; no point of one judge is joined to the other's."""
    data = lines(open_page(sample, "trends"))

    assert len(data) == 2
    assert all(len({key[0] for key in trace["customdata"]} - {None}) == 1 for trace in data)
    assert all(len(trace["x"]) >= 10 for trace in data)


def test_a_judge_can_be_left_out(sample: Path, open_page: Open) -> None:
    """The address says which judges are shown."""
    app = open_page(sample, "trends")
    chips = pills(app, "Judges")
    kept = chips.value[0]
    chips.set_value([kept]).run()

    assert [trace["customdata"][0][0] for trace in lines(app)] == [kept]
    assert app.query_params["protocols"] in (kept, [kept])


def test_undated_answers_stand_apart(store_of: Callable[..., Path], open_page: Open) -> None:
    """They are in no line, and their button leads to exactly them."""
    path = store_of(answer(1, "2026-11-18T10:00:00Z"), answer(2, None), answer(3, None))
    app = open_page(path, "trends")

    assert [key[1] for trace in lines(app) for key in trace["customdata"]] == ["2026-11-16"]
    assert app.header[0].value == "Without a date"
    assert listed(press(app, "Show these 4 claims"))["total"] == 4


def test_only_undated_answers_have_a_chart_without_a_line(store_of: Callable[..., Path], open_page: Open) -> None:
    """The rate is shown, and why there is no time line."""
    app = open_page(store_of(answer(1, None)), "trends")

    assert "no time line" in "".join(one.value for one in app.text)
    assert [trace["mode"] for trace in lines(app)] == ["markers"]


def test_lenient_lets_partial_support_through(sample: Path, open_page: Open) -> None:
    """The same claims are judged, fewer of them are unsupported."""
    strict = open_page(sample, "trends").dataframe[0].value
    lenient = open_page(sample, "trends", strictness="lenient").dataframe[0].value

    assert list(strict["Judged"]) == list(lenient["Judged"])
    assert list(strict["Unsupported"]) != list(lenient["Unsupported"])


def test_days_begin_where_the_reader_lives(store_of: Callable[..., Path], open_page: Open) -> None:
    """Half past eleven on Sunday evening in Berlin is Monday in Tokyo."""
    path = store_of(answer(1, "2026-11-15T22:30:00Z"))

    assert "9 November" in open_page(path, "trends", tz="Europe/Berlin").title[0].value
    assert "16 November" in open_page(path, "trends", tz="Asia/Tokyo").title[0].value


def test_nothing_judged_is_no_rate(store_of: Callable[..., Path], open_page: Open) -> None:
    """A closed source is excluded; with nothing else there is no 0 %."""
    closed = answer(1, "2026-11-18T10:00:00Z")
    closed["claims"] = closed["claims"][:1]
    closed["evidence"][0]["accessible"] = False
    app = open_page(store_of(closed), "trends")

    assert "no claim was judged" in app.title[0].value
    captions = [one.value.replace("\\", "") for one in app.caption]
    assert "Not judged: 1 of 1 claims (100 %): 1 because the source is closed." in captions
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


def test_groups_stand_beside_each_other(store_of: Callable[..., Path], open_page: Open) -> None:
    """Fourteen generators: twelve panels on one scale, and two that the file holds."""
    path = store_of(*(answer(n, "2026-11-18T10:00:00Z", generator={"name": f"g{n:02}"}) for n in range(14)))
    app = open_page(path, "trends", split="generator")
    spec = json.loads(app.get("plotly_chart")[1].proto.spec)

    assert not app.exception
    assert len(spec["data"]) == 12
    assert "And 2 more" in "".join(one.value for one in app.text)


def test_the_filter_stands_in_words_and_reaches_the_list(store_of: Callable[..., Path], open_page: Open) -> None:
    """Only claims that hold a number, by one generator, in the zone of the days."""
    path = store_of(answer(1, None, generator={"name": "g"}), answer(2, None, generator={"name": "h"}))
    app = open_page(path, "trends", generator="g", flag="number", tz="Asia/Tokyo")
    said = [one.value.replace("\\", "").lower() for one in app.caption]

    assert any("written by g, number · days in asia/tokyo" in one for one in said)
    assert list(app.dataframe[0].value["Answers"]) == [1]


def test_corrected_rates_name_their_labels(sample: Path, open_page: Open) -> None:
    """The table says the method, or why there is none."""
    table = open_page(sample, "trends", corrected="1", by="month").dataframe[0].value

    assert all(table["Corrected by labels"].str.len() > 0)


def test_a_mark_is_on_the_axis_and_in_words(store_of: Callable[..., Path], open_page: Open) -> None:
    """Between three weeks of answers."""
    path = store_of(*(answer(n, f"2026-11-{n:02}T10:00:00Z") for n in (4, 11, 18)))
    with open_store(path) as store:
        time_marks.add(store, "2026-11-12", "release 4.2", "ann")
    app = open_page(path, "trends", tz="UTC")

    assert any(note["text"] == "release 4.2" for note in figure(app)["layout"]["annotations"])
    assert any("release 4" in one.value for one in app.caption)
