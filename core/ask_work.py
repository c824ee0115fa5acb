"""A question as a piece of work; see ``core.work``."""

from __future__ import annotations

from typing import Any

from core import old_answers
from core.answering import Question
from core.desk import Desk
from core.generators import Event
from core.models import GeneratorName, Record
from core.outcomes import Outcome, Spent, Timings
from core.store.cards import RetrievalCard
from core.verification import Progress


class AskReport(Record):
    """How a question ended, as whoever keeps the desk is told; of an answer that is not served nothing is in here."""

    status: int
    words: str
    """What happened, without a final full stop."""
    body: dict[str, Any]
    """What a caller over HTTP gets."""
    request_id: str
    generator: GeneratorName
    protocol: str | None
    attempts: int
    timings: Timings
    spent: Spent
    draft_id: str | None
    notes: tuple[str, ...]
    card: RetrievalCard | None = None
    """What was retrieved, apart from everything that is said of citations; none when nothing could be."""

    @classmethod
    def of(cls, outcome: Outcome, card: RetrievalCard | None = None) -> AskReport:
        """The report of an outcome."""
        same = {name: getattr(outcome, name) for name in cls.model_fields if name not in ("words", "body", "card")}
        return cls(words=outcome.words, body=outcome.body(), card=card, **same)


class AskWork(Record):
    """Answer a question from a corpus; see ``core.answering``."""

    question: Question

    def run(self, desk: Desk, progress: Progress) -> AskReport:
        """Do it; progress is told while passages are read for the first time."""

        def tell(event: Event) -> None:
            if event.stage == "embedding":
                progress(event.counts["done"], event.counts["of"])

        outcome = desk.answering.ask(self.question, tell)
        return AskReport.of(outcome, old_answers.card(desk.store, outcome.request_id, self.question.groups))
