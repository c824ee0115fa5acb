"""Judge sensitivity: does a verdict follow the evidence when the evidence changes and the claim stays?

Pairs that people and the judge call supported are judged again: without the sentences that carry the support, with
others in their place, with the shared number or name changed, and against the evidence of another pair. A judge that
reads the evidence lets go of "supported" each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from core import alterations
from core.extraction import sentences
from core.gold_pairs import DataSet, GoldPair
from core.metrics import Estimate, wilson
from core.metrics.confusion import is_supported
from core.models import Pair, Record
from core.probes import Ask, in_turns
from core.text import Span
from core.words import Words, words

PAIRS = 200
"""Supported pairs that are judged again, at most."""

_NEARLY = 0.8
"""Sentences with this share of the best one's overlap with the claim carry the support as well."""

_TRIES = 30


class FollowRate(Record):
    """How often the verdict followed one kind of change."""

    change: str
    rate: Estimate
    """Share of the pairs judged again that are not called supported any more, in [0, 1], with its Wilson interval."""
    unjudged: int


class Sensitivity(Record):
    """All changes, and how many pairs they started from."""

    asked: int
    """Pairs that people call supported."""
    supported: int
    """Of these the judge called so too; only they are changed."""
    changes: tuple[FollowRate, ...]


class _Change(NamedTuple):
    name: str
    pair: Pair


def run(sets: Sequence[DataSet], ask: Ask, seed: int = 0, size: int = PAIRS) -> Sensitivity:
    """Take at most ``size`` supported pairs, the sets taking turns, and judge them before and after each change."""
    random = Random(seed)
    golds = in_turns(sets, random)[:size]
    before = ask([one.pair for one in golds])
    kept = [one for one, label in zip(golds, before, strict=True) if label is not None and is_supported(label)]
    others = [one.evidence for one in golds]
    pool = alterations.name_pool(others)
    changed = [change for one in kept for change in changes(one, others, pool, random)]
    after = ask([change.pair for change in changed])
    found = []
    for name in ("carrying sentences removed", "carrying sentences replaced", "key value changed", "unrelated span"):
        own = [label for change, label in zip(changed, after, strict=True) if change.name == name]
        judged = [label for label in own if label is not None]
        rate = wilson.interval(sum(not is_supported(label) for label in judged), len(judged))
        found.append(FollowRate(change=name, rate=rate, unjudged=len(own) - len(judged)))
    return Sensitivity(asked=len(golds), supported=len(kept), changes=tuple(found))


def changes(one: GoldPair, others: Sequence[str], pool: Sequence[str], random: Random) -> Iterator[_Change]:
    """The changed pairs of one supported pair; a change that cannot be made is left out.

    ``others`` are evidence texts to take from, ``pool`` names; what is put in shares no content word with the claim.
    """
    spans = _carrying(one)
    rest = _cut(one.evidence, spans, "")
    if rest.strip():  # a claim against nothing is no verdict
        yield _Change("carrying sentences removed", Pair(claim=one.claim, evidence=rest))
    stranger = _stranger(one, others, random)
    if stranger is not None:
        start, end = next(iter(sentences(stranger)), (0, len(stranger)))
        replaced = _cut(one.evidence, spans, f"{stranger[start:end]} ")
        yield _Change("carrying sentences replaced", Pair(claim=one.claim, evidence=replaced))
        yield _Change("unrelated span", Pair(claim=one.claim, evidence=stranger))
    changed = _other_value(one, pool, random)
    if changed is not None:
        yield _Change("key value changed", Pair(claim=one.claim, evidence=changed))


def _carrying(one: GoldPair) -> list[Span]:
    """Where the support stands: sentences that the set names, else those that share most with the claim."""
    named = [(at, at + len(text)) for text in one.carrying if (at := one.evidence.find(text)) >= 0]
    if named:
        return named
    spans = sentences(one.evidence) or [(0, len(one.evidence))]
    claim = words(one.claim)
    shares = [_overlap(claim, words(one.evidence[start:end])) for start, end in spans]
    return [span for span, share in zip(spans, shares, strict=True) if share >= _NEARLY * max(shares)]


def _overlap(claim: Words, sentence: Words) -> int:
    return len(claim.content & sentence.content) + len(claim.numbers & sentence.numbers)


def _cut(text: str, spans: Sequence[Span], put: str) -> str:
    """The text without some stretches, ``put`` in the place of each."""
    pieces, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            pieces += [text[at:start], put]
        at = max(at, end)
    return "".join([*pieces, text[at:]])


def _stranger(one: GoldPair, others: Sequence[str], random: Random) -> str | None:
    """An evidence text that shares neither content word nor number with the claim; none when few tries find none."""
    claim = words(one.claim)
    for text in random.sample(others, min(len(others), _TRIES)):
        if text.strip() and not _overlap(claim, words(text)):
            return text
    return None


def _other_value(one: GoldPair, pool: Sequence[str], random: Random) -> str | None:
    """The evidence with one number or name that the claim has changed to another, wherever it stands."""
    shared = [*re.findall(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)", one.claim), *alterations.names(one.claim)]
    for value in shared:
        place = re.compile(rf"(?<![\w.,]){re.escape(value)}(?!\w|[.,]\d)")
        if not place.search(one.evidence):
            continue
        fits = [name for name in pool if len(name.split()) == len(value.split()) and name not in one.claim]
        other = str(int(random.randint(3, 9)) * 10 ** len(value) + 7) if value[0].isdigit() else None
        if other is None and fits:
            other = random.choice(fits)
        if other is not None:
            return place.sub(other, one.evidence)
    return None
