"""What every qualifier must be able to do, also those not yet written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import plugins, qualifiers
from core.models import Label, Qualifier

_VETOES = {Label.CONTRADICTED, Label.WRONG_SCOPE, Label.PARTIAL, Label.IRRELEVANT, Label.SECONDARY_ONLY}

TEXTS = [
    "Turnout rose by 6 percent in 2019.",
    "No figures here.",
    "",
    "駅は2019年に閉鎖された。",
    "5–10 mg, 7 March 2020",
]


@pytest.mark.parametrize("name", plugins.names(qualifiers))
def test_member(name: str) -> None:
    """It says what it is, which version it has and what a disagreement means, and compares twice alike."""
    module = plugins.load(qualifiers, name)

    assert module.__doc__
    assert isinstance(module.VERSION, int)
    assert module.LABEL in _VETOES
    for claim in TEXTS:
        assert not any(one.agrees is False for one in module.compare(claim, claim))  # nothing disagrees with itself
        for evidence in TEXTS:
            compared = module.compare(claim, evidence)
            assert compared == module.compare(claim, evidence)
            assert all(_is_sound(one, claim, evidence) for one in compared)


@given(st.sampled_from(plugins.names(qualifiers)), st.text(max_size=60), st.text(max_size=60))
def test_any_text(name: str, claim: str, evidence: str) -> None:
    """No text raises, and every snippet is one of what was given."""
    compared = plugins.load(qualifiers, name).compare(claim, evidence)

    assert all(_is_sound(one, claim, evidence) for one in compared)


def _is_sound(one: Qualifier, claim: str, evidence: str) -> bool:
    if one.evidence is None:
        return one.claim in claim and one.agrees is None
    return one.claim in claim and one.evidence in evidence
