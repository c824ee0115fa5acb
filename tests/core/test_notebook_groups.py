"""A notebook is open to every reviewer: what each sees in it, and takes out of it, is what their groups allow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core import exporting, notebook_files, notebook_reading, notebooks, sql_cell
from core.desk import Desk
from core.errors import InputError
from core.exporting import ExportRequest
from core.models import utc_now
from core.notebook_reading import Reader
from core.notebook_work import CellWork
from core.notebooks import Kind, Notebook
from core.people import Person, Role
from tests.core.corpora_of import fill
from tests.core.notebooks_made import FARE, LEXICAL, QUERY, ask, begin, opened, read, says, writes

CHILDREN = "Do children travel free on the ferry, except on night sailings?"
"""The board's source is found for it, and is not near enough to be given to a generator."""

SECRET = "discussed"
OUTSIDE = Reader(groups=(), person=Person(name="bob", role=Role.REVIEWER))
BOARD = Reader(groups=("board",), person=Person(name="eve", role=Role.REVIEWER, groups=("board",)))
SOURCES = "select distinct source from v_verdicts order by all"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk whose corpus has a source of the board."""
    with opened(tmp_path) as one:
        yield one


def board_id(desk: Desk) -> str:
    """The document that only the board may see."""
    return next(source.doc_id for source in desk.store.corpora.sources("main") if source.groups)


def everything(desk: Desk, notebook: Notebook, reader: Reader) -> str:
    """All that a reader gets of a notebook: on the page, and in each file."""
    shown = "".join(cell.model_dump_json() for cell in notebook_reading.read(desk.store, notebook, reader))
    files = (notebook_files.text_of(desk.store, notebook, suffix, reader) for suffix in notebook_files.FORMATS)
    return "\n".join([shown, *files])


def test_what_was_only_found_is_not_even_counted(desk: Desk) -> None:
    """Nothing of the board's was given to the generator: the answer is for all, that it was found is for the board."""
    notebook_id = begin(desk)
    ask(desk, notebook_id, CHILDREN)
    book = read(desk, notebook_id)
    outside, board, keeper = (
        notebook_reading.read(desk.store, book, one)[0].runs[0] for one in (OUTSIDE, BOARD, Reader())
    )

    assert outside.is_served
    assert board.is_served
    assert outside.answer
    assert board.answer
    assert outside.run.end
    assert board.run.end
    assert keeper.run.end
    assert [entry.in_context for entry in outside.answer.evidence] == [True] * len(outside.answer.evidence)
    assert board_id(desk) in str([entry.meta["chunk_id"] for entry in board.answer.evidence])
    assert outside.run.end.counts == {}
    assert set(board.run.end.counts) == {"packed", "cut"}
    assert set(keeper.run.end.counts) == {"searched", "packed", "cut"}
    assert board_id(desk) not in everything(desk, book, OUTSIDE)
    assert SECRET not in everything(desk, book, OUTSIDE)


def test_an_answer_from_what_they_may_not_see_tells_nothing(desk: Desk) -> None:
    """Neither a claim, nor a place, nor how much there was; and whoever is in the group reads all of it."""
    notebook_id = begin(desk)
    ask(desk, notebook_id)
    book = read(desk, notebook_id)
    told = everything(desk, book, OUTSIDE)
    run = notebook_reading.read(desk.store, book, OUTSIDE)[0].runs[0]

    assert run.words == "This answer cites sources that you may not see."
    assert run.run.end
    assert (run.run.end.counts, run.run.end.notes, run.run.end.excerpts) == ({}, (), ())
    assert FARE not in told
    assert SECRET not in told
    assert board_id(desk) not in told
    assert FARE in everything(desk, book, BOARD)


@pytest.mark.parametrize("suffix", sorted(notebook_files.FORMATS))
def test_a_file_is_written_for_its_readers(desk: Desk, tmp_path: Path, suffix: str) -> None:
    """As the options ``--everyone`` and ``--group`` say; without them for whoever keeps the desk."""
    notebook_id = begin(desk)
    ask(desk, notebook_id)
    files = {}
    for name, groups in (("all", ()), ("board", ("board",)), ("keeper", None)):
        out = tmp_path / f"{name}{suffix}"
        asked = ExportRequest(what="notebook", out=out, name=notebook_id, groups=groups)
        exporting.export(desk.store, asked)
        files[name] = out.read_text(encoding="utf-8")

    assert FARE not in files["all"]
    assert "cites sources that you may not see" in files["all"]
    assert FARE in files["board"]
    assert FARE in files["keeper"]


def test_a_blocked_draft_counts_nothing_for_others(desk: Desk) -> None:
    """Who may not see all that was found is told why it was stopped, and no number of passages."""
    writes(desk, says("A foot passenger pays Zanzibar.", "E9"))
    notebook_id = begin(desk)
    ask(desk, notebook_id)
    run = notebook_reading.read(desk.store, read(desk, notebook_id), OUTSIDE)[0].runs[0]

    assert run.draft is None
    assert run.run.end
    assert (run.run.end.reason, run.run.end.counts) == ("hallucinated_citation", {})


@settings(max_examples=8, deadline=None)
@given(
    papers=st.lists(st.tuples(st.sets(st.sampled_from(["staff", "board"])), st.booleans()), min_size=2, max_size=4),
    asks=st.sampled_from([None, (), ("staff",), ("board",)]),
    reads=st.sampled_from([(), ("staff",), ("board",), ("staff", "board")]),
)
@example(papers=[(set(), True), ({"board"}, False)], asks=None, reads=())
def test_no_passage_of_others_whoever_asked(
    tmp_path_factory: pytest.TempPathFactory,
    papers: list[tuple[set[str], bool]],
    asks: tuple[str, ...] | None,
    reads: tuple[str, ...],
) -> None:
    """Whatever the groups of sources, near the question or only found, of whoever asked and of whoever reads.

    No word, id or title of what is barred.
    """
    groups = [may for may, _ in papers]
    with opened(tmp_path_factory.mktemp("whoever")) as desk:
        said = {True: "The toll of the bridge is {} crowns in", False: "Snow fell {} times on"}
        texts = {f"paper{at}.txt": f"{said[near].format(at + 3)} Canary{at}x." for at, (_, near) in enumerate(papers)}
        fill(desk.store, texts, {f"paper{at}.txt": sorted(may) for at, may in enumerate(groups)}, corpus="mixed")
        notebook_id = begin(desk)
        setup = LEXICAL.model_copy(update={"corpus": "mixed", "excerpts": True})
        ask(desk, notebook_id, "What is the toll of the bridge?", setup, asks)
        told = everything(desk, read(desk, notebook_id), Reader(groups=reads))

        sources = desk.store.corpora.sources("mixed")
        hidden = [one.doc_id for one in sources if one.groups and not set(one.groups) & set(reads)]
        barred = [at for at, may in enumerate(groups) if may and not may & set(reads)]
        assert len(hidden) == len(barred)
        assert [doc_id for doc_id in hidden if doc_id in told] == []
        assert [at for at in barred if f"Canary{at}x" in told or f"paper{at}" in told] == []


def test_stages_are_counted_for_whoever_may_see_what_is_found(desk: Desk) -> None:
    """While a question is under way."""

    def work(groups: tuple[str, ...] | None) -> CellWork:
        return CellWork(notebook_id="n", cell_id="c", run_id="r", query=QUERY, setup=LEXICAL, groups=groups)

    assert work(("board",)).is_open_to(BOARD)
    assert work(()).is_open_to(BOARD)
    assert work(None).is_open_to(Reader())
    assert not work(None).is_open_to(BOARD)
    assert not work(("board",)).is_open_to(OUTSIDE)


def person(reader: Reader) -> Person:
    """Who a reader is."""
    assert reader.person is not None
    return reader.person


def test_sql_names_no_source_that_is_hidden(desk: Desk) -> None:
    """A title may be the words of a source: where one of a request is hidden, none of its claims names its source."""
    ask(desk, begin(desk))

    assert [row[0] for row in sql_cell.ask(desk.store, SOURCES, person(OUTSIDE)).rows] == [None]
    board, keeper = (sql_cell.ask(desk.store, SOURCES, one).rows for one in (person(BOARD), None))
    assert board == keeper
    assert all(row[0] for row in keeper)
    for source in desk.store.corpora.sources("main"):
        desk.store.corpora.deactivate(source.doc_id, None, "ann")
    assert [row[0] for row in sql_cell.ask(desk.store, SOURCES).rows] == [None]


def test_sql_forgets_a_source_when_its_time_is_over(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although nothing was written since the last question."""
    ask(desk, begin(desk))
    for source in desk.store.corpora.sources("main"):
        desk.store.corpora.retain(source.doc_id, None, utc_now() + timedelta(hours=1), "ann")
    assert all(row[0] for row in sql_cell.ask(desk.store, SOURCES).rows)

    later = utc_now() + timedelta(hours=2)
    monkeypatch.setattr("core.store.sandbox.utc_now", lambda: later)
    assert [row[0] for row in sql_cell.ask(desk.store, SOURCES).rows] == [None]


def test_a_kept_result_is_for_whoever_would_get_it(desk: Desk) -> None:
    """What the board got is not shown to others, nor to the board once a source was withdrawn; asking anew helps."""
    notebook_id = begin(desk)
    ask(desk, notebook_id)
    cell = notebooks.added(notebook_id, Kind.SQL, SOURCES)
    result = sql_cell.ask(desk.store, SOURCES, person(BOARD))
    desk.store.notebooks.add([cell, notebooks.ran(notebook_id, cell.cell_id or "", result)], "eve")

    def shown(reader: Reader) -> tuple[bool, str]:
        found = notebook_reading.read(desk.store, read(desk, notebook_id), reader)[-1]
        return found.cell.result is not None, found.hidden

    assert shown(BOARD) == (True, "")
    assert shown(Reader()) == (True, "")
    kept, why = shown(OUTSIDE)
    assert not kept
    assert why.startswith("Somebody else got this result, and it may name sources")
    assert not shown(Reader(groups=()))[0]  # a file for everyone is for nobody in particular

    desk.store.corpora.deactivate(board_id(desk), None, "ann")
    assert [shown(one)[0] for one in (BOARD, Reader())] == [False, False]
    again = sql_cell.ask(desk.store, SOURCES, person(BOARD))
    desk.store.notebooks.add([notebooks.ran(notebook_id, cell.cell_id or "", again)], "eve")
    assert shown(BOARD) == (True, "")


def test_whoever_loses_a_group_loses_what_they_got_with_it(desk: Desk) -> None:
    """Also in their own cell; who has as many groups sees what others got, and what nobody noted is for nobody."""
    notebook_id = begin(desk)
    ask(desk, notebook_id)
    cell = notebooks.added(notebook_id, Kind.SQL, SOURCES)
    result = sql_cell.ask(desk.store, SOURCES, person(BOARD))
    desk.store.notebooks.add([cell, notebooks.ran(notebook_id, cell.cell_id or "", result)], person(BOARD).name)

    def shown(name: str, *groups: str) -> tuple[bool, str]:
        who = person(BOARD).model_copy(update={"name": name, "groups": groups})
        found = notebook_reading.read(desk.store, read(desk, notebook_id), Reader(groups=groups, person=who))[-1]
        return found.cell.result is not None, found.hidden

    assert result.seen_with == person(BOARD).groups
    assert shown(person(BOARD).name, "board") == (True, "")
    assert shown("mia", "board", "more") == (True, "")
    assert shown("mia")[1].startswith("Somebody else got this result, and it may name sources")
    kept, why = shown(person(BOARD).name)
    assert not kept
    assert why.startswith("You got this result with access groups that you do not have now")

    unnoted = result.model_copy(update={"seen_with": None})
    desk.store.notebooks.add([notebooks.ran(notebook_id, cell.cell_id or "", unnoted)], person(BOARD).name)
    assert not shown("mia", "more")[0]


def test_a_result_without_sources_is_for_all(desk: Desk) -> None:
    """Counts of questions name nothing."""
    notebook_id = begin(desk)
    sql = "select count(*) as questions from v_requests"
    cell = notebooks.added(notebook_id, Kind.SQL, sql)
    desk.store.notebooks.add([cell, notebooks.ran(notebook_id, cell.cell_id or "", sql_cell.ask(desk.store, sql))], "x")

    (shown,) = notebook_reading.read(desk.store, read(desk, notebook_id), OUTSIDE)
    assert shown.cell.result is not None


def test_who_may_not_see_the_evidence_may_not_have_it_asked_again(desk: Desk) -> None:
    """The probe sends it to a generator, and says what came of it."""
    run = ask(desk, begin(desk))
    assert run.end is not None
    request_id = run.end.request_id or ""

    with pytest.raises(InputError, match="may not be used"):
        desk.answering.probe(request_id, "c1", ())
    assert desk.answering.probe(request_id, "c1", ("board",)).claim == FARE


def test_ipynb_says_no_more_than_it_shows(desk: Desk) -> None:
    """The data beside the words is that of the run as its reader may see it."""
    notebook_id = begin(desk)
    ask(desk, notebook_id)
    made = json.loads(notebook_files.text_of(desk.store, read(desk, notebook_id), ".ipynb", OUTSIDE))
    (run,) = made["cells"][1]["metadata"]["citedesk"]["runs"]

    assert run["end"]["counts"] == {}
    assert run["end"]["notes"] == []
