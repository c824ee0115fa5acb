"""Leases: a claim is somebody's for a while, so that no more people get it than are wanted. Rows are only added."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from core.models import utc_now
from core.store.connection import Session
from core.store.encoding import in_utc

_DAY = timedelta(days=1)
_CLOCKS_DIFFER = timedelta(minutes=1)
"""So far a clock may be set back without anybody's leases being over."""

_LAST = """
select claim_no, labeller, arg_max(until, lease_no), arg_max(after_event, lease_no), arg_max(taken_at, lease_no),
  max(lease_no)
from leases where queue_no = ? and until > ? group by 1, 2
"""


class Lease(NamedTuple):
    """A claim held by a labeller."""

    claim_no: int
    labeller: str
    until: datetime
    after_event: int
    """The last label event when it was taken."""
    taken_at: datetime
    lease_no: int = 0
    """Given by the store."""

    def runs(self, now: datetime) -> bool:
        """Whether it is not over; one from a moment that is still to come is of a clock that was wrong, and over."""
        return self.taken_at <= now + _CLOCKS_DIFFER and now < self.until


def every(session: Session, queue_no: int) -> list[Lease]:
    """The last lease of each claim and labeller of a queue, without those that were over yesterday."""
    rows = session.all(_LAST, [queue_no, utc_now() - _DAY])
    return [Lease(*row)._replace(until=_utc(row[2]), taken_at=_utc(row[4])) for row in rows]


def add(session: Session, queue_no: int, taken: Iterable[Lease]) -> list[Lease]:
    """Write leases down, each over the one before of the same claim and labeller; gives them with their numbers."""
    first = session.next_number("leases", "lease_no")
    numbered = [lease._replace(lease_no=number) for number, lease in enumerate(taken, first)]
    rows = [{**lease._asdict(), "queue_no": queue_no} for lease in numbered]
    session.append("leases", rows)
    return numbered


def _utc(moment: datetime) -> datetime:
    found = in_utc(moment)
    assert found is not None
    return found
