"""The bundled judge: labels from probabilities, exact places, parts of a claim, and what it refuses to score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import VerifierUnavailable
from core.inference import Encoded, Floats, PairClassifier, Tokens
from core.model_folder import ModelConfig
from core.models import Failure, Judgement, Label, Pair, Status
from core.settings import Settings
from core.verifiers import Verifier
from core.verifiers.nli import MOST_CLAIM, NliVerifier, build

_TOKEN = re.compile(r"\w+|[^\w\s]")
_HALF = {"supported": 0.5, "contradicted": 0.5, "partial": 0.5}


class Scripted(PairClassifier):
    """A model with a rule: all words of the claim are there, and none of them is "not", so they entail it.

    Its labels stand in another order than ours.
    """

    def __init__(self) -> None:
        """No file is read."""
        self.config = ModelConfig(
            name="scripted",
            version=7,
            sha256="0" * 64,
            inputs=("input_ids",),
            max_tokens=256,
            labels=("neutral", "entailment", "contradiction"),
        )
        self.words: dict[str, int] = {}
        self.read: list[tuple[int, int]] = []

    @property
    def room(self) -> int:
        """As of a model with three special tokens."""
        return 253

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """One token a word or sign."""
        return [self.encode_with_places(text).ids for text in texts]

    def encode_with_places(self, text: str) -> Encoded:
        """The same, with places."""
        found = list(_TOKEN.finditer(text))
        ids = [self.words.setdefault(one[0].lower(), len(self.words)) for one in found]
        places = np.asarray([one.span() for one in found], dtype=np.int64).reshape(-1, 2)
        return Encoded(np.asarray(ids, dtype=np.int32), places)

    def judge(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> Floats:
        """By the rule."""
        self.read += [(len(evidence), len(claim)) for evidence, claim in pairs]
        found = np.empty((len(pairs), 3), dtype=np.float32)
        for at, (evidence, claim) in enumerate(pairs):
            assert len(evidence) + len(claim) <= self.room
            carries = set(claim.tolist()) - {self.words.get(".")} <= set(evidence.tolist())
            denied = carries and self.words.get("not") in evidence.tolist()
            found[at] = (0.1, 0.1, 0.8) if denied else (0.1, 0.9, 0.0) if carries else (0.7, 0.2, 0.1)
        return found


def judge(claim: str, evidence: str, model: Scripted | None = None, **thresholds: float) -> Judgement:
    """Judge one pair with the scripted model."""
    verifier = NliVerifier(model or Scripted(), _HALF | thresholds, "nli")
    return verifier.judge([Pair(claim=claim, evidence=evidence)])[0]


def test_a_carried_claim_is_supported_by_its_sentence() -> None:
    """The place is that sentence; everything was read; the scores are named and add up."""
    evidence = "Cars stop here. The toll now is 3 crowns. Bikes pass."
    found = judge("The toll is 3 crowns.", evidence)

    assert (found.status, found.label) == (Status.JUDGED, Label.SUPPORTED)
    assert evidence[found.start : found.end] == "The toll now is 3 crowns."
    assert found.tokens_seen == found.tokens_total == 14
    assert found.scores == {"entailment": 0.9, "contradiction": 0.0, "neutral": 0.1}


def test_a_copy_is_supported_without_asking_the_model() -> None:
    """Every time, also among other sentences."""
    model = Scripted()
    evidence = "Cars stop here. The toll is not 3 crowns. Bikes pass."
    found = judge("The toll is not 3 crowns.", evidence, model)

    assert (found.label, found.scores["entailment"]) == (Label.SUPPORTED, 1.0)
    assert evidence[found.start : found.end] == "The toll is not 3 crowns."
    assert "word for word" in found.reason
    assert model.read == []


def test_a_denied_claim_is_contradicted() -> None:
    """The place is the sentence that conflicts."""
    evidence = "Cars stop here. The toll is not 3 crowns."
    found = judge("The toll is 3 crowns.", evidence)

    assert found.label is Label.CONTRADICTED
    assert evidence[found.start : found.end] == "The toll is not 3 crowns."


def test_a_claim_that_nothing_carries_is_irrelevant() -> None:
    """With the place that shares most with it, or none when nothing is shared."""
    evidence = "Cars stop here. A toll is due. Bikes pass. Sheep graze."
    found = judge("The mill asks a toll.", evidence)

    assert found.label is Label.IRRELEVANT
    assert evidence[found.start : found.end] == "A toll is due."
    assert judge("Copper melts.", evidence).start is None


def test_a_part_that_is_carried_makes_it_partial() -> None:
    """The reason names the part, the place is where it stands."""
    evidence = "An alert fired at 02:10. The alert fired at night, says host web-9."
    found = judge("The alert fired at 02:10 on host web-7.", evidence)

    assert found.label is Label.PARTIAL
    assert "“The alert fired at 02:10.”" in found.reason
    assert judge("The alert fired at 02:10 on host web-7.", evidence, partial=0.95).label is Label.IRRELEVANT


def test_each_threshold_decides_its_label() -> None:
    """At the threshold the label is given, above it is not."""
    claim = "The toll is 3 crowns."

    assert judge(claim, "The toll now is 3 crowns.", supported=0.9).label is Label.SUPPORTED
    assert judge(claim, "The toll now is 3 crowns.", supported=0.91).label is Label.IRRELEVANT
    assert judge(claim, "The toll is not 3 crowns.", contradicted=0.8).label is Label.CONTRADICTED
    assert judge(claim, "The toll is not 3 crowns.", contradicted=0.81).label is Label.IRRELEVANT


def test_long_evidence_is_read_in_windows_and_said_to_be_read() -> None:
    """The claim stands in the middle of 4,000 words: found, placed, and no window is longer than the model reads."""
    filler = "Sheep graze on the hill behind the mill. " * 250
    evidence = f"{filler}The toll is 3 crowns. {filler}"
    model = Scripted()
    found = judge("The toll is 3 crowns.", evidence, model)

    assert found.label is Label.SUPPORTED
    assert evidence[found.start : found.end] == "The toll is 3 crowns."
    assert found.tokens_seen == found.tokens_total == 500 * 9 + 6
    assert len(model.read) < 10


def test_a_claim_longer_than_the_model_reads_is_judged_by_its_sentences() -> None:
    """Carried only when every sentence is; partial when some are; too long when one sentence is."""
    one, two = f"The toll {'really ' * 70}rose.", f"The mill {'surely ' * 70}burned."

    assert judge(f"{one} {two}", f"{one} {two}").label is Label.SUPPORTED
    assert judge(f"{one} {two}", f"{one} Sheep graze.").label is Label.PARTIAL
    assert judge(f"{one} {two}", "The toll rose.").label is Label.IRRELEVANT
    code = "`" + "toll " * MOST_CLAIM + "`"
    assert judge(f"```\n{code}\n```", "The toll rose.").failure is Failure.TOO_LONG
    assert len(judge(f"{one} {two}", f"{one} Sheep graze.").reason) < 250
    found = judge(f"The toll {'really ' * MOST_CLAIM}rose.", "The toll rose.")
    assert (found.status, found.failure) == (Status.FAILED, Failure.TOO_LONG)


@pytest.mark.parametrize(
    ("claim", "evidence", "told"),
    [
        ("The station closed.", "", "word or number"),
        ("The station closed.", " …\n", "word or number"),
        ("", "The station closed.", "word or number"),
        ("The station closed.", "駅は閉鎖された。", "another script"),
        ("駅は閉鎖された。", "駅は閉鎖された。", "English"),
        ("Станция закрыта.", "Станция закрыта.", "English"),
        ("Die Brücke wurde im Mai von der Stadt verkauft und ist nicht mehr offen.", "It was sold.", "German"),
        ("The bridge was sold.", "Le pont a été vendu par la ville et il est fermé depuis le mois de mai.", "French"),
    ],
)
def test_what_it_cannot_read_fails_with_a_reason(claim: str, evidence: str, told: str) -> None:
    """Typed, without a score, and the model is not asked."""
    model = Scripted()
    found = judge(claim, evidence, model)

    assert (found.status, found.label, found.scores) == (Status.FAILED, None, {})
    assert found.failure is Failure.UNREADABLE
    assert told in found.reason
    assert model.read == []


def test_company_moves_nothing() -> None:
    """Pairs that can and cannot be judged, together: each as alone, in order."""
    pairs = [
        Pair(claim="The toll is 3 crowns.", evidence="The toll is 3 crowns."),
        Pair(claim="", evidence="The toll is 3 crowns."),
        Pair(claim="The alert fired at 02:10 on host web-7.", evidence="The alert fired at 02:10."),
        Pair(claim="The toll is 3 crowns.", evidence="Sheep graze."),
    ]
    verifier = NliVerifier(Scripted(), _HALF, "nli")

    assert verifier.judge(pairs) == [verifier.judge([pair])[0] for pair in pairs]
    assert verifier.judge(pairs * 100) == verifier.judge(pairs) * 100
    assert verifier.judge([]) == []


@settings(max_examples=60)
@given(st.text(max_size=60), st.text(max_size=400))
def test_any_two_texts(claim: str, evidence: str) -> None:
    """No text raises; judged means scored in range, read to the end, and a stretch inside the evidence."""
    found = judge(claim, evidence)

    assert (found.status is Status.JUDGED) == (found.label is not None) == bool(found.scores)
    assert found.status is not Status.JUDGED or found.tokens_seen == found.tokens_total
    if found.start is not None and found.end is not None:
        assert 0 <= found.start < found.end <= len(evidence)


@pytest.fixture(scope="module")
def bundled() -> Verifier:
    """The judge with the model that comes with Citedesk."""
    return build(Settings(verifier="nli"))


def test_the_protocol_names_everything_that_decides(bundled: Verifier) -> None:
    """Model, weights, thresholds, windowing; another threshold is another protocol."""
    protocol, other = bundled.protocol, build(Settings(verifier="nli", thresholds={"supported": 0.97})).protocol

    assert protocol.model == "claim-nli@1"
    assert protocol.weights is not None
    assert len(protocol.weights) == 64
    assert set(protocol.thresholds) == {"supported", "contradicted", "partial"}
    assert other.thresholds == protocol.thresholds | {"supported": 0.97}
    assert str(other) != str(protocol)


@pytest.mark.parametrize("thresholds", [{"suported": 0.5}, {"supported": 1.1}, {"partial": float("nan")}])
def test_thresholds_that_make_no_sense_are_refused(thresholds: dict[str, Any]) -> None:
    """In one sentence, before anything is judged."""
    with pytest.raises(VerifierUnavailable) as trouble:
        build(Settings(verifier="nli", thresholds=thresholds))

    assert str(trouble.value).endswith(".")
    assert trouble.value.advice


def test_an_unknown_model_is_refused_by_name() -> None:
    """With what to do."""
    with pytest.raises(VerifierUnavailable, match=r"nobody.*models add"):
        build(Settings(verifier="nli:nobody"))


NEAR = [
    ("The toll is 3 crowns.", "The toll for the bridge is 3 crowns."),
    ("The ferry does not run in winter.", "The ferry to the island runs from May to September only."),
    ("Maria Lopez founded the clinic in 1987.", "The clinic was founded by Maria Lopez in 1987."),
    ("The dam supplies water to two cities.", "The dam was finished in 1931 and was rebuilt after a flood."),
    ("The orchestra has 80 members.", "The orchestra has 60 members, most of them part-time."),
]
AROUND = (
    "Parking is free on Sundays. The market opens at nine. Sheep graze behind the church. Rain fell all night. "
    "The library lends maps and records. A new bakery stands next to the school. The council meets on Mondays."
)
DRIFT = 0.2
"""How far unrelated sentences may move the probability of entailment."""


@pytest.mark.parametrize(("claim", "evidence"), NEAR)
def test_unrelated_sentences_around_the_evidence_move_the_score_little(
    bundled: Verifier, claim: str, evidence: str
) -> None:
    """Before it, behind it, on both sides, and so many that they no longer fit into one window."""
    texts = [evidence, f"{AROUND} {evidence}", f"{evidence} {AROUND}", f"{AROUND} {evidence} {AROUND}"]
    texts.append(f"{AROUND * 8} {evidence} {AROUND * 8}")
    found = bundled.judge([Pair(claim=claim, evidence=text) for text in texts])

    scores = [one.scores["entailment"] for one in found]
    assert max(scores) - min(scores) <= DRIFT
    for one, text in zip(found, texts, strict=True):
        assert one.start is not None
        assert text[one.start : one.end] == evidence
