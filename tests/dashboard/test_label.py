"""The label page as Streamlit runs it: what it sends to the browser, and what it makes of what comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from core import queues
from core.errors import StoreError
from core.models import ACTION_OF, Answer, CheckedAnswer, Claim, Evidence, Label, Stage, StageVerdict, Status, utc_now
from core.people import Person, Role
from core.protocol import ClaimProtocol, VerifierProtocol
from core.store import Store
from core.store.labels import Labels
from core.store.queue_records import EVERYTHING, Design, QueueSpec
from core.store.records import Batch, RunHeader
from dashboard import session
from dashboard.label_exchange import AHEAD, shown, taken
from dashboard.widgets import label_keys, look
from tests.core.rows import claim_row, span_row

APP = Path(session.__file__).with_name("app.py")
REASON = "so says the judge"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The empty store of this process."""
    session.close()
    monkeypatch.setenv("CITEDESK_STORE", str(tmp_path / "desk.duckdb"))
    yield session.desk().store
    session.close()


def judged(label: Label, claims: int = 3, evidence: tuple[Evidence, ...] = ()) -> Batch:
    """Answers with one claim each, all judged alike, with a reason that can be looked for."""
    protocol = ClaimProtocol(
        verifier=VerifierProtocol(verifier="scripted", version=1, thresholds={}, windowing="whole"),
        splitter="sentences@1",
        materiality="rules@1",
    )
    checked = []
    for number in range(claims):
        text = f"Gate {number} is open."
        answer = Answer(
            request_id=f"r{number}",
            query="Is it?",
            answer=f"Yes. {text} [C1]",
            evidence=evidence
            or (Evidence(id="C1", text="All gates are open.", title="Gates", locator="gates.txt:p1"),),
        )
        claim = Claim(claim_id="c1", text=text, start=5, end=5 + len(text), cites=("C1",), flags=("number",))
        span = span_row(label=label, action=ACTION_OF[label], reason=REASON, scores={"secret": 0.125})
        row = claim_row(
            request_id=answer.request_id,
            claim=text,
            label=label,
            action=ACTION_OF[label],
            semantic=str(label),
            spans=(span,),
            protocol=str(protocol),
            notes=(REASON,),
        )
        stage = StageVerdict(
            claim_id="c1", cite="C1", stage=Stage.SUPPORT, status=Status.JUDGED, outcome=str(label), reason=REASON
        )
        checked.append(CheckedAnswer(answer=answer, claims=(claim,), rows=(row,), stages=(stage,)))
    run = RunHeader(run_id=uuid4().hex, protocol=protocol, started_at=utc_now(), source="test", package_version="0")
    return Batch(run=run, answers=tuple(checked))


def run(**params: str) -> AppTest:
    """The page, run once."""
    page = AppTest.from_file(str(APP), default_timeout=120).switch_page("views/label.py")
    for name, value in params.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def sent(page: AppTest) -> dict[str, Any]:
    """What the queue in the browser is given."""
    (queue,) = [element for element in page.main if element.type == "bidi_component"]
    data: dict[str, Any] = json.loads(queue.proto.json)
    return data


def press(item: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A press of key 3 on an item, as the browser sends it."""
    names = ("claim_uid", "cite", "seen_sha256")
    made = {"event_id": str(uuid4()), "kind": "label", "label": "contradicted", "note": "", "queue_id": EVERYTHING}
    return made | {name: item[name] for name in names} | changes


def answers_to(store: Store, name: str, log: dict[str, Any]) -> list[dict[str, Any]]:
    """What the desk says to the presses of a log."""
    found: list[dict[str, Any]] = told(store, name, log)["acks"]
    return found


def told(store: Store, name: str, log: dict[str, Any]) -> dict[str, Any]:
    """All that the desk says to a log."""
    return taken(store, named(name), queues.everything(store), log)


def named(name: str) -> Person:
    """Somebody in no access group."""
    return Person(name=name, role=Role.LABELLER)


def test_the_queue_gets_all_a_labeller_needs(store: Store) -> None:
    """Question, claim in its answer, passage with title, locator and length; nine labels in their order."""
    store.record(judged(Label.PARTIAL, claims=1))
    data = sent(run())
    (item,) = data["items"]

    assert [label["value"] for label in data["labels"]] == [*(str(label) for label in Label), "not_a_claim"]
    assert [label["key"] for label in data["labels"]] == [*"1234567890"]
    assert [one["word"] for one in data["entries"]] == [label["value"] for label in data["labels"]]
    assert all(label["meaning"] for label in data["labels"])
    assert item["answer"] == ["Yes. ", "Gate 0 is open.", " [C1]"]
    assert (item["heading"], item["facts"]) == ("C1 · Gates", "gates.txt:p1 · 4 words")
    assert (item["evidence"], item["missing"], item["others"]) == ("All gates are open.", "", [])
    assert (data["queue"], data["guideline"]) == ({"id": EVERYTHING, "name": "Every claim"}, "v1")
    assert (data["state"]["spans"], data["state"]["labelled"], data["state"]["empty"]) == (1, 0, None)


def test_what_is_sent_does_not_depend_on_the_verdict(store: Store, tmp_path: Path) -> None:
    """Two stores that differ only in what the judge said give the same page, to the letter."""
    pages = []
    for number, label in enumerate((Label.SUPPORTED, Label.CONTRADICTED)):
        with Store(tmp_path / f"{number}.duckdb") as other:
            other.record(judged(label))
            data = shown(other, named("me"), queues.everything(other), {})
            pages.append(json.dumps({name: value for name, value in data.items() if name != "state"}))
    store.record(judged(Label.CONTRADICTED))
    text = json.dumps(sent(run()))

    assert pages[0] == pages[1]
    assert REASON not in text
    assert "secret" not in text
    assert "0.125" not in text


def test_the_queue_is_sent_ahead(store: Store) -> None:
    """Enough for the next one to be there before an answer comes, and no more."""
    store.record(judged(Label.PARTIAL, claims=2 * AHEAD + 5))

    assert len(sent(run())["items"]) == AHEAD


def test_a_small_queue_is_shared(store: Store) -> None:
    """The first who comes does not get all of it; once a third is used up they get more."""
    store.record(judged(Label.PARTIAL, claims=8))
    queue = queues.everything(store)
    mine, yours = (shown(store, named(name), queue, {})["items"] for name in ("me", "you"))
    have = [[item["claim_uid"], item["cite"]] for item in mine]
    enough = shown(store, named("me"), queue, {"ready": True, "have": have[1:]})["items"]

    assert (len(mine), len(yours)) == (4, 4)
    assert not {item["key"] for item in mine} & {item["key"] for item in yours}
    assert enough == []


def test_what_is_usable_is_said(store: Store) -> None:
    """A source that was never shown to the model is shown with that sentence."""
    store.record(judged(Label.UNRESOLVABLE, 1, (Evidence(id="C1", text="All gates are open.", in_context=False),)))
    (item,) = sent(run())["items"]

    assert item["evidence"] == "All gates are open."
    assert item["missing"] == "This evidence was retrieved but not given to the generator."


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("https://a.example/x", ("https://a.example/x", "a.example")),
        ("javascript:alert(1)", (None, "")),
        ("file:///etc/passwd", (None, "")),
        ("https://[", (None, "")),
        ("//a.example", (None, "")),
    ],
)
def test_only_web_addresses_become_links(store: Store, uri: str, shown: tuple[str | None, str]) -> None:
    """Everything else is no link at all."""
    store.record(judged(Label.PARTIAL, 1, (Evidence(id="C1", text="Open.", uri=uri),)))
    (item,) = sent(run())["items"]

    assert (item["link"], item["host"]) == shown


def test_the_name_comes_from_the_address_and_is_cleaned(store: Store) -> None:
    """A link can name the labeller; what is shown is what is stored."""
    store.record(judged(Label.PARTIAL))

    assert sent(run(labeller="  Ana\u200b  María "))["labeller"] == "Ana María"
    assert sent(run())["labeller"] == session.settings().labeller


def test_each_name_has_a_queue_and_a_drawer_of_its_own(store: Store) -> None:
    """Presses kept in the tab for one name are never sent under another."""
    store.record(judged(Label.PARTIAL))

    assert sent(run(labeller="ana"))["owner"] != sent(run(labeller="ben"))["owner"]


def test_presses_are_stored_and_answered(store: Store) -> None:
    """The answer names the press and the time of its commit; recent decisions can be taken back."""
    store.record(judged(Label.PARTIAL))
    item = sent(run(labeller="me"))["items"][0]
    event = press(item, note="why")
    (answer,) = answers_to(store, "me", {"events": [event], "have": [], "attempt": 1})
    data = sent(run(labeller="me"))

    assert (answer["event_id"], answer["refused"], answer["item"]) == (event["event_id"], "", None)
    assert answer["stored_at"] == store.labels.last("me")[0].recorded_at.isoformat()
    assert [(one["event_id"], one["key"], one["label"], one["note"]) for one in data["recent"]] == [
        (event["event_id"], item["key"], "contradicted", "why")
    ]
    assert item["key"] not in [one["key"] for one in data["items"]]


def test_an_undo_brings_the_item_back(store: Store) -> None:
    """Complete, so that the browser can show it at once."""
    store.record(judged(Label.PARTIAL))
    item = sent(run(labeller="me"))["items"][0]
    event = press(item)
    answers_to(store, "me", {"events": [event]})
    (answer,) = answers_to(store, "me", {"events": [press(item, kind="undo", label=None, undoes=event["event_id"])]})

    assert json.loads(json.dumps(answer["item"])) == item


def test_a_store_that_fails_keeps_the_press(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer says that nothing was saved and why, and the press may be sent again."""
    store.record(judged(Label.PARTIAL))
    event = press(sent(run(labeller="me"))["items"][0])

    def full(_labels: Labels, _events: object, sights: object = ()) -> None:
        raise StoreError("The store desk.duckdb cannot be used: the disk is full", "free some space and try again")

    with monkeypatch.context() as patch:
        patch.setattr(Labels, "add", full)
        (answer,) = answers_to(store, "me", {"events": [event]})
    (again,) = answers_to(store, "me", {"events": [event]})

    assert answer["failed"].startswith("Not saved. The store desk.duckdb cannot be used: the disk is full")
    assert again["stored_at"]


@pytest.mark.parametrize(
    "log", [{}, {"events": 1}, {"events": [1, None, []]}, {"events": [{}]}, {"events": [{"event_id": []}]}]
)
def test_nonsense_from_the_browser_stores_nothing(store: Store, log: dict[str, Any]) -> None:
    """Whatever comes, the page goes on."""
    store.record(judged(Label.PARTIAL))
    answers_to(store, "me", log)

    assert store.labels.last("me") == []


def test_the_end_says_what_was_given(store: Store) -> None:
    """Counts per label and the last decisions with their claims."""
    store.record(judged(Label.PARTIAL, claims=2))
    while items := sent(run(labeller="me"))["items"]:
        answers_to(store, "me", {"events": [press(item) for item in items]})
    data = sent(run(labeller="me"))

    assert (data["items"], data["counts"]) == ([], {"contradicted": 2})
    assert sorted(one["claim"] for one in data["recent"]) == ["Gate 0 is open.", "Gate 1 is open."]


def test_what_the_browser_knows_is_not_sent_again(store: Store) -> None:
    """A page that is ready gets spans and counts alone; one with enough spans ahead gets none."""
    store.record(judged(Label.PARTIAL, claims=2 * AHEAD + 5))
    queue = queues.everything(store)
    first = shown(store, named("me"), queue, {})
    have = [[item["claim_uid"], item["cite"]] for item in first["items"]]
    full = shown(store, named("me"), queue, {"ready": True, "attempt": 7, "have": have})
    few = shown(store, named("me"), queue, {"ready": True, "have": have[:20]})

    assert {"labels", "keys", "entries", "recent"} <= set(first)
    assert {"labels", "keys", "entries", "recent"} & set(full) == set()
    assert (full["items"], full["attempt"]) == ([], 7)
    assert len(few["items"]) == AHEAD - 20


def test_why_nothing_is_left_is_said(store: Store) -> None:
    """Closed, for others, done, or with others at the moment: each in the state that the page puts in words."""
    store.record(judged(Label.PARTIAL, claims=1))
    queue = queues.everything(store)
    mine = shown(store, named("me"), queue, {})
    (item,) = mine["items"]
    others = shown(store, named("you"), queue, {})["state"]
    answers_to(store, "me", {"events": [press(item)]})
    done = shown(store, named("me"), queue, {"ready": True})
    spec = QueueSpec(name="Theirs", labellers=("ben",), design=Design.CENSUS, guideline="v1")
    theirs = queues.make(store, spec, "me").queue
    not_yours = shown(store, named("me"), theirs, {})["state"]
    store.queues.close(theirs.queue_id, "me")

    assert (others["empty"], bool(others["free_at"])) == ("leased", True)
    assert (done["state"]["empty"], done["counts"], len(done["recent"])) == ("done", {"contradicted": 1}, 1)
    assert not_yours["empty"] == "not_yours"
    assert shown(store, named("ben"), theirs, {})["state"]["empty"] == "closed"


def test_the_judge_speaks_only_after_the_label(store: Store) -> None:
    """Asked too early it says nothing; afterwards its label, and that the person heard it is kept."""
    store.record(judged(Label.SUPPORTED, claims=1))
    (item,) = sent(run(labeller="me"))["items"]
    place = [item["claim_uid"], item["cite"]]
    early = told(store, "me", {"reveal": place})["revealed"]
    seen_early = store.reveals.seen("me")
    answers_to(store, "me", {"events": [press(item)]})
    late = told(store, "me", {"reveal": place})["revealed"]
    answers_to(store, "me", {"events": [press(item, label="supported")]})
    second, first = (one.event for one in store.labels.last("me"))

    assert (early["said"], seen_early) == ("", set())
    assert "once every passage of that claim has your label" in early["refused"]
    assert late["said"].startswith("Supported (scripted@1")
    assert store.reveals.seen("me") == {item["claim_uid"]}
    assert (first.after_reveal, second.after_reveal) == (False, True)


def test_a_link_chooses_the_queue(store: Store) -> None:
    """``?queue=`` names one; an unknown one gives the standing queue, and says so."""
    store.record(judged(Label.PARTIAL, claims=2))
    made = queues.make(store, QueueSpec(name="Two of them", design=Design.CENSUS), "me").queue
    unknown = run(queue="elsewhere")

    assert sent(run(queue=made.queue_id))["queue"] == {"id": made.queue_id, "name": "Two of them"}
    assert sent(unknown)["queue"]["id"] == EVERYTHING
    assert "The queue of this link is not in this store; this is another one." in [one.value for one in unknown.text]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (["1", "z", "z"], "stand for two things: z"),
        (["r"], "Streamlit's own: r"),
        (["Enter", "Z"], "are no keys: Enter, Z"),
    ],
)
def test_clashing_keys_stop_the_start(keys: list[str], said: str) -> None:
    """The table is checked when the page's module is loaded."""
    with pytest.raises(ValueError, match=said):
        label_keys.check(keys)


def test_every_finer_reason_has_a_key_and_a_label() -> None:
    """None is out of reach."""
    assert all(one["key"] and one["name"] and one["labels"] for one in label_keys.sub_reasons())


def test_an_empty_store_says_why(store: Store) -> None:
    """No queue, but what will be here and where to begin."""
    page = run()

    assert store.summary().claims == 0
    assert [title.value for title in page.title] == ["Nothing to label yet"]
    assert "no claims in this store" in page.text[0].value


def test_every_label_has_a_look() -> None:
    """In the order of the keys."""
    assert list(look.LABELS) == list(Label)
