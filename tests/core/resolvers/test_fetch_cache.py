"""Answers are kept as they came, make room for others, and are left out when they are not sound."""

from __future__ import annotations

import random
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.fetch_cache import FetchCache
from core.web_reply import Hop, Reply, Trouble

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(url="http://a.example/", at=NOW, status=200, final_url="http://a.example/x", body=b"\x00\xff" * 9),
        Reply(url="http://a.example/", at=NOW, trouble=Trouble.TIMED_OUT, hops=(Hop(url="u", status=301),)),
    ],
)  # fmt: skip
def test_an_answer_comes_back_as_it_was(tmp_path: Path, reply: Reply) -> None:
    """Also from another object, and only under its name."""
    cache = FetchCache(tmp_path / "cache")
    cache.keep(reply, "name")
    cache.close()

    assert FetchCache(tmp_path / "cache").find("name") == reply
    assert FetchCache(tmp_path / "cache").find("other") is None


def test_a_changed_row_is_as_good_as_none(tmp_path: Path) -> None:
    """What somebody else wrote is not believed."""
    cache = FetchCache(tmp_path / "cache")
    cache.keep(Reply(url="http://a.example/", at=NOW, status=200, body=b"true"), "name")
    cache.close()
    with sqlite3.connect(tmp_path / "cache") as file:
        file.execute("update replies set reply = replace(reply, '200', '404')")

    assert FetchCache(tmp_path / "cache").find("name") is None


def test_the_oldest_make_room(tmp_path: Path) -> None:
    """The file stays about as large as it may be."""
    cache = FetchCache(tmp_path / "cache", largest=300_000)
    noise = random.Random(7).randbytes
    for number in range(64):
        cache.keep(Reply(url="u", at=NOW, status=200, body=noise(10_000)), str(number))

    assert cache.find("0") is None
    assert cache.find("63") is not None


def test_how_long_something_has_been_missing(tmp_path: Path) -> None:
    """From the first look to the last that found nothing; being there once begins it anew."""
    cache = FetchCache(tmp_path / "cache")

    assert cache.missing_for("u", NOW) == timedelta()
    assert cache.missing_for("u", NOW + timedelta(hours=25)) == timedelta(hours=25)
    assert cache.missing_for("u", NOW + timedelta(hours=2)) == timedelta(hours=25)
    cache.is_there("u")
    assert cache.missing_for("u", NOW + timedelta(hours=30)) == timedelta()
