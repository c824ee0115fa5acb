"""What the entries of the audit chain are about: one line a kind of row, by which ``citedesk audit verify`` reads it.

Whoever writes a new kind of audited row adds a line here, and binds the row with ``audit.of_row``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.store import label_log
from core.store.audit import of_row, of_rows
from core.store.connection import Session

Contents = dict[str, object]
"""What the chain must hold of some rows, by their ids."""


@dataclass(frozen=True)
class Subject:
    """A kind of audited row."""

    table: str
    key: str
    """The column that holds the id; one row has it."""
    read: Callable[[Session, Sequence[str]], Contents] | None = None
    """Reads some of them, where something else is bound than the columns of the table."""
    since: str = "true"
    """Which of its rows must have an entry."""
    parts: str | None = None
    """A table whose rows are bound together with this one's, by the same key."""

    @property
    def rows(self) -> str:
        """Where all ids are; a part without its row is one too."""
        if self.parts is None:
            return self.table
        lone = f"select distinct {self.key} from {self.parts} anti join {self.table} using ({self.key})"
        return f"(select {self.key} from {self.table} union all {lone})"

    def contents(self, session: Session, ids: Sequence[str]) -> Contents:
        """What the rows of some ids hold now; ids without a row are left out."""
        if self.read:
            return self.read(session, ids)
        return {str(row[self.key]): of_row(row) for row in _rows(session, self.table, self.key, ids)}


def _rows(session: Session, table: str, key: str, ids: Sequence[str], order: str = "1") -> list[dict[str, Any]]:
    names = [name for (name,) in session.all(f"select column_name from (describe {table})")]
    columns = ", ".join(names)
    found = session.all(f"select {columns} from {table} where {key}::varchar in ? order by {order}", [list(ids)])
    return [dict(zip(names, row, strict=True)) for row in found]


def _draws(session: Session, ids: Sequence[str]) -> Contents:
    """Draws with their items, in the order of the claims' numbers."""
    return {
        str(draw["draw_no"]): of_rows(
            draw, _rows(session, "queue_items", "draw_no", [str(draw["draw_no"])], order="claim_no")
        )
        for draw in _rows(session, "queue_draws", "draw_no", ids)
    }


SUBJECTS: Mapping[str, Subject] = {
    "label_event": Subject(
        "label_events",
        "event_id",
        label_log.contents,
        since="event_no > (select label_events from audit_begins)",
    ),
    "reveal": Subject("reveals", "reveal_no"),
    "role": Subject("roles", "role_no"),
    "person_groups": Subject("person_groups", "grant_no"),
    "person": Subject("people", "person"),
    "guideline": Subject("guidelines", "guideline"),
    "queue": Subject("queues", "queue_id"),
    "queue_event": Subject("queue_events", "event_no"),
    "queue_draw": Subject("queue_draws", "draw_no", _draws, parts="queue_items"),
    "adjudication": Subject("adjudications", "event_id"),
    "claim_gold": Subject("claim_gold", "event_id"),
    "adoption": Subject("adoptions", "adoption_id"),
    "supplied_passage": Subject("supplied_passages", "passage_id"),
    "corpus_policy": Subject("corpus_policies", "policy_no"),
}
"""The first word of an entry's subject → the rows it speaks of."""

WITHOUT_ROWS = frozenset({"claim", "export", "import"})
"""Kinds of acts that write nothing else: what was seen, taken out or brought in."""
