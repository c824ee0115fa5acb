"""Notebooks of questions that were really asked, of a small corpus and with a generator that says what a test wants."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core import notebooks
from core.answering import Answering
from core.asking import Trouble
from core.desk import Desk
from core.errors import CitedeskError
from core.generators import Generation
from core.generators.extractive import ExtractiveGenerator
from core.models import GivenClaim
from core.notebook_work import CellWork
from core.notebooks import Kind, Notebook, Run, Setup
from core.retrieval import Retriever
from core.settings import Settings
from tests.core.corpora_of import fill
from tests.fakes.bag_of_words import BagOfWords
from tests.fakes.scripted_generator import ScriptedGenerator

ODD = "<script>alert(1)</script> <img src=x onerror=alert(1)> ![i](http://outside.example/i.png) $x$ \\(y\\) **b**"
"""What a careless page or file would run, fetch or make bold."""

FARE = "A foot passenger pays 3 crowns for the ferry."
TEXTS = {
    "fares.txt": f"{FARE} Children travel free, except on night sailings.",
    "odd.txt": f"The ferry notice says {ODD} for the ferry passenger.",
    "board.txt": "The ferry board discussed what a foot passenger pays in secret.",
}
QUERY = "What does a foot passenger pay for the ferry?"
LEXICAL = Setup(verifier="lexical")


@contextmanager
def opened(folder: Path) -> Iterator[Desk]:
    """A desk whose corpus holds the texts, one of them for the board only, with a fake embedder and no model."""
    desk = Desk.open(Settings(store=folder / "s.duckdb", verifier="lexical", cache=None))
    try:
        fill(desk.store, TEXTS, {"board.txt": ["board"]})
        without_models(desk)
        yield desk
    finally:
        desk.close()


def without_models(desk: Desk) -> None:
    """Give a desk an embedder that loads nothing."""
    model = BagOfWords()
    asked = Answering(desk.store, desk.settings, Retriever(desk.store, lambda: model))
    asked._generators["extractive"] = ExtractiveGenerator(model)
    desk.__dict__["answering"] = asked


def writes(desk: Desk, *replies: Generation | Trouble) -> None:
    """Let the generator say this from now on."""
    desk.answering._generators["extractive"] = ScriptedGenerator(*replies, repairs=len(replies) > 1)


def says(text: str, *labels: str, quote: str | None = None) -> Generation:
    """One claim."""
    claim = GivenClaim(text=text, citation_ids=labels, quotes=() if quote is None else (quote,))
    return Generation(answer="", claims=(claim,))


def begin(desk: Desk, name: str = "First look") -> str:
    """An empty notebook; gives its id."""
    event = notebooks.created(name)
    desk.store.notebooks.add([event], "ann")
    return event.notebook_id


def ask(
    desk: Desk, notebook_id: str, query: str = QUERY, setup: Setup = LEXICAL, groups: tuple[str, ...] | None = None
) -> Run:
    """Ask a question in a new cell of a notebook, and give its run."""
    cell = notebooks.added(notebook_id, Kind.QUESTION, query)
    run = notebooks.asked(notebook_id, cell.cell_id or "", setup)
    desk.store.notebooks.add([cell, run], "ann")
    work = CellWork(
        notebook_id=notebook_id,
        cell_id=cell.cell_id or "",
        run_id=run.run_id or "",
        query=query,
        setup=setup,
        groups=groups,
    )
    with suppress(CitedeskError):  # the notebook says why
        work.run(desk, lambda done, total: None)
    return read(desk, notebook_id).content[-1].runs[-1]


def note(desk: Desk, notebook_id: str, text: str) -> None:
    """Add a note at the end."""
    desk.store.notebooks.add([notebooks.added(notebook_id, Kind.NOTE, text)], "ann")


def read(desk: Desk, notebook_id: str) -> Notebook:
    """A notebook that must be there."""
    found = desk.store.notebooks.get(notebook_id)
    assert found is not None
    return found
