"""Questions over time: what got an answer and what got none are told apart in words, table and lines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.store.records import QueryTrendRow
from dashboard.widgets import trend_queries

MONDAY = datetime(2026, 11, 2, tzinfo=UTC)


def week(number: int, asked: int, failed: int) -> QueryTrendRow:
    """One week of a model: answers within one second, failures within nine."""
    start = MONDAY + timedelta(days=7 * number)
    return QueryTrendRow(
        generator="m-1",
        bucket=start.date().isoformat(),
        start=start,
        end=start + timedelta(days=7),
        asked=asked,
        served=asked,
        median_s=1.0 if asked else None,
        p95_s=1.5 if asked else None,
        failed=failed,
        failed_median_s=9.0 if failed else None,
        failed_p95_s=9.5 if failed else None,
        cost=0.02 * asked,
        unknown=0,
    )


def test_the_sentence_counts_both() -> None:
    """Of the last week, also where nothing got an answer, or everything."""
    assert trend_queries.sentence([week(0, 3, 2)], "UTC") == (
        "m-1: half of 3 questions took 1.0 s at most, 95 of 100 1.5 s, in the week of 2 November 2026; "
        "2 questions got no answer, half of them within 9.0 s; a served answer cost $0.0200."
    )
    assert trend_queries.sentence([week(0, 3, 2), week(1, 0, 1)], "UTC") == (
        "m-1: 1 question got no answer, half of them within 9.0 s, in the week of 9 November 2026."
    )
    assert "no answer" not in trend_queries.sentence([week(0, 3, 0)], "UTC")


def test_a_line_a_kind_and_none_for_what_never_was() -> None:
    """Half and 95 of 100 of the answered, half of the others, dollars; nothing failed: no line of it."""
    assert len(trend_queries.figure([week(0, 3, 2), week(1, 0, 1)], "UTC").data) == 4
    assert len(trend_queries.figure([week(0, 3, 0)], "UTC").data) == 3
    (name,) = [one.name for one in trend_queries.figure([week(0, 0, 1)], "UTC").data]
    assert name == "m-1, half of those without an answer"


def test_the_table_says_what_is_not_known() -> None:
    """A dash, never a zero."""
    table = trend_queries.table([week(0, 3, 0), week(1, 0, 1)], "UTC")

    assert list(table["Without an answer"]) == [0, 1]
    assert list(table["Seconds of these, half at most"]) == ["—", "9.00"]
    assert list(table["Seconds, half at most"]) == ["1.00", "—"]
