"""The anchor set: drawn once, judged by every new judge, and what it says of a change of judge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import anchor_set
from core.desk import Desk
from core.errors import InputError
from core.models import CheckedAnswer, Label
from core.settings import Settings
from core.store import Store, open_store
from core.store.records import ClaimFilter
from tests.core.store import build

OLD, NEW = build.PROTOCOL, build.protocol(0.9)
A, B = str(OLD), str(NEW)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Ten answers of three claims, judged by the old judge: two of three are supported."""
    with open_store(tmp_path / "desk.duckdb") as opened:
        opened.record(build.batch(*(judged(number, Label.PARTIAL) for number in range(10))))
        yield opened


def judged(number: int, last: Label | None) -> CheckedAnswer:
    """An answer of three claims, the last with this label."""
    return build.checked(build.answer(f"r{number}"), [Label.SUPPORTED, Label.SUPPORTED, last])


def test_it_is_drawn_once(store: Store) -> None:
    """Whole answers until there are enough claims; a second draw gives the first, whatever it asks for."""
    first = anchor_set.draw(store, "ann", size=7, seed=3)
    second = anchor_set.draw(store, "bob", size=20, seed=4)

    assert first == second == store.anchors.current()
    assert (len(first.claim_uids), first.who, first.seed) == (9, "ann", 3)
    assert len({uid for uid in first.claim_uids}) == 9


def test_the_seed_alone_decides(tmp_path: Path, store: Store) -> None:
    """Another store with the same answers in another order draws the same claims."""
    with open_store(tmp_path / "other.duckdb") as other:
        other.record(build.batch(*(judged(number, Label.PARTIAL) for number in reversed(range(10)))))

        drawn = [set(anchor_set.draw(one, "ann", size=5, seed=1).claim_uids) for one in (store, other)]

    assert drawn[0] == drawn[1]


def test_nothing_to_draw_is_a_sentence(tmp_path: Path, store: Store) -> None:
    """An empty store, or a set of no claims."""
    with pytest.raises(InputError, match="is none"):
        anchor_set.draw(store, "ann", size=0)
    with open_store(tmp_path / "new.duckdb") as empty, pytest.raises(InputError, match="No claim was judged"):
        anchor_set.draw(empty, "ann")


def test_a_step_is_told_on_the_claims_of_the_set(store: Store) -> None:
    """The new judge supports what the old one called partial: a third of 100 claims fewer, all of it the judge's."""
    anchor_set.draw(store, "ann", size=30)
    store.record(build.batch(*(judged(number, Label.SUPPORTED) for number in range(10)), under=NEW))
    store.record(build.batch(judged(50, Label.CONTRADICTED), under=NEW))
    (step,) = anchor_set.steps(store, [B, A])

    assert (step.first, step.second, step.n, step.anchored) == (A, B, 30, True)
    assert [one.estimate.estimate for one in step.rates] == [pytest.approx(1 / 3), 0.0]
    assert step.difference.estimate == pytest.approx(-1 / 3)
    assert step.sentence == (
        f"On the same 30 anchor claims {B} calls 33 to 33 of 100 fewer unsupported than {A}: that much is the judge's."
    )
    (lenient,) = anchor_set.steps(store, [A, B], "lenient")
    assert "no difference between the judges can be told" in lenient.sentence


def test_without_a_set_the_overlap_serves_and_is_named_so(store: Store) -> None:
    """Only what both judged; without any such claim there is no figure."""
    store.record(build.batch(judged(0, Label.SUPPORTED), under=NEW))
    third = build.protocol(0.95)
    store.record(build.batch(judged(99, Label.SUPPORTED), under=third))
    steps = anchor_set.steps(store, [A, B, str(third)])

    assert [(one.n, one.anchored) for one in steps] == [(3, False), (0, False)]
    assert "claims that both judged" in steps[0].sentence
    assert "no claim in common" in steps[1].sentence
    assert steps[1].difference.estimate is None


def test_of_very_many_claims_every_so_many_th_answer_is_taken(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answers each time and for each pair, and the sentence says so."""
    store.record(build.batch(*(judged(number, Label.SUPPORTED) for number in range(100)), under=NEW))
    (every,) = anchor_set.steps(store, [A, B])
    monkeypatch.setattr(anchor_set, "MOST", every.n // 4)
    (step,) = anchor_set.steps(store, [A, B])

    assert every.one_in == 1
    assert step.one_in in (4, 5)
    assert 0 < step.n < every.n / 2
    assert step.n % 3 == 0  # whole answers
    assert f"{step.n:,} claims that both judged (from one answer in {step.one_in})" in step.sentence
    assert anchor_set.steps(store, [A, B]) == [step]


def test_a_new_judge_judges_it_with_the_first_answers_it_takes_in(tmp_path: Path) -> None:
    """An import under a new protocol judges the set, too, and says so; the next import does not again."""
    desk = Desk.open(Settings(store=tmp_path / "desk.duckdb", verifier="lexical"))
    try:
        desk.import_file(log(tmp_path, 0, 4))
        drawn = anchor_set.draw(desk.store, "ann", size=2)
        other = desk.settings.model_copy(update={"thresholds": {"supported": 0.95}})
        report = desk.import_file(log(tmp_path, 4, 6), settings=other)
        again = desk.import_file(log(tmp_path, 6, 8), settings=other)
        names = [one.name for one in desk.store.protocols()]
        (step,) = anchor_set.steps(desk.store, names)

        assert any("anchor set were judged too" in note for note in report.notes)
        assert not any("anchor set" in note for note in again.notes)
        assert (report.answers_read, step.n, step.anchored) == (2, len(drawn.claim_uids), True)
        assert desk.store.claim_page(ClaimFilter(protocol=report.protocol)).total == 2 + 2 + len(drawn.claim_uids)
    finally:
        desk.close()


def log(folder: Path, first: int, end: int) -> Path:
    """A log of answers with one claim each."""
    path = folder / f"{first}.jsonl"
    lines = [
        {
            "request_id": f"r{number}",
            "claims": [{"text": f"Lamp {number} weighs 40 grams.", "citation_ids": ["C1"]}],
            "evidence": [{"id": "C1", "text": f"Lamp {number} weighs 40 grams."}],
        }
        for number in range(first, end)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
