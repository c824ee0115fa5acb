"""Whether the audit chain holds, and whether what it speaks of is as it was.

What can be found: a changed, removed, added or reordered entry, unless all after it were computed anew; a changed,
removed or added row of every kind in ``core.store.audit_subjects``. What cannot: somebody who can write the file and
computes every entry anew, or cuts off the end of the chain together with the rows of those entries. For that the head
of the chain is printed, to be kept elsewhere and given back later.
"""

from __future__ import annotations

from core.models import Record
from core.store import Store
from core.store.audit import FIRST, chained
from core.store.audit_log import StoredEntry
from core.store.audit_subjects import SUBJECTS, WITHOUT_ROWS
from core.verification import Progress


class Fault(Record):
    """The first thing that does not hold."""

    what: str
    """In a sentence, without its full stop."""
    number: int | None = None
    """Of the entry; none when it is a row that has none."""
    act: str | None = None
    subject: str | None = None


class AuditReport(Record):
    """What a check found."""

    entries: int
    """Entries that were read; all of them when nothing is wrong."""
    head: str = FIRST
    """The sha256 of the last of them: together with their number it fixes all that is before."""
    fault: Fault | None = None


def verify(store: Store, progress: Progress | None = None, head: tuple[int, str] | None = None) -> AuditReport:
    """Recompute the chain and compare it with the rows, until the first thing that does not hold.

    Args:
        store: Read some thousand entries at a time, so that memory does not grow with the chain.
        progress: Told how many entries of how many are checked.
        head: Number and sha256 (64 hex) of an entry, as they were printed once: the chain must still lead through it.
    """
    total, done, previous = store.audit.count(), 0, FIRST
    for entries in store.audit.entries():
        now = store.audit.contents(entries)
        for entry in entries:
            if fault := _fault(entry, done + 1, previous, now, head):
                return AuditReport(entries=done, head=previous, fault=fault)
            done, previous = done + 1, entry.sha256
        if progress:
            progress(done, total)
    return AuditReport(entries=done, head=previous, fault=_missing(store, done, head))


def _fault(
    entry: StoredEntry, number: int, previous: str, now: dict[str, str], head: tuple[int, str] | None
) -> Fault | None:
    """What is wrong with one entry."""
    values = (entry.person, entry.act, entry.subject, entry.content_sha256, entry.previous)
    if entry.number != number:
        what = f"the entry {number} is missing"
    elif entry.previous != previous:
        what = "it is not bound to the entry before it"
    elif chained(entry.number, entry.done_at.isoformat(), *values) != entry.sha256:
        what = "the entry itself was changed"
    elif head is not None and (entry.number == head[0]) and entry.sha256 != head[1]:
        what = "it is another one than the head that was given"
    elif entry.kind in WITHOUT_ROWS:
        return None
    elif entry.kind not in SUBJECTS:
        what = "nobody knows how to read what it speaks of"
    elif entry.subject not in now:
        what = "what it speaks of is gone"
    elif now[entry.subject] != entry.content_sha256:
        what = "what it speaks of was changed since"
    else:
        return None
    return Fault(what=what, number=entry.number, act=entry.act, subject=entry.subject)


def _missing(store: Store, done: int, head: tuple[int, str] | None) -> Fault | None:
    """What the chain does not speak of, though it should."""
    if head is not None and head[0] > done:
        return Fault(what=f"the chain ends with entry {done}, before the head that was given")
    if not store.audit.is_older_part_whole():
        return Fault(what="a label that is older than the chain was changed")
    if subject := next(store.audit.not_entered(), None):
        return Fault(what="there is no entry for it, or it stands there twice", subject=subject)
    return None
