"""Labels in a file: every event with its time, out of one store and into another, where the same view comes of it.

A line is one event. Reading a file twice stores nothing twice: the event id is the key.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from core.errors import StoreConflict
from core.importers import BadLine
from core.importers._records import records
from core.models import Record
from core.pipeline import batches
from core.store import Store
from core.store.label_records import StoredLabel

AT_ONCE = 500
"""Events per transaction."""

Line = tuple[int, StoredLabel]


class LabelReport(Record):
    """What one import of labels read, stored and refused; read = new + known + refused, always."""

    source: str
    events_read: int
    events_new: int
    events_known: int
    bad_lines: tuple[BadLine, ...]
    unmapped: dict[str, int] = Field(default_factory=dict)
    """Words of another tool that nobody said the meaning of, with how many rows they cost."""
    flags: tuple[str, ...] = ()
    """What looks wrong with what was taken in: ``possible_copied_annotations``."""
    suspicious: tuple[str, ...] = ()
    """The items that the flags speak of."""


Drawn = Mapping[tuple[str, str], tuple[str, float]]
"""By queue and claim: the queue's design, and the probability of the claim being drawn into it."""

_BESIDE = ("design", "probability")
"""What stands beside an event for a reader; the store that takes it in knows its own."""


def write(events: Iterable[StoredLabel], path: Path, drawn: Drawn | None = None) -> int:
    """Write every event as a line: its fields and, beside them, when it was taken; gives how many.

    Args:
        events: In order.
        path: The file.
        drawn: With it, each line also says how its claim was drawn, null for what was labelled outside of a queue.
    """
    count = 0
    # Half of a surrogate pair has no UTF-8; as a JSON escape it is written all the same.
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        for stored in events:
            values = stored.event.model_dump(mode="json") | {"recorded_at": stored.recorded_at.isoformat()}
            if drawn is not None:
                place = (stored.event.queue_id or "", stored.event.claim_uid)
                values |= dict(zip(_BESIDE, drawn.get(place, (None, None)), strict=True))
            file.write(json.dumps(values, ensure_ascii=False) + "\n")
            count += 1
    return count


def read(path: Path) -> Iterator[Line | BadLine]:
    """Read a file of events in order, each with its line.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    for number, value in records(path):
        if isinstance(value, BadLine):
            yield value
            continue
        try:
            recorded_at = value.pop("recorded_at", None)
            value = {name: each for name, each in value.items() if name not in _BESIDE}
            stored = StoredLabel.model_validate({"event": value, "recorded_at": recorded_at})
        except ValidationError as error:
            yield _refused(path, number, error)
            continue
        name = stored.event.labeller
        if not name.isprintable() or not name.strip():
            yield BadLine(file=path.name, line=number, field="labeller", reason="is no name of one line")
        elif stored.recorded_at.tzinfo is None:
            yield BadLine(file=path.name, line=number, field="recorded_at", reason="has no time zone")
        else:
            yield number, stored


def take(store: Store, path: Path) -> LabelReport:
    """Store the events of a file; one that contradicts the store or names nothing in it is refused, the others go in.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
        StoreError: The store cannot be written; what was stored before stays.
    """
    refused: list[BadLine] = []
    total = new = 0
    for group in batches(read(path), AT_ONCE):
        total += len(group)
        lines = [one for one in group if not isinstance(one, BadLine)]
        known = store.labels.known([stored.event.event_id for _, stored in lines])
        conflicts = add_each(store, path, lines)
        failed = {bad.line for bad in conflicts}
        new += len({stored.event.event_id for number, stored in lines if number not in failed} - known)
        refused += sorted([*(one for one in group if isinstance(one, BadLine)), *conflicts], key=lambda bad: bad.line)
    return LabelReport(
        source=path.name,
        events_read=total,
        events_new=new,
        events_known=total - new - len(refused),
        bad_lines=tuple(refused),
    )


def add_each(store: Store, path: Path, lines: Sequence[Line]) -> list[BadLine]:
    """Store the events together; when one contradicts the store, each half by itself. Gives what was refused."""
    if not lines:
        return []
    try:
        store.labels.add([one.event for _, one in lines], [one.recorded_at for _, one in lines])
    except StoreConflict as conflict:
        if len(lines) == 1:
            return [BadLine(file=path.name, line=lines[0][0], field=None, reason=conflict.what)]
        half = len(lines) // 2
        return [bad for part in (lines[:half], lines[half:]) for bad in add_each(store, path, part)]
    return []


def _refused(path: Path, number: int, error: ValidationError) -> BadLine:
    first = error.errors()[0]
    field = str(first["loc"][-1]) if first["loc"] else None
    return BadLine(file=path.name, line=number, field=field, reason=first["msg"].lower())
