"""The cosine baseline: the nearest passage, the threshold, and what it refuses to score."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import VerifierUnavailable
from core.inference import Encoded, Tokens
from core.model_folder import ModelConfig
from core.models import Failure, Judgement, Label, Pair, Status
from core.settings import Settings
from core.text import Span
from core.verifiers.cosine import CHARACTERS_AT_ONCE, THRESHOLDS, CosineVerifier, build

CONFIG = ModelConfig(
    name="bag", version=3, sha256="ef" * 32, inputs=("input_ids",), max_tokens=32, pooling="mean", dimensions=64
)
"""Reads 24 tokens beside those around a text, so that a passage has at most 12."""


class Bag:
    """An embedder of words: two texts are as near as the words that they share."""

    config = CONFIG

    def __init__(self) -> None:
        """Nothing embedded yet."""
        self.embedded: list[str] = []
        self.columns: dict[str, int] = {}

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """A token a word."""
        return [np.arange(len(text.split()), dtype=np.int32) for text in texts]

    def encode_with_places(self, text: str) -> Encoded:
        """A token a word, with its place."""
        places = [found.span() for found in re.finditer(r"\S+", text)]
        return Encoded(np.arange(len(places), dtype=np.int32), np.array(places, dtype=np.int64).reshape(-1, 2))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Counts of words, of length 1."""
        self.embedded += texts
        rows = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.casefold()):
                row[self.columns.setdefault(word, len(self.columns))] += 1
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.maximum(length, 1e-12), dtype=np.float32)


def by_full_stop(text: str) -> list[Span]:
    """Sentences for these tests: up to a full stop."""
    return [match.span() for match in re.finditer(r"[^.\s][^.]*\.?", text)]


def judge(claim: str, evidence: str, **thresholds: float) -> Judgement:
    """Judge one pair with the default threshold, or another."""
    verifier = CosineVerifier(Bag(), THRESHOLDS | thresholds, by_full_stop)
    return verifier.judge([Pair(claim=claim, evidence=evidence)])[0]


def test_a_copy_is_as_near_as_can_be() -> None:
    """And the passage is the copy."""
    found = judge("The toll is 3 crowns.", "Cars stop here. The toll is 3 crowns. Bikes pass.")

    assert found.label is Label.SUPPORTED
    assert found.scores == {"cosine": 1.0}
    assert (found.start, found.end) == (16, 37)
    assert (found.tokens_seen, found.tokens_total) == (10, 10)
    assert found.reason == "The nearest passage has a cosine of 1.00 with the claim"


def test_hand_worked_nearness_and_threshold() -> None:
    """Two of four words shared: 2 / (2 · 2) = 0.5, supported at 0.5 and not above."""
    assert judge("red gate open today", "red gate shut never").scores == {"cosine": 0.5}
    assert judge("red gate open today", "red gate shut never", supported=0.5).label is Label.SUPPORTED
    assert judge("red gate open today", "red gate shut never", supported=0.51).label is Label.IRRELEVANT


def test_a_claim_that_two_sentences_carry_is_nearest_to_both() -> None:
    """Adjacent ones; the passage is their hull."""
    found = judge("Red gates open. Blue doors shut.", "Rain fell long. Red gates open. Blue doors shut. It was cold.")

    assert (found.start, found.end) == (16, 48)


def test_a_sentence_longer_than_the_model_reads_is_cut_and_read_to_its_end() -> None:
    """Thirty words in parts of twelve; the last words are found."""
    words = " ".join(f"word{at}" for at in range(28))
    found = judge("toll booth", f"{words} toll booth")

    assert found.status is Status.JUDGED
    assert found.start is not None
    assert found.start > 100
    assert (found.tokens_seen, found.tokens_total) == (30, 30)


def test_a_claim_that_is_too_long_is_no_score() -> None:
    """25 words, where 24 are read."""
    found = judge(" ".join(f"word{at}" for at in range(25)), "Some words.")

    assert (found.status, found.failure, found.label, found.scores) == (Status.FAILED, Failure.TOO_LONG, None, {})


@pytest.mark.parametrize(
    ("claim", "evidence"), [("It is so.", "…"), ("", "The toll is 3."), ("駅は閉鎖された。", "The station was closed.")]
)
def test_what_cannot_be_compared_is_no_score(claim: str, evidence: str) -> None:
    """No words on one side, or another script."""
    found = judge(claim, evidence)

    assert (found.status, found.failure, found.label) == (Status.FAILED, Failure.UNREADABLE, None)


def test_a_text_that_pairs_share_is_embedded_once() -> None:
    """Every distinct text once, in one call a group."""
    model = Bag()
    verifier = CosineVerifier(model, THRESHOLDS, by_full_stop)
    pairs = [Pair(claim=claim, evidence="Red gates open. Rain fell.") for claim in ("Red gates.", "Rain fell.")]

    found = verifier.judge(pairs)

    assert sorted(model.embedded) == sorted(
        {"Red gates.", "Rain fell.", "Red gates open.", "Red gates open. Rain fell."}
    )
    assert [one.scores for one in found] == [verifier.judge([pair])[0].scores for pair in pairs]


def test_long_texts_are_taken_apart_a_few_at_a_time() -> None:
    """What is embedded together stays bounded; the order stays."""
    long = "gate " * (CHARACTERS_AT_ONCE // 8)
    verifier = CosineVerifier(Bag(), THRESHOLDS, lambda text: [])
    pairs = [Pair(claim="gate", evidence=f"{long}{at}") for at in range(3)]

    assert [one.label for one in verifier.judge(pairs)] == [Label.SUPPORTED] * 3


def test_the_protocol_names_model_weights_and_threshold() -> None:
    """All of which decide a label."""
    protocol = CosineVerifier(Bag(), {"supported": 0.6}, by_full_stop).protocol

    assert (protocol.verifier, protocol.model, protocol.weights) == ("cosine", "bag@3", "ef" * 32)
    assert protocol.thresholds == {"supported": 0.6}


def test_the_bundled_embedder_knows_near_from_far() -> None:
    """In other words, and about something else; a denial it does not see, as the module says."""
    try:
        verifier = build(Settings(verifier="cosine"))
    except VerifierUnavailable as trouble:
        pytest.skip(str(trouble))
    evidence = "Rain is likely tonight. The museum opens every day at ten in the morning."
    denied = "The museum does not open every day at ten in the morning."
    claims = ("Each morning at ten the museum opens.", "The engine needs new oil.", denied)

    found = verifier.judge([Pair(claim=claim, evidence=evidence) for claim in claims])

    assert [one.label for one in found] == [Label.SUPPORTED, Label.IRRELEVANT, Label.SUPPORTED]
    assert found[0].start == evidence.index("The museum")


@pytest.mark.parametrize("thresholds", [{"partial": 0.5}, {"supported": 1.5}])
def test_a_threshold_that_cannot_be_is_refused(thresholds: dict[str, float]) -> None:
    """Before any model is loaded."""
    with pytest.raises(VerifierUnavailable, match="threshold"):
        build(Settings(verifier="cosine", thresholds=thresholds))
