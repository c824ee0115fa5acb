"""Claim uid and citation ↔ the numbers by which rows speak of them; what was looked up lately is kept.

Both are written once and never change, so what was kept is never wrong. Looking a uid up reads its column through;
a row that is asked for by number is found without that.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable
from typing import NamedTuple

from core.store.connection import Session
from core.store.label_records import Place

_KEPT = 20_000
"""Spans that are remembered; when they are more, all are forgotten."""

_BY_CLAIM = "select claim_no, span_no, cite from spans where claim_no in ?"
_CLAIMS = "select claim_no, claim_uid from claims where claim_uid in (select unnest(?::varchar[]))"
_BY_SPAN = "select span_no, claim_no, cite from spans where span_no in ?"
_UIDS = "select claim_no, claim_uid from claims where claim_no in ?"


class Numbered(NamedTuple):
    """A span by its numbers and by its names."""

    claim_no: int
    span_no: int
    claim_uid: str
    cite: str | None

    @property
    def place(self) -> Place:
        """Claim uid and cite."""
        return self.claim_uid, self.cite


class Places:
    """What is known of where spans are; safe to use from many threads."""

    def __init__(self) -> None:
        """Know nothing."""
        self._lock = threading.Lock()
        self._by_place: dict[Place, Numbered] = {}
        self._by_span: dict[int, Numbered] = {}

    def keep(self, found: Iterable[Numbered]) -> None:
        """Remember spans that are stored and committed."""
        with self._lock:
            if len(self._by_span) > _KEPT:
                self._by_place.clear()
                self._by_span.clear()
            for one in found:
                self._by_place[one.place] = self._by_span[one.span_no] = one

    def numbers(self, session: Session, places: Collection[Place]) -> dict[Place, Numbered]:
        """Spans by claim uid and cite; those that are not in the store are left out."""
        missing = {uid for uid, cite in places if (uid, cite) not in self._by_place}
        if missing:
            uids = session.pairs(_CLAIMS, [sorted(missing)])
            spans = session.all(_BY_CLAIM, [list(uids)]) if uids else []
            self.keep(Numbered(claim, span, uids[claim], cite) for claim, span, cite in spans)
        return {place: found for place in places if (found := self._by_place.get(place))}

    def names(self, session: Session, span_nos: Collection[int]) -> dict[int, Numbered]:
        """Stored spans by their numbers."""
        missing = [number for number in span_nos if number not in self._by_span]
        if missing:
            spans = session.all(_BY_SPAN, [missing])
            uids = session.pairs(_UIDS, [sorted({claim for _, claim, _ in spans})])
            self.keep(Numbered(claim, span, uids[claim], cite) for span, claim, cite in spans)
        return {number: self._by_span[number] for number in span_nos}
