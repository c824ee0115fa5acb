"""The details of one claim: its row, its answer, its stages, its sisters, what people said."""

from __future__ import annotations

from core.models import Evidence, Label
from core.store import Store
from tests.core.store import build

OTHER = build.protocol(0.9)


def test_everything_about_a_claim(store: Store) -> None:
    """Rows are those of the answer under the protocol, in claim order, each with its uid."""
    entries = (Evidence(id="C1", text="👩‍👩‍👧 <b>\0"), Evidence(id="C2", text="unused"))
    one = build.checked(build.answer(evidence=entries), [Label.SUPPORTED, Label.PARTIAL])
    store.record(build.batch(build.checked(build.answer("r0"), [None]), one))
    uids = [build.uid(one.answer, claim) for claim in one.claims]
    label = build.event("e1", uids[1])
    store.labels.add([label])
    detail = store.claim(uids[1], str(build.PROTOCOL))

    assert detail is not None
    assert detail.claim_uid == uids[1]
    assert detail.row == detail.rows[1][1]
    assert [(uid, row.claim_id, row.label) for uid, row in detail.rows] == [
        (uids[0], "c1", Label.SUPPORTED),
        (uids[1], "c2", Label.PARTIAL),
    ]
    assert detail.answer == one.answer
    assert detail.stages == one.stages[2:]
    assert detail.protocols == ()
    assert [stored.event for stored in detail.labels] == [label]


def test_rows_come_back_exactly(store: Store) -> None:
    """A row with everything in it is equal to the one recorded, but for the protocol it was moved under."""
    one = build.batch(build.checked(build.answer(), [Label.SUPPORTED]))
    row = one.answers[0].rows[0]
    scores = {"coverage": 0.1 + 0.2, "infinite": float("inf")}
    hostile = row.model_copy(
        update={
            "notes": ("cut \ud83d", "'; drop table claims; --"),
            "fragments": ((0, 3), (9, 12)),
            "spans": (row.spans[0].model_copy(update={"scores": scores, "reason": "\0"}),),
        }
    )
    checked = one.answers[0].model_copy(update={"rows": (hostile,)})
    store.record(one.model_copy(update={"answers": (checked,)}))
    detail = store.claim(build.uid(checked.answer, checked.claims[0]))

    assert detail is not None
    assert detail.row == hostile


def test_the_protocol_that_judged_last(store: Store) -> None:
    """Without a protocol the latest one is shown; with one, that one, the other named beside it."""
    one = build.checked(build.answer(), [Label.SUPPORTED])
    two = build.checked(build.answer(), [Label.PARTIAL])
    uid = build.uid(one.answer, one.claims[0])
    store.record(build.batch(one))
    store.record(build.batch(two, under=OTHER))
    latest, first = store.claim(uid), store.claim(uid, str(build.PROTOCOL))

    assert latest is not None
    assert (latest.row.label, latest.protocols) == (Label.PARTIAL, (str(build.PROTOCOL),))
    assert first is not None
    assert (first.row.label, first.protocols) == (Label.SUPPORTED, (str(OTHER),))


def test_nothing_to_show(store: Store) -> None:
    """An unknown claim, and a protocol that never judged it, give none."""
    one = build.checked(build.answer(), [Label.SUPPORTED])
    store.record(build.batch(one))

    assert store.claim("0" * 16) is None
    assert store.claim("' or true --") is None
    assert store.claim(build.uid(one.answer, one.claims[0]), str(OTHER)) is None
