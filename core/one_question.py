"""One question on its way: the order of an answer, from what the caller may see to the gate.

Nothing of an answer leaves this module before the gate has let it pass; what is told on the way are stages and counts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import uuid4

from pydantic import Field

from core import __version__, corpora, pipeline, rounds, served, verifiers
from core.errors import StoreError, VerifierUnavailable
from core.gate import Level, decide
from core.generators import Event, Generation, Tell
from core.hits import Retrieval, card_of
from core.means import Means, OncePerQuestion
from core.models import Answer, CheckedAnswer, Evidence, Record, utc_now
from core.outcomes import ABSTENTION, Ending, Outcome, Spent, Timings
from core.quarantine import draft_of
from core.query_rows import failed_of, row_of
from core.registry import Registry
from core.retrieval import K
from core.rounds import Rounds, Stop
from core.sources import CORPUS
from core.spend import Call
from core.store.queries import REQUEST
from core.store.records import Batch, RunHeader
from core.verdict_cache import SpanJudge

STAGES = tuple(
    "preparing retrieving embedding retrieved registry_frozen generating first_words generated checking gate repairing "
    "done".split()
)
"""The words of ``Event.stage``, in the order in which they first come."""

NEAREST_CUT = 8
"""Passages that were found and not packed that the registry still names, the nearest first."""

_ENDING_OF = {
    Stop.REFUSED_BY_GATE: (Ending.BLOCKED, 422),
    Stop.INVALID_OUTPUT: (Ending.INVALID_OUTPUT, 502),
    Stop.INTERRUPTED: (Ending.INTERRUPTED, 502),
    Stop.UNAVAILABLE: (Ending.PROVIDER_UNAVAILABLE, 503),
    Stop.TIMED_OUT: (Ending.PROVIDER_UNAVAILABLE, 504),
}


class Question(Record):
    """What somebody asks."""

    query: str
    corpus: str = CORPUS
    principal: str = "local"
    """Who asks; kept in the query log."""
    groups: tuple[str, ...] | None = None
    """Those of the caller; none stands for whoever keeps the desk and sees all."""
    generator: str | None = None
    """None: the one of the settings."""
    verifier: str | None = None
    gate: Level | None = None
    accept: tuple[str, ...] = ()
    """What would do instead of an answer: ``excerpts``."""
    k: int = Field(default=K, ge=1, le=32)
    """Passages that the generator is given at most."""


class OneQuestion:
    """One question on its way.

    Args:
        means: What it is answered with.
        question: What is asked.
        tell: Gets the stages with counts.
    """

    def __init__(self, means: Means, question: Question, tell: Tell) -> None:
        """Begin the clock."""
        self._all, self._question, self._teller = means, question, tell
        chosen = means.settings.ask.model_copy(update={"generator": question.generator} if question.generator else {})
        update = {"ask": chosen} | ({"verifier": question.verifier} if question.verifier else {})
        self._settings = means.settings.model_copy(update=update)
        self._level = question.gate or Level(chosen.gate)
        self._began, self._asked_at = time.monotonic(), utc_now()
        self._request_id = f"{REQUEST}{uuid4().hex}"
        self._first_event: float | None = None
        self._first_content: float | None = None
        self._validation = 0.0
        self._calls: list[Call] = []

    def run(self) -> Outcome:
        """Answer it; see ``core.answering.Answering.ask``."""
        question = self._question
        self._tell(Event(stage="preparing"))
        self._generator = self._all.generator(self._settings)
        judge, self._protocol = self._all.judge(self._settings)
        self._judge = OncePerQuestion(lambda pairs: self._all.judge_alone(judge, pairs), judge, self._checking)
        self._tell(Event(stage="retrieving"))
        try:
            found = self._all.retriever.search(
                question.query, question.corpus, question.groups, question.k, progress=self._reading
            )
            self._all.store.queries.add_card(card_of(found, self._request_id))
        except (StoreError, VerifierUnavailable):
            return self._failed(Ending.RETRIEVAL_FAILED, 500, Rounds(stop=Stop.UNAVAILABLE, attempts=0), ())
        counts = {"searched": found.searched, "packed": len(found.packed), "cut": len(found.cut)}
        self._tell(Event(stage="retrieved", counts=counts))
        evidence = evidence_of(found)
        self._tell(Event(stage="registry_frozen", counts={"entries": len(evidence)}))
        asked = Answer(
            request_id=self._request_id,
            query=question.query,
            asked_at=self._asked_at,
            generator=self._generator.name,
            claims=(),
            evidence=evidence,
            meta={"corpus": question.corpus, "gate": str(self._level)},
        )
        if not rounds.usable(evidence):
            return self._serve(asked, Ending.ABSTAINED_NO_EVIDENCE, 0, ())
        try:
            done = rounds.run(asked, self._generator, self._check, self._level, self._settings.ask, self._tell)
        finally:  # what was paid for is kept, whatever ended the work
            self._note_spend(judge)
        return self._conclude(asked, done)

    def _conclude(self, asked: Answer, done: Rounds) -> Outcome:
        if done.stop is not Stop.PASSED or done.checked is None:
            ending, status = _ENDING_OF[done.stop]
            if "excerpts" in self._question.accept:
                return self._degrade(asked, done)
            return self._failed(ending, status, done, asked.evidence)
        claims = done.checked.answer.claims or ()
        if not claims:
            return self._serve(asked, Ending.ABSTAINED_BY_MODEL, done.attempts, done.notes)
        whole = asked.model_copy(update={"answer": served.text_of(claims), "claims": claims})
        ending = Ending.REPAIRED if done.attempts > 1 else Ending.ANSWERED
        return self._serve(whole, ending, done.attempts, done.notes)

    def _check(self, answer: Answer) -> CheckedAnswer:
        began = time.monotonic()
        try:
            (checked,) = pipeline.check([answer], self._judge, self._protocol)
        finally:
            self._validation += time.monotonic() - began
        return checked

    def _serve(self, answer: Answer, ending: Ending, attempts: int, notes: tuple[str, ...]) -> Outcome:
        """Check what is served once more, exactly as it is served, record it, and let it out."""
        checked = self._check(answer)
        refusal = decide(checked, self._level)
        if refusal is not None:
            stop = Rounds(
                stop=Stop.REFUSED_BY_GATE, attempts=attempts, reason=refusal.reason, refusal=refusal, checked=checked
            )
            return self._failed(Ending.BLOCKED, 422, stop, answer.evidence)
        outcome = self._outcome(
            ending,
            200,
            attempts,
            answer=ABSTENTION if not answer.claims else answer.answer,
            claims=served.claims(checked),
            citations=served.footnotes(checked),
            notes=notes,
            **self._recorded(checked),
        )
        return self._finish(outcome)

    def _degrade(self, asked: Answer, done: Rounds) -> Outcome:
        """Serve passages instead of an answer, for a caller who said that this would do."""
        packed = [entry for entry in asked.evidence if entry.in_context]
        extractive = self._all.settings.ask.model_copy(update={"generator": "extractive"})
        picker = self._all.generator(self._settings.model_copy(update={"ask": extractive}))
        chosen = picker.generate(asked.query or "", packed, lambda event: None)
        excerpts = served.excerpts(chosen.claims if isinstance(chosen, Generation) else (), packed)
        draft_id = self._keep_draft(done, _ENDING_OF[done.stop][0])
        outcome = self._outcome(
            Ending.DEGRADED_EXTRACTIVE,
            200,
            done.attempts,
            excerpts=excerpts,
            draft_id=draft_id,
            **self._recorded(self._check(asked)),
        )
        return self._finish(outcome)

    def _failed(self, ending: Ending, status: int, done: Rounds, evidence: Sequence[Evidence]) -> Outcome:
        outcome = self._outcome(
            ending,
            status,
            done.attempts,
            reason=str(done.reason or ending),
            claim_index=done.refusal.claim_index if done.refusal and ending is Ending.BLOCKED else None,
            registry_sha256=Registry.build(evidence).sha256 if evidence else None,
            draft_id=self._keep_draft(done, ending),
        )
        try:
            self._all.store.queries.add_failed(failed_of(outcome, self._asked_at))
        except StoreError:  # the caller is told how the question ended all the same
            outcome = outcome.model_copy(update={"notes": (*outcome.notes, "timings_not_kept")})
        return self._told(outcome)

    def _keep_draft(self, done: Rounds, ending: Ending) -> str | None:
        days = self._settings.ask.draft_days
        if done.checked is None or days == 0:
            return None
        draft = draft_of(done, ending, self._question.principal, self._question.corpus, self._level, days)
        self._all.store.queries.keep_draft(draft)
        return draft.draft_id

    def _recorded(self, checked: CheckedAnswer) -> dict[str, object]:
        """Put an answer into the store as an import would, and say what it is recorded as."""
        run = RunHeader(
            run_id=self._request_id,
            protocol=self._protocol,
            started_at=self._asked_at,
            source=f"asked of {self._question.corpus}",
            package_version=__version__,
        )
        self._all.store.record(Batch(run=run, answers=(checked,)))
        registry = Registry.build(checked.answer.evidence).sha256
        return {"request": checked.answer, "rows": checked.rows, "registry_sha256": registry}

    def _finish(self, outcome: Outcome) -> Outcome:
        self._all.store.queries.add(row_of(outcome, self._question.principal, self._question.corpus))
        return self._told(outcome)

    def _told(self, outcome: Outcome) -> Outcome:
        self._tell(Event(stage="done", counts={"status": outcome.status}))
        return outcome

    def _outcome(self, ending: Ending, status: int, attempts: int, **values: object) -> Outcome:
        timings = Timings(
            first_event=self._first_event,
            first_content=self._first_content,
            validation=self._validation,
            total=time.monotonic() - self._began,
        )
        return Outcome.model_validate(
            {
                "outcome": ending,
                "status": status,
                "request_id": self._request_id,
                "gate": self._level,
                "generator": self._generator.name,
                "protocol": str(self._protocol),
                "attempts": attempts,
                "timings": timings,
                "spent": Spent.of(self._calls),
                **values,
            }
        )

    def _reading(self, done: int, of: int) -> None:
        self._tell(Event(stage="embedding", counts={"done": done, "of": of}))

    def _checking(self, claim: int, of: int) -> None:
        self._tell(Event(stage="checking", counts={"claim": claim, "claims": of}))

    def _tell(self, event: Event) -> None:
        since = time.monotonic() - self._began
        if self._first_event is None:
            self._first_event = since
        if event.stage == "first_words" and self._first_content is None:
            self._first_content = since
        self._teller(event)

    def _note_spend(self, judge: SpanJudge) -> None:
        calls = [*self._generator.spent(), *verifiers.spent(judge)]
        if calls:
            self._calls += calls
            self._all.store.add_spend(calls, self._request_id)


def evidence_of(found: Retrieval) -> tuple[Evidence, ...]:
    """The registry of a request: what is packed, then the nearest of what is not, each under a label of its own."""
    hits = [*found.packed, *found.cut[:NEAREST_CUT]]
    entries = [(corpora.evidence(hit.chunk, f"E{number}"), hit) for number, hit in enumerate(hits, 1)]
    return tuple(
        entry.model_copy(
            update={
                "in_context": not hit.cut,
                "meta": {**entry.meta, "score": hit.score, "cosine": hit.cosine}
                | ({"cut": hit.cut} if hit.cut else {}),
            }
        )
        for entry, hit in entries
    )
