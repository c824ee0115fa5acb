"""Why a claim is not supported: was the evidence not found, not there, left unused, or at odds with itself?

A judge is asked about the claim and passages that it does not cite; nothing of it is ever served.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from enum import StrEnum

from core.models import Evidence, Label, Pair, Record, Resolve, Status
from core.registry import Registry
from core.verdict_cache import SpanJudge

SHOWN = 3
"""Passages that a sentence names at most."""

DEEPEST = 80
"""Passages of a deep search that are judged at most."""


class Why(StrEnum):
    """The causes, in the order in which they are looked for."""

    SOURCES_CONFLICT = "sources_conflict"
    """Of two packed passages one supports the claim and one contradicts it."""
    MODEL_IGNORED_EVIDENCE = "model_ignored_evidence"
    """A packed passage that the claim does not cite supports it."""
    NOT_RETRIEVED = "not_retrieved"
    """A search ten times as deep finds a passage that supports it."""
    NOT_IN_CORPUS = "not_in_corpus"
    """It does not."""
    UNKNOWN = "unknown"
    """A passage that could decide it could not be judged, or there was none."""

    @property
    def words(self) -> str:
        """What it means, for somebody who has to do something about it."""
        return _WORDS[self]


_WORDS = {
    Why.SOURCES_CONFLICT: "The sources disagree: one passage that was used supports it, another says otherwise",
    Why.MODEL_IGNORED_EVIDENCE: "It was found and not cited: a passage that was used supports it",
    Why.NOT_RETRIEVED: "It is in the corpus, but the search did not bring it up: a search ten times as deep finds it",
    Why.NOT_IN_CORPUS: "It is not in the corpus: a search ten times as deep finds no passage that supports it",
    Why.UNKNOWN: "Nothing can be said: there was no passage to look at, or one of them could not be judged",
}


class Passage(Record):
    """A passage that is not in the registry of the request."""

    name: str
    """The chunk's id."""
    text: str


class Cause(Record):
    """Why one claim is not supported, with what shows it."""

    why: Why
    supporting: tuple[str, ...] = ()
    """Labels of the registry, or ids of chunks, of passages that support the claim."""
    contradicting: tuple[str, ...] = ()
    judged: int = 0
    """Passages that were judged for it."""

    @property
    def sentence(self) -> str:
        """The cause as a sentence, with the passages that show it."""
        shown = [f"supports it: {', '.join(self.supporting[:SHOWN])}"] if self.supporting else []
        shown += [f"says otherwise: {', '.join(self.contradicting[:SHOWN])}"] if self.contradicting else []
        passages = "1 passage was" if self.judged == 1 else f"{self.judged:,} passages were"
        return f"{self.why.words}. {'; '.join([f'{passages} looked at', *shown])}."


def explain(
    claim: str,
    cited: Collection[str],
    evidence: Sequence[Evidence],
    deeper: Callable[[], Sequence[Passage] | None],
    judge: SpanJudge,
) -> Cause:
    """Say why a claim is not supported by what it cites.

    Args:
        claim: Its text.
        cited: Labels that it cites.
        evidence: The registry of its request.
        deeper: What a search ten times as deep finds; asked only when no packed passage supports the claim.
            None: there is nothing to search, as for an imported answer.
        judge: Who says what supports.
    """
    registry = Registry.build(evidence)
    packed = [
        Passage(name=entry.id, text=entry.text)
        for entry in registry.entries
        if registry.resolve(entry.id).resolve is Resolve.OK
    ]
    near = _Judged.of(claim, packed, judge)
    if near.supporting and near.contradicting:
        return near.cause(Why.SOURCES_CONFLICT)
    if any(name not in cited for name in near.supporting):
        return near.cause(Why.MODEL_IGNORED_EVIDENCE)
    if near.supporting:  # what it cites does support it: then something else is wrong with the claim
        return near.cause(Why.UNKNOWN)
    found = deeper()
    if found is None:
        return near.cause(Why.UNKNOWN)
    known = {passage.text for passage in packed}
    far = _Judged.of(claim, [one for one in found if one.text not in known][:DEEPEST], judge)
    both = _Judged(far.supporting, near.contradicting + far.contradicting, near.judged + far.judged, 0)
    if far.supporting:
        return both.cause(Why.NOT_RETRIEVED)
    undecided = near.failed or far.failed or not both.judged
    return both.cause(Why.UNKNOWN if undecided else Why.NOT_IN_CORPUS)


class _Judged:
    """What a judge says of one claim and some passages."""

    def __init__(self, supporting: tuple[str, ...], contradicting: tuple[str, ...], judged: int, failed: int) -> None:
        self.supporting, self.contradicting, self.judged, self.failed = supporting, contradicting, judged, failed

    @classmethod
    def of(cls, claim: str, passages: Sequence[Passage], judge: SpanJudge) -> _Judged:
        found = judge.judge([Pair(claim=claim, evidence=one.text) for one in passages])
        labels = {
            one.name: judgement.label
            for one, judgement in zip(passages, found, strict=True)
            if judgement.status is Status.JUDGED
        }
        return cls(
            tuple(name for name, label in labels.items() if label is Label.SUPPORTED),
            tuple(name for name, label in labels.items() if label is Label.CONTRADICTED),
            len(labels),
            len(passages) - len(labels),
        )

    def cause(self, why: Why) -> Cause:
        return Cause(why=why, supporting=self.supporting, contradicting=self.contradicting, judged=self.judged)
