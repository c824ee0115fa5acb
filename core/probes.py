"""Behaviour probes: what does a judge make of a pair whose answer is known because it was made?

A probe is made from pairs that people call supported: of a sentence of the evidence itself, where nothing but the
alteration can be the reason for a verdict, and of the claim. Kinds and targets are those that Citedesk wants to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from random import Random
from typing import Literal, NamedTuple

from core import alterations
from core.extraction import sentences
from core.gold_pairs import DataSet, GoldPair
from core.metrics import Estimate, wilson
from core.metrics.confusion import is_supported
from core.models import Label, Pair, Record
from core.words import words

Ask = Callable[[Sequence[Pair]], Sequence[Label | None]]
"""Judges pairs, in order; none for a pair that was not judged."""

Base = Literal["sentence", "claim"]

PER_KIND = 200
"""Probes of one kind and base, at most."""

LONGEST = 2000
"""Code points of evidence that a probe keeps; sentences further away are cut off."""

VERBATIM, UNRELATED = "verbatim sentence", "unrelated sentence"

Alter = Callable[[str, str, Random], str | None]
"""Makes of a sentence and its evidence another sentence, or none."""

_ALTERED: dict[str, tuple[Alter | None, float]] = {
    "swapped number": (alterations.swap_number, 0.03),
    "inserted negation": (alterations.insert_negation, 0.10),
    "removed negation": (alterations.remove_negation, 0.10),
    "swapped entity": (None, 0.15),
    "swapped population": (alterations.swap_population, 0.10),
    "swapped unit": (alterations.swap_unit, 0.10),
}
"""Kind → how it is made (an entity needs others to choose from) and the highest share supported that is aimed at."""

_WORDS = range(6, 41)
_TRIES = 30
_SOURCES = 8
"""Pairs that are looked at for each probe of a kind; what few sentences have (a negation, a unit) may come short."""


class ProbeRate(Record):
    """How often probes of one kind were called supported."""

    kind: str
    base: Base
    """Of what it was made: a sentence of the evidence, or the claim."""
    rate: Estimate
    """Share of the judged probes called supported, in [0, 1], with its Wilson interval."""
    unjudged: int
    target: float
    at_least: bool
    """Whether the share should be at least the target, rather than at most."""

    @property
    def is_met(self) -> bool | None:
        """Whether the estimate is on the right side of the target; none without data."""
        if self.rate.estimate is None:
            return None
        return self.rate.estimate >= self.target if self.at_least else self.rate.estimate <= self.target


class Source(NamedTuple):
    """One supported pair that probes are made of."""

    claim: str
    evidence: str
    statements: tuple[str, ...]
    """Sentences of the evidence that say something on their own."""


def run(sets: Sequence[DataSet], ask: Ask, seed: int = 0, size: int = PER_KIND) -> list[ProbeRate]:
    """Make at most ``size`` probes of each kind and base, have them judged, and count."""
    made = make(sets, seed, size)
    found = []
    for (kind, base), pairs in made.items():
        labels = [label for label in ask(pairs) if label is not None]
        rate = wilson.interval(sum(map(is_supported, labels)), len(labels))
        target = {VERBATIM: 0.98, UNRELATED: 0.01}.get(kind) or _ALTERED[kind][1]
        found.append(
            ProbeRate(
                kind=kind,
                base=base,
                rate=rate,
                unjudged=len(pairs) - len(labels),
                target=target,
                at_least=kind == VERBATIM,
            )
        )
    return found


def make(sets: Sequence[DataSet], seed: int = 0, size: int = PER_KIND) -> dict[tuple[str, Base], list[Pair]]:
    """The probes of each kind and base, the same for the same seed; sets take turns, a pair gives one of each kind."""
    random = Random(seed)
    sources = [_source(one) for one in in_turns(sets, random)[: size * _SOURCES]]
    pool = alterations.name_pool([text for one in sources for text in one.statements])

    def swap_name(text: str, evidence: str, random: Random) -> str | None:
        return alterations.swap_name(text, evidence, pool, random)

    found: dict[tuple[str, Base], list[Pair]] = {
        (VERBATIM, "sentence"): _first((_verbatim(one, random) for one in sources), size),
        (UNRELATED, "sentence"): _first(_unrelated(sources, random), size),
    }
    for kind, (alter, _) in _ALTERED.items():
        change = alter or swap_name
        found[kind, "sentence"] = _first((_altered_sentence(one, change, random) for one in sources), size)
        found[kind, "claim"] = _first((_altered_claim(one, change, random) for one in sources), size)
    return found


def in_turns(sets: Sequence[DataSet], random: Random) -> list[GoldPair]:
    """The supported pairs of all sets, shuffled within each set, the sets taking turns."""
    columns = []
    for data in sets:
        own = [one for one in data.pairs if one.label == Label.SUPPORTED]
        random.shuffle(own)
        columns.append(own)
    return [one for row in zip_longest(*columns) for one in row if one is not None]


def surrounding(evidence: str, start: int, end: int) -> str:
    """The evidence, or where it is longer than ``LONGEST`` the whole sentences around ``[start, end)``."""
    if len(evidence) <= LONGEST:
        return evidence
    room = max(0, LONGEST - (end - start)) // 2
    spans = [span for span in sentences(evidence) if start - room <= span[0] and span[1] <= end + room]
    return evidence[min([start, *(span[0] for span in spans)]) : max([end, *(span[1] for span in spans)])]


def _source(one: GoldPair) -> Source:
    found = [one.evidence[start:end] for start, end in sentences(one.evidence)]
    return Source(one.claim, one.evidence, tuple(filter(_is_statement, found)))


def _is_statement(text: str) -> bool:
    """Whether a sentence is prose of a usual length that can be said on its own."""
    return len(text.split()) in _WORDS and text[0].isupper() and text[-1] == "." and "\n" not in text


def _pair(claim: str, sentence: str, evidence: str) -> Pair:
    """A probe against the surroundings of the sentence that it was made of."""
    at = evidence.index(sentence)
    return Pair(claim=claim, evidence=surrounding(evidence, at, at + len(sentence)))


def _verbatim(source: Source, random: Random) -> Pair | None:
    if not source.statements:
        return None
    sentence = random.choice(source.statements)
    return _pair(sentence, sentence, source.evidence)


def _unrelated(sources: Sequence[Source], random: Random) -> Iterator[Pair | None]:
    """Sentences against evidence with which they share no content word and no number."""
    speaking = [one for one in sources if one.statements]
    for source in speaking:
        mine = words(source.evidence)
        for other in random.sample(speaking, min(len(speaking), _TRIES)):
            sentence = random.choice(other.statements)
            theirs = words(sentence)
            if not mine.content & theirs.content and not mine.numbers & theirs.numbers:
                yield Pair(claim=sentence, evidence=surrounding(source.evidence, 0, 0))
                break


def _altered_sentence(source: Source, change: Alter, random: Random) -> Pair | None:
    for sentence in source.statements:
        altered = change(sentence, source.evidence, random)
        if altered is not None:
            return _pair(altered, sentence, source.evidence)
    return None


def _altered_claim(source: Source, change: Alter, random: Random) -> Pair | None:
    altered = change(source.claim, source.evidence, random) if len(source.evidence) <= LONGEST else None
    return None if altered is None else Pair(claim=altered, evidence=source.evidence)


def _first(made: Iterator[Pair | None], size: int) -> list[Pair]:
    """The first ``size`` probes that could be made, each once."""
    found: dict[Pair, None] = {}
    for one in made:
        if one is not None:
            found[one] = None
        if len(found) == size:
            break
    return list(found)
