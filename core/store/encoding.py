"""Texts and JSON on their way into DuckDB and out again, exact to the code point.

DuckDB keeps UTF-8, which has no place for lone surrogates; logs hold them wherever an emoji was cut in half. They are
written as U+10FFFF (a code point that Unicode never assigns) followed by a private-use character, and U+10FFFF itself
is doubled, so that every Python text has one stored form and comes back as it was. All other texts are stored as they
are.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

from core.errors import StoreError

_MARK = "\U0010ffff"
_SHIFT = 0xF0000
_HARD = re.compile(f"[\ud800-\udfff{_MARK}]")
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_MARKED = re.compile(f"{_MARK}(.)", re.DOTALL)


def encode_text(text: str) -> str:
    """Give the stored form of a text; almost always the text itself."""
    if text.isascii() or not _HARD.search(text):
        return text
    return _HARD.sub(lambda hit: _MARK + (_MARK if hit[0] == _MARK else chr(ord(hit[0]) + _SHIFT)), text)


def decode_text(stored: str) -> str:
    """Give back the text that ``encode_text`` was given."""
    if stored.isascii() or _MARK not in stored:
        return stored
    return _MARKED.sub(lambda hit: _MARK if hit[1] == _MARK else chr(ord(hit[1]) - _SHIFT), stored)


def encode(value: Any) -> Any:
    """Encode a parameter: a text, a list of texts, or anything without text in it."""
    if isinstance(value, str):
        return encode_text(value)
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    return value


def decode(value: Any) -> Any:
    """Decode a fetched value, lists included."""
    if isinstance(value, str):
        return decode_text(value)
    if isinstance(value, list):
        return [decode(item) for item in value]
    return value


def dump_json(value: object) -> str:
    """Write a JSON value as text.

    Raises:
        StoreError: The value holds something that JSON has no word for.
    """
    try:
        return _JSON.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"A record cannot be stored as JSON ({error})", "check the fields of its meta") from error


def in_utc(moment: datetime | None) -> datetime | None:
    """Turn a moment to UTC; one without an offset is in UTC already.

    Raises:
        StoreError: It lies outside the years 1 to 9999 there.
    """
    if moment is None or moment.tzinfo is None:
        return moment and moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise StoreError(f"The moment {moment.isoformat()} cannot be told in UTC", "correct its year") from error
