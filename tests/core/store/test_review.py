"""The review list: what a filter shows, in which order, with which counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models import Failure, Label, Status, Structural
from core.store import Store
from core.store.conditions import WORST_FIRST
from core.store.records import ClaimFilter, ClaimPage, Sort
from tests.core.rows import span_row
from tests.core.store import build

LABELS: Sequence[Label | None] = [*Label, None]


def wanted(**changes: Any) -> ClaimFilter:
    """A filter under the usual protocol."""
    return ClaimFilter(protocol=str(build.PROTOCOL), **changes)


def ids(page: ClaimPage) -> list[str]:
    """The shown claims as request/claim."""
    return [f"{item.request_id}/{item.claim_id}" for item in page.items]


@pytest.fixture
def filled(store: Store) -> Store:
    """Three answers: r1 with every label, r2 newer with flags, r3 undated of another generator; r1 judged twice."""
    flagged = [
        build.claim(1, flags=("number", "date", "number")),
        build.claim(2, flags=("number",), text="It opens at 7 %"),
        build.claim(3, flags=("name",), material=False, cites=()),
    ]
    r1 = build.checked(build.answer("r1", generator={"name": "desk", "model": "m-1"}), LABELS)
    r2 = build.checked(
        build.answer("r2", asked_at=build.STARTED + timedelta(days=1), generator={"name": "desk"}),
        [Label.PARTIAL, Label.SUPPORTED, None],
        flagged,
    )
    r3 = build.checked(build.answer("r3", asked_at=None, query="Who_knows?"), [Label.UNRESOLVABLE])
    store.record(build.batch(r1, r2, r3))
    store.record(build.batch(r1, under=build.protocol(0.9)))
    return store


def test_worst_first(filled: Store) -> None:
    """Labels come in the order of the list, equal ones in the order of import."""
    page = filled.claim_page(wanted())

    labels = [str(item.label) if item.label else "none" for item in page.items]
    assert labels == sorted(labels, key=WORST_FIRST.index)
    assert ids(page)[1:3] == ["r1/c6", "r3/c1"]
    assert page.total == 14


def test_other_orders(filled: Store) -> None:
    """Newest first puts undated answers last; as imported is what it says."""
    newest = ids(filled.claim_page(wanted(sort=Sort.NEWEST_FIRST)))
    imported = ids(filled.claim_page(wanted(sort=Sort.AS_IMPORTED)))

    assert newest == ["r2/c1", "r2/c2", "r2/c3", *(f"r1/c{n}" for n in range(1, 11)), "r3/c1"]
    assert imported == [*(f"r1/c{n}" for n in range(1, 11)), "r2/c1", "r2/c2", "r2/c3", "r3/c1"]


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"labels": (Label.PARTIAL,)}, ["r1/c2", "r2/c1"]),
        ({"labels": (None, Label.WRONG_SCOPE)}, ["r1/c8", "r1/c10", "r2/c3"]),
        ({"request_id": "r3"}, ["r3/c1"]),
        ({"request_id": "r"}, []),
        ({"flags": ("date",)}, ["r2/c1"]),
        ({"flags": ("date", "name")}, ["r2/c1", "r2/c3"]),
        ({"structural": (Structural.UNCITED,)}, ["r1/c5"]),
        ({"undated": True}, ["r3/c1"]),
        ({"generator": "desk"}, ["r2/c1", "r2/c3", "r2/c2"]),
        ({"generator": "m-1", "labels": (Label.SUPPORTED,)}, ["r1/c1"]),
        (
            {"bucket": (build.STARTED + timedelta(days=1), build.STARTED + timedelta(days=2))},
            ["r2/c1", "r2/c3", "r2/c2"],
        ),
        ({"bucket": (build.STARTED + timedelta(hours=1), build.STARTED + timedelta(days=1))}, []),
        ({"text": "OPENS 7"}, ["r2/c2"]),
        ({"text": "opens r2"}, ["r2/c2"]),
        ({"text": "opens r1"}, []),
        ({"text": "%"}, ["r2/c2"]),
        ({"text": "who_KNOWS"}, ["r3/c1"]),
        ({"text": "r_"}, []),
        ({"text": "' or true --"}, []),
        ({"text": "\0"}, []),
        ({"text": " \n "}, None),
        ({"request_id": "r2", "attempted_only": True}, ["r2/c1", "r2/c2"]),
        ({"request_id": "r2", "unsupported": "strict"}, ["r2/c1"]),
        ({"request_id": "r2", "unsupported": "lenient"}, []),
    ],
)
def test_filters(filled: Store, changes: dict[str, Any], shown: list[str] | None) -> None:
    """Each filter shows what it says, worst first; words of the free text are taken literally."""
    page = filled.claim_page(wanted(**changes))

    assert shown is None or ids(page) == shown
    assert page.total == (14 if shown is None else len(shown))


def test_chip_counts_leave_out_their_own_filter(filled: Store) -> None:
    """Label counts ignore the labels chosen but not the flags, and the other way round."""
    page = filled.claim_page(wanted(labels=(Label.PARTIAL,), flags=("number",)))

    assert ids(page) == ["r2/c1"]
    assert {label: count for label, count in page.label_counts.items() if count} == {"partial": 1, "supported": 1}
    assert list(page.label_counts) == list(WORST_FIRST)
    assert page.flag_counts == {"date": 1, "number": 1}
    assert filled.claim_page(wanted()).flag_counts == {"date": 1, "name": 1, "number": 2}


def test_unknown_protocol_shows_nothing(filled: Store) -> None:
    """A protocol that judged nothing has an empty list, not an error."""
    page = filled.claim_page(ClaimFilter(protocol="lexical@1+00000000"))

    assert (page.total, page.items, page.flag_counts) == (0, (), {})


def test_item_says_what_a_reviewer_reads(filled: Store) -> None:
    """An item carries claim, question, reason and source."""
    item = filled.claim_page(wanted(text="7 %")).items[0]

    assert item.model_dump(exclude={"claim_uid"}) == {
        "request_id": "r2",
        "claim_id": "c2",
        "claim": "It opens at 7 %",
        "query": "What of r2?",
        "label": Label.SUPPORTED,
        "why": "found supported",
        "source": "Gate rules",
        "flags": ("number",),
        "protocol": str(build.PROTOCOL),
        "concealed": False,
    }


@settings(max_examples=25)
@given(data=st.data())
def test_pages_rows_and_positions_agree(shared: Store, data: st.DataObject) -> None:
    """Page by page, streamed and by position, a filter shows the same claims in the same order, ``total`` of them."""
    filtered = wanted(
        labels=tuple(data.draw(st.lists(st.sampled_from(LABELS), max_size=4, unique=True))),
        flags=tuple(data.draw(st.lists(st.sampled_from(["number", "date"]), max_size=1))),
        text=data.draw(st.sampled_from(["", "line 1", "r3"])),
        attempted_only=data.draw(st.booleans()),
        unsupported=data.draw(st.sampled_from([None, "strict", "lenient"])),
        sort=data.draw(st.sampled_from(list(Sort))),
    )
    limit = data.draw(st.integers(20, 210))
    total = shared.claim_page(filtered).total
    pages = [shared.claim_page(filtered, limit, offset) for offset in range(0, total, limit)]
    items = [item for page in pages for item in page.items]

    assert [(row.request_id, row.claim_id) for row in shared.rows(filtered)] == [
        (item.request_id, item.claim_id) for item in items
    ]
    assert len(items) == total
    assert all(page.total == total for page in pages)
    for place in {0, total // 2, total - 1} & set(range(total)):
        assert shared.claim_position(filtered, items[place].claim_uid) == place


def test_a_claim_outside_the_filter_has_no_position(filled: Store) -> None:
    """Deep links to what the filter hides find nothing."""
    uid = filled.claim_page(wanted(labels=(Label.PARTIAL,))).items[0].claim_uid

    assert filled.claim_position(wanted(labels=(Label.SUPPORTED,)), uid) is None
    assert filled.claim_position(wanted(), "0" * 16) is None


def test_rows_are_those_of_the_first_moment(filled: Store) -> None:
    """A verdict recorded while rows are being read does not disturb them."""
    rows = filled.rows(wanted(request_id="r3"))
    expected = next(filled.rows(wanted(request_id="r3")))
    filled.record(build.batch(build.checked(build.answer("r9"), [Label.SUPPORTED])))

    assert list(rows) == [expected]


def test_generators_and_request_ids(filled: Store) -> None:
    """Generators go by model, or by name; request ids by prefix, taken literally."""
    assert filled.generators() == ["desk", "m-1"]
    assert filled.request_ids("r") == ["r1", "r2", "r3"]
    assert filled.request_ids("r", limit=2) == ["r1", "r2"]
    assert filled.request_ids("%") == []


def test_the_list_reads_no_evidence(filled: Store) -> None:
    """Pages and positions work without the tables that hold evidence."""
    uid = filled.claim_page(wanted()).items[3].claim_uid
    with filled._connection.write() as session:
        for table in ("texts", "registry_entries"):
            session.run(f"drop table {table}")

    assert filled.claim_page(wanted(text="line")).total == 13
    assert filled.claim_position(wanted(), uid) == 3


def test_failures_are_counted_and_filtered(store: Store) -> None:
    """By the word that a reason begins with, of claims without a label only; their own filter leaves the counts."""
    about = build.answer("r1")
    reasons = (
        "overloaded: Five attempts",
        "too_long: 9,000 words",
        "overloaded: Again",
        "found nothing",
        "empty: as said",
    )
    labels: list[Label | None] = [None, None, None, None, Label.SUPPORTED]
    claims = [build.claim(number) for number in range(1, 6)]
    rows = []
    for claim, label, reason in zip(claims, labels, reasons, strict=True):
        status = Status.JUDGED if label else Status.FAILED
        rows.append(build.row(about, claim, label, spans=(span_row(label=label, status=status, reason=reason),)))
    one = build.checked(about, labels, claims)
    store.record(build.batch(one.model_copy(update={"rows": tuple(rows)})))
    everything = store.claim_page(wanted())
    narrowed = store.claim_page(wanted(failures=(Failure.OVERLOADED,)))

    assert everything.failure_counts == narrowed.failure_counts == {"overloaded": 2, "too_long": 1}
    assert (ids(narrowed), narrowed.total) == (["r1/c1", "r1/c3"], 2)
    assert ids(store.claim_page(wanted(failures=(Failure.EMPTY,)))) == []
    assert store.claim_page(wanted(labels=(Label.SUPPORTED,), failures=(Failure.TOO_LONG,))).total == 0
