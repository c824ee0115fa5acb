"""The support stage: what a verifier may not do, and what qualifiers may."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest

from core.errors import VerifierUnavailable
from core.models import Failure, Judgement, Label, Pair, Qualifier, Status
from core.protocol import VerifierProtocol
from core.qualifiers import date, negation, number
from core.semantic import Judge
from core.settings import Settings

EVIDENCE = "Exports reached 615 000 t. Rain fell."
PAIR = Pair(claim="Exports reached 615 tonnes.", evidence=EVIDENCE)


class Fixed:
    """A verifier that always says the same."""

    def __init__(self, judgement: Judgement, extra: int = 0) -> None:
        """Keep what to say, and how many answers too many to give."""
        self.judgement = judgement
        self.extra = extra
        self.asked: list[Pair] = []

    @property
    def protocol(self) -> VerifierProtocol:
        """Any protocol."""
        return VerifierProtocol(verifier="fixed", version=3, thresholds={}, windowing="whole")

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Say it."""
        self.asked += pairs
        return [self.judgement] * (len(pairs) + self.extra)


def judgement(**changes: Any) -> Judgement:
    """Supported by the first sentence, everything read."""
    values: dict[str, Any] = {
        "status": Status.JUDGED,
        "label": Label.SUPPORTED,
        "scores": {"fixed": 1.0},
        "start": 0,
        "end": 26,
        "tokens_seen": 6,
        "tokens_total": 6,
        "reason": "so it says",
    }
    return Judgement(**(values | changes))


def judge(said: Judgement, *comparers: ModuleType, pair: Pair = PAIR) -> Judgement:
    """Run the stage on one pair."""
    return Judge(Fixed(said), comparers).judge([pair])[0]


@pytest.mark.parametrize("label", [Label.SUPPORTED, Label.PARTIAL])
def test_a_disagreeing_qualifier_vetoes_support(label: Label) -> None:
    """Another value for the same unit makes an entailed span contradicted; both snippets are reported."""
    found = judge(judgement(label=label), number)

    assert found.label is Label.CONTRADICTED
    assert found.qualifiers == (Qualifier(kind="number", claim="615 tonnes", evidence="615 000 t", agrees=False),)
    assert "615 tonnes" in found.reason
    assert "615 000 t" in found.reason


@pytest.mark.parametrize(
    ("label", "claim"),
    [(Label.WRONG_SCOPE, PAIR.claim), (Label.IRRELEVANT, "The mill's harvest of 615 tonnes was exported to Norway.")],
)
def test_a_veto_takes_support_and_grants_nothing(label: Label, claim: str) -> None:
    """Other labels stay, with the comparison beside them."""
    found = judge(judgement(label=label), number, pair=Pair(claim=claim, evidence=EVIDENCE))

    assert (found.label, found.reason) == (label, "so it says")
    assert [one.agrees for one in found.qualifiers] == [False]


def test_another_value_for_what_the_claim_speaks_of_is_a_conflict() -> None:
    """Exports and reached (6/5 + 7/5) of exports, reached and tonnes (3.6): 0.72 of the words are there."""
    found = judge(judgement(label=Label.IRRELEVANT), number)

    assert found.label is Label.CONTRADICTED
    assert "615 000 t" in found.reason


def test_the_answer_of_a_field_is_a_conflict_with_what_it_denies() -> None:
    """Surgery (7/5) of donor and surgery (12/5) is less than 0.6 of the words, but the claim is about the field."""
    answered = Pair(claim="The donor had surgery before.", evidence="Previous surgery: No")
    found = judge(judgement(label=Label.IRRELEVANT, end=20), negation, pair=answered)

    assert found.label is Label.CONTRADICTED
    assert found.reason == "The claim says “surgery”, the cited text “Previous surgery: No”"


def test_only_the_carrying_stretch_is_compared() -> None:
    """A number elsewhere in the text neither confirms nor denies."""
    found = judge(judgement(start=27, end=37), number)

    assert found.label is Label.SUPPORTED
    assert [one.agrees for one in found.qualifiers] == [None]
    assert judge(judgement(start=None, end=None), number).qualifiers == ()


def test_a_disagreement_must_hold_with_the_sentences_beside_it() -> None:
    """What the carrying sentence lacks stands in the next one: nothing is settled. Far away it does not count."""
    near = "Exports reached 7 t in May. In June exports reached 615 tonnes."
    far = f"Exports reached 7 t in May. {'Rain fell all day. ' * 20}In June exports reached 615 tonnes."
    claim = "Exports reached 615 tonnes."
    found = judge(judgement(end=27), number, pair=Pair(claim=claim, evidence=near))

    assert (found.label, [one.agrees for one in found.qualifiers]) == (Label.SUPPORTED, [None])
    assert judge(judgement(end=27), number, pair=Pair(claim=claim, evidence=far)).label is Label.CONTRADICTED


def test_only_a_span_that_supports_can_be_second_hand() -> None:
    """A partial one stays partial; among vetoes it is the mildest."""
    second_hand = ModuleType("core.qualifiers.secondary")
    vars(second_hand).update(
        VERSION=1, LABEL=Label.SECONDARY_ONLY, compare=lambda claim, evidence: [_disagrees("secondary")]
    )

    found = judge(judgement(), second_hand)
    assert (found.label, "“t”" in found.reason) == (Label.SECONDARY_ONLY, True)
    assert judge(judgement(label=Label.PARTIAL), second_hand).label is Label.PARTIAL
    assert judge(judgement(), second_hand, number).label is Label.CONTRADICTED


def test_a_veto_without_a_counterpart_is_said_in_words() -> None:
    """The cited text may simply not say it."""
    silent = ModuleType("core.qualifiers.silent")
    one = Qualifier(kind="silent", claim="tonnes", evidence=None, agrees=False)
    vars(silent).update(VERSION=1, LABEL=Label.PARTIAL, compare=lambda claim, evidence: [one])

    assert judge(judgement(), silent).reason == "The claim says “tonnes”, the cited text does not"


def test_the_worst_veto_wins() -> None:
    """Contradicted comes before wrong scope, whatever the order of the files."""
    scope = ModuleType("core.qualifiers.population")
    vars(scope).update(VERSION=1, LABEL=Label.WRONG_SCOPE, compare=lambda claim, evidence: [_disagrees("population")])

    assert judge(judgement(), scope).label is Label.WRONG_SCOPE
    assert judge(judgement(), scope, number).label is Label.CONTRADICTED


def _disagrees(kind: str) -> Qualifier:
    return Qualifier(kind=kind, claim="tonnes", evidence="t", agrees=False)


@pytest.mark.parametrize("label", list(Label))
def test_unread_evidence_gives_no_label(label: Label) -> None:
    """Nothing may be judged by what was not seen, support least of all."""
    found = judge(judgement(label=label, tokens_seen=5))

    assert (found.status, found.label, found.failure) == (Status.TRUNCATED, None, Failure.TRUNCATED)
    assert "5 of 6" in found.reason


@pytest.mark.parametrize("pair", [Pair(claim="A.", evidence=" \n"), Pair(claim="", evidence="A.")])
def test_an_empty_text_never_reaches_the_verifier(pair: Pair) -> None:
    """A failure with a reason, never a score of nothing."""
    verifier = Fixed(judgement())
    (found,) = Judge(verifier, []).judge([pair])

    assert verifier.asked == []
    assert (found.status, found.label, found.scores, found.failure) == (Status.FAILED, None, {}, Failure.EMPTY)
    assert "empty" in found.reason


@pytest.mark.parametrize(
    "said",
    [
        judgement(label=None),
        judgement(scores={"fixed": 7.0}),
        judgement(scores={"fixed": float("nan")}),
        judgement(end=len(EVIDENCE) + 1),
        judgement(end=None),
        judgement(start=5, end=5),
    ],
)
def test_a_judgement_that_breaks_its_contract_is_a_failure(said: Judgement) -> None:
    """No label, a score outside the scale, a stretch outside the text."""
    found = judge(said)

    assert (found.status, found.label, found.scores, found.start) == (Status.FAILED, None, {}, None)
    assert found.failure is Failure.BAD_OUTPUT
    assert found.reason


def test_a_failed_judge_keeps_its_reason_and_has_no_label() -> None:
    """Not even when it left one behind."""
    found = judge(judgement(status=Status.FAILED, reason="time-out"), number)

    assert (found.status, found.label, found.reason) == (Status.FAILED, None, "time-out")


def test_the_same_pair_is_asked_once_and_answered_everywhere() -> None:
    """Order and number of the answers are those of the pairs."""
    verifier = Fixed(judgement())
    other = Pair(claim="Rain fell.", evidence=EVIDENCE)
    empty = Pair(claim="Rain fell.", evidence="")
    found = Judge(verifier, []).judge([PAIR, empty, other, PAIR])

    assert verifier.asked == [PAIR, other]
    assert [one.status for one in found] == [Status.JUDGED, Status.FAILED, Status.JUDGED, Status.JUDGED]


def test_a_verifier_that_loses_pairs_is_stopped() -> None:
    """Answers that cannot be matched to pairs are no verdicts."""
    with pytest.raises(VerifierUnavailable):
        Judge(Fixed(judgement(), extra=1), []).judge([PAIR])


def test_the_protocol_names_the_qualifiers_in_order() -> None:
    """And its hash is that of what it says, not of the verifier's own protocol."""
    verifier = Fixed(judgement())
    bare, full = Judge(verifier, []).protocol, Judge(verifier, [number, date]).protocol

    assert str(verifier.protocol) == str(bare)
    assert full.qualifiers == (f"date@{date.VERSION}", f"number@{number.VERSION}")
    assert str(full) != str(bare)


@pytest.mark.parametrize(
    ("claim", "evidence", "label"),
    [
        ("The toll is 3 crowns.", "The toll is 3 crowns.", Label.SUPPORTED),
        ("The toll is 3 crowns.", "The toll is 4 crowns.", Label.CONTRADICTED),
        ("Turnout rose by 6 percent.", "Turnout rose from 12% to 18%.", Label.CONTRADICTED),
        ("Both plots got 5 kg of lime.", "Plots A and B got 3 and 7 kg of lime respectively.", Label.CONTRADICTED),
        ("The acid is 62% pure.", "The acid is 62 per cent pure.", Label.SUPPORTED),
        ("It was founded in 1987 in Bergen.", "It was founded in Bergen in 1990.", Label.CONTRADICTED),
        ("The alert fired at 02:10 on host web-7.", "An alert fired at 02:10.", Label.PARTIAL),
        ("Closing time is 17:00.", "Parking is free on Sundays.", Label.IRRELEVANT),
    ],
)
def test_the_baseline_with_its_qualifiers(claim: str, evidence: str, label: Label) -> None:
    """The four labels that it may give, on the plainest cases of each."""
    assert Judge.build(Settings()).judge([Pair(claim=claim, evidence=evidence)])[0].label is label


def test_build_by_settings() -> None:
    """The named verifier with every qualifier there is; an unknown name is refused in words."""
    judge = Judge.build(Settings(verifier="lexical"))

    assert judge.protocol.verifier == "lexical"
    assert {f"date@{date.VERSION}", f"number@{number.VERSION}"} <= set(judge.protocol.qualifiers)
    assert judge.judge([PAIR])[0].label is Label.CONTRADICTED
    with pytest.raises(VerifierUnavailable, match="lexical"):
        Judge.build(Settings(verifier="nobody"))
