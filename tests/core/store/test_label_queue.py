"""The labelling queue: blind, in an order that says nothing, skipped ones last."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta
from pathlib import Path

import pytest

from core.models import Claim, Evidence, Label, digest, utc_now
from core.store import Store, claim_uid, label_queue
from core.store.label_records import LabelKind, QueueProgress, SpanToLabel
from tests.core.store import build

CLAIMS = [
    build.claim(1, cites=("C2", "C1"), flags=("number",), quotes=("open",), start=0, end=17),
    build.claim(2, cites=()),
    build.claim(3, cites=(), material=False),
    build.claim(4, cites=("C9",), material=False),
    build.claim(5, cites=("D1",)),
    build.claim(6, cites=("P1",)),
]
ANSWER = build.answer(
    evidence=(
        Evidence(id="C1", text="one", title="T", locator="p1", source_version="v2", uri="https://example.org/"),
        Evidence(id="C2", text="two"),
        Evidence(id="D1", text="this"),
        Evidence(id="D1", text="that"),
        Evidence(id="P1", text="", accessible=False),
    )
)


@pytest.fixture
def queue(store: Store) -> Store:
    """Six claims: two spans, uncited, uncited and not material, unknown id, doubled id, paywalled."""
    store.record(build.batch(build.checked(ANSWER, [None] * len(CLAIMS), CLAIMS)))
    return store


def uid(number: int) -> str:
    """The uid of a claim of the queue."""
    return claim_uid(ANSWER.uid, build.SPLITTER, CLAIMS[number - 1])


def places(spans: list[SpanToLabel]) -> list[tuple[str, str | None]]:
    """Claim id and cite."""
    return [(span.claim_id, span.cite) for span in spans]


def expected_order() -> list[tuple[str, str | None]]:
    """All spans of the queue, by the md5 of the claim's uid."""

    def md5(claim: Claim) -> str:
        name = claim_uid(ANSWER.uid, build.SPLITTER, claim)
        return hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()

    queued = [claim for claim in sorted(CLAIMS, key=md5) if claim.material or claim.cites]
    return [(claim.claim_id, cite) for claim in queued for cite in claim.cites or (None,)]


def test_order(queue: Store) -> None:
    """Claims in md5 order, the spans of a claim together in citation order; what needs no citation is not asked."""
    assert places(queue.labels.ahead("ann", "v1")) == expected_order()
    assert places(queue.labels.ahead("ann", "v1", limit=2)) == expected_order()[:2]


def test_what_a_labeller_sees(queue: Store) -> None:
    """Everything of the claim and of the cited entry, and the hash of exactly the two texts."""
    span = queue.labels.span(uid(1), "C1")

    assert span == SpanToLabel(
        claim_uid=uid(1),
        cite="C1",
        request_id="r1",
        claim_id="c1",
        claim="The gate is open, says line 1.",
        query="What of r1?",
        flags=("number",),
        cites=("C2", "C1"),
        quotes=("open",),
        position=1,
        claims_in_answer=6,
        answer="The gate is open. [C1]",
        start=0,
        end=17,
        evidence="one",
        title="T",
        locator="p1",
        source_version="v2",
        uri="https://example.org/",
        accessible=True,
        seen_sha256=digest(["The gate is open, says line 1.", "one"]),
        unusable="",
        titles=(None, "T"),
    )


@pytest.mark.parametrize(
    ("number", "cite", "evidence", "accessible"),
    [(2, None, None, True), (4, "C9", None, True), (5, "D1", None, True), (6, "P1", "", False)],
)
def test_without_a_text(queue: Store, number: int, cite: str | None, evidence: str | None, accessible: bool) -> None:
    """Uncited, unknown and doubled ids show no text; a source that cannot be read says so."""
    span = queue.labels.span(uid(number), cite)

    assert span is not None
    assert (span.evidence, span.accessible) == (evidence, accessible)
    assert bool(span.unusable) == (cite is not None)
    assert span.seen_sha256 == digest([CLAIMS[number - 1].text, evidence])


def test_unknown_spans(queue: Store) -> None:
    """A claim that is not there, or does not cite that, gives none."""
    assert queue.labels.span("0" * 16, "C1") is None
    assert queue.labels.span(uid(1), "C9") is None
    assert queue.labels.span(uid(1), None) is None


def test_labelled_spans_leave_and_skipped_ones_come_last(queue: Store) -> None:
    """Only this person's decisions under this guideline count; a second skip sends a span behind the other skipped."""
    order = expected_order()
    first, second, third = [queue.labels.ahead("ann", "v1")[n] for n in range(3)]
    skips = [
        build.event(f"s{n}", span.claim_uid, span.cite, kind=LabelKind.SKIP, label=None, reason="Later")
        for n, span in enumerate((first, second, first))
    ]
    queue.labels.add([*skips[:2], build.event("e1", third.claim_uid, third.cite)])
    once = places(queue.labels.ahead("ann", "v1"))
    queue.labels.add(skips[2:])
    twice = places(queue.labels.ahead("ann", "v1"))

    assert once == [*order[3:], order[0], order[1]]
    assert twice == [*order[3:], order[1], order[0]]
    assert places(queue.labels.ahead("bob", "v1")) == order
    assert places(queue.labels.ahead("ann", "v2")) == order


def test_undo_brings_a_span_back_to_its_place(queue: Store) -> None:
    """After an undo the queue is what it was."""
    first = queue.labels.ahead("ann", "v1")[0]
    event = build.event("e1", first.claim_uid, first.cite)
    queue.labels.add([event])
    queue.labels.add([build.undo("u1", event)])

    assert places(queue.labels.ahead("ann", "v1")) == expected_order()


def test_spans_on_their_way_are_left_out(queue: Store) -> None:
    """The limit counts what is given, not what is excluded."""
    spans = queue.labels.ahead("ann", "v1")
    had = {(span.claim_uid, span.cite) for span in spans[:3]}

    assert places(queue.labels.ahead("ann", "v1", 2, had)) == expected_order()[3:5]
    assert queue.labels.ahead("ann", "v1", 2, [(span.claim_uid, span.cite) for span in spans]) == []


def test_progress(queue: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skipped spans remain; an hour later the pace is 0; guidelines count apart unless none is named."""
    spans = queue.labels.ahead("ann", "v1")
    skip = build.event("s", spans[1].claim_uid, spans[1].cite, kind=LabelKind.SKIP, label=None, reason="Later")
    extra = build.event("x", uid(3), None)  # not in the queue: it counts nowhere
    queue.labels.add([build.event("e1", spans[0].claim_uid, spans[0].cite), skip, extra])
    queue.labels.add([build.event("e2", spans[2].claim_uid, spans[2].cite, guideline="v2")])

    assert queue.labels.progress("ann", "v1") == QueueProgress(total=6, labelled=1, skipped=1, remaining=5, last_hour=1)
    assert queue.labels.progress("ann") == QueueProgress(total=6, labelled=2, skipped=1, remaining=4, last_hour=2)
    assert queue.labels.progress("bob") == QueueProgress(total=6, labelled=0, skipped=0, remaining=6, last_hour=0)
    later = utc_now() + timedelta(hours=2)
    monkeypatch.setattr("core.store.label_queue.utc_now", lambda: later)
    assert queue.labels.progress("ann", "v1").last_hour == 0


def test_the_queue_cannot_see_verdicts(queue: Store) -> None:
    """No statement of the queue names a table of verdicts, and it works in a store that has none."""
    source = Path(str(label_queue.__file__)).read_text(encoding="utf-8")
    before = queue.labels.ahead("ann", "v1")
    with queue._connection.write() as session:
        session.run("drop view current_verdicts")
        for table in ("claim_verdicts", "stage_verdicts", "runs", "protocols", "batches"):
            session.run(f"drop table {table}")

    tables = set(re.findall(r"(?:from|join)\s+([a-z_]+)", " ".join(re.findall(r'"""(.*?)"""', source, re.DOTALL))))
    assert {"spans", "claims", "requests", "current_labels"} <= tables
    assert not {table for table in tables if "verdict" in table or "run" in table}
    assert queue.labels.ahead("ann", "v1") == before
    assert queue.labels.progress("ann").total == 6


def test_labels_of_the_judge_change_nothing(store: Store) -> None:
    """Two stores that differ in verdicts only give the same queue."""
    one = build.checked(ANSWER, [Label.CONTRADICTED] * len(CLAIMS), CLAIMS)
    store.record(build.batch(one))
    first = store.labels.ahead("ann", "v1")
    store.record(build.batch(build.checked(ANSWER, [Label.SUPPORTED] * len(CLAIMS), CLAIMS)))

    assert store.labels.ahead("ann", "v1") == first
