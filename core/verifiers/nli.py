"""The bundled judge: a cross-encoder of ours that reads evidence and claim together, offline, on the processor.

It reads English. Long evidence is searched first: every piece of it is compared with the claim by its words, and the
pieces and windows that share most are read by the model (``core.windows``). A claim that is not carried whole is asked
again without one part at a time: when such a remainder is carried, part of the claim is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.clauses import remainders, said
from core.comparability import Obstacle, not_english, obstacle
from core.errors import VerifierUnavailable
from core.inference import LABELS, Floats, PairClassifier, Tokens, load_classifier
from core.model_folder import ModelConfig, locate
from core.models import Failure, Judgement, Label, Pair, Status
from core.protocol import VerifierProtocol
from core.sentences import sentences
from core.settings import Settings
from core.text import Span, excerpt
from core.verifiers import Verifier
from core.windows import FOCUS_WEIGHT, WINDOWING, EvidenceText, Reading, choose, stated, take_apart, with_rest
from core.words import Words, words

VERSION = 1

DEFAULT = "claim-nli"
"""The model that comes with Citedesk."""

THRESHOLDS = ("supported", "contradicted", "partial")
"""Least probability for each label; a model's own values stand in its configuration."""

MOST_CLAIM = 128
"""Tokens of a claim above which its sentences are judged one by one."""

PART_FLOOR = 0.25
"""Share of the threshold for ``partial`` that the whole claim must reach for its parts to be asked about."""

PAIRS_AT_ONCE = 256
CHARACTERS_AT_ONCE = 4_000_000
"""Evidence that is held taken apart, in code points."""


class _Claim(NamedTuple):
    """A claim, or a part of one, as the model reads it."""

    text: str
    ids: Tokens
    words: Words


class _Case(NamedTuple):
    """A pair taken apart."""

    claims: tuple[_Claim, ...]
    """The claim, or its sentences where it is long."""
    text: EvidenceText
    obstacle: Obstacle | None
    stated: Span | None
    """Where sentences of the evidence state the claim word for word, in whatever notation."""


class _Scores(NamedTuple):
    """What the model says of one claim and one text."""

    entailment: float
    contradiction: float
    neutral: float
    place: Span | None
    """What of the evidence shares most with the claim; none when nothing is shared."""
    window: Span
    """What of it the model read."""


class NliVerifier:
    """Reads with a cross-encoder; see the module.

    Args:
        model: The pair classifier.
        thresholds: One a name of ``THRESHOLDS``, each in [0, 1].
        name: What the settings call it.
    """

    def __init__(self, model: PairClassifier, thresholds: Mapping[str, float], name: str) -> None:
        """Keep the configuration; there is no other state."""
        self._model = model
        self._thresholds = dict(thresholds)
        self._name = name
        self._order = [model.config.labels.index(label) for label in LABELS]

    @cached_property
    def protocol(self) -> VerifierProtocol:
        """Version, model, weights, thresholds and windowing."""
        config = self._model.config
        return VerifierProtocol(
            verifier=self._name,
            version=VERSION,
            model=f"{config.name}@{config.version}",
            weights=config.digest,
            thresholds=dict(self._thresholds),
            windowing=WINDOWING,
        )

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair on its own, in order; a text that several pairs cite is taken apart once."""
        return [one for group in _groups(pairs) for one in self._judge_group(group)]

    def _judge_group(self, pairs: Sequence[Pair]) -> list[Judgement]:
        texts = {text: self._take_apart(text) for text in dict.fromkeys(pair.evidence for pair in pairs)}
        claims = {text: self._claims(text) for text in dict.fromkeys(pair.claim for pair in pairs)}
        cases = [self._case(pair, claims[pair.claim], texts[pair.evidence]) for pair in pairs]
        scores = self._scores(cases)
        found = [self._decide(case, own) for case, own in zip(cases, scores, strict=True)]
        floor = self._thresholds["partial"] * PART_FLOOR
        open_ = [
            at
            for at, one in enumerate(found)
            if one.label is Label.IRRELEVANT and one.start is not None and one.scores["entailment"] >= floor
        ]
        for at, part in zip(open_, self._carried_parts([cases[at] for at in open_]), strict=True):
            if part is not None:
                found[at] = found[at].model_copy(update=part)
        return found

    def _take_apart(self, text: str) -> EvidenceText:
        longest = self._model.room - MOST_CLAIM
        return take_apart(text, sentences(text), self._model.encode, self._model.encode_with_places, longest)

    def _claims(self, text: str) -> tuple[_Claim, ...]:
        (ids,) = self._model.encode([text])
        if len(ids) <= MOST_CLAIM:
            return (_Claim(text, ids, words(text)),)
        return self._read([text[start:end] for start, end in with_rest(text, sentences(text))])

    def _read(self, texts: Sequence[str]) -> tuple[_Claim, ...]:
        """Texts as the model reads them, without those that say nothing."""
        read = zip(texts, self._model.encode(texts), map(words, texts), strict=True)
        return tuple(_Claim(*one) for one in read if one[2].content or one[2].numbers)

    def _case(self, pair: Pair, claims: tuple[_Claim, ...], text: EvidenceText) -> _Case:
        if found := _obstacle(pair, claims, text, self._is_known):
            return _Case(claims, text, found, None)
        return _Case(claims, text, None, stated(pair.claim, words(pair.claim), pair.evidence, text))

    def _is_known(self, word: str) -> bool:
        """Whether the model reads a word as a whole."""
        return len(self._model.encode([word])[0]) == 1

    def _scores(self, cases: Sequence[_Case]) -> list[_Scores | None]:
        """The scores of each case, none where something stands against judging it; a copy needs no model."""
        asked = [one for one in cases if one.obstacle is None and one.stated is None]
        found = iter(self._ask([(claim, one.text) for one in asked for claim in one.claims]))
        scores: list[_Scores | None] = []
        for one in cases:
            if one.obstacle is not None:
                scores.append(None)
            elif one.stated is not None:
                scores.append(_Scores(1.0, 0.0, 0.0, one.stated, one.stated))
            else:
                scores.append(_of_parts([next(found) for _ in one.claims]))
        return scores

    def _ask(self, asked: Sequence[tuple[_Claim, EvidenceText]]) -> list[_Scores]:
        """Ask the model about claims and texts."""
        readings = [choose(claim.words, text, self._model.room - len(claim.ids)) for claim, text in asked]
        rows = [
            (np.concatenate([text.pieces[at].ids for at in row]), claim.ids)
            for (claim, text), reading in zip(asked, readings, strict=True)
            for row in reading.rows
        ]
        probabilities = self._model.judge(rows)[:, self._order]
        found, at = [], 0
        for reading in readings:
            found.append(_mean(reading, probabilities[at : at + len(reading.rows)]))
            at += len(reading.rows)
        return found

    def _carried_parts(self, cases: Sequence[_Case]) -> list[dict[str, object] | None]:
        """For claims that are not carried whole: what a judgement becomes when a part of the claim is carried."""
        parts = [self._parts(case) for case in cases]
        asked = [(part, case.text) for case, own in zip(cases, parts, strict=True) for part in own]
        scores = iter(self._ask(asked))
        return [self._carried([(part.text, next(scores)) for part in own]) for own in parts]

    def _parts(self, case: _Case) -> tuple[_Claim, ...]:
        if len(case.claims) > 1:
            return case.claims
        whole = case.claims[0].text
        return self._read([said(whole, spans) for spans in remainders(whole)])

    def _carried(self, parts: Sequence[tuple[str, _Scores]]) -> dict[str, object] | None:
        for text, scores in parts:
            if scores.entailment >= self._thresholds["partial"] and scores.entailment > scores.contradiction:
                start, end = excerpt(text, 0, len(text))
                shown = text[start:end] if end == len(text) else f"{text[start:end]} …"
                reason = f"The cited text carries only a part of the claim: “{shown}”"
                return {"label": Label.PARTIAL, "reason": reason, **_place(scores)}
        return None

    def _decide(self, case: _Case, scores: _Scores | None) -> Judgement:
        """The label of a case, partial left aside."""
        total = case.text.total
        if scores is None:
            assert case.obstacle is not None
            return Judgement(
                status=Status.FAILED, failure=case.obstacle.failure, tokens_total=total, reason=case.obstacle.reason
            )
        entailment, contradiction = scores.entailment, scores.contradiction
        if entailment >= self._thresholds["supported"] and entailment >= contradiction:
            label, reason = Label.SUPPORTED, f"The cited text carries the claim (entailment {entailment:.2f})"
            reason = "The claim stands in the cited text word for word, notation aside" if case.stated else reason
        elif contradiction >= self._thresholds["contradicted"] and contradiction > entailment:
            label = Label.CONTRADICTED
            reason = f"The cited text conflicts with the claim (contradiction {contradiction:.2f})"
        else:
            label, reason = Label.IRRELEVANT, f"No passage carries the claim (entailment {entailment:.2f})"
        return Judgement(
            status=Status.JUDGED,
            label=label,
            scores={name: round(float(getattr(scores, name)), 4) for name in LABELS},
            tokens_seen=total,
            tokens_total=total,
            reason=reason,
            **(_place(scores) if scores.place or label is not Label.IRRELEVANT else {}),
        )


def _place(scores: _Scores) -> dict[str, int]:
    start, end = scores.place or scores.window
    return {"start": start, "end": end}


def _obstacle(
    pair: Pair, claims: Sequence[_Claim], text: EvidenceText, is_known: Callable[[str], bool]
) -> Obstacle | None:
    """What stands against judging a pair: nothing to compare, a language that the model does not read, no room."""
    if found := obstacle(words(pair.claim), text.words) or not_english(pair.claim, pair.evidence, is_known):
        return found
    if max(len(claim.ids) for claim in claims) > MOST_CLAIM:
        return Obstacle(Failure.TOO_LONG, f"The claim has a sentence of more than {MOST_CLAIM} tokens")
    return None


def _of_parts(parts: Sequence[_Scores]) -> _Scores:
    """A claim of several sentences is carried as well as the worst carried of them; one that conflicts is enough."""
    weakest = min(parts, key=lambda one: one.entailment)
    strongest = max(parts, key=lambda one: one.contradiction)
    contradiction = min(strongest.contradiction, 1 - weakest.entailment)
    neutral = round(1 - weakest.entailment - contradiction, 4)
    deciding = strongest if contradiction > weakest.entailment else weakest
    place = next((one.place for one in (deciding, *parts) if one.place), None)
    return _Scores(weakest.entailment, contradiction, neutral, place, deciding.window)


def _mean(reading: Reading, found: Floats) -> _Scores:
    """The score of the focus, moderated by that of the window around it."""
    whole = FOCUS_WEIGHT * found[0] + (1 - FOCUS_WEIGHT) * found[-1]
    entailment, contradiction, neutral = (round(float(value), 4) for value in whole)
    return _Scores(entailment, contradiction, neutral, reading.place, reading.window)


def _groups(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Cut pairs into groups small enough to hold."""
    group: list[Pair] = []
    size = 0
    for pair in pairs:
        if group and (len(group) == PAIRS_AT_ONCE or size + len(pair.evidence) > CHARACTERS_AT_ONCE):
            yield group
            group, size = [], 0
        group.append(pair)
        size += len(pair.evidence)
    if group:
        yield group


def build(settings: Settings) -> Verifier:
    """Load the bundled model, or with ``nli:NAME`` one that was added, with the thresholds that the settings override.

    Raises:
        VerifierUnavailable: No such model, a folder that is incomplete or damaged, a threshold that it does not have.
    """
    model = load_classifier(locate(settings.verifier.partition(":")[2] or DEFAULT))
    name = settings.verifier if settings.verifier.startswith("nli:") else "nli"
    return NliVerifier(model, _thresholds(model.config, settings.thresholds), name)


def _thresholds(config: ModelConfig, overrides: Mapping[str, float]) -> dict[str, float]:
    own = {"partial": config.thresholds.get("supported", 1.0)} | config.thresholds
    if missing := [name for name in THRESHOLDS if name not in own]:
        raise VerifierUnavailable(
            f"The model {config.name!r} has no threshold {missing[0]!r}", "see `citedesk models add` for another one"
        )
    for name, value in overrides.items():
        if name not in THRESHOLDS:
            raise VerifierUnavailable(
                f"The nli verifier has no threshold called {name!r}", f"set one of: {', '.join(THRESHOLDS)}"
            )
        if not 0 <= value <= 1:
            raise VerifierUnavailable(f"The threshold {name!r} is {value}", "give a number from 0 to 1")
    return {name: overrides.get(name, own[name]) for name in THRESHOLDS}
