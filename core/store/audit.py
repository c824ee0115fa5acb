"""The audit chain: who did what to what and when, each entry bound to the one before it.

An entry holds the sha256 of what the act wrote, so that a changed byte in either place is found by ``verify``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from core.models import digest, utc_now
from core.store.connection import Session
from core.store.encoding import in_utc

FIRST = "0" * 64
"""What the first entry is bound to."""


class Act(StrEnum):
    """What can be done; stored, so never renamed."""

    SAW = "saw"
    """Was shown a claim and its passage to label."""
    LABELLED = "labelled"
    SKIPPED = "skipped"
    FLAGGED = "flagged"
    TOOK_BACK = "took_back"
    WAS_SHOWN_VERDICT = "was_shown_verdict"
    ADJUDICATED = "adjudicated"
    MADE_QUEUE = "made_queue"
    DREW = "drew"
    CHANGED_QUEUE = "changed_queue"
    WROTE_GUIDELINE = "wrote_guideline"
    SIGNED_IN = "signed_in"
    """For the first time: the name is theirs from then on."""
    GAVE_ROLE = "gave_role"
    GAVE_GROUPS = "gave_groups"
    IMPORTED_LABELS = "imported_labels"
    EXPORTED = "exported"
    SUPPLIED = "supplied"
    """A passage of a work that cannot be opened here."""
    SET_POLICY = "set_policy"
    """Said what may be asked of the outside for the answers of a corpus."""
    ADOPTED = "adopted"
    """Made a protocol of a calibration."""


class Entry(NamedTuple):
    """One act, before it is chained."""

    person: str
    act: Act
    subject: str
    """What it was done to: a word for the kind, a blank, and its id: ``label_event 4f…``."""
    content: object
    """The rows that were written, as JSON values; only their sha256 is kept here."""


def note(session: Session, entries: Sequence[Entry]) -> None:
    """Append acts to the chain, in order, inside the write that does them."""
    if not entries:
        return
    first = session.next_number("audit", "entry_no")
    previous = _last_sha256(session, first - 1)
    at = utc_now()
    rows = []
    for number, entry in enumerate(entries, first):
        content = digest(entry.content)
        sha256 = chained(number, at.isoformat(), entry.person, str(entry.act), entry.subject, content, previous)
        rows.append(
            {
                "entry_no": number,
                "done_at": at,
                "person": entry.person,
                "act": str(entry.act),
                "subject": entry.subject,
                "content_sha256": content,
                "previous": previous,
                "sha256": sha256,
            }
        )
        previous = sha256
    session.append("audit", rows)


def _last_sha256(session: Session, number: int) -> str:
    """What the next entry is bound to."""
    last = session.newest("audit")
    if last is not None and last["entry_no"] == number:
        return str(last["sha256"])
    return str(session.value("select sha256 from audit where entry_no = ?", [number]) or FIRST)


def of_row(row: Mapping[str, Any]) -> object:
    """What the chain binds of a row of a table: its values by column, moments in UTC, without those that are null.

    The same whether the row is about to be written or was read back, so that an act can be ``Entry(person, act,
    f"{kind} {id}", of_row(row))`` and its kind a line of ``core.store.audit_subjects``.
    """
    return {name: _as_json(value) for name, value in row.items() if value is not None}


def of_rows(row: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> object:
    """The same of a row and of those that belong to it, in their order: a draw and its items."""
    return [of_row(row), *map(of_row, rows)]


def _as_json(value: Any) -> object:
    if isinstance(value, datetime):
        moment = in_utc(value)
        return moment and moment.isoformat()
    return [_as_json(one) for one in value] if isinstance(value, list | tuple) else value


def chained(number: int, at: str, person: str, act: str, subject: str, content: str, previous: str) -> str:
    """The sha256 (64 hex) of an entry; ``at`` in ISO form, in UTC."""
    return digest([number, at, person, act, subject, content, previous])
