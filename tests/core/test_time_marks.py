"""Marks of the time axis: of people, guidelines and judges; and as a command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner

from core import guidelines, time_marks
from core.cli import cli
from core.errors import InputError
from core.models import Label
from core.store import Store, open_store
from tests.core.store import build


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_store(tmp_path / "desk.duckdb") as opened:
        yield opened


def run(*words: str | Path) -> str:
    """What a command prints."""
    result = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False, standalone_mode=False)
    return result.output


def test_guidelines_and_judges_are_marked_by_themselves(store: Store) -> None:
    """At the moment of their coming, beside the releases that people marked."""
    time_marks.add(store, "2026-11-03", "  release  4.2 ", "ann")
    guidelines.add(store, guidelines.shipped(), "ann")
    store.record(build.batch(build.checked(build.answer(), [Label.SUPPORTED])))
    found = time_marks.every(store)

    assert [(one.kind, one.text) for one in found] == [
        ("release", "release 4.2"),
        ("guideline", "guideline v1"),
        ("judge", f"{build.PROTOCOL} first used"),
    ]
    assert found[2].begins(ZoneInfo("Asia/Tokyo")) == build.STARTED


def test_a_release_begins_with_its_day_wherever_the_reader_is(store: Store) -> None:
    """Midnight in Tokyo is three in the afternoon in UTC the day before."""
    time_marks.add(store, "2026-11-03", "release", "ann")
    (mark,) = time_marks.every(store)

    assert mark.begins(ZoneInfo("Asia/Tokyo")) == datetime(2026, 11, 2, 15, tzinfo=UTC)


def test_the_same_mark_twice_is_one(store: Store) -> None:
    """Whoever repeats it; another text on the day is another mark."""
    first = time_marks.add(store, "2026-11-03", "release", "ann")

    assert time_marks.add(store, "2026-11-03", "release", "bob") == first
    assert time_marks.add(store, "2026-11-03", "outage", "bob") != first
    assert [one.text for one in store.time_marks.list()] == ["release", "outage"]


def test_a_mark_can_be_taken_off_and_set_again(store: Store) -> None:
    """Taking off what is not there is refused in a sentence."""
    mark = time_marks.add(store, "2026-11-03", "release", "ann")
    store.time_marks.take_back(mark.mark_id, "bob")

    assert store.time_marks.list() == []
    with pytest.raises(InputError, match="no mark"):
        store.time_marks.take_back(mark.mark_id, "bob")
    assert time_marks.add(store, "2026-11-03", "release", "ann").mark_id != mark.mark_id


@pytest.mark.parametrize(
    ("day", "text", "said"),
    [("3 November", "x", "no date"), ("2026-11-31", "x", "no date"), ("2026-11-03", "  ", "says what"),
     ("2026-11-03", "x" * 81, "more than 80")],
)  # fmt: skip
def test_what_is_no_mark(store: Store, day: str, text: str, said: str) -> None:
    """One sentence, and nothing is kept."""
    with pytest.raises(InputError, match=said):
        time_marks.add(store, day, text, "ann")

    assert store.time_marks.list() == []


def test_the_command(tmp_path: Path) -> None:
    """Add, list and take off."""
    path = tmp_path / "desk.duckdb"
    added = json.loads(run("mark", "add", "2026-11-03", "release 4.2", "--store", path, "--json"))
    listed = run("mark", "list", "--store", path)
    run("mark", "remove", added["mark_id"], "--store", path)

    assert added["day"] == date(2026, 11, 3).isoformat()
    assert listed.split()[:4] == [added["mark_id"], "2026-11-03", "release", "4.2"]
    assert run("mark", "list", "--store", path) == ""
