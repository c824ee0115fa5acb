"""Answers come out of the store exactly as they went in, whatever is in their texts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import StoreError
from core.models import Annotation, Answer, Evidence, GeneratorName, GivenClaim
from core.store import Store, open_store
from tests.core.store import build

TEXTS = st.text(
    st.one_of(st.characters(categories=None), st.sampled_from("\0'\"\\%_{}\ud800\U0010ffff\n")), max_size=12
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
META = st.dictionaries(TEXTS, JSON, max_size=3)
FIRST, LAST = datetime(2, 1, 1), datetime(9998, 12, 1)  # noqa: DTZ001 - zones are drawn
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.one_of(
    st.datetimes(FIRST, LAST),
    st.datetimes(FIRST, LAST, timezones=OFFSETS),
    # as a log has them: moments of a zone, each with its offset
    st.datetimes(FIRST, LAST, timezones=st.timezones()).map(lambda moment: datetime.fromisoformat(moment.isoformat())),
)
ANSWERS = st.builds(
    Answer,
    request_id=TEXTS,
    query=st.none() | TEXTS,
    asked_at=st.none() | MOMENTS,
    generator=st.builds(GeneratorName, name=st.none() | TEXTS, model=st.none() | TEXTS),
    answer=st.none() | TEXTS,
    claims=st.none()
    | st.lists(
        st.builds(
            GivenClaim,
            text=TEXTS,
            citation_ids=st.lists(TEXTS, max_size=2).map(tuple),
            quotes=st.lists(TEXTS, max_size=2).map(tuple),
            claim_id=st.none() | TEXTS,
            material=st.none() | st.booleans(),
            notes=st.lists(TEXTS, max_size=1).map(tuple),
            meta=META,
        ),
        max_size=2,
    ).map(tuple),
    evidence=st.lists(
        st.builds(
            Evidence,
            id=TEXTS,
            text=TEXTS,
            locator=st.none() | TEXTS,
            source_version=st.none() | TEXTS,
            uri=st.none() | TEXTS,
            title=st.none() | TEXTS,
            retrieved=st.booleans(),
            in_context=st.booleans(),
            active=st.booleans(),
            accessible=st.booleans(),
            groups=st.lists(TEXTS, max_size=2).map(tuple),
            meta=META,
        ),
        max_size=3,
    ).map(tuple),
    meta=META,
    notes=st.lists(TEXTS, max_size=2).map(tuple),
)
ANNOTATED = st.tuples(ANSWERS, st.lists(TEXTS, max_size=2)).map(
    lambda drawn: drawn[0].model_copy(
        update={
            "annotations": tuple(Annotation(start=0, end=len(drawn[0].answer or ""), cite=cite) for cite in drawn[1])
        }
    )
)


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, list[str]]]:
    """A store with the uids of what was recorded in it, in order."""
    with open_store(tmp_path_factory.mktemp("growing") / "desk.duckdb") as store:
        yield store, []


@settings(max_examples=min(settings().max_examples, 1000))  # each one writes to a file
@given(drawn=st.lists(ANNOTATED, min_size=1, max_size=8))
def test_round_trip(growing: tuple[Store, list[str]], drawn: list[Answer]) -> None:
    """Any answers, recorded and read back in pieces, are equal, in order, and have the same uids."""
    store, uids = growing
    last = uids[-1] if uids else None
    names = (f"{number} {one.request_id}" for number, one in enumerate(drawn, len(uids)))
    answers = [one.model_copy(update={"request_id": name}) for name, one in zip(names, drawn, strict=True)]
    uids += [one.uid for one in answers]
    store.record(build.batch(*(build.checked(one, [None], [build.claim(cites=())]) for one in answers)))
    found: list[Answer] = []
    while more := store.answers(found[-1].uid if found else last, 3):
        found += more

    assert found == answers
    assert [one.uid for one in found] == uids[-len(answers) :]


def test_conflicting_evidence_is_kept(store: Store) -> None:
    """One id with two texts, and the same entry twice, come back as they stood."""
    entries = (Evidence(id="C1", text="one"), Evidence(id="C1", text="two"), Evidence(id="C1", text="one"))
    one = build.answer(evidence=entries)
    store.record(build.batch(build.checked(one, [None])))

    assert store.answers()[0].evidence == entries


def test_no_claims_is_not_none(store: Store) -> None:
    """An empty list of given claims is not the absence of one."""
    ones = [build.answer("a", claims=()), build.answer("b", claims=None)]
    store.record(build.batch(*(build.checked(one, []) for one in ones)))

    assert [one.claims for one in store.answers()] == [(), None]


def test_an_offset_survives(store: Store) -> None:
    """The moment keeps the offset it was given with, so that the uid stays."""
    one = build.answer(asked_at=datetime(2026, 3, 1, 0, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))))
    store.record(build.batch(build.checked(one, [None])))
    found = store.answers()[0]

    assert (found.uid, str(found.asked_at)) == (one.uid, "2026-03-01 00:30:00+05:30")


def test_numbers_that_json_has_no_word_for(store: Store) -> None:
    """Infinity and NaN in unknown fields survive."""
    store.record(build.batch(build.checked(build.answer(meta={"a": math.inf, "b": math.nan}), [None])))
    meta = store.answers()[0].meta

    assert meta["a"] == math.inf
    assert math.isnan(meta["b"])


@pytest.mark.parametrize(
    "bad",
    [
        build.answer("bad", meta={"when": datetime(2026, 1, 1, tzinfo=UTC)}),
        build.answer("bad", asked_at=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1)))),
    ],
)
def test_what_cannot_be_stored_exactly_is_refused_whole(store: Store, bad: Answer) -> None:
    """A record that would not come back as it went in is refused in a sentence, and the batch with it."""
    with pytest.raises(StoreError):
        store.record(build.batch(build.checked(build.answer("good"), [None]), build.checked(bad, [None])))

    assert store.answers() == []


def test_paging(store: Store) -> None:
    """Answers come in import order; after the last there are none; an unknown uid is refused."""
    ones = [build.answer(name) for name in "cab"]
    store.record(build.batch(*(build.checked(one, [None]) for one in ones)))

    assert [one.request_id for one in store.answers(limit=2)] == ["c", "a"]
    assert [one.request_id for one in store.answers(ones[1].uid)] == ["b"]
    assert store.answers(ones[2].uid) == []
    with pytest.raises(StoreError, match="No answer feed is in the store"):
        store.answers("feed")
