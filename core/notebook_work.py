"""One question of a notebook as a piece of work: asked, followed stage by stage, and its end written down."""

from __future__ import annotations

from pydantic import PrivateAttr

from core.answering import Question
from core.ask_work import AskReport
from core.desk import Desk
from core.errors import CitedeskError
from core.generators import Event
from core.models import Record
from core.notebook_reading import FAILED, STOPPED, Reader
from core.notebooks import Excerpted, RunEnd, Setup, ended
from core.outcomes import Outcome
from core.verification import Progress


class CellWork(Record):
    """Answer the question of a cell, and keep how that ended in its notebook."""

    notebook_id: str
    cell_id: str
    run_id: str
    query: str
    setup: Setup
    groups: tuple[str, ...] | None = None
    principal: str = "local"
    """Who asks."""
    _events: list[Event] = PrivateAttr(default_factory=list)

    @property
    def events(self) -> tuple[Event, ...]:
        """What was told so far; for a page that follows the work from another thread."""
        return tuple(self._events)

    def is_open_to(self, reader: Reader) -> bool:
        """Whether a reader may see all that is found for this question, as far as their groups say."""
        return reader.groups is None or (self.groups is not None and set(self.groups) <= set(reader.groups))

    def run(self, desk: Desk, progress: Progress) -> AskReport:
        """Do it; whatever ends it, the notebook knows how."""
        ours = RunEnd(
            outcome=FAILED, said="The work ended in an error of ours", advice="the desk's terminal shows where"
        )
        end = ours

        def tell(event: Event) -> None:
            nonlocal end
            self._events.append(event)
            end = RunEnd(outcome=STOPPED)  # what progress raises is somebody's wish to end this
            progress(event.counts.get("done", 0), event.counts.get("of", 0))
            end = ours

        try:
            outcome = desk.answering.ask(self._question(), tell)
            end = end_of(outcome, self.events)
        except CitedeskError as error:
            end = RunEnd(outcome=FAILED, said=error.what, advice=error.advice)
            raise
        finally:
            self.close(desk, end)
        return AskReport.of(outcome)

    def close(self, desk: Desk, end: RunEnd) -> None:
        """Write down how it ended, unless that is written down already."""
        desk.store.notebooks.add([ended(self.notebook_id, self.cell_id, self.run_id, end)], self.principal)

    def _question(self) -> Question:
        return Question.model_validate(
            {
                **self.setup.model_dump(include={"corpus", "generator", "verifier", "gate"}),
                "query": self.query,
                "principal": self.principal,
                "groups": self.groups,
                "accept": ("excerpts",) if self.setup.excerpts else (),
            }
        )


def end_of(outcome: Outcome, events: tuple[Event, ...]) -> RunEnd:
    """What a notebook keeps of an outcome: where everything is found, and no word of a source."""
    counts = next((event.counts for event in events if event.stage == "retrieved"), {})
    spent, timings, request = outcome.spent, outcome.timings, outcome.request
    texts = {entry.id: entry.text for entry in request.evidence} if request else {}
    places = [
        (one.label, texts.get(one.label, "").find(one.quote or ""), len(one.quote or "")) for one in outcome.excerpts
    ]
    same = {name: getattr(outcome, name) for name in ("status", "reason", "claim_index", "request_id", "draft_id")}
    same |= {name: getattr(outcome, name) for name in ("registry_sha256", "protocol", "attempts", "notes")}
    return RunEnd(
        **same,
        outcome=outcome.outcome,
        request_uid=request.uid if request else None,
        gate=outcome.gate,
        generator=outcome.generator.name,
        model=outcome.generator.model,
        counts=counts,
        excerpts=tuple(Excerpted(label=label, start=at, end=at + size) for label, at, size in places if at >= 0),
        first_event_s=timings.first_event,
        first_content_s=timings.first_content,
        validation_s=timings.validation,
        total_s=timings.total,
        calls=spent.calls,
        tokens=spent.input + spent.output + spent.cache_read + spent.cache_write,
        cost=spent.cost,
    )
