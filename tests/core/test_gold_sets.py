"""Gold sets: what is in one, how it was drawn, and that its name follows its content."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core import audit_check, claim_label_files, gold_sets, queues
from core.claim_label_files import drawing
from core.desk import Desk
from core.errors import InputError
from core.gold_sets import GoldSet, made
from core.models import Label
from core.polling import Provenance
from core.settings import Settings
from core.store import Store, open_store
from core.store.gold_records import (
    ClaimFacts,
    Drawn,
    GoldFacts,
    ImportedLabel,
    ImportedVote,
    QueueFacts,
    Ruling,
    Vote,
)
from core.store.queue_records import Design
from tests.core.store import build

QUEUE = QueueFacts(
    queue_id="q", name="Numbers", design=Design.RANDOM, guideline="v1", feeds_rates=True, labellers=(), population=40
)


def vote(uid: str, label: Label | None = Label.SUPPORTED, who: str = "ann", **changes: Any) -> Vote:
    """A vote in the queue on the one span of a claim."""
    return Vote(uid, "C1", label, who, "v1", "q", False)._replace(**changes)


def facts(*votes: Vote, **changes: Any) -> GoldFacts:
    """Three claims in a queue, each drawn with probability 0.075, of which c is a check item."""
    values: dict[str, Any] = {
        "votes": list(votes),
        "rulings": [],
        "claims": {uid: ClaimFacts(f"r{uid}", ("C1",)) for uid in "abcd"},
        "queues": [QUEUE],
        "drawn": {("q", uid): Drawn(0.075, "all", 1, uid == "c") for uid in "abc"},
        "imported": [],
        "eligible": {"ra": 1, "rb": 1},
        "guidelines": ("v1",),
    }
    return GoldFacts(**(values | changes))


def one(given: GoldFacts, gold_id: str = "queue:q:v1") -> GoldSet:
    """One set of those facts."""
    (found,) = made(given, gold_id)
    return found


def said(uid: str, label: str, who: str = "expert", **changes: Any) -> ImportedVote:
    """A line of an imported census."""
    values = {
        "event_id": f"{uid}{who}",
        "claim_uid": uid,
        "label": label,
        "labeller": who,
        "guideline": "elsewhere",
        "origin": "gold.jsonl",
        "origin_sha256": "f" * 64,
        "probability": 1.0,
        "design": "census",
        "seen_sha256": "0" * 64,
    }
    return ImportedVote(ImportedLabel.model_validate(values | changes), False, datetime(2026, 11, 30, tzinfo=UTC))


def test_a_queue_gives_the_claims_that_were_drawn() -> None:
    """Without its check items and what was labelled elsewhere, each with its probability."""
    found = one(facts(vote("a"), vote("c"), vote("b", queue_id=None)))

    assert [(each.claim_uid, each.label, each.probability, each.labellers) for each in found.claims] == [
        ("a", Label.SUPPORTED, 0.075, ("ann",))
    ]
    assert (found.n, found.complete, found.census, found.population) == (1, False, False, 40)
    assert one(facts(vote("a"), vote("b", None))).complete


def test_a_label_counts_in_every_queue_that_drew_its_claim() -> None:
    """It was given in another one; not when the queue is for others."""
    elsewhere = vote("a", queue_id="other")
    others = QUEUE.model_copy(update={"labellers": ("bob",)})

    assert (one(facts(elsewhere)).n, one(facts(elsewhere, queues=[others])).n) == (1, 0)


def test_what_nobody_drew_is_no_sample() -> None:
    """It says so, has no probability, and feeds no rate; hand labels of the sample stand apart."""
    given = facts(vote("d", queue_id=None), vote("a", queue_id=None, labeller="sample gold"))
    loose, hand = one(given, "outside:v1"), one(given, "sample:v1")

    assert [(each.n, each.design, each.feeds_rates, each.complete) for each in (loose, hand)] == [
        (1, "not a sample", False, False)
    ] * 2
    assert [each.claim_uid for each in (*loose.claims, *hand.claims)] == ["d", "a"]
    assert {each.probability for each in (*loose.claims, *hand.claims)} == {None}


def test_an_exploration_queue_feeds_no_rate() -> None:
    """However complete it is."""
    assert not one(facts(vote("a"), queues=[QUEUE.model_copy(update={"feeds_rates": False})])).feeds_rates


def test_an_adjudication_is_gold_in_every_queue_that_drew_the_claim() -> None:
    """Here without any other label in it."""
    found = one(facts(rulings=[Ruling("b", "C1", Label.WRONG_SCOPE, "cyd", "v1", False)]))

    assert [(each.label, each.provenance) for each in found.claims] == [(Label.WRONG_SCOPE, Provenance.ADJUDICATED)]


@pytest.mark.parametrize(
    ("label", "strict", "lenient"),
    [
        (Label.SUPPORTED, False, False),
        (Label.SECONDARY_ONLY, False, False),
        (Label.PARTIAL, True, False),
        (Label.CONTRADICTED, True, True),
        (Label.INACCESSIBLE, None, None),
    ],
)
def test_whether_a_label_makes_a_claim_unsupported(label: Label, strict: bool | None, lenient: bool | None) -> None:
    """By the two rules of the rate; what nobody could read is in neither."""
    (found,) = one(facts(vote("a", label))).claims

    assert (found.unsupported_strict, found.unsupported_lenient) == (strict, lenient)


def test_coarse_gold_tells_one_rule_only() -> None:
    """It may be "partial", so the lenient rule has no answer, and the set has no nine labels."""
    found = one(facts(imported=[said("a", "not_supported"), said("b", "supported")]), f"file:{'f' * 16}:elsewhere")
    coarse, fine = found.claims

    assert (coarse.label, coarse.coarse, coarse.unsupported_strict, coarse.unsupported_lenient) == (
        None,
        "not_supported",
        True,
        None,
    )
    assert (fine.label, fine.coarse, fine.unsupported_strict) == (Label.SUPPORTED, None, False)
    assert (found.nine_labels, found.census, found.complete, found.population) == (False, True, True, 2)


def test_experts_who_differ_make_no_gold() -> None:
    """A file with two labellers of one claim."""
    found = one(facts(imported=[said("a", "partial"), said("a", "supported", "other")]), f"file:{'f' * 16}:elsewhere")

    assert (found.n, found.disagreements, found.complete) == (0, 1, False)


def test_a_file_without_a_design_is_no_sample() -> None:
    """Nobody can say which claims it stands for."""
    found = one(facts(imported=[said("a", "partial", design="", probability=None)]), f"file:{'f' * 16}:elsewhere")

    assert (found.design, found.feeds_rates, found.census, found.claims[0].probability) == (
        "not a sample",
        False,
        False,
        None,
    )


def test_the_sha_names_the_content() -> None:
    """The order of the votes and a new title change nothing; one other label does."""
    here = one(facts(vote("a"), vote("b")))
    renamed = one(facts(vote("b"), vote("a"), queues=[QUEUE.model_copy(update={"name": "Other"})]))
    other = one(facts(vote("a"), vote("b", Label.PARTIAL)))

    assert (here.sha256 == renamed.sha256, here.sha256 == other.sha256) == (True, False)


def test_gold_under_an_older_guideline_says_so() -> None:
    """It stays gold."""
    (found,) = one(facts(vote("a"), guidelines=("v1", "v2"))).claims

    assert found.guideline_old


CHECKED = build.checked(build.answer("r1"), [Label.SUPPORTED, Label.PARTIAL])
LINES = [
    {"request_id": "r1", "claim_id": "c1", "label": "supported", "labeller": "expert", "orig": "Complete"},
    {"request_id": "r1", "claim_id": "c2", "label": "not_supported", "labeller": "expert", "orig": "Incomplete"},
]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    """A store with one answer of two claims."""
    with open_store(tmp_path / "desk.duckdb") as opened:
        opened.record(build.batch(CHECKED))
        yield opened


def put(path: Path, *lines: object) -> Path:
    """A file of these lines."""
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def test_an_imported_census(store: Store, tmp_path: Path) -> None:
    """Every line goes in once however often the file is read; the set is complete, with probability 1."""
    file = put(tmp_path / "gold.jsonl", *LINES)
    reports = [claim_label_files.take(store, file, drawing("census", None), "elsewhere", "me") for _ in range(2)]
    (info,) = gold_sets.gold_sets(store)
    found = gold_sets.gold_set(store, info.gold_id)

    assert [(report.events_new, report.events_known, report.bad_lines) for report in reports] == [
        (2, 0, ()),
        (0, 2, ()),
    ]
    assert audit_check.verify(store).fault is None
    assert (info.n, info.complete, info.census, info.feeds_rates, info.population) == (2, True, True, True, 2)
    assert {(each.label, each.coarse, each.probability, each.stale) for each in found.claims} == {
        (Label.SUPPORTED, None, 1.0, False),
        (None, "not_supported", 1.0, False),
    }


def test_lines_that_cannot_be_used_are_named(store: Store, tmp_path: Path) -> None:
    """Each with its reason; the others go in."""
    store.record(build.batch(build.checked(build.answer("r2"), [Label.SUPPORTED])))
    store.record(build.batch(build.checked(build.answer("r2", query="Again?"), [Label.SUPPORTED])))
    good = LINES[0]
    file = put(
        tmp_path / "gold.jsonl",
        good,
        good | {"claim_id": "c9"},
        good | {"request_id": "r2"},
        good | {"label": "Complete"},
        good | {"labeller": ""},
        good | {"label": "partial"},
        good,
    )
    report = claim_label_files.take(store, file, drawing(None, None), "elsewhere", "me")

    assert (report.events_new, report.events_known) == (1, 1)
    assert [(bad.line, bad.field, bad.reason[:30]) for bad in report.bad_lines] == [
        (2, None, "no claim 'c9' of a request 'r1"),
        (3, None, "2 claims are called 'c1' of a "),
        (4, "label", "'Complete' is none of supporte"),
        (5, "labeller", "is missing, or no text"),
        (6, None, "'expert' says supported of the"),
    ]


def test_a_design_can_be_put_right(store: Store, tmp_path: Path) -> None:
    """What was said last about how the claims were drawn counts."""
    file = put(tmp_path / "gold.jsonl", *LINES)
    claim_label_files.take(store, file, drawing(None, None), "elsewhere", "me")
    claim_label_files.take(store, file, drawing("random", 0.2), "elsewhere", "me")
    (info,) = gold_sets.gold_sets(store)

    assert (info.n, info.design, info.feeds_rates) == (2, "random", True)


@pytest.mark.parametrize(
    ("design", "probability"), [("census", 0.5), ("random", None), (None, 0.5), ("random", 0.0), ("random", 1.5)]
)
def test_a_drawing_that_contradicts_itself_is_refused(design: str | None, probability: float | None) -> None:
    """Nothing is guessed about how claims were drawn."""
    with pytest.raises(InputError):
        drawing(design, probability)


def test_a_real_queue(store: Store) -> None:
    """The standing queue of every claim is a census; one of two claims labelled is not yet all of it."""
    queue = queues.everything(store)
    first = build.uid(CHECKED.answer, CHECKED.claims[0])
    span = store.labels.span(first, "C1")
    assert span is not None
    store.labels.add([build.event("e1", first, queue_id=queue.queue_id, seen_sha256=span.seen_sha256)])
    found = gold_sets.gold_set(store, f"queue:{queue.queue_id}:v1")

    assert [(one.claim_uid, one.label, one.probability, one.queue_id) for one in found.claims] == [
        (first, Label.SUPPORTED, 1.0, queue.queue_id)
    ]
    assert (found.design, found.census, found.complete, found.population) == ("census", True, False, 2)


def test_the_hand_labels_of_the_sample(tmp_path: Path) -> None:
    """They are a set of their own, and no sample; one that does not exist names those that do."""
    desk = Desk.open(Settings(store=tmp_path / "desk.duckdb", verifier="lexical"))
    desk.load_sample()
    infos = {info.gold_id: info for info in gold_sets.gold_sets(desk.store)}
    with pytest.raises(InputError, match="sample:v1"):
        gold_sets.gold_set(desk.store, "queue:none:v1")
    desk.close()

    assert infos["sample:v1"].n > 20
    assert (infos["sample:v1"].design, infos["sample:v1"].nine_labels) == ("not a sample", True)
