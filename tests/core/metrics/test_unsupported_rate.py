"""The unsupported rate: what counts, what is left out, and what it could have been."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.unsupported_rate import LENIENT, STRICT, Strictness, counts, report
from core.models import Label, QuoteState


@pytest.mark.parametrize(
    ("label", "strict", "lenient"),
    [
        (Label.SUPPORTED, False, False),
        (Label.PARTIAL, True, False),
        (Label.CONTRADICTED, True, True),
        (Label.IRRELEVANT, True, True),
        (Label.UNCITED, True, True),
        (Label.UNRESOLVABLE, True, True),
        (Label.INACCESSIBLE, False, False),
        (Label.WRONG_SCOPE, True, True),
        (Label.SECONDARY_ONLY, False, False),
        (None, False, False),
    ],
)
def test_every_label_in_both_strictnesses(label: Label | None, strict: bool, lenient: bool) -> None:
    """DESIGN §2; an absent label is excluded, which is not the same as supported."""
    assert counts(label, QuoteState.NOT_GIVEN, "strict") is strict
    assert counts(label, QuoteState.NOT_GIVEN, "lenient") is lenient


@pytest.mark.parametrize("strictness", ["strict", "lenient"])
def test_an_invented_quotation_counts_in_both(strictness: Strictness) -> None:
    """Found nowhere is unsupported even if the verifier is content; a near miss is only partial; excluded stays out."""
    assert counts(Label.PARTIAL, QuoteState.NOT_FOUND, strictness)
    assert counts(Label.PARTIAL, QuoteState.NEAR_MISS, "lenient") is False
    assert counts(None, QuoteState.NOT_FOUND, strictness) is False
    assert counts(Label.INACCESSIBLE, QuoteState.NOT_FOUND, strictness) is False


def test_hand_worked_rate() -> None:
    """40 attempted, 3 inaccessible and 1 unjudged leave 36; 9 of 36 is 25 %; bounds 9/40 and 13/40."""
    found = report(attempted=40, inaccessible=3, unjudged=1, unsupported=9)

    assert (found.attempted, found.judged, found.excluded) == (40, 36, 4)
    assert found.estimate.estimate == 0.25
    assert found.estimate.n == 36
    assert (found.best, found.worst) == (0.225, 0.325)


def test_errors_leave_the_rate_and_are_counted() -> None:
    """Three good verdicts and a time-out: no failure among three, not one in four."""
    found = report(attempted=4, inaccessible=0, unjudged=1, unsupported=0)

    assert (found.estimate.estimate, found.judged, found.excluded) == (0.0, 3, 1)
    assert (found.best, found.worst) == (0.0, 0.25)


def test_nothing_judged_is_no_data() -> None:
    """Two outages are no rate of 0; the bounds say that anything is possible."""
    found = report(attempted=2, inaccessible=0, unjudged=2, unsupported=0)

    assert found.estimate.estimate is None
    assert found.estimate.warnings == ("no data",)
    assert (found.best, found.worst) == (0.0, 1.0)
    empty = report(attempted=0, inaccessible=0, unjudged=0, unsupported=0)
    assert (empty.best, empty.worst) == (None, None)


def test_impossible_counts_are_refused() -> None:
    """More unsupported than judged, or fewer than none."""
    with pytest.raises(ValueError, match="share"):
        report(attempted=3, inaccessible=1, unjudged=1, unsupported=2)
    with pytest.raises(ValueError, match="negative"):
        report(attempted=3, inaccessible=-1, unjudged=1, unsupported=2)


def test_lenient_is_strict_without_partial() -> None:
    """Nothing else differs."""
    assert {Label.PARTIAL} == STRICT - LENIENT


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_the_rate_lies_between_its_bounds(unsupported: int, fine: int, inaccessible: int, unjudged: int) -> None:
    """Whatever was left out, best ≤ rate ≤ worst."""
    attempted = unsupported + fine + inaccessible + unjudged
    found = report(attempted, inaccessible, unjudged, unsupported)
    if found.estimate.estimate is not None and found.best is not None and found.worst is not None:
        assert found.best - 1e-12 <= found.estimate.estimate <= found.worst + 1e-12
