"""The corrected draft: keeps, removes, marks, and never writes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.drafts import GAP_NOTES, QUOTE_NOTE, Draft, abstain, corrected_draft
from core.models import Answer, ClaimRow, Evidence, Label, Qualifier, QuoteRow, QuoteState
from tests.core.rows import claim_row, span_row

EVIDENCE = (Evidence(id="C1", text="The mill has four floors."),)


def draft(prose: str | None, *claims: tuple[str, Label | None], **more: Any) -> Draft:
    """Correct prose in which these claims stand, in order, all with the same further fields."""
    rows = []
    at = 0
    for text, label in claims:
        start = prose.index(text, at) if prose else None
        at = start + len(text) if start is not None else 0
        place = ((start, at),) if start is not None else ()
        rows.append(_row(text, label, place, **more))
    return corrected_draft(Answer(request_id="r1", answer=prose, evidence=EVIDENCE), rows)


def _row(text: str, label: Label | None, place: tuple[tuple[int, int], ...], **more: Any) -> ClaimRow:
    values: dict[str, Any] = {
        "claim": text,
        "label": label,
        "fragments": place,
        "start": place[0][0] if place else None,
        "end": place[-1][1] if place else None,
        "spans": (span_row(label=label, end=25),),
    }
    return claim_row(**(values | more))


def before(found: Draft) -> str:
    """What the segments say the answer was."""
    return "".join(one.text for one in found.segments if one.kind in ("keep", "remove"))


@pytest.mark.parametrize("label", [Label.SUPPORTED, Label.SECONDARY_ONLY])
def test_what_is_supported_stays_as_it_was(label: Label) -> None:
    """One segment, no gap."""
    found = draft("It opens at seven [C1].", ("It opens at seven", label))

    assert [one.kind for one in found.segments] == ["keep"]
    assert found.text == "It opens at seven [C1]."
    assert found.gaps == ()


def test_a_link_goes_with_its_title() -> None:
    """No bracket and no address of a claim that is taken out is left behind."""
    prose = "It is in [the report](https://w.example/a). It shut."
    row = _row("It is in the report.", Label.CONTRADICTED, ((0, 9), (10, 20), (42, 43)))
    found = corrected_draft(Answer(request_id="r1", answer=prose, evidence=EVIDENCE), [row])

    assert found.text == f"{GAP_NOTES[Label.CONTRADICTED]} It shut."
    assert before(found) == prose


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ((Label.SUPPORTED, Label.SUPPORTED), "It covers both buses and trams [C1]. It shut."),
        (
            (Label.SUPPORTED, Label.CONTRADICTED),
            f"It covers buses [C1]. {GAP_NOTES[Label.CONTRADICTED]} It shut.",
        ),
        (
            (Label.CONTRADICTED, Label.SUPPORTED),
            f"It covers trams [C1]. {GAP_NOTES[Label.CONTRADICTED]} It shut.",
        ),
        ((Label.CONTRADICTED, Label.CONTRADICTED), f"{GAP_NOTES[Label.CONTRADICTED]} It shut."),
    ],
)
def test_a_claim_that_stays_keeps_the_words_it_shares(labels: tuple[Label, Label], expected: str) -> None:
    """Of one sentence that makes two claims only the failed one goes; both are noted once where the sentence goes."""
    prose = "It covers both buses and trams [C1]. It shut."
    places = (((0, 10), (15, 20), (35, 36)), ((0, 10), (25, 30), (35, 36)))
    rows = [_row(f"Fact {label}", label, place) for label, place in zip(labels, places, strict=True)]
    found = corrected_draft(Answer(request_id="r1", answer=prose, evidence=EVIDENCE), rows)

    assert found.text == expected
    assert before(found) == prose


@pytest.mark.parametrize("label", [Label.CONTRADICTED, Label.IRRELEVANT, Label.UNRESOLVABLE, Label.UNCITED])
def test_what_fails_is_taken_out_with_its_markers(label: Label) -> None:
    """A note stands in its place, the sentences around it are untouched, and the gap is listed."""
    found = draft("It rained. [C2] It opens at seven [C1][C3]. It shut.", ("It opens at seven", label))

    assert found.text == f"It rained. [C2] {GAP_NOTES[label]} It shut."
    assert before(found) == "It rained. [C2] It opens at seven [C1][C3]. It shut."
    assert len(found.gaps) == 1
    assert "It opens at seven" in found.gaps[0]


def test_a_claim_with_its_full_stop_keeps_the_markers_of_others() -> None:
    """Markers after the full stop go; those behind the next claim stay."""
    found = draft("It opens at seven. [C1] It shuts. [C2]", ("It opens at seven.", Label.UNCITED))

    assert found.text == f"{GAP_NOTES[Label.UNCITED]} It shuts. [C2]"


@pytest.mark.parametrize("label", [Label.INACCESSIBLE, None])
def test_what_could_not_be_checked_stays_with_a_note(label: Label | None) -> None:
    """Unread is not wrong."""
    found = draft("It opens at seven. [C1] It shuts.", ("It opens at seven.", label))

    assert found.text == f"It opens at seven. [C1] {GAP_NOTES[label]} It shuts."
    assert len(found.gaps) == 1


def test_a_sentence_that_needs_no_source_stays() -> None:
    """No label and not material: nothing is missing."""
    found = draft("Here is what I found.", ("Here is what I found.", None), material=False)

    assert (found.text, found.gaps) == ("Here is what I found.", ())


def test_partial_keeps_the_entailed_clause() -> None:
    """The leading clauses that the cited stretch has, the full stop and the marker; the rest goes."""
    found = draft(
        "The mill has four floors, and it was built in 1850. [C1]",
        ("The mill has four floors, and it was built in 1850.", Label.PARTIAL),
    )

    assert found.text == "The mill has four floors. [C1]"
    assert before(found) == "The mill has four floors, and it was built in 1850. [C1]"


@pytest.mark.parametrize(
    "claim",
    [
        "In 1850, the mill had six wheels.",  # no clause is entailed
        "The mill has four floors, except on Sundays.",  # what is left would claim more
        "The mill has four floors.",  # nothing to cut: the reason lies elsewhere
    ],
)
def test_partial_without_a_clause_to_keep_is_taken_out(claim: str) -> None:
    """Rather than kept as if it were whole."""
    assert draft(claim, (claim, Label.PARTIAL)).text == GAP_NOTES[Label.PARTIAL]


def test_a_broken_quotation_is_not_kept_as_an_entailed_clause() -> None:
    """Its words stand in the source, but not as quoted; the note says so."""
    claim = "The “mill has Four floors”, and it was built in 1850."
    quote = QuoteRow(text="mill has Four floors", start=None, end=None, match=QuoteState.NEAR_MISS)
    found = draft(claim, (claim, Label.PARTIAL), quote=QuoteState.NEAR_MISS, quotes=(quote,))

    assert found.text == QUOTE_NOTE


def test_wrong_scope_takes_the_qualifier_of_the_excerpt() -> None:
    """Marked as inserted; without one in the excerpt the claim is taken out."""
    scope = Qualifier(kind="population", claim="people", evidence="mice", agrees=False)
    claim = "The drug helps people."
    found = draft(claim, (claim, Label.WRONG_SCOPE), qualifiers=(scope,), excerpt="In mice the drug helped.")

    assert [(one.kind, one.text) for one in found.segments] == [
        ("keep", "The drug helps "),
        ("remove", "people"),
        ("insert", "mice"),
        ("keep", "."),
    ]
    without = draft(claim, (claim, Label.WRONG_SCOPE), qualifiers=(scope,), excerpt="The drug helped.")
    assert without.text == GAP_NOTES[Label.WRONG_SCOPE]


def test_without_prose_the_claims_are_the_answer() -> None:
    """One a line, in order."""
    found = draft(None, ("It opens.", Label.SUPPORTED), ("It shuts.", Label.UNCITED))

    assert before(found) == "It opens.\nIt shuts."
    assert found.text == f"It opens.\n{GAP_NOTES[Label.UNCITED]}"


def test_a_claim_that_stands_nowhere_in_the_prose_is_only_listed() -> None:
    """There is nothing to take out."""
    rows = [_row("Another wording.", Label.CONTRADICTED, ())]
    found = corrected_draft(Answer(request_id="r1", answer="It opens at seven."), rows)

    assert found.text == "It opens at seven."
    assert len(found.gaps) == 1


def test_a_claim_in_pieces_goes_in_pieces() -> None:
    """Text between the pieces stays; one note is enough."""
    prose = "The mill [C1] was built, as told, in 1850."
    rows = [_row("The mill was built in 1850", Label.CONTRADICTED, ((0, 8), (14, 23), (34, 41)))]
    found = corrected_draft(Answer(request_id="r1", answer=prose), rows)

    assert found.text == f" , as told, {GAP_NOTES[Label.CONTRADICTED]}."
    assert before(found) == prose


LABELS = [*Label, None]
WORDS = st.lists(st.sampled_from(["mill", "four", "floors", "1850", "red", "and", "or", ","]), min_size=1, max_size=6)


@given(st.lists(st.tuples(WORDS, st.sampled_from(LABELS), st.booleans()), min_size=1, max_size=5), st.data())
def test_no_word_of_our_own(claims: list[tuple[list[str], Label | None, bool]], data: st.DataObject) -> None:
    """Besides the fixed notes, every word of a draft stands in the answer or in the excerpt.

    Removed and kept text make the answer as it was, also where claims overlap.
    """
    prose = " ".join(" ".join(text) + "." + (" [C1]" if cited else "") for text, _, cited in claims)
    rows = []
    for _, label, _ in claims:
        start, end = sorted(data.draw(st.tuples(st.integers(0, len(prose)), st.integers(0, len(prose)))))
        if start < end:
            qualifier = Qualifier(kind="k", claim=prose[start:end][:3], evidence="blue", agrees=False)
            place = ((start, end),)
            rows.append(_row(prose[start:end], label, place, qualifiers=(qualifier,), excerpt="a blue mill"))
    found = corrected_draft(Answer(request_id="r1", answer=prose, evidence=EVIDENCE), rows)

    assert before(found) == prose
    assert all(one.text == "blue" for one in found.segments if one.kind == "insert")
    notes = {*GAP_NOTES.values(), QUOTE_NOTE}
    assert all(one.text.strip() in notes for one in found.segments if one.kind == "gap")


@pytest.mark.parametrize(
    ("row", "advised"),
    [
        (claim_row(label=Label.CONTRADICTED, flags=("number",)), True),
        (claim_row(label=Label.UNCITED, flags=("medical", "name")), True),
        (claim_row(label=Label.SUPPORTED, quote=QuoteState.NOT_FOUND, flags=("quotation",)), True),
        (claim_row(label=Label.UNRESOLVABLE, flags=("legal",), material=False), False),
        (claim_row(label=Label.CONTRADICTED, flags=("name", "date", "causal")), False),
        (claim_row(label=Label.PARTIAL, flags=("number",)), False),  # can be cut to what is entailed
        (claim_row(label=None, flags=("number",)), False),  # not judged is not failed
        (claim_row(label=Label.INACCESSIBLE, flags=("number",)), False),
        (claim_row(label=Label.SUPPORTED, flags=("number",)), False),
    ],
)
def test_abstention_is_advised_when_a_risky_claim_fails(row: ClaimRow, advised: bool) -> None:
    """Material, flagged, unsupported."""
    advice = abstain([claim_row(claim_id="c0"), row])

    assert (advice is not None) is advised
    if advice is not None:
        assert advice.claim_ids == ("c1",)
        assert advice.reason


def test_no_rows_no_advice() -> None:
    """An answer without claims fails nothing."""
    assert abstain([]) is None
