"""Behaviour probes: what they are made of, that a seed decides them, and how they are counted."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from core import probes
from core.extraction import sentences
from core.gold_pairs import GoldPair
from core.models import Label, Pair
from core.probes import LONGEST, UNRELATED, VERBATIM, ProbeRate, in_turns, make, run, surrounding
from core.words import words
from tests.core.gold_made import made, supported

KINDS = {
    VERBATIM,
    UNRELATED,
    "swapped number",
    "inserted negation",
    "removed negation",
    "swapped entity",
    "swapped population",
    "swapped unit",
}


def by_copy(pairs: Sequence[Pair]) -> list[Label | None]:
    """A judge that supports what stands in the evidence word for word, and judges nothing about willows."""
    return [
        None if "willow" in one.evidence else Label.SUPPORTED if one.claim in one.evidence else Label.IRRELEVANT
        for one in pairs
    ]


def rate(found: Sequence[ProbeRate], kind: str, base: str = "sentence") -> ProbeRate:
    """The row of a kind and base."""
    (one,) = [row for row in found if (row.kind, row.base) == (kind, base)]
    return one


def test_every_kind_is_made_of_sentences_and_alterations_of_claims_too() -> None:
    """Seven towns and one probe of each kind and pair, at most as many as asked for."""
    found = make([made()], size=5)

    assert {kind for kind, _ in found} == KINDS
    assert {kind for kind, base in found if base == "claim"} == KINDS - {VERBATIM, UNRELATED}
    assert all(len(pairs) <= 5 for pairs in found.values())
    for kind in ("swapped number", "swapped entity", "swapped unit", VERBATIM):
        assert len(found[kind, "sentence"]) == 5


def test_only_a_verbatim_probe_stands_in_its_evidence() -> None:
    """And an unrelated one shares no content word and no number with it."""
    found = make([made()])

    for (kind, _), pairs in found.items():
        assert all((pair.claim in pair.evidence) is (kind == VERBATIM) for pair in pairs)
    for pair in found[UNRELATED, "sentence"]:
        mine, theirs = words(pair.claim), words(pair.evidence)
        assert not mine.content & theirs.content
        assert not mine.numbers & theirs.numbers


def test_a_seed_decides_everything() -> None:
    """The same probes for the same seed, others for another."""
    assert make([made()], 1) == make([made()], 1)
    assert make([made()], 1) != make([made()], 2)


def test_only_supported_pairs_are_used_and_sets_take_turns() -> None:
    """A small set is not drowned by a large one."""
    other = GoldPair(claim="No.", evidence="No word of it is true in any town at all.", label="contradicted")
    large, small = made("large", 8, other), made("small", 1)

    order = in_turns([large, small], Random(1))

    assert other not in order
    assert len(order) == 9
    assert supported(0) in order[:2]


def test_the_rate_is_over_what_was_judged() -> None:
    """The judge of copies holds every target; the pair about willows leaves the count."""
    found = run([made()], by_copy)

    verbatim, number = rate(found, VERBATIM), rate(found, "swapped number")
    assert (verbatim.rate.estimate, verbatim.rate.n, verbatim.unjudged) == (1.0, 7, 1)
    assert (number.rate.estimate, number.rate.n, number.unjudged) == (0.0, 7, 1)
    assert all(one.is_met for one in found if one.rate.n)


@pytest.mark.parametrize(("label", "met"), [(Label.SUPPORTED, {VERBATIM}), (Label.IRRELEVANT, KINDS - {VERBATIM})])
def test_targets_point_the_right_way(label: Label, met: set[str]) -> None:
    """A judge that always says the same holds only what that serves."""
    found = run([made()], lambda pairs: [label for _ in pairs])

    assert {one.kind for one in found if one.is_met} == met


def test_without_supported_pairs_there_is_no_data() -> None:
    """No probe, no share, and no target that could be met or missed."""
    found = run([made("empty", 0)], by_copy)

    assert {one.kind for one in found} == KINDS
    assert all(one.rate.estimate is None and one.is_met is None for one in found)


def test_long_evidence_is_cut_to_whole_sentences_around_the_one_that_counts() -> None:
    """The probe's sentence stays, and nothing is cut in the middle."""
    text = " ".join(f"This is sentence number {at} of a long text." for at in range(200))
    start, end = sentences(text)[100]

    kept = surrounding(text, start, end)

    assert len(kept) <= LONGEST
    assert text[start:end] in kept
    assert kept[0] == "T"
    assert kept[-1] == "."
    assert surrounding("Short.", 0, 6) == "Short."


def test_the_target_of_every_kind_is_the_one_that_was_set() -> None:
    """As wanted of Citedesk: copies at least 98 %, everything else at most so much."""
    found = {one.kind: (one.target, one.at_least) for one in run([made()], by_copy)}

    assert found == {
        VERBATIM: (0.98, True),
        UNRELATED: (0.01, False),
        "swapped number": (0.03, False),
        "inserted negation": (0.10, False),
        "removed negation": (0.10, False),
        "swapped entity": (0.15, False),
        "swapped population": (0.10, False),
        "swapped unit": (0.10, False),
    }
    assert probes.PER_KIND >= 100
