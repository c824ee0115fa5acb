"""Decisions are taken in once, for exactly what was shown, or refused in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import labelling
from core.models import Answer, CheckedAnswer, Claim, Evidence, Label, utc_now
from core.protocol import ClaimProtocol, VerifierProtocol
from core.store import Store, open_store
from core.store.records import Batch, LabelKind, RunHeader, SpanToLabel
from tests.core.rows import claim_row


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with one answer of three claims: one span, two spans, and one that cites what is not there."""
    with open_store(tmp_path / "desk.duckdb") as opened:
        opened.record(batch([("The gate is open.", ("C1",)), ("It is red.", ("C1", "C2")), ("It is old.", ("C9",))]))
        yield opened


def batch(claims: list[tuple[str, tuple[str, ...]]], text: str = "The gate is open. ") -> Batch:
    """One checked answer with these claims and citations, C1 and C2 in its registry."""
    evidence = (Evidence(id="C1", text=text), Evidence(id="C2", text="Gates are often red."))
    answer = Answer(request_id="r1", query="Is it?", answer="It is.", evidence=evidence)
    protocol = ClaimProtocol(
        verifier=VerifierProtocol(verifier="scripted", version=1, thresholds={}, windowing="whole"),
        splitter="sentences@1",
        materiality="rules@1",
    )
    made = [Claim(claim_id=f"c{n}", text=claim, cites=cites) for n, (claim, cites) in enumerate(claims, 1)]
    rows = [
        claim_row(claim_id=one.claim_id, claim=one.text, cites=one.cites, start=None, end=None, protocol=str(protocol))
        for one in made
    ]
    run = RunHeader(run_id=uuid4().hex, protocol=protocol, started_at=utc_now(), source="test", package_version="0")
    return Batch(run=run, answers=(CheckedAnswer(answer=answer, claims=tuple(made), rows=tuple(rows), stages=()),))


def press(span: SpanToLabel, **changes: Any) -> dict[str, Any]:
    """A press of key 2 on a span, as the browser sends it, with changes."""
    made = {
        "event_id": str(uuid4()),
        "kind": "label",
        "claim_uid": span.claim_uid,
        "cite": span.cite,
        "seen_sha256": span.seen_sha256,
        "label": "partial",
    }
    return made | changes


def first(store: Store, labeller: str = "ana") -> SpanToLabel:
    """The span that is next for a labeller."""
    return labelling.ahead(store, labeller, 1)[0]


def test_a_label_is_stored_and_the_queue_moves_on(store: Store) -> None:
    """The acknowledgement carries the time of the commit, and the span is not offered again."""
    span = first(store)
    (ack,) = labelling.submit(store, "ana", [press(span, note="only half")])
    (stored,) = store.last_events("ana")

    assert (ack.refused, ack.stored_at) == ("", stored.recorded_at)
    assert (stored.event.label, stored.event.note, stored.event.labeller) == (Label.PARTIAL, "only half", "ana")
    assert stored.event.guideline == labelling.GUIDELINE
    assert (span.claim_uid, span.cite) not in [(one.claim_uid, one.cite) for one in labelling.ahead(store, "ana", 9)]


def test_every_label_of_the_nine_is_taken(store: Store) -> None:
    """Each word is stored as it is; a later one on the same span stands beside it in the log."""
    span = first(store)
    labelling.submit(store, "ana", [press(span, label=str(label)) for label in Label])

    assert [one.event.label for one in reversed(store.last_events("ana", 9))] == list(Label)


def test_a_press_sent_twice_is_stored_once(store: Store) -> None:
    """The second answer is the first one's, so a lost acknowledgement costs nothing."""
    once = press(first(store))
    answers = [labelling.submit(store, "ana", [once])[0] for _ in range(3)]

    assert len({answer.stored_at for answer in answers}) == 1
    assert store.progress("ana").labelled == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"label": "not_supported"}, "not a decision"),
        ({"label": None}, "names no label"),
        ({"event_id": "1"}, "not a decision"),
        ({"kind": "delete"}, "not a decision"),
        ({"verdict": "supported"}, "not a decision"),
        ({"note": "x" * (labelling.NOTE_LIMIT + 1)}, "not a decision"),
        ({"kind": "skip", "reason": "bored"}, "no reason"),
        ({"kind": "undo"}, "nothing to take back"),
        ({"claim_uid": "elsewhere"}, "not in the store"),
        ({"cite": "C7"}, "not in the store"),
        ({"seen_sha256": "0" * 64}, "has changed"),
    ],
)
def test_what_cannot_be_stored_is_refused_in_a_sentence(store: Store, changes: dict[str, Any], reason: str) -> None:
    """Nothing reaches the log, and the sentence ends like one."""
    (ack,) = labelling.submit(store, "ana", [press(first(store), **changes)])

    assert reason in ack.refused
    assert ack.refused.endswith(".")
    assert ack.stored_at is None
    assert store.last_events("ana") == []


def test_a_refused_press_does_not_hold_the_others_up(store: Store) -> None:
    """The good ones of a message are stored."""
    spans = labelling.ahead(store, "ana", 2)
    answers = labelling.submit(store, "ana", [press(spans[0], label="nine"), press(spans[1])])

    assert [bool(answer.refused) for answer in answers] == [True, False]
    assert store.progress("ana").labelled == 1


def test_a_press_on_changed_text_shows_the_text_as_it_is(store: Store) -> None:
    """The hash binds the label to what was read; the answer brings what should be read instead."""
    span = first(store)
    (ack,) = labelling.submit(store, "ana", [press(span, seen_sha256="f" * 64)])

    assert ack.span == span


def test_undo_goes_back_step_by_step(store: Store) -> None:
    """Each undo brings its span back; nothing stands any more, though the log keeps everything."""
    spans = labelling.ahead(store, "ana", 2)
    labelling.submit(store, "ana", [press(span) for span in spans])
    brought = []
    for span in reversed(spans):
        (last,) = store.last_events("ana", 1)
        brought += labelling.submit(store, "ana", [press(span, kind="undo", label=None, undoes=last.event.event_id)])

    assert [ack.span for ack in brought] == [spans[1], spans[0]]
    assert store.last_events("ana") == []
    assert store.progress("ana").labelled == 0


def test_nobody_takes_back_what_another_said(store: Store) -> None:
    """An undo under another name is refused for good, and nothing is stored."""
    span = first(store)
    mine = press(span)
    labelling.submit(store, "ana", [mine])

    (answer,) = labelling.submit(store, "ben", [press(span, kind="undo", label=None, undoes=mine["event_id"])])

    assert answer.stored_at is None
    assert "'ben'" in answer.refused
    assert len(store.last_events("ana")) == 1


def test_a_skip_comes_back_after_all_the_rest(store: Store) -> None:
    """Skipping needs one of the reasons and settles nothing."""
    spans = labelling.ahead(store, "ana", 9)
    labelling.submit(store, "ana", [press(spans[0], kind="skip", label=None, reason=labelling.SKIP_REASONS[0])])
    (stored,) = store.last_events("ana")

    assert (stored.event.kind, stored.event.label) == (LabelKind.SKIP, None)
    assert stored.event.reason == "I cannot tell from this text"
    assert labelling.ahead(store, "ana", 9) == [*spans[1:], spans[0]]


def test_each_labeller_has_a_queue_of_their_own(store: Store) -> None:
    """What one has done does not move the other's."""
    labelling.submit(store, "ana", [press(first(store))])

    assert len(labelling.ahead(store, "ana", 9)) == 3
    assert len(labelling.ahead(store, "ben", 9)) == 4


def test_what_the_browser_has_is_not_sent_again(store: Store) -> None:
    """The rest of the queue follows in order."""
    spans = labelling.ahead(store, "ana", 9)
    have = [(one.claim_uid, one.cite) for one in spans[:2]]

    assert labelling.ahead(store, "ana", 9, have) == spans[2:]


def test_long_texts_are_sent_two_at_a_time(tmp_path: Path) -> None:
    """A source of half a million characters does not hold the page up twenty times over."""
    with open_store(tmp_path / "long.duckdb") as store:
        store.record(batch([(f"Claim {n}.", ("C1",)) for n in range(5)], text="long " * 100_000))

        assert len(labelling.ahead(store, "ana", 5)) == 2


def test_the_queue_says_what_the_registry_says(store: Store) -> None:
    """An id of no evidence is a fact of the log, so it is shown; nothing of the judge's row is."""
    (span,) = [one for one in labelling.ahead(store, "ana", 9) if one.cite == "C9"]

    assert span.evidence is None
    assert "no evidence called 'C9'" in span.unusable


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Ana  María ", "Ana María"),
        ("Zoe\u0308", "Zoë"),
        ("a\nb\tc", "a b c"),
        ("\u202egnaw\u202c", "gnaw"),
        ("\x00\u200b", "me"),
        ("", "me"),
        ("x" * 80, "x" * 60),
    ],
)
def test_a_name_is_one_plain_line(typed: str, name: str) -> None:
    """Composed, without control and format characters, at most sixty long; nothing gives the default."""
    assert labelling.labeller_name(typed, "me") == name


@given(st.text())
def test_a_name_stays_as_it_is(typed: str) -> None:
    """Cleaning twice changes nothing more."""
    once = labelling.labeller_name(typed, "me")

    assert labelling.labeller_name(once, "me") == once


def test_a_contradicting_press_is_refused_alone(store: Store) -> None:
    """An undo of nothing is refused for good; the presses sent with it are stored."""
    first, second = labelling.ahead(store, "ada", 2)
    good, undo = press(first), press(second, kind="undo", label=None, undoes=str(uuid4()))
    answers = labelling.submit(store, "ada", [good, undo])

    assert [(one.event_id, bool(one.stored_at), bool(one.refused)) for one in answers] == [
        (good["event_id"], True, False),
        (undo["event_id"], False, True),
    ]
    assert len(store.last_events("ada", 10)) == 1


def test_a_reused_event_id_is_refused_and_the_first_stands(store: Store) -> None:
    """One id with two decisions: the stored one stays, the other is answered with a sentence."""
    first, second = labelling.ahead(store, "ada", 2)
    made = press(first)
    labelling.submit(store, "ada", [made])
    (answer,) = labelling.submit(store, "ada", [press(second, event_id=made["event_id"])])

    assert answer.stored_at is None
    assert "already stored" in answer.refused
    assert [one.event.claim_uid for one in store.last_events("ada", 10)] == [first.claim_uid]
