"""SQL cells: whose verdicts a result speaks of, what is hidden, and what a notebook keeps."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from core import notebook_files, notebook_reading, notebooks, sql_cell
from core.errors import InputError
from core.models import Label
from core.notebook_reading import Reader
from core.notebooks import Kind
from core.people import Person, Role
from core.sql_results import ChartChoice, ChartKind
from core.store import Store, open_store
from core.store.queue_records import Draw, DrawnClaim, QueueSpec
from tests.core.store import build
from tests.core.store.conftest import empty as empty  # a fixture
from tests.core.store.conftest import store as store

ANN = Person(name="ann", role=Role.REVIEWER)
RATE = "select avg(unsupported_strict::int) as rate from v_verdicts where judged"
ONE, TWO = str(build.PROTOCOL), str(build.protocol(0.9))


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two claims that two protocols judged differently."""
    of = build.answer()
    with open_store(tmp_path_factory.mktemp("judged") / "desk.duckdb") as opened:
        opened.record(build.batch(build.checked(of, [Label.SUPPORTED, Label.CONTRADICTED])))
        opened.record(build.batch(build.checked(of, [Label.PARTIAL, Label.CONTRADICTED]), under=build.protocol(0.9)))
        yield opened


@pytest.mark.parametrize(
    ("sql", "note"),
    [
        (f"select protocol, {RATE[7:]} group by protocol", "every row says by which"),
        (RATE, "Mixes 2 protocols"),
        (f"{RATE} and protocol = '{ONE}'", f"Judged by {ONE}."),
        (f"{RATE} and protocol <> '{ONE}'", "Mixes 2 protocols"),
        (f"{RATE} or protocol = '{ONE}'", "Mixes 2 protocols"),
        (f"with a as (from v_verdicts) select avg(unsupported_strict::int) as r, '{ONE}' as x from a", "Mixes"),
    ],
)
def test_a_figure_names_its_judge_or_says_that_it_has_none(judged: Store, sql: str, note: str) -> None:
    """By what it gives when nobody else had judged, not by what it looks like."""
    assert note in sql_cell.ask(judged, sql).notes[0]


def test_what_is_of_no_judge_needs_none(judged: Store) -> None:
    """Claims and answers are nobody's verdict."""
    assert sql_cell.ask(judged, "select count(*) from v_claims").notes == ()


def test_what_is_hidden_is_in_no_view(store: Store) -> None:
    """A claim of a blind queue counts only for whoever keeps the desk, and the result says so."""
    of = build.answer()
    store.record(build.batch(build.checked(of, [Label.SUPPORTED, Label.CONTRADICTED])))
    item = DrawnClaim(claim_uid=build.uid(of, build.claim(2)), place=1, probability=1.0, stratum="all", wanted=1)
    store.queues.create(
        QueueSpec(name="blind"), Draw(items=(item,), population=1, newest=2, strata={"all": (1, 1)}), "keeper"
    )
    sql = "select label from v_verdicts union all select claim from v_claims order by 1"

    assert len(sql_cell.ask(store, sql).rows) == 4
    found = sql_cell.ask(store, sql, ANN)
    assert [row[0] for row in found.rows] == ["The gate is open, says line 1.", "supported"]
    assert "1 claims are not counted" in found.notes[-1]


def test_a_notebook_keeps_question_result_and_chart(judged: Store) -> None:
    """And its files have them: the question, the rows, and whose verdicts they are."""
    book = notebooks.created("Rates")
    cell = notebooks.added(book.notebook_id, Kind.SQL, RATE)
    assert cell.cell_id
    result = sql_cell.ask(judged, 'select protocol, label, 1.5 as "a|b" from v_verdicts order by all', ANN)
    chart = ChartChoice(kind=ChartKind.BAR, x="label", y="a|b")
    judged.notebooks.add(
        [
            book,
            cell,
            notebooks.ran(book.notebook_id, cell.cell_id, result),
            notebooks.charted(book.notebook_id, cell.cell_id, chart),
        ],
        "ann",
    )
    kept = judged.notebooks.get(book.notebook_id)
    assert kept is not None
    one = kept.content[0]
    files = {suffix: notebook_files.text_of(judged, kept, suffix) for suffix in notebook_files.FORMATS}

    assert (one.kind, one.text, one.result, one.chart, one.ran_by) == (Kind.SQL, RATE, result, chart, "ann")
    assert result.numbers == ("a|b",)
    assert "<td><bdi>contradicted</bdi></td>" in files[".html"]
    assert "a\\|b" in files[".md"]
    assert "Judged by" in files[".md"]
    assert "contradicted" in json.loads(files[".ipynb"])["cells"][1]["source"]


def test_a_cell_is_written_anew(judged: Store) -> None:
    """Like a note; undo takes it back."""
    book = notebooks.created("Edits")
    judged.notebooks.add([book, cell := notebooks.added(book.notebook_id, Kind.SQL, "select 1")], "ann")
    kept = judged.notebooks.get(book.notebook_id)
    assert kept
    assert cell.cell_id
    judged.notebooks.add([notebooks.edited(kept, cell.cell_id, "select 2")], "ann")
    kept = judged.notebooks.get(book.notebook_id)
    assert kept
    assert kept.undoable
    assert kept.content[0].text == "select 2"
    judged.notebooks.add([notebooks.undone(kept.undoable)], "ann")

    again = judged.notebooks.get(book.notebook_id)
    assert again
    assert again.content[0].text == "select 1"


def test_a_result_of_somebody_else_waits_for_the_label(store: Store) -> None:
    """Who has a claim to label blind sees no figure that others made; who got it does."""
    of = build.answer()
    store.record(build.batch(build.checked(of, [Label.SUPPORTED])))
    book = notebooks.created("Rates")
    cell = notebooks.added(book.notebook_id, Kind.SQL, RATE)
    result = sql_cell.ask(store, RATE)
    store.notebooks.add([book, cell, notebooks.ran(book.notebook_id, cell.cell_id or "", result)], "bob")
    kept = store.notebooks.get(book.notebook_id)
    assert kept

    def shown(name: str) -> bool:
        reader = Reader(person=Person(name=name, role=Role.REVIEWER))
        return notebook_reading.read(store, kept, reader)[0].cell.result is not None

    assert shown("ann")
    item = DrawnClaim(claim_uid=build.uid(of, build.claim(1)), place=1, probability=1.0, stratum="all", wanted=1)
    draw = Draw(items=(item,), population=1, newest=1, strata={"all": (1, 1)})
    store.queues.create(QueueSpec(name="blind"), draw, "keeper")

    assert not shown("ann")
    assert shown("bob")


def test_a_bad_question_is_one_sentence(judged: Store) -> None:
    """Nothing of DuckDB's stack."""
    with pytest.raises(InputError, match="cannot be answered"):
        sql_cell.ask(judged, "select nothing from v_claims")
