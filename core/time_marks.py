"""What stands on the time axis beside the rates: releases that people marked, new guidelines, first uses of judges."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from core.calendar_days import midnight
from core.errors import InputError
from core.models import Record
from core.store import Store
from core.store.time_marks import TimeMark

SIZE_LIMIT = 80
"""Characters of a mark: it must find room above a chart."""


class Mark(Record):
    """One line on the time axis."""

    kind: Literal["release", "guideline", "judge"]
    moment: datetime | None
    """In UTC; none of a release, which begins with its day wherever the reader is."""
    day: date | None
    text: str
    mark_id: str | None
    """Of a release, so that it can be taken back."""

    def begins(self, of: ZoneInfo) -> datetime:
        """Where it stands for a reader of a zone, in UTC."""
        return self.moment or midnight(self.day, of)


def every(store: Store) -> list[Mark]:
    """The marks of people by day, then guidelines and judges in the order of their coming."""
    marks = [
        Mark(kind="release", moment=None, day=one.day, text=one.text, mark_id=one.mark_id)
        for one in store.time_marks.list()
    ]
    marks += [
        Mark(kind="guideline", moment=one.recorded_at, day=None, text=f"guideline {one.guideline}", mark_id=None)
        for one in store.guidelines.list()
    ]
    return marks + [
        Mark(kind="judge", moment=first, day=None, text=f"{name} first used", mark_id=None)
        for name, first in store.protocol_first_uses().items()
        if first
    ]


def add(store: Store, day: str, text: str, who: str) -> TimeMark:
    """Mark a day for everybody.

    Args:
        store: Where it is kept.
        day: As ``2026-11-30``.
        text: What happened, in a few words.
        who: By name.

    Raises:
        InputError: The day is none, or the text is empty or too long.
    """
    try:
        of = date.fromisoformat(day.strip())
    except ValueError as error:
        raise InputError(f"{day!r} is no date", "write it as 2026-11-30") from error
    words = " ".join(text.split())
    if not words:
        raise InputError("A mark says what happened", "give a text such as 'release 4.2'")
    if len(words) > SIZE_LIMIT:
        raise InputError(f"The text of a mark has more than {SIZE_LIMIT} characters", "shorten it")
    return store.time_marks.add(of, words, who)
