"""One piece of work as runs: every answer is looked up as its corpus allows, under the protocol that says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from core import pipeline
from core.cited_works import Works
from core.corpus_policy import CorpusPolicy, corpus_of, of_corpus
from core.models import Answer, CheckedAnswer
from core.protocol import ClaimProtocol
from core.reference_lookup import protocol_name
from core.reference_policy import ReferencePolicy
from core.store.records import Batch, RunHeader
from core.verdict_cache import SpanJudge


class _Way(NamedTuple):
    run: RunHeader
    works: Works | None


class PolicyRuns:
    """The runs of one piece of work; without corpora that have policies of their own there is one, that given.

    Args:
        run: Of answers whose corpus has no policy of its own; the others are like it.
        policy: For these answers.
        said: The policies that corpora have, by name.
        lookup: Makes who finds out about works under a policy; none when nobody may.
    """

    def __init__(
        self,
        run: RunHeader,
        policy: ReferencePolicy,
        said: Mapping[str, CorpusPolicy],
        lookup: Callable[[ReferencePolicy], Works | None],
    ) -> None:
        """Look nothing up yet."""
        self._run, self._policy, self._said, self._lookup = run, policy, said, lookup
        self._ways: dict[str | None, _Way] = {None: _Way(run, lookup(policy))}
        self._answers = Counter[str | None]()

    def protocol(self, answer: Answer) -> ClaimProtocol:
        """The protocol under which an answer is judged."""
        return self._way(self._named(answer)).run.protocol

    def check(self, answers: Iterable[Answer], judge: SpanJudge) -> Iterator[CheckedAnswer]:
        """Check answers as ``pipeline.check`` does; those that are looked up in the same way come together."""
        for group in pipeline.batches(answers, pipeline.at_once(judge)):
            apart: dict[str | None, list[Answer]] = {}
            for answer in group:
                apart.setdefault(self._named(answer), []).append(answer)
            for name, mine in apart.items():
                way = self._way(name)
                self._answers[name] += len(mine)
                yield from pipeline.check(mine, judge, way.run.protocol, way.works)

    def batches(self, checked: Sequence[CheckedAnswer]) -> Iterator[Batch]:
        """What to record: the answers of each run together."""
        apart: dict[str, tuple[RunHeader, list[CheckedAnswer]]] = {}
        for one in checked:
            run = self._way(self._named(one.answer)).run
            apart.setdefault(run.run_id, (run, []))[1].append(one)
        yield from (Batch(run=run, answers=tuple(ones)) for run, ones in apart.values())

    @property
    def main(self) -> RunHeader:
        """The run that stands for all: the one given, or that of most answers where none belongs to it."""
        names = [name for name, _ in self._answers.most_common()]
        by_default = not names or any(self._ways[name].run is self._run for name in names)
        return self._run if by_default else self._ways[names[0]].run

    def notes(self) -> Iterator[str]:
        """Which answers were judged under another protocol than the main one, and why, one sentence a corpus."""
        for name, count in sorted(self._answers.items(), key=lambda item: item[0] or ""):
            protocol = self._ways[name].run.protocol
            if protocol != self.main.protocol:
                over = f" over {name}" if name else ""
                why = f"{name} {self._said[name]}" if name else "they name no corpus with a policy of its own"
                answers = f"{count:,} answer{'' if count == 1 else 's'}"
                yield f"Judged under {protocol}: {answers}{over}, for {why}"

    def _named(self, answer: Answer) -> str | None:
        name = corpus_of(answer)
        return name if name in self._said else None

    def _way(self, name: str | None) -> _Way:
        if name not in self._ways:
            assert name is not None, "answers without a policy of their own have a way from the start"
            policy = of_corpus(self._policy, name, self._said[name])
            self._ways[name] = _Way(self._run_under(protocol_name(policy)), self._lookup(policy))
        return self._ways[name]

    def _run_under(self, references: str | None) -> RunHeader:
        """The run whose protocol looks up this; a new one when there is none yet."""
        for way in self._ways.values():
            if way.run.protocol.references == references:
                return way.run
        run_id = f"{self._run.run_id}/{len({way.run.run_id for way in self._ways.values()}) + 1}"
        # Built afresh: copying a record would carry over the hash it has cached.
        protocol = ClaimProtocol(**self._run.protocol.model_dump() | {"references": references})
        return self._run.model_copy(update={"run_id": run_id, "protocol": protocol})
