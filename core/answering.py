"""A question → an answer that passed the gate, or why there is none; and what can be asked about it afterwards."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol
from uuid import uuid4

from core import old_answers, pipeline, verifiers
from core.causes import Cause, Passage, explain
from core.errors import InputError, StoreError
from core.faithfulness import Probe, Sign, probe, sign
from core.gate import Level, decide
from core.generators import Event as Event
from core.generators import Tell
from core.means import Means, OncePerQuestion
from core.models import Answer, CheckedAnswer, ClaimRow, Label, utc_now
from core.one_question import STAGES as STAGES
from core.one_question import OneQuestion
from core.one_question import Question as Question
from core.outcomes import Outcome
from core.protocol import ClaimProtocol
from core.registry import Registry
from core.spend import Call
from core.verdict_cache import SpanJudge


class HasAnswering(Protocol):
    """A desk that questions can be put to."""

    @property
    def answering(self) -> Answering:
        """What answers them."""
        ...


def ask(desk: HasAnswering, question: Question, tell: Tell) -> Outcome:
    """Answer a question at a desk; see ``Answering.ask``."""
    return desk.answering.ask(question, tell)


class Answering(Means):
    """Answers questions from the corpora of a store; safe to use from many threads."""

    def ask(self, question: Question, tell: Tell) -> Outcome:
        """Answer a question; what ``tell`` raises ends the work, and what was spent until then is kept.

        Raises:
            InputError: The question cannot be asked: blank, too long, or of a corpus that this caller cannot see.
            VerifierUnavailable: There is no such generator or verifier, or it cannot run here; nothing was asked.
            StoreError: What came of it could not be recorded; then nothing is served either.
        """
        return OneQuestion(self, question, tell).run()

    def causes(
        self, answer: Answer, rows: Sequence[ClaimRow], groups: Collection[str] | None = None
    ) -> dict[str, Cause]:
        """Why claims of an answer are not supported, by claim id; supported ones are left out.

        Args:
            answer: With its registry; one that was asked here names its corpus.
            rows: Its claim table.
            groups: Those of whoever wants to know; none stands for whoever keeps the desk and sees all.

        Raises:
            VerifierUnavailable: The verifier of the settings cannot be had.
        """
        corpus, found = answer.meta.get("corpus"), list[Passage]()

        def deeper() -> Sequence[Passage] | None:
            if not isinstance(corpus, str) or not answer.query:
                return None
            if not found:
                hits = self.retriever.search(answer.query, corpus, groups, deep=True).packed
                found.extend(Passage(name=hit.chunk.chunk_id, text=hit.chunk.text) for hit in hits)
            return found

        fine = (Label.SUPPORTED, Label.SECONDARY_ONLY)
        with self._judging_again("causes") as (once, _):
            return {
                row.claim_id: explain(row.claim, row.cites, answer.evidence, deeper, once)
                for row in rows
                if row.label not in fine
            }

    def probe(self, request_id: str, claim_id: str, groups: Collection[str] | None = None) -> Probe:
        """Ask the generator of a served answer again, to see whether one of its claims relies on what it cites.

        Args:
            request_id: Of the answer.
            claim_id: Of one of its claims.
            groups: Those of whoever wants to know; none stands for whoever keeps the desk and sees all.

        Raises:
            InputError: No such question was served, it has no such claim, or a source that its generator was given is
                hidden from the caller.
            VerifierUnavailable: The generator cannot be had any more.
        """
        row = self.store.queries.get(request_id)
        answer = None if row is None else self.store.queries.answer(row.request_uid)
        claim = next((one for one in (answer.claims if answer else None) or () if one.claim_id == claim_id), None)
        if row is None or answer is None or claim is None:
            raise InputError(f"No question {request_id} with a claim {claim_id} was answered", "see the query log")
        given = [one for one in answer.evidence if one.in_context]
        if self.store.corpora.hidden(given, groups, utc_now()):  # a generator may be somebody else's
            raise InputError(f"A source of {request_id} may not be used any more", "probe an answer that cites others")
        name = ":".join(filter(None, (row.generator.partition("@")[0], row.model)))
        chosen = self.settings.ask.model_copy(update={"generator": name})
        generator = self.generator(self.settings.model_copy(update={"ask": chosen}))
        try:
            return probe(generator, row.query, given, claim)
        finally:  # what was paid for is kept, whatever ended the work
            self._keep_spend(generator.spent(), "probe")

    def signs(self, answer: Answer, rows: Sequence[ClaimRow]) -> tuple[ClaimProtocol, Mapping[str, Sign]]:
        """The one sign of an answer that cannot be asked for again, for each of its claims by id.

        Args:
            answer: With its registry.
            rows: Its claim table, judged by whomever.

        Returns:
            The protocol under which the settings judge, for that judge is asked now; and what can be told.

        Raises:
            VerifierUnavailable: The verifier of the settings cannot be had.
        """
        with self._judging_again("sign") as (once, protocol):
            return protocol, {row.claim_id: sign(row.claim, row.cites, answer.evidence, once) for row in rows}

    def replay(self, request_id: str, gate: Level | None = None) -> tuple[CheckedAnswer, bool]:
        """Judge a served answer again from its frozen registry; gives it, and whether it passes the gate again.

        The words of sources that are hidden by now are judged and not given.

        Raises:
            InputError: No such question was served.
            StoreError: The registry is not the one that was frozen.
        """
        row = self.store.queries.get(request_id)
        answer = None if row is None else self.store.queries.answer(row.request_uid)
        if row is None or answer is None:
            raise InputError(f"No question {request_id} was answered", "see the query log")
        if Registry.build(answer.evidence).sha256 != row.registry_sha256:
            raise StoreError(f"The registry of {request_id} is not the one that was frozen", "restore the store")
        with self._judging_again("replay") as (once, protocol):
            (checked,) = pipeline.check([answer], once, protocol)
        passes = decide(checked, gate or Level(row.gate)) is None
        return old_answers.checked(self.store, checked, None), passes

    @contextmanager
    def _judging_again(self, why: str) -> Iterator[tuple[SpanJudge, ClaimProtocol]]:
        """The judge of the settings for an answer that is there; what was paid for is kept, whatever ends the work."""
        judge, protocol = self.judge(self.settings)
        try:
            yield OncePerQuestion(lambda pairs: self.judge_alone(judge, pairs), judge), protocol
        finally:
            self._keep_spend(verifiers.spent(judge), why)

    def _keep_spend(self, calls: Sequence[Call], why: str) -> None:
        if calls:
            self.store.add_spend(calls, f"{why}-{uuid4().hex}")
