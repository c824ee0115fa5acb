"""The table of cases: one line an area, with its name, passed and total."""

from __future__ import annotations

from tests.cases.tally import Tally


def test_every_case_is_in_the_table() -> None:
    """Cases that failed or that need what is not built yet count in the total, with the reason."""
    tally = Tally()
    tally.passed("quote")
    tally.passed("quote")
    tally.failed("quote")
    tally.not_adapted("trends", "of a later issue")

    assert [line.split() for line in tally.lines()] == [
        ["quote", "2", "3", "1", "run", "and", "not", "right"],
        ["trends", "0", "1", "1", "of", "a", "later", "issue"],
    ]


def test_nothing_run_is_no_table() -> None:
    """Without cases there is nothing to print."""
    assert Tally().lines() == []


def test_counts_of_another_process_add_up() -> None:
    """What is told and added is what was counted, twice when it is added to itself."""
    tally = Tally()
    tally.passed("quote")
    tally.failed("quote")
    tally.not_adapted("trends", "of a later issue")
    both = Tally()
    both.add(tally.told())
    assert both.lines() == tally.lines()

    both.add(tally.told())
    assert [line.split()[:3] for line in both.lines()] == [["quote", "2", "4"], ["trends", "0", "2"]]
