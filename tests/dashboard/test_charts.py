"""The trend chart: every judge is told apart, every point says its n, and nothing is drawn where nothing was judged."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from core.anchor_set import Step
from core.metrics import Measure
from core.metrics.corrected_rate import CorrectedRate as Corrected
from core.metrics.unsupported_rate import report
from core.rates_corrected import CorrectedRate
from core.sql_results import ChartChoice, ChartKind, SqlResult
from core.store.records import Split
from core.time_marks import Mark
from core.trends import Panels, TrendPoint
from dashboard.widgets import chart_files, charts, sql_cell, sql_chart, trend_panels
from dashboard.widgets.trend_chart import trend
from tests.dashboard.test_rates import point

MONDAY = datetime(2026, 11, 2, tzinfo=UTC)


def week(number: int, protocol: str, unsupported: int = 2, judged: int = 8) -> TrendPoint:
    """One week of one judge."""
    one = point(unsupported, judged, start=MONDAY + timedelta(days=7 * number))
    return one.model_copy(update={"row": one.row.model_copy(update={"protocol": protocol})})


def scatters(figure: Any) -> list[Any]:
    """The lines of a figure, without its bars."""
    return [trace for trace in figure.data if trace.type == "scatter"]


def texts(figure: Any) -> list[str]:
    """What is written beside the lines."""
    return [note.text for note in figure.layout.annotations]


def test_each_judge_has_its_own_line_colour_and_marker() -> None:
    """Ten judges are ten traces, no two of which look alike, and each holds its own points only."""
    names = [f"judge@{number}+0000000{number}" for number in range(10)]
    lines = scatters(trend([week(number, name) for name in names for number in range(3)], "UTC"))

    looks = {(trace.line.color, trace.marker.symbol) for trace in lines}
    assert len(lines) == len(looks) == 10
    for trace, name in zip(lines, names, strict=True):
        assert [key[0] for key in trace.customdata] == [name] * 3


def test_bars_are_the_interval() -> None:
    """2 of 8: 25 %, Wilson 95 % from 7.15 to 59.07."""
    trace = trend([week(0, "a@1+1")], "UTC").data[0]

    assert trace.y == (25.0,)
    assert round(25.0 - trace.error_y.arrayminus[0], 2) == 7.15
    assert round(25.0 + trace.error_y.array[0], 2) == 59.07


def test_n_stands_under_each_point_and_the_name_at_the_end() -> None:
    """Both without a legend; the name carries the last share."""
    figure = trend([week(0, "a@1+1"), week(1, "a@1+1", judged=10), week(2, "a@1+1", judged=12)], "UTC")

    assert texts(figure)[:3] == ["n 8", "n 10", "n 12"]
    assert texts(figure)[-1] == "<b>● a@1+1</b><br>17 % (5–45)"
    assert list(figure.layout.xaxis.ticktext) == ["2 Nov", "9 Nov", "16 Nov"]


def test_few_dates_stand_side_by_side() -> None:
    """Two dates half a year apart are no time scale; three are, in days."""
    two = trend([week(0, "a@1+1"), week(26, "a@1+1")], "UTC")
    assert list(two.layout.xaxis.tickvals) == [0, 1]

    three = trend([week(0, "a@1+1"), week(1, "a@1+1"), week(26, "a@1+1")], "UTC")
    assert list(three.layout.xaxis.tickvals) == [0, 7, 182]


def test_months_are_written_by_name() -> None:
    """A month is not its first day."""
    one = week(0, "a@1+1")
    start = datetime(2026, 11, 1, tzinfo=UTC)
    row = one.row.model_copy(update={"start": start, "end": datetime(2026, 12, 1, tzinfo=UTC)})

    figure = trend([one.model_copy(update={"row": row})], "UTC")

    assert list(figure.layout.xaxis.ticktext) == ["Nov 2026"]


def test_nothing_judged_leaves_a_hole() -> None:
    """A week without a verdict is no point at 0 %, and the line does not run through it."""
    trace = trend([week(0, "a@1+1"), week(1, "a@1+1", 0, 0), week(2, "a@1+1")], "UTC").data[0]

    assert trace.y == (25.0, None, 25.0)
    assert trace.connectgaps is False


def test_undated_points_are_joined_to_nothing() -> None:
    """They stand under "no date"."""
    undated = point(2, 8, start=None)
    figure = trend([undated], "UTC")

    assert figure.data[0].mode == "markers"
    assert list(figure.layout.xaxis.ticktext) == ["no date"]


def test_many_dates_are_thinned_out() -> None:
    """A year of weeks still has at most fourteen dates under the axis."""
    figure = trend([week(number, "a@1+1") for number in range(53)], "UTC")

    assert len(figure.layout.xaxis.tickvals) <= charts.TICKS
    assert len(figure.data[0].x) == 53


def test_names_are_text() -> None:
    """A judge's name is not read as markup."""
    figure = trend([week(0, "hub:<b>x</b>@1+1")], "UTC")

    assert "&lt;b&gt;x&lt;/b&gt;" in texts(figure)[-1]
    assert "<b>x" not in figure.data[0].text[0]


def test_names_at_one_height_are_pushed_apart() -> None:
    """Three lines that end together are still three readable names."""
    figure = trend([week(0, f"{name}@1+1") for name in "abc"], "UTC")

    heights = sorted(note.y for note in figure.layout.annotations[-3:])
    least = 0.15 * figure.layout.yaxis.range[1]
    assert all(upper - lower >= least - 1e-9 for lower, upper in pairwise(heights))


@pytest.mark.parametrize("judges", [7, 20, 30])
def test_many_names_stay_beside_the_chart(judges: int) -> None:
    """A line each, none above the top, none upon another: where they do not fit the chart grows."""
    figure = trend([week(0, f"j{number}@1+1") for number in range(judges)], "UTC")
    names = [note for note in figure.layout.annotations if note.xref == "paper" and note.x == 1.0]
    top = figure.layout.yaxis.range[1]
    heights = sorted(note.y for note in names)
    pixels = (1 - figure.layout.yaxis.domain[0]) * (
        figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    )

    assert len(names) == judges
    assert heights[-1] <= top + 1e-9
    assert min(b - a for a, b in pairwise(heights)) / top * pixels >= 11
    assert not any("<br>" in note.text for note in names)


def test_marks_of_one_day_share_a_line() -> None:
    """The first is named, and how many more there are."""
    weeks = [week(number, "a@1+1") for number in range(3)]
    figure = trend(weeks, "UTC", marks=[mark("2026-11-09", name) for name in ("release 4", "release 5", "x")])

    assert len(figure.layout.shapes) == 1
    assert "release 4 and 2 more" in texts(figure)


def test_a_judge_keeps_its_look_when_others_come() -> None:
    """Looks go by arrival, so that neither a new judge nor a narrower choice recolours an old one."""
    before, after = charts.looks(["a@1+1", "b@1+1"]), charts.looks(["a@1+1", "b@1+1", "c@1+1"])
    alone = scatters(trend([week(0, "b@1+1")], "UTC", after))[0]

    assert {name: after[name] for name in before} == before
    assert (alone.line.color, alone.marker.symbol) == (after["b@1+1"].colour, after["b@1+1"].symbol)
    assert len(set(charts.looks([f"j@{number}" for number in range(56)]).values())) == 56


def test_an_empty_period_is_a_gap() -> None:
    """Weeks one, two and four: the line ends after two, and nothing stands at zero for three."""
    trace = trend([week(0, "a@1+1"), week(1, "a@1+1"), week(3, "a@1+1")], "UTC").data[0]

    assert trace.x == (0, 7, None, 21)
    assert trace.y == (25.0, 25.0, None, 25.0)
    assert trace.connectgaps is False


def test_bars_beneath_hold_what_was_judged_and_excluded() -> None:
    """8 judged, 3 excluded on top of them."""
    judged, excluded = trend([point(2, 8, 1, 2)], "UTC").data[1:]

    assert (judged.y, judged.base) == ((8,), (0,))
    assert (excluded.y, excluded.base) == ((3,), (8,))


def test_very_many_judges_share_a_bar_and_a_count_a_date() -> None:
    """Of 21 judges and 20 weeks no bar could be told: the fewest judged stand there, and hatched what else counts."""
    names = [f"judge@{number}+0000000{number}" for number in range(21)]
    points = [week(number, name, judged=8 + (name != names[3])) for name in names for number in range(20)]
    figure = trend(points, "UTC")
    fewest, more = [trace for trace in figure.data if trace.type == "bar"]

    shades, lines = scatters(figure)[::2], scatters(figure)[1::2]
    assert [len(shades), len(lines)] == [21, 21]
    assert {shade.fill for shade in shades} == {"toself"}
    assert not any(line.error_y.visible for line in lines)
    low, high = min(y for y in shades[0].y if y is not None), max(y for y in shades[0].y if y is not None)
    assert [round(low, 2), round(high, 2)] == [6.32, 54.74]  # Wilson of 2 of 9
    assert (set(fewest.y), set(more.y), set(more.base)) == ({8}, {1}, {8})
    assert sum("n ≥ 8" in text for text in texts(figure)) == len(figure.layout.xaxis.tickvals)
    assert not any(" n 9" in text for text in texts(figure))


def test_marks_stand_at_their_days_and_only_on_a_time_scale() -> None:
    """A release of the second Monday is a line at day 7; outside the axis or without a scale there is none."""
    weeks = [week(number, "a@1+1") for number in range(3)]
    marks = [mark("2026-11-09", "release 4"), mark("2025-01-01", "long ago")]
    figure = trend(weeks, "UTC", marks=marks)

    assert [shape.x0 for shape in figure.layout.shapes] == [7]
    assert "release 4" in texts(figure)
    assert "long ago" not in texts(figure)
    assert not trend(weeks[:2], "UTC", marks=marks).layout.shapes


def test_corrected_rates_stand_hollow_beside_the_raw_ones() -> None:
    """10 of 40 labels say unsupported: their own point, unjoined, with its own interval."""
    people = corrected(0.25, 0.13, 0.41, 40)
    raw, hollow = scatters(trend([week(0, "a@1+1")], "UTC", corrected=[people]))

    assert (hollow.y, hollow.mode) == ((25.0,), "markers")
    assert hollow.marker.symbol == f"{raw.marker.symbol}-open"
    assert round(hollow.error_y.array[0], 6) == 16.0
    assert len(scatters(trend([week(0, "a@1+1")], "UTC", corrected=[corrected(None, None, None, 0)]))) == 1


def test_the_caption_is_part_of_the_figure() -> None:
    """A saved picture says what it shows; a judge's name in it is no markup."""
    figure = trend([week(0, "a@1+1")], "UTC", caption="Unsupported claims of <b>a@1+1</b>, " + "word " * 60)
    (said,) = [text for text in texts(figure) if "Unsupported claims" in text]

    assert "&lt;b&gt;a@1+1" in said
    assert all(len(line) <= 170 for line in said.split("<br>"))


def test_panels_share_their_axes() -> None:
    """Two groups of different height are drawn on one scale, each with its judges' looks."""
    known = charts.looks(["a@1+1"])
    shown = {name: (grouped(week(0, "a@1+1", high, 8), name),) for name, high in (("x", 1), ("", 8))}
    figure = trend_panels.figure(Panels(shown=shown, more=3), Split.SOURCE, "UTC", known)

    assert {tuple(one.range) for one in figure.select_yaxes()} == {(0, 103)}
    assert texts(figure)[:2] == ["x", "nothing cited"]
    assert [trace.customdata[0][2] for trace in figure.data] == ["x", ""]
    assert {trace.line.color for trace in figure.data} == {known["a@1+1"].colour}


def test_a_table_file_says_who_judged_how_many_and_runs_no_formula() -> None:
    """Every line names verifier, protocol, method, n and the caption; a group that begins like a formula is text."""
    points = [grouped(week(0, "lexical@1+00000001", 2, 8), "=1+1")]
    (row,) = csv.DictReader(io.StringIO(chart_files.points(points, [], "strict", "UTC", "What").decode("utf-8-sig")))

    assert (row["verifier"], row["protocol"], row["n"]) == ("lexical", "lexical@1+00000001", "8")
    assert (row["rate"], row["caption"], row["group"]) == ("0.25", "What", "'=1+1")
    assert "Wilson" in row["method"] or "wilson" in row["method"]


def test_the_file_of_two_judges_says_both_and_their_difference() -> None:
    """2 and 4 of the same 8 claims: a line each, with the paired difference of the newer minus the older."""
    step = Step(
        first="a@1+1",
        second="b@1+1",
        anchored=True,
        n=8,
        rates=(report(8, 0, 0, 2), report(9, 1, 0, 4)),
        difference=Measure(estimate=0.25, low=-0.1, high=0.6, n=8, method="paired"),
    )
    older, newer = csv.DictReader(io.StringIO(chart_files.steps([step], "What").decode("utf-8-sig")))

    assert (older["verifier"], older["protocol"], older["beside"]) == ("a", "a@1+1", "b@1+1")
    assert (newer["protocol"], newer["rate"], newer["n"], newer["excluded"]) == ("b@1+1", "0.5", "8", "1")
    assert {row["newer_minus_older"] for row in (older, newer)} == {"0.25"}
    assert (older["claims"], older["caption"], older["difference_method"]) == ("8 anchor claims", "What", "paired")


def test_a_result_of_sql_as_a_file_says_whose_verdicts_and_runs_no_formula() -> None:
    """Names of columns are as anybody wrote them, so they are neutralised, too."""
    result = SqlResult(
        sql="select 1", columns=("=a", "n"), types=("VARCHAR", "BIGINT"), rows=(("=1+1", 2),), notes=("By a@1+1.",)
    )
    (row,) = csv.DictReader(io.StringIO(sql_cell.file(result).decode("utf-8-sig")))

    assert row == {"'=a": "'=1+1", "n": "2", "read beside it": "By a@1+1."}


@pytest.mark.parametrize(
    ("kind", "type_"), [(ChartKind.BAR, "bar"), (ChartKind.LINE, "scatter"), (ChartKind.POINTS, "scatter")]
)
def test_a_chart_of_sql_draws_judges_as_everywhere_and_says_whose_figures_they_are(kind: ChartKind, type_: str) -> None:
    """One trace a judge, so that no line joins two; the rows of one the store does not know are grey."""
    result = SqlResult(
        sql="select 1",
        columns=("protocol", "label", "n"),
        types=("VARCHAR", "VARCHAR", "BIGINT"),
        rows=(("a@1+1", "2026-01-01", 3), ("b@1+1", "<b>", 5), ("a@1+1", None, 2)),
        notes=("Every row says by which.",),
    )
    looks = charts.looks(["z@1+1", "a@1+1"])
    made = sql_chart.figure(result, ChartChoice(kind=kind, x="label", y="n"), looks)
    first, second = made.data
    (caption,) = made.layout.annotations

    assert (first.type, second.type) == (type_, type_)
    assert (first.name, list(first.x), list(first.y)) == ("▲ a@1+1", ["2026-01-01", "(none)"], [3, 2])
    assert (second.name, list(second.x), list(second.y)) == ("● b@1+1", ["&lt;b&gt;"], [5])
    assert [first.marker.color, second.marker.color] == [looks["a@1+1"].colour, charts.QUIET]
    assert made.layout.xaxis.type == "category"
    assert "n by label, 3 rows" in caption.text
    assert "Every row says by which." in caption.text.replace("<br>", " ")


def mark(day: str, text: str) -> Mark:
    """A release."""
    return Mark(kind="release", moment=None, day=date.fromisoformat(day), text=text, mark_id="1")


def grouped(one: TrendPoint, group: str) -> TrendPoint:
    """The same point in a group."""
    return one.model_copy(update={"row": one.row.model_copy(update={"group": group})})


def corrected(value: float | None, low: float | None, high: float | None, n: int) -> CorrectedRate:
    """A rate from labels."""
    found = Corrected(
        estimate=value,
        low=low,
        high=high,
        n=n,
        method="labels",
        chosen="human_only",
        because="few",
        unsupported=0,
        left_out=0,
    )
    return CorrectedRate(
        protocol="a@1+1",
        strictness="strict",
        raw=report(8, 0, 0, 2),
        corrected=found,
        why_not="",
        gold_id=None,
        gold_sha256=None,
        covered=8,
        sentence="",
    )
