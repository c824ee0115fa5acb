"""Addresses: what they say is read back as it was written, and nonsense in them does no harm."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models import Label, Structural
from core.people import Person, Role
from core.protocol import ClaimProtocol, VerifierProtocol
from core.store.records import ClaimFilter, ProtocolInfo, Sort
from dashboard.widgets import address

MONDAY = datetime(2026, 11, 16, tzinfo=UTC)
ANA = Person(name="ana", role=Role.REVIEWER)


def info(threshold: float, claims: int, last_run: datetime = MONDAY) -> ProtocolInfo:
    """A protocol of the store, told from others by its threshold."""
    judge = VerifierProtocol(verifier="lexical", version=1, thresholds={"supported": threshold}, windowing="none")
    protocol = ClaimProtocol(verifier=judge, splitter="sentences@1", materiality="rules@1")
    return ProtocolInfo(name=str(protocol), protocol=protocol, claims=claims, first_run=MONDAY, last_run=last_run)


INFOS = [info(0.6, 10), info(0.9, 20)]

FILTERS = st.builds(
    ClaimFilter,
    protocol=st.sampled_from([one.name for one in INFOS]),
    labels=st.lists(st.sampled_from([*Label, None]), unique=True).map(tuple),
    request_id=st.none() | st.text(min_size=1),
    flags=st.lists(st.sampled_from(["number", "medical"]), unique=True).map(tuple),
    structural=st.lists(st.sampled_from(Structural), unique=True).map(tuple),
    text=st.text(),
    bucket=st.none() | st.just((MONDAY, MONDAY + timedelta(days=7))),
    undated=st.booleans(),
    attempted_only=st.booleans(),
    unsupported=st.sampled_from([None, "strict", "lenient"]),
    generator=st.none() | st.text(min_size=1),
    sort=st.sampled_from(Sort),
    reader=st.just(ANA),
    concealed=st.booleans(),
)


@given(FILTERS)
def test_a_filter_survives_the_address(wanted: ClaimFilter) -> None:
    """Whoever opens a copied address sees the same claims."""
    assert address.review_filter(address.review_params(wanted), INFOS, ANA) == wanted


@given(
    st.dictionaries(st.sampled_from(["labels", "flag", "structure", "bucket", "sort", "page", "by", "tz"]), st.text())
)
def test_nonsense_is_left_out(params: dict[str, str]) -> None:
    """No address can break a page."""
    assert address.review_filter(params, INFOS, ANA).protocol == INFOS[1].name
    assert address.page_number(params) >= 1
    assert address.trend_choice([], params, INFOS, "No/Where").time_zone


@pytest.mark.parametrize(
    ("written", "number"), [("3", 3), ("0", 1), ("-2", 1), ("", 1), ("1e9", 1), ("٣", 1), ("99999999999999", 1)]
)
def test_page_numbers(written: str, number: int) -> None:
    """A page number is a small whole number from 1."""
    assert address.page_number({"page": written}) == number


def test_a_bucket_needs_both_moments_in_order_and_their_offsets() -> None:
    """A half or a local moment would silently mean another week."""
    assert address.review_filter({"bucket": "2026-11-16/2026-11-23"}, INFOS, ANA).bucket is None
    backwards = "2026-11-23T00:00:00+00:00/2026-11-16T00:00:00+00:00"
    assert address.review_filter({"bucket": backwards}, INFOS, ANA).bucket is None
    berlin = timezone(timedelta(hours=1))
    fine = "2026-11-16T00:00:00+01:00/2026-11-23T00:00:00+01:00"
    assert address.review_filter({"bucket": fine}, INFOS, ANA).bucket == (
        datetime(2026, 11, 16, tzinfo=berlin),
        datetime(2026, 11, 23, tzinfo=berlin),
    )


def test_the_usual_judge_has_most_claims_then_ran_last() -> None:
    """A judge that saw everything is shown before one that saw a part, a newer before an older."""
    assert address.usual_protocol(INFOS) == INFOS[1].name
    later = info(0.7, 20, MONDAY + timedelta(hours=1))
    assert address.usual_protocol([*INFOS, later]) == later.name


def test_nothing_named_is_a_filter_of_its_own() -> None:
    """Answers of no generator, outside every corpus, and claims without a source survive the way there and back."""
    wanted = ClaimFilter(protocol=INFOS[0].name, generator="", corpus="", source="", reader=ANA)

    assert address.review_params(wanted)["without"] == "generator,corpus,source"
    assert address.review_filter(address.review_params(wanted), INFOS, ANA) == wanted


def test_trends_show_every_judge_unless_some_are_named() -> None:
    """Unknown judges are left out; the browser's time zone is taken when the address has none."""
    everything = address.trend_choice([], {}, INFOS, "Europe/Berlin")
    assert everything == address.TrendChoice(
        protocols=tuple(one.name for one in INFOS),
        strictness="strict",
        bucket="week",
        time_zone="Europe/Berlin",
        generator=None,
    )
    chosen = address.trend_choice([INFOS[1].name, "gone@1"], {"tz": "Asia/Tokyo", "by": "month"}, INFOS, "UTC")
    assert (chosen.protocols, chosen.time_zone, chosen.bucket) == ((INFOS[1].name,), "Asia/Tokyo", "month")
