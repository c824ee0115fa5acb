"""Decisions are taken in once, for exactly what was shown, or refused in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import labelling, presses, queues
from core.errors import StoreError
from core.models import Answer, CheckedAnswer, Claim, Evidence, Label, utc_now
from core.people import Person, Role
from core.protocol import ClaimProtocol, VerifierProtocol
from core.store import Store, open_store
from core.store.label_records import Draft, LabelKind, SpanToLabel, SubReason
from core.store.queue_records import EVERYTHING
from core.store.records import Batch, RunHeader
from tests.core.rows import claim_row


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with one answer of three claims: one span, two spans, and one that cites what is not there."""
    with open_store(tmp_path / "desk.duckdb") as opened:
        opened.record(batch([("The gate is open.", ("C1",)), ("It is red.", ("C1", "C2")), ("It is old.", ("C9",))]))
        queues.everything(opened)
        yield opened


def person(name: str = "ana") -> Person:
    """Somebody whose name nobody has checked."""
    return Person(name=name, role=Role.LABELLER)


def submit(store: Store, name: str, sent: list[dict[str, Any]]) -> list[labelling.Acknowledgement]:
    """Take presses in under a name."""
    return labelling.submit(store, person(name), sent)


def ahead(store: Store, name: str, limit: int, have: Any = ()) -> list[SpanToLabel]:
    """What is next for a name in the standing queue."""
    return labelling.ahead(store, EVERYTHING, person(name), limit, have)


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
        "queue_id": EVERYTHING,
        "label": "partial",
    }
    return made | changes


def first(store: Store, labeller: str = "ana") -> SpanToLabel:
    """The span that is next for a labeller."""
    return ahead(store, labeller, 1)[0]


def test_a_label_is_stored_and_the_queue_moves_on(store: Store) -> None:
    """The acknowledgement carries the time of the commit, and the span is not offered again."""
    span = first(store)
    (ack,) = submit(store, "ana", [press(span, note="only half")])
    (stored,) = store.labels.last("ana")

    assert (ack.refused, ack.stored_at) == ("", stored.recorded_at)
    assert (stored.event.label, stored.event.note, stored.event.labeller) == (Label.PARTIAL, "only half", "ana")
    assert (stored.event.guideline, stored.event.queue_id, stored.event.identity) == ("v1", EVERYTHING, "chosen")
    assert (span.claim_uid, span.cite) not in [(one.claim_uid, one.cite) for one in ahead(store, "ana", 9)]


def test_every_label_of_the_nine_is_taken(store: Store) -> None:
    """Each word is stored as it is; a later one on the same span stands beside it in the log."""
    span = first(store)
    submit(store, "ana", [press(span, label=str(label)) for label in Label])

    assert [one.event.label for one in reversed(store.labels.last("ana", 9))] == list(Label)


def test_a_press_sent_twice_is_stored_once(store: Store) -> None:
    """The second answer is the first one's, so a lost acknowledgement costs nothing."""
    once = press(first(store))
    answers = [submit(store, "ana", [once])[0] for _ in range(3)]

    assert len({answer.stored_at for answer in answers}) == 1
    assert store.labels.progress("ana").labelled == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"label": "not_supported"}, "not a decision"),
        ({"label": None}, "names no label"),
        ({"event_id": "1"}, "not a decision"),
        ({"kind": "delete"}, "not a decision"),
        ({"verdict": "supported"}, "not a decision"),
        ({"note": "x" * (presses.NOTE_LIMIT + 1)}, "not a decision"),
        ({"kind": "skip", "reason": "bored"}, "no reason"),
        ({"kind": "flag", "reason": "bored"}, "no reason to flag"),
        ({"kind": "undo"}, "nothing to take back"),
        ({"sub_reason": "other_time"}, "does not go with this label"),
        ({"sub_reason": "mood"}, "not a decision"),
        ({"confidence": 4}, "not a decision"),
        ({"active_ms": -1}, "not a decision"),
        ({"decided_at": "2026-11-30T10:00:00"}, "not a decision"),
        ({"queue_id": "elsewhere"}, "queue of this press is not in the store"),
        ({"claim_uid": "elsewhere"}, "not in the store"),
        ({"cite": "C7"}, "not in the store"),
        ({"seen_sha256": "0" * 64}, "has changed"),
    ],
)
def test_what_cannot_be_stored_is_refused_in_a_sentence(store: Store, changes: dict[str, Any], reason: str) -> None:
    """Nothing reaches the log, and the sentence ends like one."""
    (ack,) = submit(store, "ana", [press(first(store), **changes)])

    assert reason in ack.refused
    assert ack.refused.endswith(".")
    assert ack.stored_at is None
    assert store.labels.last("ana") == []


def test_a_refused_press_does_not_hold_the_others_up(store: Store) -> None:
    """The good ones of a message are stored."""
    spans = ahead(store, "ana", 2)
    answers = submit(store, "ana", [press(spans[0], label="nine"), press(spans[1])])

    assert [bool(answer.refused) for answer in answers] == [True, False]
    assert store.labels.progress("ana").labelled == 1


def test_a_press_on_changed_text_shows_the_text_as_it_is(store: Store) -> None:
    """The hash binds the label to what was read; the answer brings what should be read instead."""
    span = first(store)
    (ack,) = submit(store, "ana", [press(span, seen_sha256="f" * 64)])

    assert ack.span == span


def test_undo_goes_back_step_by_step(store: Store) -> None:
    """Each undo brings its span back; nothing stands any more, though the log keeps everything."""
    spans = ahead(store, "ana", 2)
    submit(store, "ana", [press(span) for span in spans])
    brought = []
    for span in reversed(spans):
        (last,) = store.labels.last("ana", 1)
        brought += submit(store, "ana", [press(span, kind="undo", label=None, undoes=last.event.event_id)])

    assert [ack.span for ack in brought] == [spans[1], spans[0]]
    assert store.labels.last("ana") == []
    assert store.labels.progress("ana").labelled == 0


def test_nobody_takes_back_what_another_said(store: Store) -> None:
    """An undo under another name is refused for good, and nothing is stored."""
    span = first(store)
    mine = press(span)
    submit(store, "ana", [mine])

    (answer,) = submit(store, "ben", [press(span, kind="undo", label=None, undoes=mine["event_id"])])

    assert answer.stored_at is None
    assert "'ben'" in answer.refused
    assert len(store.labels.last("ana")) == 1


def test_a_skip_comes_back_after_all_the_rest(store: Store) -> None:
    """Skipping needs one of the reasons and settles nothing."""
    spans = ahead(store, "ana", 9)
    submit(store, "ana", [press(spans[0], kind="skip", label=None, reason=presses.SKIP_REASONS[0])])
    (stored,) = store.labels.last("ana")

    assert (stored.event.kind, stored.event.label) == (LabelKind.SKIP, None)
    assert stored.event.reason == "I cannot tell from this text"
    assert ahead(store, "ana", 9) == [*spans[1:], spans[0]]


def test_a_claim_is_one_persons_until_their_lease_ends(store: Store) -> None:
    """With one label wanted, what is before one pair of eyes is not given to others."""
    mine = ahead(store, "ana", 1)
    others = ahead(store, "ben", 9)

    assert mine[0].claim_uid not in {one.claim_uid for one in others}


def test_what_the_browser_has_is_not_sent_again(store: Store) -> None:
    """The rest of the queue follows in order."""
    spans = ahead(store, "ana", 9)
    have = [(one.claim_uid, one.cite) for one in spans[:2]]

    assert ahead(store, "ana", 9, have) == spans[2:]


def test_long_texts_are_sent_two_at_a_time(tmp_path: Path) -> None:
    """A source of half a million characters does not hold the page up twenty times over."""
    with open_store(tmp_path / "long.duckdb") as store:
        store.record(batch([(f"Claim {n}.", ("C1",)) for n in range(5)], text="long " * 100_000))

        queues.everything(store)

        assert len(ahead(store, "ana", 5)) == 2


def test_the_queue_says_what_the_registry_says(store: Store) -> None:
    """An id of no evidence is a fact of the log, so it is shown; nothing of the judge's row is."""
    (span,) = [one for one in ahead(store, "ana", 9) if one.cite == "C9"]

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
    first, second = ahead(store, "ada", 2)
    good, undo = press(first), press(second, kind="undo", label=None, undoes=str(uuid4()))
    answers = submit(store, "ada", [good, undo])

    assert [(one.event_id, bool(one.stored_at), bool(one.refused)) for one in answers] == [
        (good["event_id"], True, False),
        (undo["event_id"], False, True),
    ]
    assert len(store.labels.last("ada", 10)) == 1


def test_a_reused_event_id_is_refused_and_the_first_stands(store: Store) -> None:
    """One id with two decisions: the stored one stays, the other is answered with a sentence."""
    first, second = ahead(store, "ada", 2)
    made = press(first)
    submit(store, "ada", [made])
    (answer,) = submit(store, "ada", [press(second, event_id=made["event_id"])])

    assert answer.stored_at is None
    assert "already stored" in answer.refused
    assert [one.event.claim_uid for one in store.labels.last("ada", 10)] == [first.claim_uid]


def test_what_was_marked_must_stand_there(store: Store) -> None:
    """Better evidence is stored with its offsets only when the shown passage says just that from there to there."""
    (span,) = [one for one in ahead(store, "ana", 9) if one.cite == "C1" and one.cites == ("C1",)]
    mark = {"cite": "C1", "start": 4, "end": 8, "text": "gate"}
    wrong = [mark | {"start": 3}, mark | {"text": "Gate"}, mark | {"cite": "C2"}, mark | {"start": -13, "end": -9}]
    refused = submit(store, "ana", [press(span, better=[one]) for one in wrong])
    (good,) = submit(store, "ana", [press(span, better=[mark])])
    (stored,) = store.labels.last("ana")

    assert all("does not stand there" in answer.refused and answer.span == span for answer in refused)
    assert good.stored_at
    assert [one.model_dump() for one in stored.event.better] == [mark]


def test_all_that_was_said_is_stored(store: Store) -> None:
    """Finer reason, confidence, time and clock come through; what belongs to no skip is left out of one."""
    spans = ahead(store, "ana", 2)
    more = {"confidence": 2, "active_ms": 1234, "decided_at": "2026-11-30T10:00:00+01:00"}
    submit(store, "ana", [press(spans[0], sub_reason="overstated", **more)])
    submit(store, "ana", [press(spans[1], kind="skip", label=None, reason=presses.SKIP_REASONS[3], **more)])
    skip, label = (one.event for one in store.labels.last("ana"))

    assert (label.sub_reason, label.confidence, label.active_ms) == (SubReason.OVERSTATED, 2, 1234)
    assert str(label.decided_at) == "2026-11-30 09:00:00+00:00"
    assert (skip.sub_reason, skip.confidence, skip.active_ms) == (None, None, 1234)


def test_what_is_no_claim_settles_all_its_spans(store: Store) -> None:
    """Key 0 on one span takes the other one out of the person's queue."""
    span = next(one for one in ahead(store, "ana", 9) if len(one.cites) == 2)
    submit(store, "ana", [press(span, kind="not_a_claim", label=None)])
    (stored,) = store.labels.last("ana")

    assert (stored.event.kind, stored.event.label) == (LabelKind.NOT_A_CLAIM, None)
    assert span.claim_uid not in {one.claim_uid for one in ahead(store, "ana", 9)}


def test_drafts_wait_for_their_label(store: Store) -> None:
    """A draft is kept per person, is no label, and goes with the label; what marks nothing real is not kept."""
    span, other = ahead(store, "ana", 2)
    place = {"claim_uid": span.claim_uid, "cite": span.cite}
    bad = {
        "claim_uid": other.claim_uid,
        "cite": other.cite,
        "better": [{"cite": "C1", "start": 0, "end": 1, "text": "?"}],
    }
    labelling.keep_drafts(
        store, EVERYTHING, person(), [place | {"note": "old"}, place | {"note": "half"}, bad, {"note": 1}]
    )
    kept = store.drafts.of("ana", [(span.claim_uid, span.cite), (other.claim_uid, other.cite)])
    for_others = store.drafts.of("ben", [(span.claim_uid, span.cite)])
    labels_before = store.labels.last("ana")
    submit(store, "ana", [press(span)])

    assert kept == {(span.claim_uid, span.cite): Draft(note="half")}
    assert (for_others, labels_before) == ({}, [])
    assert store.drafts.of("ana", [(span.claim_uid, span.cite)]) == {}


def test_an_empty_draft_takes_the_earlier_away(store: Store) -> None:
    """Nothing is left of what was deleted."""
    span = first(store)
    place = {"claim_uid": span.claim_uid, "cite": span.cite}
    labelling.keep_drafts(store, EVERYTHING, person(), [place | {"note": "half"}])
    labelling.keep_drafts(store, EVERYTHING, person(), [place])

    assert store.drafts.of("ana", [(span.claim_uid, span.cite)]) == {}


def test_what_was_seen_goes_into_the_audit_chain(store: Store) -> None:
    """With the presses, or alone; nonsense is left out."""
    span = first(store)
    sight = {
        "claim_uid": span.claim_uid,
        "cite": span.cite,
        "seen_sha256": span.seen_sha256,
        "at": "2026-11-30T10:00:00Z",
    }
    labelling.submit(store, person(), [press(span)], [sight, {"at": "now"}])
    labelling.submit(store, person(), [], [sight])
    with store._connection.read() as session:
        acts = session.all("select act, subject from audit where person = 'ana' order by entry_no")

    seen = ("saw", f"claim {span.claim_uid}")
    assert [act for act, _ in acts] == ["saw", "labelled", "saw"]
    assert acts[0] == acts[2] == seen


def test_a_late_label_that_nobody_wants_any_more_is_refused(store: Store) -> None:
    """After the lease ran out and another labelled the claim, one more label is refused, and its claim stays away."""
    span = next(one for one in ahead(store, "ana", 9) if one.cites == ("C1",))
    store.queues.release(EVERYTHING, "ana", utc_now())
    ahead(store, "ben", 9)
    submit(store, "ben", [press(span)])
    (late,) = submit(store, "ana", [press(span)])

    assert (late.refused, late.span) == (labelling.TOO_LATE, None)
    assert store.labels.last("ana") == []


def test_a_failing_store_stores_nothing_and_says_so(store: Store) -> None:
    """The error reaches the caller, who sends all of it again."""
    span = first(store)
    store.close()

    with pytest.raises(StoreError):
        submit(store, "ana", [press(span)])
