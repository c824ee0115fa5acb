"""The gate: every reason, worked out by hand, at every level; and nothing passes by being left unsaid."""

from __future__ import annotations

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from core.gate import GateReason, Level, Refusal, decide, failures, messages
from core.models import CheckedAnswer, Evidence, GivenClaim, Label, QuoteState, Status
from tests.core.asked import DOGS, REGISTRY, TOLL, checked, given

GOOD = given("The toll is 3 crowns.", "E1", quote="The toll is 3 crowns.")
ALSO = given("Dogs may cross for free.", "E2")

BY_LEVEL = {
    "all": tuple(Level),
    "from quotes": (Level.QUOTES, Level.SUPPORT),
    "from support": (Level.SUPPORT,),
}

TABLE: list[tuple[str, list[GivenClaim], dict[str, Label] | None, str | None, GateReason, int, str]] = [
    ("no citation", [GOOD, given("Dogs pay.")], None, None, GateReason.MISSING_CITATION, 1, "all"),
    ("blank citations", [given("Dogs pay.", " ", "")], None, None, GateReason.MISSING_CITATION, 0, "all"),
    ("half a pair", [given("Dogs pay.", "E1:")], None, None, GateReason.MALFORMED_CITATION, 0, "all"),
    ("an id that is not there", [given("Dogs pay.", "E9")], None, None, GateReason.HALLUCINATED_CITATION, 0, "all"),
    ("one good id and a bad one", [given("Dogs.", "E1", "E9")], None, None, GateReason.HALLUCINATED_CITATION, 0, "all"),
    ("found but not packed", [given("Cats pay.", "E3")], None, None, GateReason.HALLUCINATED_CITATION, 0, "all"),
    ("another case", [given("The toll is 3 crowns.", "e1")], None, None, GateReason.HALLUCINATED_CITATION, 0, "all"),
    ("a chunk's own id", [given("Toll.", "a1:p1.0-45")], None, None, GateReason.HALLUCINATED_CITATION, 0, "all"),
    ("a label in prose", [given("The toll is 3 [E2].", "E1")], None, None, GateReason.MALFORMED_CITATION, 0, "all"),
    (
        "a quote that is not there",
        [GOOD, given("The toll is 9 crowns.", "E1", quote="The toll is 9 crowns.")],
        None,
        None,
        GateReason.QUOTE_NOT_VERBATIM,
        1,
        "from quotes",
    ),
    (
        "a quote from another passage",
        [given("Dogs are free.", "E1", quote=DOGS)],
        None,
        None,
        GateReason.QUOTE_NOT_VERBATIM,
        0,
        "from quotes",
    ),
    (
        "a quote with curly marks changed",
        [given("The toll is 3 crowns.", "E1", quote="the toll is 3 crowns")],
        None,
        None,
        GateReason.QUOTE_NOT_VERBATIM,
        0,
        "from quotes",
    ),
    (
        "contradicted",
        [GOOD, given("Dogs pay.", "E2")],
        {TOLL: Label.SUPPORTED, DOGS: Label.CONTRADICTED},
        None,
        GateReason.UNSUPPORTED_CLAIM,
        1,
        "from support",
    ),
    ("irrelevant", [GOOD], {TOLL: Label.IRRELEVANT}, None, GateReason.UNSUPPORTED_CLAIM, 0, "from support"),
    ("another scope", [GOOD], {TOLL: Label.WRONG_SCOPE}, None, GateReason.UNSUPPORTED_CLAIM, 0, "from support"),
    ("nobody judged it", [GOOD], {}, None, GateReason.UNSUPPORTED_CLAIM, 0, "from support"),
    (
        "one of two citations not judged",
        [given("The toll is 3 crowns.", "E1", "E2")],
        {TOLL: Label.SUPPORTED},
        None,
        GateReason.UNSUPPORTED_CLAIM,
        0,
        "from support",
    ),
    (
        "prose beside no claims",
        [],
        None,
        "The toll is 3 crowns and was raised in 2019.",
        GateReason.MISSING_CITATION,
        0,
        "all",
    ),
    (
        "prose that no claim covers",
        [GOOD, ALSO],
        None,
        "The toll is 3 crowns. Dogs may cross for free. The bridge was built in 1850.",
        GateReason.MISSING_CITATION,
        2,
        "all",
    ),
]


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("row", TABLE, ids=[row[0] for row in TABLE])
def test_every_reason_at_every_level(
    row: tuple[str, list[GivenClaim], dict[str, Label] | None, str | None, GateReason, int, str], level: Level
) -> None:
    """A failure is one from its level on, and no failure below it."""
    _, claims, labels, prose, reason, index, levels = row
    expected = Refusal(reason=reason, claim_index=index) if level in BY_LEVEL[levels] else None

    assert decide(checked(claims, labels, prose), level) == expected


@pytest.mark.parametrize("level", Level)
def test_what_holds_passes(level: Level) -> None:
    """Two claims that cite what they were given, quote it and are supported; also partly or at second hand."""
    assert decide(checked([GOOD, ALSO], answer="The toll is 3 crowns. Dogs may cross for free."), level) is None
    assert decide(checked([GOOD], {TOLL: Label.PARTIAL}), level) is None
    assert decide(checked([GOOD], {TOLL: Label.SECONDARY_ONLY}), level) is None


@pytest.mark.parametrize("level", Level)
def test_prose_may_say_a_claim_twice(level: Level) -> None:
    """What a claim states is covered wherever it stands; the same words with one more are not."""
    twice = "The toll is 3 crowns. Dogs may cross for free. The toll  is 3 crowns."

    assert decide(checked([GOOD, ALSO], answer=twice), level) is None
    more = checked([GOOD, ALSO], answer=f"{twice} The toll is 3 crowns on Sundays for every cart.")
    assert decide(more, level) == Refusal(reason=GateReason.MISSING_CITATION, claim_index=2)


@pytest.mark.parametrize("level", Level)
def test_no_claims_pass_only_when_the_prose_states_nothing(level: Level) -> None:
    """An abstention passes, with or without words for it."""
    assert decide(checked([]), level) is None
    assert decide(checked([], answer="The passages do not answer this question."), level) is None


def test_what_only_looks_like_a_label_is_text() -> None:
    """An additive is no evidence."""
    text = "The sweet is coloured (E102)."
    registry = [Evidence(id="E1", text=text)]

    assert decide(checked([given(text, "E1", quote=text)], evidence=registry), Level.QUOTES) is None


def test_the_first_failure_is_that_of_the_first_claim() -> None:
    """Claim order comes before the order of the reasons."""
    claims = [given("Wrong.", "E1", quote="not there at all, never"), given("Dogs pay.", "E9")]

    assert decide(checked(claims), Level.QUOTES) == Refusal(reason=GateReason.QUOTE_NOT_VERBATIM, claim_index=0)
    assert decide(checked(claims), Level.CITATIONS) == Refusal(reason=GateReason.HALLUCINATED_CITATION, claim_index=1)
    assert [one.claim_index for one in failures(checked(claims), Level.SUPPORT)] == [0, 1]


@pytest.mark.parametrize(
    ("state", "value"), [("active", False), ("accessible", False), ("retrieved", False), ("in_context", False)]
)
def test_an_id_may_be_cited_only_when_its_text_may_be_used(state: str, value: bool) -> None:
    """Withdrawn, unreadable or unseen evidence is none."""
    registry = [REGISTRY[0].model_copy(update={state: value})]

    refusal = decide(checked([GOOD], evidence=registry), Level.CITATIONS)
    assert refusal == Refusal(reason=GateReason.HALLUCINATED_CITATION, claim_index=0)


def test_an_id_with_two_texts_means_nothing() -> None:
    """Nobody chooses one of them."""
    registry = [REGISTRY[0], Evidence(id="E1", text="The toll is 9 crowns.")]

    refusal = decide(checked([GOOD], evidence=registry), Level.CITATIONS)
    assert refusal == Refusal(reason=GateReason.HALLUCINATED_CITATION, claim_index=0)


def _with_row(found: CheckedAnswer, **changes: object) -> CheckedAnswer:
    row = found.rows[0].model_copy(update=changes)
    return found.model_copy(update={"rows": (row, *found.rows[1:])})


def test_a_row_that_is_missing_or_about_something_else_is_no_verdict() -> None:
    """Every level that needs the row blocks."""
    found = checked([GOOD])
    for broken in (
        found.model_copy(update={"rows": ()}),
        _with_row(found, claim_id="c9"),
        _with_row(found, claim="Another text."),
        _with_row(found, cites=("E2",)),
    ):
        assert decide(broken, Level.CITATIONS) is None
        assert decide(broken, Level.QUOTES) == Refusal(reason=GateReason.QUOTE_NOT_VERBATIM, claim_index=0)
        assert decide(broken, Level.SUPPORT) is not None


def test_verdicts_are_counted_against_citations() -> None:
    """A label without a judged span for every citation does not pass; nor does one judged span twice."""
    found = checked([given("The toll is 3 crowns.", "E1", "E2")])
    spans = found.rows[0].spans
    assert decide(found, Level.SUPPORT) is None
    for broken in (
        spans[:1],
        (spans[0], spans[0]),
        (),
        (spans[0], spans[1].model_copy(update={"status": Status.FAILED, "label": None})),
        (spans[0], spans[1].model_copy(update={"status": Status.TRUNCATED, "label": None})),
    ):
        refusal = decide(_with_row(found, spans=broken), Level.SUPPORT)
        assert refusal == Refusal(reason=GateReason.UNSUPPORTED_CLAIM, claim_index=0)


def test_a_quotation_that_nobody_looked_for_blocks() -> None:
    """Given quotations and no row for them, or rows that are not verbatim whatever the summary says."""
    found = checked([GOOD])
    rows = found.rows[0].quotes
    for changes in (
        {"quotes": (), "quote": QuoteState.NOT_GIVEN},
        {"quotes": (), "quote": QuoteState.VERBATIM},
        {"quotes": (rows[0].model_copy(update={"match": QuoteState.NEAR_MISS}),)},
    ):
        refusal = decide(_with_row(found, **changes), Level.QUOTES)
        assert refusal == Refusal(reason=GateReason.QUOTE_NOT_VERBATIM, claim_index=0)


def test_an_answer_whose_claims_nobody_gave_is_not_served() -> None:
    """Claims found in prose are for reading logs; what is served must be given."""
    found = checked([], answer="The toll is 3 crowns.")
    without = found.model_copy(update={"answer": found.answer.model_copy(update={"claims": None})})

    assert decide(without, Level.CITATIONS) == Refusal(reason=GateReason.MISSING_CITATION, claim_index=0)


def test_what_a_generator_is_told_holds_no_text_of_anybody() -> None:
    """Where and which kind, in fixed words."""
    secret = given("Sec-ret words of the generator.", "Evil-id", quote="and quoted sec-ret words")
    told = messages(
        failures(checked([secret, GOOD], answer="Sec-ret prose was written in 1999."), Level.SUPPORT), [secret, GOOD]
    )

    assert told == (
        "claims[0].citation_ids contains an unknown id",
        "claims are missing for factual statements of the answer",
    )


CITES = st.lists(st.sampled_from(["E1", "E2", "E3", "E9", "", "E1:", "e1"]), max_size=3)


@for_all(st.lists(CITES, max_size=4), st.sampled_from(Level))
def test_a_higher_level_never_lets_more_pass(cites: list[list[str]], level: Level) -> None:
    """And with any citation outside the context nothing passes at any level."""
    found = checked([given("The toll is 3 crowns.", *ids) for ids in cites])
    passed = decide(found, level) is None

    if passed and level is Level.SUPPORT:
        assert decide(found, Level.QUOTES) is None
    if passed:
        assert decide(found, Level.CITATIONS) is None
        assert all(ids and {id_ for id_ in ids if id_} <= {"E1", "E2"} and any(ids) for ids in cites)
