"""Runs of a notebook: every way to end in plain words, what is kept of it, and who may see what."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from core import notebook_reading
from core.asking import Trouble, When
from core.desk import Desk
from core.errors import CitedeskError
from core.gate import GateReason
from core.generators import Generation
from core.models import Failure, utc_now
from core.notebook_reading import FAILED, STOPPED, Reader
from core.notebook_work import CellWork
from core.notebooks import RunEnd, Setup
from core.outcomes import TABLE, Ending
from tests.core.notebooks_made import FARE, LEXICAL, QUERY, ask, begin, opened, read, says, writes

STRANGER = Reader(groups=(), reviews=False)
SECRET = "A foot passenger pays Zanzibar."


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One desk for all; every test has a notebook of its own."""
    with opened(tmp_path_factory.mktemp("reading")) as one:
        yield one


@pytest.fixture
def desk(shared: Desk) -> Iterator[Desk]:
    """That desk with its own generator, and with every source in use again afterwards."""
    generator = shared.answering._generators["extractive"]
    yield shared
    shared.answering._generators["extractive"] = generator
    for source in shared.store.corpora.sources("main"):
        if not source.active:
            shared.store.corpora.activate(source.doc_id, None, "ann")


def test_what_was_served_is_found_again(desk: Desk) -> None:
    """Answer, claim table and footnotes come from the store; the notebook keeps no word of a source."""
    run = ask(desk, begin(desk))
    shown = notebook_reading.run(desk.store, run, Reader())

    assert run.end is not None
    assert (run.end.outcome, run.end.status, shown.is_served) == ("answered", 200, True)
    assert FARE not in run.end.model_dump_json()
    assert shown.answer is not None
    assert shown.rows[0].claim == FARE
    assert [row.claim for row in shown.rows] == [claim.text for claim in shown.answer.claims or ()]
    assert shown.footnotes[0].quote == FARE
    assert (run.end.calls, run.end.cost, run.end.first_event_s is not None) == (0, 0.0, True)
    assert set(run.end.counts) == {"searched", "packed", "cut"}


def test_a_blocked_draft_is_for_reviewers(desk: Desk) -> None:
    """The run says why and where; the draft itself is in the quarantine, and for nobody else."""
    writes(desk, says(SECRET, "E9"))
    run = ask(desk, begin(desk))
    reviewer, stranger = (notebook_reading.run(desk.store, run, one) for one in (Reader(), STRANGER))

    assert run.end is not None
    assert (run.end.outcome, run.end.reason, run.end.claim_index) == ("blocked", "hallucinated_citation", 0)
    assert reviewer.words == (
        "Not served: the gate stopped the answer. Claim 1 cites something that the generator was never given."
    )
    assert reviewer.draft is not None
    assert [claim.text for claim in reviewer.draft.answer.claims or ()] == [SECRET]
    assert (stranger.draft, stranger.answer, reviewer.answer) == (None, None, None)
    assert "Zanzibar" not in stranger.model_dump_json() + run.model_dump_json()


def test_a_draft_is_for_reviewers_in_all_of_its_groups(desk: Desk) -> None:
    """A source of the board was in its registry."""
    writes(desk, says(SECRET, "E9"))
    run = ask(desk, begin(desk))

    assert notebook_reading.run(desk.store, run, Reader(groups=())).draft is None
    assert notebook_reading.run(desk.store, run, Reader(groups=("board",))).draft is not None


def test_prose_that_no_claim_covers(desk: Desk) -> None:
    """Is told as such when the draft shows that there is no claim of that number."""
    writes(desk, Generation(answer="The ferry costs 9 crowns.", claims=()))
    run = ask(desk, begin(desk))

    shown = notebook_reading.run(desk.store, run, Reader())
    assert shown.words.endswith("It states something that none of its claims covers.")
    assert notebook_reading.run(desk.store, run, STRANGER).words.endswith("or something was said that no claim covers.")


def test_excerpts_are_places_in_the_registry(desk: Desk) -> None:
    """Served instead of an answer when that would do."""
    writes(desk, says(SECRET, "E9"))
    run = ask(desk, begin(desk), setup=LEXICAL.model_copy(update={"excerpts": True}))
    shown = notebook_reading.run(desk.store, run, STRANGER.model_copy(update={"groups": None}))

    assert run.end is not None
    assert run.end.outcome == "degraded_extractive"
    assert shown.excerpts
    assert shown.answer is not None
    texts = {entry.id: entry.text for entry in shown.answer.evidence}
    assert all(text and text in texts[label] for label, text in shown.excerpts)
    assert not shown.is_served


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Generation(), "abstained_by_model"),
        (Trouble(failure=Failure.OVERLOADED, reason="busy", when=When.BEFORE), "provider_unavailable"),
        (Trouble(failure=Failure.CUT_OFF, reason="cut", when=When.DURING), "interrupted"),
        (Trouble(failure=Failure.REFUSED, reason="no", when=When.AFTER), "invalid_output"),
    ],
)
def test_other_ends(desk: Desk, reply: Generation | Trouble, outcome: str) -> None:
    """Each is kept under its own word and tells what to do."""
    writes(desk, reply)
    run = ask(desk, begin(desk))
    shown = notebook_reading.run(desk.store, run, Reader())

    assert run.end is not None
    assert run.end.outcome == outcome
    assert shown.words.startswith(TABLE[Ending(outcome)].words)
    assert shown.next_step


def test_nothing_near(desk: Desk) -> None:
    """No generator was asked."""
    run = ask(desk, begin(desk), "Quantum chromodynamics?")

    assert run.end is not None
    assert (run.end.outcome, run.end.attempts, run.end.counts["packed"]) == ("abstained_no_evidence", 0, 0)


def test_what_cannot_be_asked_says_why(desk: Desk) -> None:
    """Also when there is no such corpus, or no such generator."""
    run = ask(desk, begin(desk), setup=Setup(corpus="nowhere", verifier="lexical"))
    shown = notebook_reading.run(desk.store, run, Reader())

    assert run.end is not None
    assert run.end.outcome == FAILED
    assert shown.words == "Not asked. There is no corpus called 'nowhere'."
    assert shown.next_step == "See: citedesk corpus list."


def test_a_stopped_question_says_so(desk: Desk) -> None:
    """What progress raises ends it, and the notebook knows."""

    class Stopped(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Stopped

    run = ask(desk, begin(desk))
    nb, cell = desk.store.notebooks.all()[0].notebook_id, "other"
    work = CellWork(notebook_id=nb, cell_id=cell, run_id="r2", query=QUERY, setup=LEXICAL)
    kept: list[RunEnd] = []
    object.__setattr__(work, "close", lambda desk, end: kept.append(end))
    with pytest.raises(Stopped):
        work.run(desk, stop)

    assert [end.outcome for end in kept] == [STOPPED]
    assert [event.stage for event in work.events] == ["preparing"]
    assert run.end is not None


def test_the_first_end_stands(desk: Desk) -> None:
    """A stop that comes after the answer changes nothing."""
    notebook_id = begin(desk)
    run = ask(desk, notebook_id)
    cell = read(desk, notebook_id).content[0]
    work = CellWork(notebook_id=notebook_id, cell_id=cell.cell_id, run_id=run.run_id, query=QUERY, setup=LEXICAL)
    work.close(desk, RunEnd(outcome=STOPPED))

    assert read(desk, notebook_id).content[0].runs == (run,)


def test_sources_taken_out_of_use_are_hidden(desk: Desk) -> None:
    """Their text goes; that they were cited stays."""
    run = ask(desk, begin(desk))
    for source in desk.store.corpora.sources("main"):
        desk.store.corpora.deactivate(source.doc_id, None, "ann")
    shown = notebook_reading.run(desk.store, run, Reader())

    assert shown.answer is not None
    assert {entry.text for entry in shown.answer.evidence} == {""}
    assert [note.quote for note in shown.footnotes] == [None] * len(shown.footnotes)


def test_a_stranger_sees_no_answer_from_sources_of_a_group(desk: Desk) -> None:
    """The board's source was among what the generator was given."""
    run = ask(desk, begin(desk))
    shown = notebook_reading.run(desk.store, run, STRANGER)

    assert shown.answer is None
    assert shown.words == "This answer cites sources that you may not see."
    of_everyone = ask(desk, begin(desk), groups=())
    assert notebook_reading.run(desk.store, of_everyone, STRANGER).is_served


def test_a_draft_past_its_time_is_gone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run still says what happened."""
    writes(desk, says(SECRET, "E9"))
    run = ask(desk, begin(desk))
    later = utc_now() + timedelta(days=31)
    monkeypatch.setattr("core.store.queries.utc_now", lambda: later)
    shown = notebook_reading.run(desk.store, run, Reader())

    assert shown.draft is None
    assert "Claim 1" in shown.words


def test_every_outcome_and_reason_has_its_words() -> None:
    """And its next step."""
    for ending in Ending:
        end = RunEnd(outcome=ending)
        assert notebook_reading.words(end) == f"{TABLE[ending].words}."
        assert notebook_reading.next_step(end).endswith(".")
    for reason in GateReason:
        said = notebook_reading.words(RunEnd(outcome=Ending.BLOCKED, reason=reason, claim_index=1))
        assert "Claim 2" in said


def test_an_error_of_ours_is_no_stop(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is raised, and the notebook says that it was ours."""

    def fail(*said: object) -> None:
        raise CitedeskError("The lamp is out", "light it")

    monkeypatch.setattr(desk.answering, "ask", fail)
    run = ask(desk, begin(desk))

    assert run.end is not None
    assert (run.end.outcome, run.end.said, run.end.advice) == (FAILED, "The lamp is out", "light it")
