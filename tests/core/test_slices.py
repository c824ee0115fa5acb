"""Slices: every number opens exactly its claims, and the ranking is that of excess failures."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from core import slices
from core.metrics.clustered_share import Spread
from core.models import Label
from core.store import Store, open_store
from core.store.records import ClaimFilter
from core.store.slices import DIMENSIONS, Totals
from tests.core.store import build
from tests.core.store.conftest import empty as empty  # a fixture
from tests.core.store.conftest import store as store

WANTED = ClaimFilter(protocol=str(build.PROTOCOL))


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Sixty answers of four claims; those about inhalers, by m-2 and of an old source fail more often."""
    answers = []
    for number in range(60):
        bad = number % 3 == 0
        evidence = tuple(
            one.model_copy(update={"source_version": "2020-01-01" if bad else "2026-10-15", "title": f"T{number % 4}"})
            for one in build.answer().evidence
        )
        of = build.answer(
            f"r{number}",
            query=f"What about {'inhalers' if bad else 'lighthouses'} and ferries, number {number}?",
            asked_at=build.STARTED + timedelta(days=number) if number % 5 else None,
            generator={"model": "m-2" if bad else "m-1"},
            evidence=evidence,
        )
        about = [
            build.claim(at, cites=("C1", "C2")[: at % 3], flags=("number",) if at < 3 else ("date",))
            for at in range(1, 5)
        ]
        label = Label.PARTIAL if number % 2 else Label.CONTRADICTED
        labels = [label if bad or at == number % 7 else Label.SUPPORTED for at in range(4)]
        answers.append(build.checked(of, [*labels[:3], None if number % 10 == 0 else labels[3]], about))
    with open_store(tmp_path_factory.mktemp("many") / "desk.duckdb") as opened:
        opened.record(build.batch(*answers))
        yield opened


@pytest.mark.parametrize("strictness", ["strict", "lenient"])
def test_the_drilled_count_is_the_number_that_was_clicked(many: Store, strictness: str) -> None:
    """Of every slice of every dimension, for all claims and for those that fail."""
    report = slices.ranked(many, WANTED, strictness)

    assert {one.dimension for one in report.slices} >= set(DIMENSIONS) - {"corpus"}
    for one in report.slices:
        assert many.claim_page(one.wanted).total == one.judged, one.words
        assert many.claim_page(one.bad).total == one.failed, one.words


@pytest.mark.parametrize(
    "wanted", [{"text": "inhalers"}, {"flags": ("date",)}, {"generator": "m-1"}, {"undated": True}]
)
def test_so_it_is_inside_a_filter(many: Store, wanted: dict[str, object]) -> None:
    """What the filter fixes already is no slice of it."""
    inside = WANTED.model_copy(update=wanted)
    report = slices.ranked(many, inside, "strict")

    assert report.slices
    assert (
        not {"flags": "flag", "generator": "generator"}.keys()
        & wanted.keys()
        & {one.dimension for one in report.slices}
    )
    for one in report.slices:
        assert many.claim_page(one.wanted).total == one.judged, one.words
        assert many.claim_page(one.bad).total == one.failed, one.words


def test_what_fails_more_leads(many: Store) -> None:
    """Excess is n · (rate − overall), most first; the planted slices stand out."""
    report = slices.ranked(many, WANTED, "strict")
    excess = [one.failed - one.judged * report.failed / report.judged for one in report.slices]

    assert [one.excess for one in report.slices] == pytest.approx(excess)
    assert excess == sorted(excess, reverse=True)
    assert {one.words for one in report.slices[:3]} == {
        "written by m-2",
        "the question says inhalers",
        "source over three years old when asked",
    } or report.slices[0].words in {"written by m-2", "the question says inhalers"}
    assert report.slices[0].stands_out
    assert "more than chance explains" in slices.sentence(report.slices[0])


def test_a_word_of_most_questions_is_no_topic(many: Store) -> None:
    """Neither are words without a subject, or numbers."""
    topics = {one.value for one in slices.ranked(many, WANTED, "strict", ["topic"]).slices}

    assert "inhalers" in topics
    assert not topics & {"ferries", "what", "about", "10"}


def test_bad_sources_are_those_that_fail_most(many: Store) -> None:
    """By failing claims that cite them, not by rate."""
    found = slices.bad_sources(slices.ranked(many, WANTED, "strict"))

    assert [one.failed for one in found] == sorted((one.failed for one in found), reverse=True)
    assert {one.dimension for one in found} == {"source"}


def test_nothing_judged_has_no_slices(store: Store) -> None:
    """And no division by it."""
    assert slices.ranked(store, WANTED, "strict").slices == ()


def test_the_design_effect_by_hand() -> None:
    """Ten answers of ten claims, half of them wholly wrong: as good as ten claims; never below 1."""
    halves = Spread.of([(10, 10)] * 5 + [(0, 10)] * 5)
    clustered = Totals(attempted=100, judged=100, failed=50, spread=halves)

    assert slices.design_effect(clustered) == pytest.approx(250 * (10 / 9) / 25)
    assert slices.design_effect(clustered._replace(spread=Spread.of([(5, 10)] * 10))) == 1.0
    assert slices.design_effect(clustered._replace(failed=0)) == 1.0


@pytest.mark.parametrize(
    ("dimension", "value", "words"),
    [
        ("cites", "0", "cites nothing"),
        ("cites", "1", "cites 1 source"),
        ("cites", "5", "cites 5 or more sources"),
        ("flag", "number", "holds a number"),
        ("flag", "legal", "holds law"),
        ("age", "unknown", "age of the source unknown"),
        ("source", "T1", "source T1"),
    ],
)
def test_a_slice_in_words(dimension: str, value: str, words: str) -> None:
    """As it stands in lists and in the filter."""
    assert slices.words(dimension, value) == words
