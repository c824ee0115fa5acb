"""Altered sentences: what is changed, and what is left alone because the evidence might still support it."""

from __future__ import annotations

from random import Random

import pytest

from core import alterations
from core.alterations import POPULATIONS, UNITS


def number(text: str, evidence: str | None = None, seed: int = 1) -> str | None:
    """Swap a number; the sentence is its own evidence unless another is given."""
    return alterations.swap_number(text, evidence or text, Random(seed))


@pytest.mark.parametrize("seed", range(20))
def test_a_number_becomes_another_of_the_same_shape(seed: int) -> None:
    """Never one that the evidence has."""
    text = "The trial had 214 members, of whom 12.5 % left."
    evidence = f"{text} Another had 614."
    altered = number(text, evidence, seed) or ""

    assert altered != text
    assert "614" not in altered
    assert [len(word) for word in altered.split()] == [len(word) for word in text.split()]


def test_a_year_becomes_an_earlier_year() -> None:
    """Any other number gets another first digit."""
    altered = number("The bridge was built in 1998 of steel.") or ""
    year = int(altered.split("in ")[1][:4])

    assert 1950 < year < 1998
    assert number("It was open for 9 days.") in {f"It was open for {digit} days." for digit in range(1, 8)}
    assert number("The bridge is 9,000 feet long.") in {
        f"The bridge is {digit},000 feet long." for digit in range(1, 8)
    }


@pytest.mark.parametrize(
    "text",
    [
        "It has at least 5 rooms.",
        "It lasts between 3 and 5 days.",
        "It lasts 3 to 5 days.",
        "See Table 4 for more.",
        "It was shown before [12].",
        "It is caused by COVID-19.",
        "It is more than 40.",
        "No figure at all.",
    ],
)
def test_bounds_ranges_and_names_with_numbers_are_left_alone(text: str) -> None:
    """Another value may follow from the evidence, or is no value."""
    assert number(text) is None


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("The gate is open at night.", {"The gate is not open at night.", "The gate isn't open at night."}),
        ("Cars can pass here.", {"Cars can not pass here.", "Cars cannot pass here."}),
        ("It will rain.", {"It will not rain.", "It won't rain."}),
        ("They have shown it.", {"They have not shown it.", "They haven't shown it."}),
        ("The man who is tall was seen.", {"The man who is tall was not seen.", "The man who is tall wasn't seen."}),
    ],
)
def test_a_negation_goes_behind_the_first_verb_that_takes_one(text: str, forms: set[str]) -> None:
    """In full or short; the verb of a relative clause is passed over."""
    assert {alterations.insert_negation(text, text, Random(seed)) for seed in range(20)} == forms


@pytest.mark.parametrize(
    "text",
    ["It is not open.", "It is never open.", "If it is open, go.", "Is it open?", "They have three dogs.", "It opens."],
)
def test_what_denies_supposes_or_has_no_such_verb_is_left_alone(text: str) -> None:
    """A second negation might affirm."""
    assert alterations.insert_negation(text, text, Random(1)) is None


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("The gate is not open.", "The gate is open."),
        ("The drug did not work well.", "The drug did work well."),
        ("It cannot be seen.", "It can be seen."),
        ("It won't rain.", "It will rain."),
        ("It isn’t open.", "It is open."),
        ("It can't rain.", "It can rain."),
        ("It is not only open but wide.", None),
        ("It is not open, nor wide.", None),
        ("It is not known whether it is open.", None),
        ("It is open.", None),
    ],
)
def test_a_negation_is_removed_when_it_is_the_only_one(text: str, affirmed: str | None) -> None:
    """And when it denies the verb as such."""
    assert alterations.remove_negation(text, text, Random(1)) == affirmed


def test_a_group_becomes_another_unless_the_evidence_speaks_of_both() -> None:
    """Everywhere in the sentence."""
    text = "Of 20 adults, six adults slept."

    assert alterations.swap_population(text, text, Random(1)) == "Of 20 children, six children slept."
    assert alterations.swap_population(text, f"{text} Children did not.", Random(1)) is None
    assert alterations.swap_population("Men and women slept.", "Men and women slept.", Random(1)) is None
    assert alterations.swap_population("Dogs slept.", "Dogs slept.", Random(1)) is None


def test_a_unit_becomes_another_behind_a_number_only() -> None:
    """Also behind a number in words; not one that the evidence uses."""
    assert alterations.swap_unit("Take 5 mg daily.", "Take 5 mg daily.", Random(1)) == "Take 5 g daily."
    assert alterations.swap_unit("It took two weeks.", "It took two weeks.", Random(1)) in (
        "It took two days.",
        "It took two months.",
    )
    assert alterations.swap_unit("Take 5 mg daily.", "Take 5 mg (0.005 g) daily.", Random(1)) is None
    assert alterations.swap_unit("The hours pass.", "The hours pass.", Random(1)) is None


def test_a_name_becomes_another_of_the_pool_with_as_many_words() -> None:
    """One whose words the evidence does not have."""
    text = "The mayor of Old Harbour met Olsen there."
    pool = ["Old Harbour", "New Castle", "Olsen", "Berg", "Castle"]
    found = {alterations.swap_name(text, f"{text} Berg came too.", pool, Random(seed)) for seed in range(40)}

    assert found == {"The mayor of New Castle met Olsen there.", "The mayor of Old Harbour met Castle there."}
    assert alterations.swap_name("Nobody came.", "Nobody came.", pool, Random(1)) is None


def test_names_are_capitalised_inside_sentences() -> None:
    """No days and months, no authors of citations, nothing of a title."""
    text = "The mayor met Anna Berg in Oslo on Monday in March (see, Smith et al., 2020)."

    assert list(alterations.names(text)) == ["Anna Berg", "Oslo"]
    assert list(alterations.names("Why Some People Like Oslo")) == []
    assert alterations.name_pool([text, "The city near Tall Trees.", "It has tall trees."]) == ["Anna Berg", "Oslo"]


@pytest.mark.parametrize("pairs", [POPULATIONS, UNITS])
def test_lists_have_pairs_of_two_different_things(pairs: tuple[tuple[str, str], ...]) -> None:
    """A pair of one would alter nothing."""
    assert all(one != other for one, other in pairs)
    assert len(set(pairs)) == len(pairs)
