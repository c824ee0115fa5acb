"""Second-hand statements: attributed by the text, stated as a fact by the claim."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.qualifiers.secondary import compare

CLAIM = "Half of the bees died in winter."


@pytest.mark.parametrize(
    ("evidence", "attribution"),
    [
        ("According to Smith et al., half of the bees died in winter.", "According to Smith et al."),
        ("Half of the bees died in winter, as reported by the WHO (2019).", "as reported by the WHO"),
        ("Earlier studies have shown that half of the bees died in winter.", "Earlier studies have shown"),
        ("Lee and Park (2004) reported that half of the bees died in winter.", "Lee and Park (2004) reported"),
        ("The Daily Herald reported that half of the bees died in winter.", "The Daily Herald reported that"),
        ("Half of the bees died in winter, officials said.", ", officials said"),
        ("Half of the bees died in winter [12].", "[12]"),
        ("Half of the bees died in winter (Rossi, 1998).", "(Rossi, 1998)"),
        ("It has been claimed that half of the bees died in winter.", "It has been claimed that"),
    ],
)
def test_a_second_hand_statement(evidence: str, attribution: str) -> None:
    """The text names another source for what the claim states."""
    (found,) = compare(CLAIM, evidence)

    assert (found.kind, found.claim, found.evidence, found.agrees) == ("secondary", CLAIM, attribution, False)


@pytest.mark.parametrize(
    "evidence",
    [
        "Half of the bees died in winter.",
        "We found that half of the bees died in winter.",
        "This study found that half of the bees died in winter.",
        "Unlike Smith et al. [12], we found that half of the bees died in winter.",
        "Half of the bees died in winter. Officials said they were surprised.",  # about another statement
        "Half of the bees died in winter. The loss has been linked to heat [4].",
        "Half of the bees died in winter. According to Smith et al., half of the bees died in winter.",  # both ways
    ],
)
def test_a_statement_of_its_own(evidence: str) -> None:
    """The text says it itself, or attributes something else."""
    assert not any(one.agrees is False for one in compare(CLAIM, evidence))


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Fees are set according to income.", "Fees are set according to income."),
        ("Trains run according to the winter plan.", "Trains run according to the Berlin plan in winter."),
        ("They won the title 6-3.", "They won the title 6-3, 2-6, [10-4]."),  # a score
        ("The bees died in May 1963.", "The bees died in the same year (May, 1963)."),  # a month
        ("Smith found the wreck in 1985.", "Smith found the wreck in 1985."),
    ],
)
def test_no_attribution(claim: str, evidence: str) -> None:
    """What looks like one and names no source."""
    assert compare(claim, evidence) == []


def test_an_attribution_in_both_agrees() -> None:
    """The claim says whose statement it is."""
    (found,) = compare(
        "Smith et al. reported that half of the bees died.", "According to Smith et al., half of the bees died."
    )

    assert (found.claim, found.agrees) == ("Smith et al. reported", True)


@given(st.text(alphabet="Half of the bees died, according to Smith said [12] (2004).", max_size=80))
def test_snippets_are_exact(text: str) -> None:
    """Whatever the letters, each snippet stands in its text."""
    for one in compare(CLAIM, text):
        assert one.claim in CLAIM
        assert one.evidence is not None
        assert one.evidence in text
