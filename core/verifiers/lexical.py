"""The baseline: how many of a claim's words and numbers stand together in the cited text?

It reads every word of the evidence and understands none of them: negation, roles and synonyms escape it. Its thresholds
are global, fitted on public training pairs with every set weighing the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from core.comparability import obstacle
from core.errors import VerifierUnavailable
from core.models import Judgement, Label, Pair, Status
from core.protocol import VerifierProtocol
from core.settings import Settings
from core.text import Span
from core.verifiers import Verifier
from core.windows import with_rest
from core.words import Words, words

VERSION = 1

THRESHOLDS = {"supported": 0.61, "partial": 0.51}
"""Least coverage for the label. A claim with a number that the passage lacks is never supported; below ``partial``, by
words alone as well, the passage does not address the claim."""

NUMBER_WEIGHT = 2
"""A number counts as much as so many words."""

WINDOWING = "best 1-2 adjacent sentences"


class Passage(NamedTuple):
    """One sentence, or two adjacent ones, of an evidence text."""

    start: int
    end: int
    content: frozenset[str]
    numbers: frozenset[str]


class EvidenceText(NamedTuple):
    """An evidence text taken apart once, however many claims cite it."""

    passages: tuple[Passage, ...]
    """Single sentences first, then pairs, each in order."""
    sentences: tuple[Words, ...]
    total: int
    """Words and numbers in all of it."""


class LexicalVerifier:
    """Compares words; see the module.

    Args:
        thresholds: ``supported`` and ``partial``, each in [0, 1].
        sentences: Splits a text into the spans of its sentences.
    """

    def __init__(self, thresholds: dict[str, float], sentences: Callable[[str], Sequence[Span]]) -> None:
        """Keep the configuration; there is no other state."""
        self._thresholds = thresholds
        self._sentences = sentences

    @cached_property
    def protocol(self) -> VerifierProtocol:
        """Version, thresholds and windowing."""
        return VerifierProtocol(
            verifier="lexical", version=VERSION, thresholds=dict(self._thresholds), windowing=WINDOWING
        )

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair on its own; an evidence text that several pairs share is taken apart once."""
        texts = {text: self._take_apart(text) for text in dict.fromkeys(pair.evidence for pair in pairs)}
        return [self._judge(words(pair.claim), texts[pair.evidence]) for pair in pairs]

    def _take_apart(self, text: str) -> EvidenceText:
        spans = with_rest(text, self._sentences(text))
        sentences = [words(text[start:end]) for start, end in spans]
        single = [
            Passage(start, end, one.content, one.numbers) for (start, end), one in zip(spans, sentences, strict=True)
        ]
        double = [
            Passage(one.start, two.end, one.content | two.content, one.numbers | two.numbers)
            for one, two in pairwise(single)
        ]
        return EvidenceText(
            passages=(*single, *double),
            sentences=tuple(sentences),
            total=sum(one.total for one in sentences),
        )

    def _judge(self, claim: Words, evidence: EvidenceText) -> Judgement:
        if trouble := obstacle(claim, evidence.sentences):
            return Judgement(status=Status.FAILED, failure=trouble.failure, reason=trouble.reason)
        best = max(evidence.passages, key=lambda passage: _coverage(claim, passage))
        coverage = _coverage(claim, best)
        scores = {"coverage": round(coverage, 4)}
        for name, ours, theirs in (("words", claim.content, best.content), ("numbers", claim.numbers, best.numbers)):
            if ours:
                scores[name] = round(len(ours & theirs) / len(ours), 4)
        return Judgement(
            status=Status.JUDGED,
            label=self._label(scores),
            scores=scores,
            start=best.start if coverage else None,
            end=best.end if coverage else None,
            tokens_seen=evidence.total,
            tokens_total=evidence.total,
            reason=_reason(claim, best),
        )

    def _label(self, scores: Mapping[str, float]) -> Label:
        """A missing number takes support, but does not make the passage one about something else."""
        if scores["coverage"] >= self._thresholds["supported"] and scores.get("numbers", 1.0) == 1.0:
            return Label.SUPPORTED
        addressed = max(scores["coverage"], scores.get("words", 0.0))
        return Label.PARTIAL if addressed >= self._thresholds["partial"] else Label.IRRELEVANT


def build(settings: Settings) -> Verifier:
    """Build the baseline, with the thresholds that the settings override.

    Raises:
        VerifierUnavailable: A threshold that it does not have, outside [0, 1], or ``partial`` above ``supported``.
    """
    from core.extraction import sentences  # brings the sentence splitter, which listing verifiers does not need

    return LexicalVerifier(_thresholds(settings.thresholds), sentences)


def _thresholds(overrides: dict[str, float]) -> dict[str, float]:
    for name, value in overrides.items():
        if name not in THRESHOLDS:
            raise VerifierUnavailable(
                f"The lexical verifier has no threshold called {name!r}", f"set one of: {', '.join(THRESHOLDS)}"
            )
        if not 0 <= value <= 1:
            raise VerifierUnavailable(f"The threshold {name!r} is {value}", "give a number from 0 to 1")
    chosen = THRESHOLDS | overrides
    if chosen["partial"] > chosen["supported"]:
        raise VerifierUnavailable(
            f"The threshold 'partial' ({chosen['partial']}) is above 'supported' ({chosen['supported']})",
            "lower the first or raise the second",
        )
    return chosen


def _coverage(claim: Words, passage: Passage) -> float:
    """The share of the claim's words and numbers that the passage has, numbers weighing more; in [0, 1]."""
    found = len(claim.content & passage.content) + NUMBER_WEIGHT * len(claim.numbers & passage.numbers)
    return found / (len(claim.content) + NUMBER_WEIGHT * len(claim.numbers))


def _reason(claim: Words, passage: Passage) -> str:
    parts = []
    if claim.content:
        parts.append(f"{len(claim.content & passage.content)} of {len(claim.content)} words")
    if claim.numbers:
        parts.append(f"{len(claim.numbers & passage.numbers)} of {len(claim.numbers)} numbers")
    return f"The passage has {' and '.join(parts)} of the claim"
