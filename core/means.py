"""What questions are answered with: a store, a retriever, generators and judges, each loaded once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

from core import generators, pipeline, plugins, verifiers
from core.errors import VerifierUnavailable
from core.generators import Generator
from core.models import Judgement, Pair
from core.protocol import ClaimProtocol, VerifierProtocol
from core.reference_policy import ReferencePolicy
from core.retrieval import Retriever
from core.settings import Settings
from core.store import Store
from core.verdict_cache import SpanJudge


class Means:
    """The means of answering; safe to use from many threads.

    Args:
        store: Where corpora are, and where everything is recorded.
        settings: Who writes and who judges where the question does not say.
        retriever: Who searches; none: the store's own corpora with the bundled embedder.
    """

    def __init__(self, store: Store, settings: Settings, retriever: Retriever | None = None) -> None:
        """Load nothing yet."""
        self.store, self.settings = store, settings
        self.retriever = retriever or Retriever.open(store, settings)
        self._lock = threading.Lock()
        self._judging = threading.Lock()
        self._judges: dict[str, tuple[SpanJudge, ClaimProtocol]] = {}
        self._generators: dict[str, Generator] = {}

    def generator(self, settings: Settings) -> Generator:
        """The generator that settings name; one that pays is made anew, so that its calls are of one question."""
        name = settings.ask.generator
        module = plugins.load(generators, name.partition(":")[0], VerifierUnavailable)
        with self._lock:
            if name in self._generators:
                return self._generators[name]
            made: Generator = module.build(settings)
            if made.shared:
                self._generators[name] = made
            return made

    def judge(self, settings: Settings) -> tuple[SpanJudge, ClaimProtocol]:
        """The judge that settings name, with its protocol; one that pays is made anew."""
        key = settings.model_dump_json(include={"verifier", "merge", "thresholds", "hub"})
        # An answer of ours cites its own registry only, so its protocol must not say that anything was looked up.
        settings = settings.model_copy(update={"references": ReferencePolicy()})
        with self._lock:
            if settings.verifier.startswith("claude"):
                return pipeline.build(settings)
            if key not in self._judges:
                self._judges[key] = pipeline.build(settings)
            return self._judges[key]

    def judge_alone(self, judge: SpanJudge, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge pairs; models of this machine one question after another, for they use every core anyway."""
        with self._lock:
            local = any(judge is known for known, _ in self._judges.values())
        if local:
            with self._judging:
                return judge.judge(pairs)
        return judge.judge(pairs)


class OncePerQuestion:
    """A judge that is asked once about each pair of a question, however many rounds there are.

    Args:
        judge: Judges pairs.
        of: Whose protocol it is.
        tell: Told which claim is being judged, from 1, and of how many; a judge that answers many questions at once
            is asked all of them together and nothing is told.
    """

    def __init__(
        self,
        judge: Callable[[Sequence[Pair]], list[Judgement]],
        of: SpanJudge,
        tell: Callable[[int, int], None] | None = None,
    ) -> None:
        """Know nothing yet."""
        self._judge, self._of, self._teller = judge, of, tell
        self._known: dict[Pair, Judgement] = {}

    @property
    def protocol(self) -> VerifierProtocol:
        """The judge's own."""
        return self._of.protocol

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair, in order; one that was judged before is not judged again."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        for group in self._groups(new):
            self._known |= dict(zip(group, self._judge(group), strict=True))
        return [self._known[pair] for pair in pairs]

    def _groups(self, new: Sequence[Pair]) -> Iterator[Sequence[Pair]]:
        """What is judged together: the pairs of one claim, each told before it begins, or all."""
        if self._teller is None or verifiers.answers_at_once(self._of) is not None:
            yield from [new] if new else []
            return
        claims = list(dict.fromkeys(pair.claim for pair in new))
        for number, claim in enumerate(claims, 1):
            self._teller(number, len(claims))
            yield [pair for pair in new if pair.claim == claim]
