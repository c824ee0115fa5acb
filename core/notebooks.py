"""A notebook: named, with cells in an order; a cell is a note, or a question with every run that was made of it.

What people do is an event, and nothing is ever changed or lost: the functions here make events, the store keeps them
and says what holds after them. Texts of sources are in no event, for a source may have to be hidden one day.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from uuid import uuid4

from pydantic import Field

from core.errors import InputError
from core.models import Record
from core.sources import CORPUS
from core.sql_results import ChartChoice, SqlResult

LONGEST_NAME = 120
LONGEST_NOTE = 20_000
LONGEST_QUESTION = 2_000
"""Code points; what retrieval takes."""


class Kind(StrEnum):
    """What can happen to a notebook."""

    CREATED = "created"
    RENAMED = "renamed"
    QUESTION = "question"
    NOTE = "note"
    SQL = "sql"
    EDITED = "edited"
    MOVED = "moved"
    DELETED = "deleted"
    ASKED = "asked"
    ENDED = "ended"
    RAN = "ran"
    CHARTED = "charted"
    UNDONE = "undone"


UNDOABLE = (Kind.RENAMED, Kind.EDITED, Kind.MOVED, Kind.DELETED)
"""What undo takes back, the latest first; what was added is taken away by deleting it."""


class Setup(Record):
    """How a question is asked."""

    corpus: str = CORPUS
    generator: str = "extractive"
    verifier: str = "nli"
    gate: str = "quotes"
    excerpts: bool = False
    """Whether passages would do where no answer may be served."""


class Excerpted(Record):
    """A stretch of a passage that was served instead of an answer, by its place in the frozen registry."""

    label: str
    start: int
    end: int


class RunEnd(Record):
    """How a run ended; whatever was served is found by its request, whatever was not by its draft."""

    outcome: str
    """A word of ``core.outcomes.Ending``, or ``stopped`` or ``failed`` when the question was not even decided."""
    status: int | None = None
    """The status that a caller over HTTP would get."""
    reason: str | None = None
    claim_index: int | None = None
    request_id: str | None = None
    request_uid: str | None = None
    draft_id: str | None = None
    registry_sha256: str | None = None
    protocol: str | None = None
    gate: str | None = None
    generator: str | None = None
    model: str | None = None
    attempts: int = 0
    counts: dict[str, int] = Field(default_factory=dict)
    """``searched``, ``packed`` and ``cut`` passages."""
    notes: tuple[str, ...] = ()
    excerpts: tuple[Excerpted, ...] = ()
    first_event_s: float | None = None
    first_content_s: float | None = None
    validation_s: float = 0.0
    total_s: float = 0.0
    calls: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    """US dollars; none when the cost of one of the calls is not known."""
    said: str = ""
    """Why it failed, in a sentence of ours."""
    advice: str = ""


class Run(Record):
    """One asking of a question."""

    run_id: str
    setup: Setup
    asked_at: datetime
    ended_at: datetime | None
    end: RunEnd | None
    """None while it is under way, and for ever when the desk went down meanwhile."""


class Cell(Record):
    """One cell."""

    cell_id: str
    kind: Kind
    """``question``, ``note`` or ``sql``."""
    text: str
    runs: tuple[Run, ...] = ()
    """In the order in which they were asked."""
    result: SqlResult | None = None
    """What an SQL cell gave when it was run last."""
    chart: ChartChoice | None = None
    ran_by: str | None = None


class NotebookEvent(Record):
    """Something that happened to a notebook."""

    event_id: str = Field(default_factory=lambda: uuid4().hex)
    notebook_id: str
    kind: Kind
    cell_id: str | None = None
    run_id: str | None = None
    text: str | None = None
    setup: Setup | None = None
    end: RunEnd | None = None
    result: SqlResult | None = None
    chart: ChartChoice | None = None
    cell_order: tuple[str, ...] | None = None
    undoes: str | None = None


class NotebookInfo(Record):
    """A notebook in the list."""

    notebook_id: str
    name: str
    cells: int
    created_at: datetime
    changed_at: datetime


class Notebook(NotebookInfo):
    """A notebook as it stands."""

    content: tuple[Cell, ...]
    undoable: NotebookEvent | None = None
    """What undo would take back."""

    def cell(self, cell_id: str) -> Cell:
        """One of its cells.

        Raises:
            InputError: There is none of that id, or it was deleted.
        """
        found = next((cell for cell in self.content if cell.cell_id == cell_id), None)
        if found is None:
            raise InputError(f"The notebook has no cell {cell_id}", "open the notebook again")
        return found

    @property
    def order(self) -> tuple[str, ...]:
        """The ids of its cells in their order."""
        return tuple(cell.cell_id for cell in self.content)


def created(name: str) -> NotebookEvent:
    """Begin a notebook."""
    return NotebookEvent(notebook_id=uuid4().hex[:16], kind=Kind.CREATED, text=named(name))


def renamed(notebook_id: str, name: str) -> NotebookEvent:
    """Give it another name."""
    return NotebookEvent(notebook_id=notebook_id, kind=Kind.RENAMED, text=named(name))


def added(
    notebook_id: str, kind: Kind, text: str, order: tuple[str, ...] = (), after: str | None = None
) -> NotebookEvent:
    """Add a cell behind another one of the present order, or at the end."""
    cell_id = uuid4().hex[:12]
    where = order.index(after) + 1 if after in order else None
    return NotebookEvent(
        notebook_id=notebook_id,
        kind=kind,
        cell_id=cell_id,
        text=_text(kind, text),
        cell_order=None if where is None else (*order[:where], cell_id, *order[where:]),
    )


def edited(notebook: Notebook, cell_id: str, text: str) -> NotebookEvent:
    """Write a note or SQL anew; a question stays, for its runs answer it."""
    kind = notebook.cell(cell_id).kind
    if kind is Kind.QUESTION:
        raise InputError("A question that was asked cannot be changed", "ask the other one in a cell of its own")
    return NotebookEvent(notebook_id=notebook.notebook_id, kind=Kind.EDITED, cell_id=cell_id, text=_text(kind, text))


def moved(notebook: Notebook, cell_id: str, by: int) -> NotebookEvent:
    """Move a cell down by some places, up when the number is negative, as far as there are places."""
    rest = [other for other in notebook.order if other != notebook.cell(cell_id).cell_id]
    place = min(max(0, notebook.order.index(cell_id) + by), len(rest))
    order = (*rest[:place], cell_id, *rest[place:])
    return NotebookEvent(notebook_id=notebook.notebook_id, kind=Kind.MOVED, cell_id=cell_id, cell_order=order)


def deleted(notebook: Notebook, cell_id: str) -> NotebookEvent:
    """Take a cell out; undo brings it back."""
    return NotebookEvent(notebook_id=notebook.notebook_id, kind=Kind.DELETED, cell_id=notebook.cell(cell_id).cell_id)


def asked(notebook_id: str, cell_id: str, setup: Setup) -> NotebookEvent:
    """Begin a run of a question."""
    return NotebookEvent(
        notebook_id=notebook_id, kind=Kind.ASKED, cell_id=cell_id, run_id=uuid4().hex[:16], setup=setup
    )


def ended(notebook_id: str, cell_id: str, run_id: str, end: RunEnd) -> NotebookEvent:
    """End a run, once: its event has a name of its own."""
    return NotebookEvent(
        event_id=f"{run_id}-ended", notebook_id=notebook_id, kind=Kind.ENDED, cell_id=cell_id, run_id=run_id, end=end
    )


def ran(notebook_id: str, cell_id: str, result: SqlResult) -> NotebookEvent:
    """Keep what an SQL cell gave."""
    return NotebookEvent(notebook_id=notebook_id, kind=Kind.RAN, cell_id=cell_id, result=result)


def charted(notebook_id: str, cell_id: str, chart: ChartChoice) -> NotebookEvent:
    """Keep how a result is drawn."""
    return NotebookEvent(notebook_id=notebook_id, kind=Kind.CHARTED, cell_id=cell_id, chart=chart)


def undone(event: NotebookEvent) -> NotebookEvent:
    """Take an event back.

    Raises:
        InputError: It is of a kind that stays.
    """
    if event.kind not in UNDOABLE:
        raise InputError(f"What was {event.kind} cannot be undone", "delete the cell instead")
    return NotebookEvent(notebook_id=event.notebook_id, kind=Kind.UNDONE, undoes=event.event_id)


def named(name: str) -> str:
    """The name of a notebook on one line.

    Raises:
        InputError: It is blank or too long, or has characters that cannot be seen.
    """
    line = " ".join(name.split())
    if not line or len(line) > LONGEST_NAME or not line.isprintable():
        raise InputError(f"This is no name for a notebook: {line[:40]!r}", f"use 1 to {LONGEST_NAME} characters")
    return line


def name_for(question: str) -> str:
    """A name for the notebook that a question begins."""
    line = "".join(one if one.isprintable() else " " for one in " ".join(question.split()))
    return line if len(line) <= 60 else f"{line[:59].rstrip()}…"


def _text(kind: Kind, text: str) -> str:
    longest = LONGEST_QUESTION if kind is Kind.QUESTION else LONGEST_NOTE
    if not text.strip() or len(text) > longest:
        raise InputError(f"The {kind} has {len(text):,} characters", f"write something in 1 to {longest:,}")
    return text.strip() if kind is Kind.QUESTION else text
