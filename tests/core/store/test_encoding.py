"""Every Python text comes back from the store code point by code point."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import StoreError
from core.store.encoding import decode, decode_text, dump_json, encode, encode_text, in_utc

TEXTS = st.text(st.one_of(st.characters(categories=None), st.sampled_from("\0\ud800\udfff\U0010ffff\U000fd800")))
"""All of Unicode with lone surrogates, and often the code points that the encoding itself uses."""


@given(TEXTS)
def test_round_trip(text: str) -> None:
    """Decoding gives back what was encoded, and the stored form is UTF-8."""
    stored = encode_text(text)

    stored.encode("utf-8")
    assert decode_text(stored) == text


@given(TEXTS, TEXTS)
def test_different_texts_stay_different(one: str, other: str) -> None:
    """No two texts share a stored form."""
    assert (encode_text(one) == encode_text(other)) == (one == other)


@pytest.mark.parametrize("text", ["", "plain", "a\0b", "👩‍👩‍👧", "cafe\u0301", "שלום", "'; drop table x; --", "\ufffd"])
def test_ordinary_text_is_stored_as_it_is(text: str) -> None:
    """What DuckDB can hold is not touched."""
    assert encode_text(text) == text


def test_stored_form_of_a_lone_surrogate() -> None:
    """The form is fixed for ever: stores are full of it."""
    assert encode_text("a\ud83d") == "a\U0010ffff\U000fd83d"
    assert encode_text("\U0010ffff") == "\U0010ffff\U0010ffff"


def test_lists_and_other_values() -> None:
    """Lists are encoded item by item; numbers, moments and none pass."""
    value = ["\ud800", 1, None, ["\udfff"]]

    assert decode(encode(value)) == value


def test_what_is_no_json_is_refused() -> None:
    """A value that JSON cannot say is refused in one sentence."""
    with pytest.raises(StoreError, match="cannot be stored as JSON"):
        dump_json({"when": datetime(2026, 1, 1, tzinfo=UTC)})


def test_moments_in_utc() -> None:
    """An offset is turned to UTC; a moment without one is UTC; one that leaves the calendar is refused."""
    east = timezone(timedelta(hours=2))

    assert in_utc(datetime(2026, 1, 1, 1, tzinfo=east)) == datetime(2025, 12, 31, 23, tzinfo=UTC)
    assert in_utc(datetime(2026, 1, 1)) == datetime(2026, 1, 1, tzinfo=UTC)  # noqa: DTZ001
    assert in_utc(None) is None
    with pytest.raises(StoreError, match="cannot be told in UTC"):
        in_utc(datetime(1, 1, 1, tzinfo=east))
