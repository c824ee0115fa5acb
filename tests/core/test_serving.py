"""The serving check: the first failure in claim order, with one of exactly three reasons."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models import Answer, GivenClaim
from core.serving import CitationFailure, FailureReason, verify_citations

CONTEXT = ["9f2c1a7b4e10:p4.0-812", "9f2c1a7b4e10:p5.0-90"]
GOOD = CONTEXT[0]


def answer(*citations: Any) -> dict[str, object]:
    """An answer as JSON gives it, one claim for each list of citations."""
    return {"claims": [{"text": "A claim.", "citation_ids": ids} for ids in citations]}


@pytest.mark.parametrize(
    ("citations", "expected"),
    [
        ([[GOOD]], None),
        ([[GOOD], [CONTEXT[1], GOOD]], None),
        ([[GOOD], []], ("missing_citation", 1)),
        ([None], ("missing_citation", 0)),
        ([["", "  "]], ("missing_citation", 0)),
        ([["", GOOD]], None),
        ([["C1"]], ("malformed_citation", 0)),
        ([["a:b:c"]], ("malformed_citation", 0)),
        ([[":p4"]], ("malformed_citation", 0)),
        ([[7]], ("malformed_citation", 0)),
        ([[None, GOOD]], ("malformed_citation", 0)),
        ([GOOD], ("malformed_citation", 0)),  # a bare string is no list of ids
        ([["ffffffffffff:p1.0-5"]], ("hallucinated_citation", 0)),
        ([[GOOD, "ffffffffffff:p1.0-5"]], ("hallucinated_citation", 0)),
        ([[GOOD.upper()]], ("hallucinated_citation", 0)),
        ([[GOOD], ["ffffffffffff:p1.0-5", "a:b:c"]], ("hallucinated_citation", 1)),  # citations in order
        ([["a:b:c", "ffffffffffff:p1.0-5"], []], ("malformed_citation", 0)),  # claims in order
    ],
)
def test_first_failure(citations: list[Any], expected: tuple[FailureReason, int] | None) -> None:
    """Claims in order, the citations of each in order, ids compared exactly."""
    failure = CitationFailure(reason=expected[0], claim_index=expected[1]) if expected else None

    assert verify_citations(answer(*citations), CONTEXT) == failure


def test_opaque_labels_are_never_malformed() -> None:
    """Where the context names no pairs, an unknown label is simply made up."""
    assert verify_citations(answer(["C1"]), {"C1"}) is None
    assert verify_citations(answer(["C2"]), {"C1"}) == CitationFailure(reason="hallucinated_citation", claim_index=0)
    assert verify_citations(answer(["C2"]), ()) == CitationFailure(reason="hallucinated_citation", claim_index=0)


@pytest.mark.parametrize("without", [{}, {"claims": None}, {"claims": []}, Answer(request_id="r1", answer="Sorry.")])
def test_an_answer_without_claims_passes(without: Any) -> None:
    """Whether it may be served is decided elsewhere."""
    assert verify_citations(without, CONTEXT) is None


def test_records_and_plain_objects_are_read_alike() -> None:
    """Anything with claims will do."""
    record = Answer(request_id="r1", claims=(GivenClaim(text="A claim.", citation_ids=("x:y",)),))
    plain = SimpleNamespace(claims=[SimpleNamespace(text="A claim.", citation_ids=["x:y"])])
    expected = CitationFailure(reason="hallucinated_citation", claim_index=0)

    assert verify_citations(record, iter(CONTEXT)) == expected
    assert verify_citations(plain, iter(CONTEXT)) == expected


@pytest.mark.parametrize("wrong", [None, "text", 3, ["claim"], {"claims": "text"}, {"claims": 3}])
def test_what_has_no_claims_to_look_at_is_an_error_not_a_pass(wrong: Any) -> None:
    """Fail closed: an answer of another shape never passes."""
    with pytest.raises(TypeError):
        verify_citations(wrong, CONTEXT)


def test_one_string_is_no_context() -> None:
    """Its letters are not ids."""
    with pytest.raises(TypeError):
        verify_citations(answer(["C"]), "C1")


ids = st.one_of(st.sampled_from(["C1", "a:b", "a:b:c", "", " "]), st.text(max_size=4), st.none(), st.integers())


@given(st.lists(st.one_of(st.none(), st.lists(ids, max_size=3)), max_size=4), st.lists(st.text(max_size=3), max_size=4))
def test_it_passes_exactly_when_every_claim_cites_only_the_context(
    citations: list[list[Any] | None], context: Iterable[str]
) -> None:
    """No shape of id slips through, and nothing else is refused."""
    known = set(context)
    written = [[one for one in each or [] if not isinstance(one, str) or one.strip()] for each in citations]
    failure = verify_citations(answer(*citations), known)

    assert (failure is None) == all(each and all(one in known for one in each) for each in written)
    if failure is not None:
        assert failure.reason in get_args(FailureReason)
        assert 0 <= failure.claim_index < len(citations)
