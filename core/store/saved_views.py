"""Saved views: filters of the pages under a name, as events of which the last counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from uuid import uuid4

from core.errors import InputError
from core.models import Record, digest, utc_now
from core.store.connection import Connection
from core.store.encoding import dump_json

LONGEST_NAME = 120
PAGES = ("failures", "review")
_COLUMNS = "view_id, name, page, params, who, changed_at"


class SavedView(Record):
    """A filter of a page under a name."""

    view_id: str
    name: str
    page: str
    params: dict[str, str]
    """Query parameters."""
    who: str
    """Who named it last."""
    changed_at: datetime


def view_id(page: str, params: Mapping[str, str]) -> str:
    """The name of a filter for programs: the same page and parameters are the same view."""
    return digest([page, dict(params)])[:16]


class SavedViews:
    """The part of a store that holds saved views; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection, changed: Callable[[], None]) -> None:
        """Use the store's connection; ``changed`` is called after every write."""
        self._connection = connection
        self._changed = changed

    def save(self, page: str, params: Mapping[str, str], name: str, who: str, event_id: str | None = None) -> str:
        """Name a filter, or give one that has a name another; gives its id.

        Raises:
            InputError: The name is blank or too long, or no such page has views.
        """
        line = " ".join(name.split())
        if not line or len(line) > LONGEST_NAME or not line.isprintable():
            raise InputError(f"This is no name for a view: {line[:40]!r}", f"use 1 to {LONGEST_NAME} characters")
        if page not in PAGES:
            raise InputError(f"The page {page!r} has no views", f"choose {' or '.join(PAGES)}")
        name_of = view_id(page, params)
        kind = "renamed" if self.get(name_of) else "saved"
        self._note(
            event_id,
            kind,
            line,
            SavedView(view_id=name_of, name=line, page=page, params=dict(params), who=who, changed_at=utc_now()),
        )
        return name_of

    def delete(self, view_id: str, who: str, event_id: str | None = None) -> bool:
        """Take a view out of the list; gives whether it stood there."""
        found = self.get(view_id)
        if found is not None:
            self._note(event_id, "deleted", None, found.model_copy(update={"who": who}))
        return found is not None

    def all(self) -> list[SavedView]:
        """Every view, by name."""
        with self._connection.read() as session:
            found = session.all(f"select {_COLUMNS} from current_saved_views order by lower(name), view_id")
        return [_view(row) for row in found]

    def get(self, view_id: str) -> SavedView | None:
        """A view; none when it was never saved, or deleted."""
        with self._connection.read() as session:
            row = session.one(f"select {_COLUMNS} from current_saved_views where view_id = ?", [view_id])
        return None if row is None else _view(row)

    def _note(self, event_id: str | None, kind: str, name: str | None, view: SavedView) -> None:
        event_id = event_id or uuid4().hex
        with self._connection.write() as session:
            if session.one("select 1 from saved_view_events where event_id = ?", [event_id]):
                return
            values = {
                "event_no": session.next_number("saved_view_events", "event_no"),
                "event_id": event_id,
                "view_id": view.view_id,
                "kind": kind,
                "name": name,
                "page": view.page,
                "params": dump_json(view.params),
                "who": view.who,
                "recorded_at": utc_now(),
            }
            session.append("saved_view_events", [values])
        self._changed()


def _view(row: tuple[object, ...]) -> SavedView:
    values = dict(zip(SavedView.model_fields, row, strict=True))
    return SavedView.model_validate(values | {"params": json.loads(str(values["params"]))})
