"""The query log and the quarantine: what was served, for ever, and what was not, for reviewers and for a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from core.models import Answer, ClaimRow, Record, utc_now
from core.store import answers, cards
from core.store.cards import RetrievalCard
from core.store.connection import Connection, Session
from core.store.encoding import dump_json, in_utc


class Measured(Record):
    """What a question took and cost, whatever came of it; nothing of its text or of an answer."""

    request_id: str
    asked_at: datetime
    outcome: str
    generator: str
    model: str | None
    attempts: int
    first_event_s: float | None
    first_content_s: float | None
    validation_s: float
    total_s: float
    calls: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost: float | None
    """US dollars; none when the cost of one of the calls is not known."""


class QueryRow(Measured):
    """One question that was answered with status 200."""

    request_uid: str
    """Of the stored answer, whose registry is the frozen one."""
    principal: str
    corpus: str
    query: str
    served: bool
    """Whether it is a served answer, for the cost of one."""
    gate: str
    protocol: str
    registry_sha256: str
    claims: int
    """Claims that were served."""


class FailedQuestion(Measured):
    """One question that got no answer."""

    status: int


class BlockedDraft(Record):
    """An answer that was not served, as reviewers see it."""

    draft_id: str
    request_id: str
    asked_at: datetime
    keep_until: datetime
    """From this moment on nobody sees it, and the next write deletes it."""
    principal: str
    corpus: str
    query: str
    outcome: str
    reason: str
    claim_index: int | None
    gate: str
    protocol: str
    groups: tuple[str, ...]
    """Of every source in its registry; a reviewer must be in all of them."""
    attempts: int
    answer: Answer
    rows: tuple[ClaimRow, ...]


class QueryCosts(Record):
    """What questions cost."""

    served: int
    """Answers and abstentions that were served."""
    repaired: int
    """Of them, how many a repair rescued."""
    served_cost: float
    """US dollars of those whose cost is known."""
    served_unknown: int
    """Served ones whose cost is not known."""
    lost_cost: float
    """US dollars spent on questions without a row in the log, as far as known."""
    lost_calls: int
    lost_unknown: int
    """Such calls whose cost is not known."""
    failed: int
    """Questions without an answer."""
    failed_median_s: float | None
    """Seconds that half of them took at most; none without any."""

    @property
    def per_served(self) -> float | None:
        """US dollars per served answer whose cost is known; none when there is none."""
        known = self.served - self.served_unknown
        return self.served_cost / known if known else None


REQUEST = "q-"
"""How the ids of questions that were asked here begin; the calls made for one have its id as their run."""


class QueryLog:
    """The part of a store that holds questions; like the store safe to use from many threads."""

    def __init__(self, connection: Connection, changed: Callable[[], None]) -> None:
        """Use the store's connection; ``changed`` is called after every write."""
        self._connection = connection
        self._changed = changed

    def add(self, row: QueryRow) -> None:
        """Keep a row; one of this request that is kept already stays as it is."""
        with self._connection.write() as session:
            if session.one("select 1 from query_log where request_id = ?", [row.request_id]) is None:
                session.append("query_log", [row.model_dump() | {"asked_at": in_utc(row.asked_at)}])
        self._changed()

    def add_failed(self, question: FailedQuestion) -> None:
        """Keep how long a question took that got no answer; it has no row in the log."""
        with self._connection.write() as session:
            session.append("failed_questions", [question.model_dump() | {"asked_at": in_utc(question.asked_at)}])
        self._changed()

    def failed(self, limit: int = 1000) -> list[FailedQuestion]:
        """The latest of these, newest first."""
        names = ", ".join(FailedQuestion.model_fields)
        with self._connection.read() as session:
            found = session.all(
                f"select {names} from failed_questions order by asked_at desc, request_id limit ?", [limit]
            )
        return [FailedQuestion(**dict(zip(FailedQuestion.model_fields, row, strict=True))) for row in found]

    def rows(self, limit: int = 1000) -> list[QueryRow]:
        """The latest rows, newest first."""
        names = ", ".join(QueryRow.model_fields)
        with self._connection.read() as session:
            found = session.all(f"select {names} from query_log order by asked_at desc, request_id limit ?", [limit])
        return [_query_row(row) for row in found]

    def get(self, request_id: str) -> QueryRow | None:
        """The row of one request; none when it was not served."""
        names = ", ".join(QueryRow.model_fields)
        with self._connection.read() as session:
            row = session.one(f"select {names} from query_log where request_id = ?", [request_id])
        return None if row is None else _query_row(row)

    def answer(self, request_uid: str) -> Answer | None:
        """A stored answer with its frozen registry; none when there is none of that uid."""
        with self._connection.read() as session:
            number = session.value("select request_no from requests where request_uid = ?", [request_uid])
            return None if number is None else answers.get(session, [number])[number]

    def add_card(self, card: RetrievalCard) -> None:
        """Keep what was retrieved for a question, whatever becomes of the question."""
        with self._connection.write() as session:
            cards.add(session, card)

    def card(self, request_id: str) -> RetrievalCard | None:
        """What was retrieved for a question, as it was recorded; none when nothing was. See ``core.old_answers``."""
        with self._connection.read() as session:
            return cards.get(session, request_id)

    def keep_draft(self, draft: BlockedDraft) -> None:
        """Put an answer that was not served into the quarantine, and delete those whose time is over."""
        with self._connection.write() as session:
            session.run("delete from quarantine where keep_until <= ?", [utc_now()])
            values: dict[str, Any] = draft.model_dump(exclude={"answer", "rows"})
            values |= {name: in_utc(values[name]) for name in ("asked_at", "keep_until")}
            values["groups"] = list(draft.groups)
            values["answer"] = dump_json(draft.answer.model_dump(mode="json"))
            values["claim_rows"] = dump_json([row.model_dump(mode="json") for row in draft.rows])
            session.append("quarantine", [values])
        self._changed()

    def drafts(self, groups: Collection[str] | None = None, limit: int = 200) -> list[BlockedDraft]:
        """What was not served and is still kept, newest first.

        Args:
            groups: Those of the reviewer, who sees a draft only when all of its groups are among them; none stands for
                whoever keeps the desk and sees all.
            limit: How many at most.
        """
        with self._connection.read() as session:
            found = _drafts(session, "true", [], groups)
        return found[:limit]

    def draft(self, draft_id: str, groups: Collection[str] | None = None) -> BlockedDraft | None:
        """One of them; none when there is none, its time is over, or it is not for this reviewer."""
        with self._connection.read() as session:
            return next(iter(_drafts(session, "draft_id = ?", [draft_id], groups)), None)

    def purge(self) -> int:
        """Delete the drafts whose time is over; gives how many."""
        with self._connection.write() as session:
            count = int(session.value("select count(*) from quarantine where keep_until <= ?", [utc_now()]))
            session.run("delete from quarantine where keep_until <= ?", [utc_now()])
        return count

    def costs(self) -> QueryCosts:
        """What questions cost, served ones and lost ones."""
        with self._connection.read() as session:
            served = session.one(
                "select count(*), count(*) filter (outcome = 'repaired'), coalesce(sum(cost), 0.0), "
                "count(*) filter (cost is null) from query_log where served"
            )
            lost = session.one(
                "select coalesce(sum(cost), 0.0), count(*), count(*) filter (cost is null) from spend s "
                "where starts_with(run_id, ?) "
                "and not exists (select 1 from query_log q where q.served and q.request_id = s.run_id)",
                [REQUEST],
            )
            failed = session.one("select count(*), quantile_cont(total_s, 0.5) from failed_questions")
        values = [*(served or (0, 0, 0.0, 0)), *(lost or (0.0, 0, 0)), *(failed or (0, None))]
        return QueryCosts(**dict(zip(QueryCosts.model_fields, values, strict=True)))


def _query_row(row: tuple[Any, ...]) -> QueryRow:
    return QueryRow(**dict(zip(QueryRow.model_fields, row, strict=True)))


def _drafts(session: Session, where: str, params: list[Any], groups: Collection[str] | None) -> list[BlockedDraft]:
    names = [name for name in BlockedDraft.model_fields if name not in ("answer", "rows")]
    found = session.all(
        f"select {', '.join(names)}, answer, claim_rows from quarantine where {where} and keep_until > ? "
        "order by asked_at desc, draft_id",
        [*params, utc_now()],
    )
    drafts = [
        BlockedDraft(
            **dict(zip(names, row[:-2], strict=True)),
            answer=Answer.model_validate(json.loads(row[-2])),
            rows=tuple(ClaimRow.model_validate(one) for one in json.loads(row[-1])),
        )
        for row in found
    ]
    return [one for one in drafts if groups is None or set(one.groups) <= set(groups)]
