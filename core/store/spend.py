"""What the desk spent on paid models, one row a call, with sums by day and model; and how long its judges took."""

from __future__ import annotations

from collections.abc import Sequence

from core.judge_time import JudgeTime
from core.models import utc_now
from core.spend import Call, CostLine, Usage
from core.store.connection import Session


def add(session: Session, calls: Sequence[Call], run_id: str | None) -> None:
    """Keep calls; one that is kept already is passed over, so that a batch collected twice is paid once."""
    for call in calls:
        counts = [None if call.usage is None else getattr(call.usage, kind) for kind in Usage.model_fields]
        session.run(
            "insert into spend values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing",
            [
                call.call_id,
                run_id,
                call.at,
                call.model,
                call.purpose,
                call.outcome,
                call.batch,
                *counts,
                call.cost,
                call.priced_on,
                call.request_id,
            ],
        )


def add_times(session: Session, times: Sequence[JudgeTime], run_id: str) -> None:
    """Keep how long a run's judge took; what is kept already is passed over."""
    known = session.pairs("select time_id, 1 from judge_times where run_id = ?", [run_id])
    rows = [
        {**one.model_dump(), "run_id": run_id, "recorded_at": utc_now()} for one in times if one.time_id not in known
    ]
    session.append("judge_times", rows)


def lines(session: Session) -> list[CostLine]:
    """The calls of each day (UTC) and model, the earliest day first."""
    found = session.all(
        "select answered_at::date, model, count(*), count(*) filter (outcome <> 'ok'), count(*) filter (batch), "
        "coalesce(sum(input_tokens), 0)::bigint, coalesce(sum(output_tokens), 0)::bigint, "
        "coalesce(sum(cache_read_tokens), 0)::bigint, "
        "coalesce(sum(cache_write_5m_tokens + cache_write_1h_tokens), 0)::bigint, "
        "round(coalesce(sum(cost), 0), 6), count(*) filter (cost is null) "
        "from spend group by 1, 2 order by 1, 2"
    )
    return [CostLine(**dict(zip(CostLine.model_fields, row, strict=True))) for row in found]
