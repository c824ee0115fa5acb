"""Stores with claims to draw from, and queues of all of them, for tests of labelling."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from core.models import Label, utc_now
from core.store import Store
from core.store.label_records import LabelEvent, LabelKind, SpanToLabel
from core.store.queue_records import Design, Draw, DrawnClaim, Queue, QueueSpec
from tests.core.store import build

NOW = utc_now()
"""The clock of the tests; it goes on only by ``later``."""


def later(minutes: float) -> datetime:
    """So many minutes after ``NOW``."""
    return NOW + timedelta(minutes=minutes)


def fill(store: Store, claims: int, cites: tuple[str, ...] = ("C1",), name: str = "r") -> list[str]:
    """Record one answer of so many claims; gives their uids, in order."""
    answer = build.answer(name)
    about = [build.claim(number, cites=cites) for number in range(1, claims + 1)]
    store.record(build.batch(build.checked(answer, [Label.SUPPORTED] * claims, about)))
    return [build.uid(answer, one) for one in about]


def queue(store: Store, uids: list[str], check: dict[str, Label] | None = None, **spec: Any) -> Queue:
    """A queue of these claims, given out in their order; the ones named with a label are check items."""
    made = QueueSpec(**({"name": "Q", "design": Design.CENSUS} | spec))
    items = tuple(
        DrawnClaim(
            claim_uid=uid,
            place=place,
            probability=1.0,
            stratum="all",
            wanted=made.overlap,
            check_label={"C1": label} if (label := (check or {}).get(uid)) else None,
        )
        for place, uid in enumerate(uids)
    )
    draw = Draw(items=items, population=len(uids), newest=len(uids), strata={"all": (len(uids), len(uids))})
    return store.queues.create(made, draw, "admin")


def press(
    uid: str,
    labeller: str,
    queue_id: str | None,
    kind: LabelKind = LabelKind.LABEL,
    cite: str | None = "C1",
    **changes: Any,
) -> LabelEvent:
    """One decision: "supported", unless it is of another kind."""
    label = Label.SUPPORTED if kind is LabelKind.LABEL else None
    values = {"labeller": labeller, "queue_id": queue_id, "kind": kind, "label": label} | changes
    return build.event(uuid4().hex, uid, cite, **values)


def places(spans: list[SpanToLabel]) -> list[tuple[str, str | None]]:
    """Claim uid and cite."""
    return [(span.claim_uid, span.cite) for span in spans]
