"""Access groups on the pages of labelling: of what somebody may not read they learn how much it is, and no word."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import adjudication, labelling
from core.errors import InputError
from core.models import Evidence, Label
from core.people import Person, Role
from core.settings import Settings
from core.store import open_store
from core.store.label_records import BetterEvidence, LabelEvent, LabelKind
from core.store.queue_records import QueueState, Unread
from dashboard import identity
from dashboard.widgets import BARRED, queue_list, queue_words
from tests.core.store import build
from tests.core.store.queued import queue

Open = Callable[..., AppTest]

ANN = Person(name="ann", role=Role.REVIEWER, groups=())
CYD = Person(name="cyd", role=Role.REVIEWER, groups=("legal",))
SECRET = "The settlement was forty crowns."
ANSWER = build.answer(
    evidence=(Evidence(id="C1", text="The gate is open."), Evidence(id="C2", text=SECRET, groups=("legal",)))
)
CLAIMS = [build.claim(1), build.claim(2, text="A settlement was paid.", cites=("C2",))]
FREE, LAW = (build.uid(ANSWER, one) for one in CLAIMS)


def said(event_id: str, uid: str, labeller: str, label: Label | None, **more: object) -> LabelEvent:
    """A label outside of any queue."""
    cite = "C2" if uid == LAW else "C1"
    return build.event(event_id, uid, cite, labeller=labeller, label=label, **more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store in which two people differ on both claims, of which one cites what is legal's, and one flagged that."""
    file = tmp_path / "desk.duckdb"
    better = (BetterEvidence(cite="C2", start=4, end=14, text="settlement"),)
    with open_store(file) as store:
        store.record(build.batch(build.checked(ANSWER, [Label.SUPPORTED] * 2, CLAIMS)))
        seen = {one.claim_uid: one.seen_sha256 for one in store.labels.ahead("nobody", "v1")}
        events = [
            said("e1", FREE, "ann", Label.SUPPORTED),
            said("e2", LAW, "ann", Label.SUPPORTED, note="forty!"),
            said("e3", FREE, "bob", Label.PARTIAL),
            said("e4", LAW, "bob", Label.PARTIAL, better=better),
            said("e5", LAW, "bob", None, kind=LabelKind.FLAG, reason="The passage is damaged", note="forty"),
        ]
        store.labels.add([one.model_copy(update={"seen_sha256": seen[one.claim_uid]}) for one in events])
        queue(store, [FREE, LAW], name="Both")
    return file


def words(app: AppTest) -> str:
    """All that stands on a page, tables too."""
    assert not app.exception
    texts = [one.value for kind in (app.title, app.text, app.caption) for one in kind]
    tables = [one.value.to_csv() for one in app.dataframe]
    return " | ".join([*texts, *tables]).replace("\\", "").replace("\u2060", "")


def test_a_reviewer_decides_only_what_they_may_read(path: Path) -> None:
    """The case is not on their docket, cannot be opened, decided or taken back, and is counted; others decide it."""
    name = adjudication.CaseName(None, "v1", LAW, "C2")
    dan = Person(name="dan", role=Role.REVIEWER, groups=())
    with open_store(path) as store:
        mine, theirs = adjudication.docket(store, dan), adjudication.docket(store, CYD)
        case = adjudication.case(store, CYD, name)
        assert case is not None
        sent = {"event_id": "0" * 32, "token": case.token, "label": "partial", "rationale": "So it says."}
        with pytest.raises(InputError, match="You may not read a source that this claim cites"):
            adjudication.decide(store, dan, sent, name)
        decided = adjudication.decide(store, CYD, sent, name)
        with pytest.raises(InputError, match="You may not read"):
            adjudication.take_back(store, dan, "1" * 32, decided)

        assert ([one.claim_uid for one in mine.cases], mine.withheld) == ([FREE], 1)
        assert ([one.claim_uid for one in theirs.cases], theirs.withheld) == ([FREE, LAW], 0)
        assert adjudication.case(store, dan, name) is None
        assert adjudication.flagged(store, dan) == ([], 1)
        assert len(adjudication.flagged(store, CYD)[0]) == 1


@pytest.mark.parametrize(("page", "may"), [("adjudicate", "1 passage is for reviewers who may read"), ("mine", BARRED)])
def test_no_word_of_it_is_on_their_pages(
    path: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch, page: str, may: str
) -> None:
    """In the place of the claim a sentence; whoever is in the group reads it."""
    with open_store(path) as store:
        name = adjudication.CaseName(None, "v1", LAW, "C2")
        case = adjudication.case(store, CYD, name)
        assert case is not None
        if page == "mine":
            sent = {"event_id": "0" * 32, "token": case.token, "label": "partial", "rationale": "The settlement."}
            adjudication.decide(store, CYD, sent, name)
    me = ANN if page == "mine" else ANN.model_copy(update={"name": "dan"})
    monkeypatch.setattr(identity, "person", lambda _desk: me)
    app = open_page(path, page)
    barred = words(app)
    monkeypatch.setattr(identity, "person", lambda _desk: me.model_copy(update={"groups": ("legal",)}))
    read = words(open_page(path, page))

    assert may in barred
    assert "settlement" not in barred.lower() + json.dumps([repr(one) for one in app.get("bidi_component")])
    assert "forty" not in barred
    assert may not in read
    assert page == "adjudicate" or "A settlement was paid." in read


def test_what_was_decided_is_not_told_to_those_who_may_not_read_it(
    path: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That there was a decision, and by whom; neither the claim nor the reason."""
    with open_store(path) as store:
        name = adjudication.CaseName(None, "v1", LAW, "C2")
        case = adjudication.case(store, CYD, name)
        assert case is not None
        sent = {"event_id": "0" * 32, "token": case.token, "label": "partial", "rationale": "Of forty crowns."}
        adjudication.decide(store, CYD, sent, name)
    monkeypatch.setattr(identity, "person", lambda _desk: Person(name="dan", role=Role.REVIEWER))
    shown = words(open_page(path, "adjudicate"))

    assert BARRED in shown
    assert "cyd" in shown
    assert "settlement" not in shown
    assert "forty" not in shown


def test_a_draft_is_brought_only_with_what_may_be_shown(path: Path) -> None:
    """And kept only of a claim that its writer may read."""
    with open_store(path) as store:
        draft = {"claim_uid": LAW, "cite": "C2", "note": "half"}
        labelling.keep_drafts(store, "everything", ANN, [draft])
        none = store.drafts.of("ann", [(LAW, "C2")])
        labelling.keep_drafts(store, "everything", CYD, [draft])

        assert none == {}
        assert store.drafts.of("cyd", [(LAW, "C2")])[LAW, "C2"].note == "half"
        assert labelling.shown(store, ANN, (LAW, "C2")) is None
        assert labelling.shown(store, ANN, (FREE, "C1")) is not None


def test_queues_say_what_nobody_may_read(path: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where people sign in and none is in the group; where nobody signs in, everybody reads everything."""
    alone = words(open_page(path, "queues"))
    monkeypatch.setattr(queue_list, "settings", lambda: Settings(sign_in=Path("sign-in.toml")))
    monkeypatch.setattr(identity, "person", lambda _desk: ANN.model_copy(update={"name": "eve"}))
    signed = words(open_page(path, "queues"))

    assert "labellers who may read" not in alone
    assert "1 claim has nobody among the labellers who may read what it cites" in signed
    assert "a rate from this queue lacks it." in signed
    assert "1 claim of this queue cites sources that you may not read; it is left to others." in signed
    assert "legal" not in signed


def test_each_number_has_its_sentence() -> None:
    """Singular and plural; nothing when there is nothing to say."""
    fields = QueueState.model_fields
    state = QueueState(**dict.fromkeys(fields, 0) | {"queue_id": "q", "empty": None, "free_at": None, "withheld": 12})
    found = list(queue_words.withheld(state, Unread(nobody=3, too_few=2)))

    assert found == [
        "12 claims of this queue cite sources that you may not read; they are left to others.",
        "3 claims have nobody among the labellers who may read what they cite: without a reader they stay without "
        "labels, and a rate from this queue lacks them.",
        "2 claims have fewer such readers than labels still wanted.",
    ]
    nothing = state.model_copy(update={"withheld": 0})
    assert list(queue_words.withheld(nothing, Unread(nobody=0, too_few=0))) == []
