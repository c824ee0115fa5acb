"""The lexical baseline: overlap, the passage it stands in, and what it refuses to score."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import VerifierUnavailable
from core.models import Judgement, Label, Pair, Status
from core.settings import Settings
from core.text import Span
from core.verifiers.lexical import THRESHOLDS, LexicalVerifier, build


def by_full_stop(text: str) -> list[Span]:
    """Sentences for these tests: up to a full stop."""
    return [match.span() for match in re.finditer(r"[^.\s][^.]*\.?", text)]


def judge(claim: str, evidence: str, **thresholds: float) -> Judgement:
    """Judge one pair with the default thresholds, or others."""
    verifier = LexicalVerifier(THRESHOLDS | thresholds, by_full_stop)
    return verifier.judge([Pair(claim=claim, evidence=evidence)])[0]


def test_a_copy_is_supported() -> None:
    """Every time, with full coverage, and the passage is the copy."""
    found = judge("The toll is 3 crowns.", "Cars stop here. The toll is 3 crowns. Bikes pass.")

    assert found.label is Label.SUPPORTED
    assert found.scores == {"coverage": 1.0, "words": 1.0, "numbers": 1.0}
    assert (found.start, found.end) == (16, 37)
    assert (found.tokens_seen, found.tokens_total) == (10, 10)
    assert found.reason == "The passage has 2 of 2 words and 1 of 1 numbers of the claim"


def test_hand_worked_coverage() -> None:
    """Words toll, crown, bridge and the number 3, which weighs 2: toll, crown and 3 found make 4 of 5."""
    found = judge("The bridge toll is 3 crowns.", "The toll is 3 crowns.")

    assert found.scores == {"coverage": 0.8, "words": 0.6667, "numbers": 1.0}
    assert found.label is Label.SUPPORTED


def test_between_the_thresholds_is_partial_and_below_irrelevant() -> None:
    """Alert, fired and 02:10 (two numbers) of alert, fired, host, web, 02, 10, 7: 6 of 10."""
    claim = "The alert fired at 02:10 on host web-7."

    assert judge(claim, "An alert fired at 02:10.").scores["coverage"] == 0.6
    assert judge(claim, "An alert fired at 02:10.").label is Label.PARTIAL
    assert judge(claim, "Closing time is nine.").label is Label.IRRELEVANT


def test_a_missing_number_is_never_supported() -> None:
    """However many words agree."""
    claim = "The old stone bridge over the river near the mill cost 9 crowns."
    found = judge(claim, claim.replace("9", "7"))

    assert found.scores["coverage"] > THRESHOLDS["supported"]
    assert found.scores["numbers"] == 0.0
    assert found.label is Label.PARTIAL


def test_a_wrong_number_leaves_the_passage_one_about_the_claim() -> None:
    """Toll and crowns agree, 3 does not: 2 of 4 in all, but both words; a qualifier can still call it contradicted."""
    found = judge("The toll is 3 crowns.", "The toll is 4 crowns.")

    assert found.scores == {"coverage": 0.5, "words": 1.0, "numbers": 0.0}
    assert found.label is Label.PARTIAL


def test_two_adjacent_sentences_may_carry_a_claim() -> None:
    """A single sentence is preferred where it is as good; text between is part of the passage."""
    evidence = "Rain fell. The mill has floors. It was built in 1850. Sheep graze."
    found = judge("The mill was built in 1850.", evidence)

    assert evidence[found.start : found.end] == "The mill has floors. It was built in 1850."
    assert judge("It was built in 1850.", evidence).start == evidence.index("It was built")


def test_nothing_in_common_points_nowhere() -> None:
    """No stretch carries a judgement of no overlap."""
    found = judge("The deposit lost value.", "Closing time is nine.")

    assert (found.label, found.start, found.end) == (Label.IRRELEVANT, None, None)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The station closed.", ""),
        ("The station closed.", " …\n"),
        ("It is so.", "The station closed."),
        ("", "The station closed."),
        ("The station closed.", "駅は閉鎖された。"),
        ("Станция закрыта.", "The station closed."),
        ("駅は閉鎖された。", "The station closed in May."),
    ],
)
def test_what_cannot_be_compared_fails_with_a_reason(claim: str, evidence: str) -> None:
    """Empty, wordless, or in another script: no overlap would be no finding."""
    found = judge(claim, evidence)

    assert (found.status, found.label, found.scores) == (Status.FAILED, None, {})
    assert found.reason


def test_scripts_without_blanks_are_compared_by_pairs_of_characters() -> None:
    """The same statement in Japanese is found; another one is not."""
    evidence = "駅は閉鎖された. 跡地は公園になった."

    assert judge("駅は閉鎖された", evidence).label is Label.SUPPORTED
    assert judge("猫が魚を食べる", evidence).label is Label.IRRELEVANT


def test_text_between_the_sentences_is_read_too() -> None:
    """A splitter that leaves code or lists of sources out does not hide them."""
    verifier = LexicalVerifier(THRESHOLDS, lambda _: [(0, 11)])
    found = verifier.judge([Pair(claim="The toll is 3 crowns.", evidence="Cars stop. toll: 3 crowns")])[0]

    assert found.label is Label.SUPPORTED
    assert (found.tokens_seen, found.tokens_total) == (5, 5)


@pytest.mark.parametrize(
    "thresholds",
    [{"suported": 0.5}, {"supported": 1.1}, {"partial": -0.1}, {"partial": float("nan")}, {"partial": 0.9}],
)
def test_thresholds_that_make_no_sense_are_refused(thresholds: dict[str, Any]) -> None:
    """In one sentence, before anything is judged."""
    with pytest.raises(VerifierUnavailable) as trouble:
        build(Settings(thresholds=thresholds))

    assert str(trouble.value).endswith(".")
    assert "\n" not in str(trouble.value)
    assert trouble.value.advice


def test_thresholds_are_part_of_the_protocol() -> None:
    """Another threshold is another protocol."""
    usual, strict = build(Settings()), build(Settings(thresholds={"supported": 0.9}))

    assert usual.protocol.thresholds == THRESHOLDS
    assert strict.protocol.thresholds == {"supported": 0.9, "partial": THRESHOLDS["partial"]}
    assert str(usual.protocol) != str(strict.protocol)


@given(st.text(max_size=80), st.text(max_size=200))
def test_any_two_texts(claim: str, evidence: str) -> None:
    """No text raises; judged means scored in range, read to the end, and a stretch inside the evidence."""
    found = build(Settings()).judge([Pair(claim=claim, evidence=evidence)])[0]

    assert (found.status is Status.JUDGED) == (found.label is not None) == bool(found.scores)
    assert found.tokens_seen == found.tokens_total
    if found.start is not None and found.end is not None:
        assert 0 <= found.start < found.end <= len(evidence)
