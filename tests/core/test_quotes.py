"""The quote gate: verbatim, near miss, found nowhere, and what cannot be looked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models import Claim, Evidence, MergePolicy, QuoteState
from core.quotes import ELSEWHERE, QuoteFinding, check
from core.registry import Registry

SIGN = Evidence(id="C1", text="The sign reads:\n  Don’t feed the swans at the lock. Thank you.")
LOCK = Evidence(id="C2", text="The lock opens at noon on Sundays. No fee is due.")


def look(
    *quotes: str, cites: tuple[str, ...] = ("C1",), entries: tuple[Evidence, ...] = (SIGN, LOCK), policy: str = "all"
) -> QuoteFinding:
    """Check a claim with these quotations and citations."""
    registry = Registry.build(entries)
    claim = Claim(claim_id="c1", text="A claim.", cites=cites, quotes=quotes)
    return check(claim, [registry.resolve(cite) for cite in cites], registry, MergePolicy(policy))


def test_no_quotation_is_not_given() -> None:
    """Nothing to check is a state of its own."""
    assert look() == QuoteFinding(state=QuoteState.NOT_GIVEN, by_cite={})


def test_verbatim_with_its_place() -> None:
    """Offsets are those of the untouched evidence text."""
    found = look("reads: Don’t feed")

    assert (found.state, found.by_cite) == (QuoteState.VERBATIM, {"C1": QuoteState.VERBATIM})
    assert (found.rows[0].start, found.rows[0].end) == (9, 28)
    assert SIGN.text[9:28] == "reads:\n  Don’t feed"


def test_a_near_miss_shows_its_nearest_place() -> None:
    """It stays a miss and has no offsets of its own."""
    found = look("Don't feed the swans")
    row = found.rows[0]

    assert (found.state, row.match, row.start) == (QuoteState.NEAR_MISS, QuoteState.NEAR_MISS, None)
    assert row.nearest is not None
    assert (row.nearest.cite, row.nearest.text, row.nearest.differs) == (
        "C1",
        "Don’t feed the swans",
        "curly quotes or punctuation",
    )


def test_verbatim_in_an_uncited_source_is_a_near_miss() -> None:
    """The words exist, but not where the claim says."""
    nearest = look("The lock opens at noon").rows[0].nearest

    assert nearest is not None
    assert (nearest.cite, nearest.start, nearest.end, nearest.differs) == ("C2", 0, 22, ELSEWHERE)


def test_found_nowhere() -> None:
    """No text of the registry is even near."""
    found = look("All visitors must pay ninety crowns in advance")

    assert (found.state, found.rows[0].nearest) == (QuoteState.NOT_FOUND, None)
    assert found.by_cite == {"C1": QuoteState.NOT_FOUND}


@pytest.mark.parametrize(
    ("policy", "state"),
    [("all", QuoteState.NEAR_MISS), ("any", QuoteState.VERBATIM), ("joint", QuoteState.VERBATIM)],
)
def test_all_asks_for_every_cited_span(policy: str, state: QuoteState) -> None:
    """A quotation that stands in one of two cited spans: enough under any and joint, not under all."""
    found = look("The lock opens at noon", cites=("C1", "C2"), policy=policy)

    assert found.state is state
    assert found.by_cite == {"C1": QuoteState.NEAR_MISS, "C2": QuoteState.VERBATIM}
    assert (found.rows[0].start, found.rows[0].end) == (0, 22)


def test_the_worst_row_decides() -> None:
    """One verbatim, one near, one nowhere."""
    found = look("Thank you.", "Don't feed the swans", "Ninety crowns must be paid in advance")

    assert [row.match for row in found.rows] == [QuoteState.VERBATIM, QuoteState.NEAR_MISS, QuoteState.NOT_FOUND]
    assert found.state is QuoteState.NOT_FOUND


def test_a_source_that_cannot_be_read_refutes_nothing() -> None:
    """Its text is not looked at, and absence elsewhere proves nothing."""
    closed = SIGN.model_copy(update={"accessible": False})
    found = look("Thank you.", entries=(closed, LOCK))

    assert (found.state, found.rows[0].match, found.by_cite) == (QuoteState.NOT_GIVEN, QuoteState.NOT_GIVEN, {})


def test_a_source_without_text_refutes_nothing() -> None:
    """There was nothing to compare; it is neither verbatim nor made up."""
    assert look("Depth averaged 31 m", entries=(Evidence(id="C1", text=" "),)).state is QuoteState.NOT_GIVEN


def test_an_unknown_id_leaves_the_registry_to_search() -> None:
    """A quotation under an invented id is made up when no source has it, and misplaced when one has."""
    assert look("Ninety crowns must be paid in advance", cites=("C9",)).state is QuoteState.NOT_FOUND
    assert look("No fee is due.", cites=("C9",)).state is QuoteState.NEAR_MISS
    assert look("No fee is due.", cites=()).state is QuoteState.NEAR_MISS


def test_a_cited_source_that_may_not_be_used_is_named_as_such() -> None:
    """The words stand in a withdrawn version."""
    nearest = look("Thank you.", entries=(SIGN.model_copy(update={"active": False}), LOCK)).rows[0].nearest

    assert nearest is not None
    assert nearest.differs == "stands in the cited source, which may not be used (inactive)"


@given(st.text(alphabet="ab .,\n\u00a0’é", max_size=40), st.data())
def test_what_is_cut_from_a_source_is_verbatim_in_it(text: str, data: st.DataObject) -> None:
    """Any stretch with a character in it, and the row's offsets lead to the same words."""
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    found = look(quote, entries=(Evidence(id="C1", text=text),))

    if quote.strip():
        row = found.rows[0]
        assert found.state is QuoteState.VERBATIM
        assert row.start is not None
        assert text[row.start : row.end].split() == quote.split()
    else:
        assert found.state is not QuoteState.VERBATIM
