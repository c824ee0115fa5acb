"""The trend chart: every judge is told apart, every point says its n, and nothing is drawn where nothing was judged."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from core.trends import TrendPoint
from dashboard.widgets import charts
from tests.dashboard.test_rates import point

MONDAY = datetime(2026, 11, 2, tzinfo=UTC)


def week(number: int, protocol: str, unsupported: int = 2, judged: int = 8) -> TrendPoint:
    """One week of one judge."""
    one = point(unsupported, judged, start=MONDAY + timedelta(days=7 * number))
    return one.model_copy(update={"row": one.row.model_copy(update={"protocol": protocol})})


def texts(figure: Any) -> list[str]:
    """What is written beside the lines."""
    return [note.text for note in figure.layout.annotations]


def test_each_judge_has_its_own_line_colour_and_marker() -> None:
    """Ten judges are ten traces, no two of which look alike, and each holds its own points only."""
    names = [f"judge@{number}+0000000{number}" for number in range(10)]
    figure = charts.trend([week(number, name) for name in names for number in range(3)], "UTC")

    looks = {(trace.line.color, trace.marker.symbol) for trace in figure.data}
    assert len(figure.data) == len(looks) == 10
    for trace, name in zip(figure.data, names, strict=True):
        assert [key[0] for key in trace.customdata] == [name] * 3


def test_bars_are_the_interval() -> None:
    """2 of 8: 25 %, Wilson 95 % from 7.15 to 59.07."""
    trace = charts.trend([week(0, "a@1+1")], "UTC").data[0]

    assert trace.y == (25.0,)
    assert round(25.0 - trace.error_y.arrayminus[0], 2) == 7.15
    assert round(25.0 + trace.error_y.array[0], 2) == 59.07


def test_n_stands_under_each_point_and_the_name_at_the_end() -> None:
    """Both without a legend; the name carries the last share."""
    figure = charts.trend([week(0, "a@1+1"), week(1, "a@1+1", judged=10), week(2, "a@1+1", judged=12)], "UTC")

    assert texts(figure)[:3] == ["n 8", "n 10", "n 12"]
    assert texts(figure)[-1] == "<b>● a@1+1</b><br>17 % (5–45)"
    assert list(figure.layout.xaxis.ticktext) == ["2 Nov", "9 Nov", "16 Nov"]


def test_few_dates_stand_side_by_side() -> None:
    """Two dates half a year apart are no time scale; three are, in days."""
    two = charts.trend([week(0, "a@1+1"), week(26, "a@1+1")], "UTC")
    assert list(two.layout.xaxis.tickvals) == [0, 1]

    three = charts.trend([week(0, "a@1+1"), week(1, "a@1+1"), week(26, "a@1+1")], "UTC")
    assert list(three.layout.xaxis.tickvals) == [0, 7, 182]


def test_months_are_written_by_name() -> None:
    """A month is not its first day."""
    one = week(0, "a@1+1")
    start = datetime(2026, 11, 1, tzinfo=UTC)
    row = one.row.model_copy(update={"start": start, "end": datetime(2026, 12, 1, tzinfo=UTC)})

    figure = charts.trend([one.model_copy(update={"row": row})], "UTC")

    assert list(figure.layout.xaxis.ticktext) == ["Nov 2026"]


def test_nothing_judged_leaves_a_hole() -> None:
    """A week without a verdict is no point at 0 %, and the line does not run through it."""
    trace = charts.trend([week(0, "a@1+1"), week(1, "a@1+1", 0, 0), week(2, "a@1+1")], "UTC").data[0]

    assert trace.y == (25.0, None, 25.0)
    assert trace.connectgaps is False


def test_undated_points_are_joined_to_nothing() -> None:
    """They stand under "no date"."""
    undated = point(2, 8, start=None)
    figure = charts.trend([undated], "UTC")

    assert figure.data[0].mode == "markers"
    assert list(figure.layout.xaxis.ticktext) == ["no date"]


def test_many_dates_are_thinned_out() -> None:
    """A year of weeks still has at most fourteen dates under the axis."""
    figure = charts.trend([week(number, "a@1+1") for number in range(53)], "UTC")

    assert len(figure.layout.xaxis.tickvals) <= charts.TICKS
    assert len(figure.data[0].x) == 53


def test_names_are_text() -> None:
    """A judge's name is not read as markup."""
    figure = charts.trend([week(0, "hub:<b>x</b>@1+1")], "UTC")

    assert "&lt;b&gt;x&lt;/b&gt;" in texts(figure)[-1]
    assert "<b>x" not in figure.data[0].text[0]


def test_names_at_one_height_are_pushed_apart() -> None:
    """Three lines that end together are still three readable names."""
    figure = charts.trend([week(0, f"{name}@1+1") for name in "abc"], "UTC")

    heights = sorted(note.y for note in figure.layout.annotations[-3:])
    least = 0.15 * figure.layout.yaxis.range[1]
    assert all(upper - lower >= least - 1e-9 for lower, upper in pairwise(heights))
