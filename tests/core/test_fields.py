"""Fields that answer yes or no, and what a claim says of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import fields, wording


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Previous surgery: No", [("Previous surgery", True)]),
        ("Fever: none. Cough: yes.", [("Fever", True), ("Cough", False)]),
        ("Name: Weber\nDog: none\nBalcony: present", [("Dog", True), ("Balcony", False)]),
        ("| Lift | No | Sauna | Yes |", [("Lift", True), ("Sauna", False)]),
        ("Licence\tNo", [("Licence", True)]),
        ("Insured? No", [("Insured", True)]),
        ("Access – none", [("Access", True)]),
        ("HIV: negative", [("HIV", True)]),
        ("Test for type B: negative", []),
        ("Charge: positive", []),
        ("Surgery: not recorded", []),
        ("Surgery: No, but planned for May", [("Surgery", True)]),
        ("Surgery: No operation was needed.", []),
        ("The chair said: no.", []),
        ("Is it safe? No.", []),
        ("Status: unknown", []),
        ("", []),
    ],
)
def test_fields_of_a_text(text: str, found: list[tuple[str, bool]]) -> None:
    """A short name without a verb, and nothing but the answer."""
    assert [(text[one.start : one.name_end], one.denies) for one in fields.find(text)] == found


@pytest.mark.parametrize(
    ("claim", "field", "named"),
    [
        ("The donor had surgery before.", "Previous surgery: No", "surgery"),
        ("The donor had surgery.", "Previous surgery: No", "surgery"),
        ("The donor will have surgery.", "Previous surgery: No", ""),
        ("The donor had surgery in 1990.", "Surgery: No", ""),
        ("The patient has a nut allergy.", "Allergies: none", "allergy"),
        ("The patient has an allergy to nuts.", "Allergies: none", "allergy"),
        ("The donor's mother had surgery.", "Surgery: No", ""),
        ("The doctor recommended surgery.", "Surgery: No", ""),
        ("The patient smokes.", "Smoking: no", "smokes"),
        ("He is currently a smoker.", "Current smoker: no", "smoker"),
        ("He was a smoker.", "Current smoker: no", ""),
        ("She lost consciousness.", "Loss of consciousness: no", ""),
    ],
)
def test_what_a_claim_says_of_a_field(claim: str, field: str, named: str) -> None:
    """Every word of the name, one subject, a verb of having, and nothing else."""
    (one,) = fields.find(field)
    tokens = wording.read(claim)

    assert " ".join(tokens[at].word for at in fields.said_of(tokens, field, one)) == named


@given(st.text(alphabet="AB no:.|\n\t?–yes", max_size=60))
def test_places_are_exact(text: str) -> None:
    """In order, none overlapping, each a name with its answer; blanking keeps every other place."""
    found = fields.find(text)
    rest = fields.without(text, found)

    assert len(rest) == len(text)
    assert all(one.start < one.name_end <= one.answer < one.end <= len(text) for one in found)
    assert all(before.end <= after.start for before, after in pairwise(found))
    assert all(
        a == b or any(one.start <= at < one.end for one in found)
        for at, (a, b) in enumerate(zip(text, rest, strict=True))
    )
