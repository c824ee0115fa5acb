"""What a claim speaks of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.flags import _PATTERNS, flags_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs 9 euros.", ("number",)),
        ("It takes two hours.", ("number",)),
        ("気温は１２度でした。", ("number",)),
        ("COVID-19 is a disease.", ("name", "medical")),
        ("It closed in 1968.", ("number", "date")),
        ("It opens on Mondays.", ("date",)),
        ("It may rain in the march.", ()),
        ("The mayor of Oslo spoke.", ("name",)),
        ("Marie Curie won.", ("name",)),
        ("Bread is cheap. Milk is not.", ()),
        ("The “green” label is gone.", ("quotation",)),
        ("The growth was caused by the mild winter.", ("causal",)),
        ("The contract is void.", ("legal",)),
        ("Patients take one tablet.", ("medical",)),
        ("It fell as a result.", ("causal",)),
        ("It opens early in May.", ("date",)),
        ("It rose by ½.", ("number",)),
        ("Give 5mg of it.", ("number", "medical")),
        ("The iPhone is sold.", ()),
        ("Milk and 3D prints are sold.", ("number", "name")),
    ],
)
def test_flags(text: str, expected: tuple[str, ...]) -> None:
    """Each flag on a sentence that carries it, in the fixed order."""
    assert expected == flags_of(text)


def test_flags_come_in_their_order() -> None:
    """Number, date, name, quotation, causal, legal, medical."""
    text = "In 2011 a court in Oslo wrote that patients died because the “harmless” dose was 12 mg."

    assert flags_of(text) == ("number", "date", "name", "quotation", "causal", "legal", "medical")


@given(st.sampled_from(sorted(_PATTERNS)).flatmap(lambda flag: st.from_regex(_PATTERNS[flag])))
def test_no_flag_is_missed_for_speed(text: str) -> None:
    """A text that a pattern matches is searched, whatever word it begins with."""
    assert {flag for flag, pattern in _PATTERNS.items() if pattern.search(text)} <= set(flags_of(text))
