"""Notebooks in the store: events in, and what holds after them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from core.errors import StoreConflict
from core.models import utc_now
from core.notebooks import UNDOABLE, Cell, Kind, Notebook, NotebookEvent, NotebookInfo, Run, RunEnd, Setup
from core.sql_results import ChartChoice, SqlResult
from core.store.connection import Connection, Session
from core.store.encoding import dump_json

_INFOS = "select notebook_id, name, cells, created_at, changed_at from current_notebooks"


class Notebooks:
    """The part of a store that holds notebooks; like the store safe to use from many threads."""

    def __init__(self, connection: Connection, changed: Callable[[], None]) -> None:
        """Use the store's connection; ``changed`` is called after every write."""
        self._connection = connection
        self._changed = changed

    def add(self, events: Sequence[NotebookEvent], who: str) -> None:
        """Write events down in one transaction; one that is there already is passed over.

        Raises:
            StoreConflict: An event is about a notebook that was never created; nothing was written.
        """
        with self._connection.write() as session:
            for event in events:
                _add(session, event, who)
        self._changed()

    def all(self) -> list[NotebookInfo]:
        """Every notebook, the one changed last first."""
        with self._connection.read() as session:
            return [_info(row) for row in session.all(f"{_INFOS} order by changed_at desc, notebook_id")]

    def find(self, name: str) -> list[NotebookInfo]:
        """The notebooks that have this id, or else this name, the one changed last first."""
        with self._connection.read() as session:
            by_id = session.all(f"{_INFOS} where notebook_id = ?", [name])
            found = by_id or session.all(f"{_INFOS} where name = ? order by changed_at desc, notebook_id", [name])
        return [_info(row) for row in found]

    def get(self, notebook_id: str) -> Notebook | None:
        """A notebook as it stands; none when there is none of that id."""
        with self._connection.read() as session:
            info = session.one(f"{_INFOS} where notebook_id = ?", [notebook_id])
            if info is None:
                return None
            runs = _runs(session, notebook_id)
            cells = session.all(
                "select cell_id, kind, text from current_cells where notebook_id = ? order by place, born",
                [notebook_id],
            )
            results = _results(session, notebook_id)
            content = tuple(
                Cell(
                    cell_id=cell_id,
                    kind=kind,
                    text=text,
                    runs=tuple(runs.get(cell_id, ())),
                    **results.get(cell_id, {}),
                )
                for cell_id, kind, text in cells
            )
            return Notebook(**dict(_info(info)), content=content, undoable=_undoable(session, notebook_id))


def _add(session: Session, event: NotebookEvent, who: str) -> None:
    if session.one("select 1 from notebook_events where event_id = ?", [event.event_id]):
        return
    known = session.one("select 1 from notebook_events where notebook_id = ?", [event.notebook_id])
    if event.kind is not Kind.CREATED and known is None:
        raise StoreConflict(f"There is no notebook {event.notebook_id}", "begin a new one")
    body = event.setup or event.end or event.result or event.chart
    values: dict[str, Any] = event.model_dump(exclude={"setup", "end", "result", "chart"})
    values |= {
        "event_no": session.next_number("notebook_events", "event_no"),
        "kind": str(event.kind),
        "body": None if body is None else dump_json(body.model_dump(mode="json")),
        "cell_order": None if event.cell_order is None else [*event.cell_order],
        "who": who,
        "recorded_at": utc_now(),
    }
    session.append("notebook_events", [values])


def _info(row: tuple[Any, ...]) -> NotebookInfo:
    return NotebookInfo(**dict(zip(NotebookInfo.model_fields, row, strict=True)))


def _runs(session: Session, notebook_id: str) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = {}
    for cell_id, run_id, setup, asked_at, ended_at, ending in session.all(
        "select cell_id, run_id, setup, asked_at, ended_at, ending from cell_runs where notebook_id = ? order by born",
        [notebook_id],
    ):
        run = Run(
            run_id=run_id,
            setup=Setup.model_validate_json(setup),
            asked_at=asked_at,
            ended_at=ended_at,
            end=None if ending is None else RunEnd.model_validate_json(ending),
        )
        found.setdefault(cell_id, []).append(run)
    return found


def _results(session: Session, notebook_id: str) -> dict[str, dict[str, Any]]:
    """Of SQL cells that were run: the last result, who ran it, and how it is drawn."""
    return {
        cell_id: {
            "result": result and SqlResult.model_validate_json(result),
            "chart": chart and ChartChoice.model_validate_json(chart),
            "ran_by": who,
        }
        for cell_id, result, chart, who in session.all(
            "select cell_id, result, chart, who from cell_results where notebook_id = ?", [notebook_id]
        )
    }


def _undoable(session: Session, notebook_id: str) -> NotebookEvent | None:
    row = session.one(
        "select event_id, notebook_id, kind, cell_id, text from standing_notebook_events "
        "where notebook_id = ? and kind in ? order by event_no desc limit 1",
        [notebook_id, [str(kind) for kind in UNDOABLE]],
    )
    names = ("event_id", "notebook_id", "kind", "cell_id", "text")
    return None if row is None else NotebookEvent(**dict(zip(names, row, strict=True)))
