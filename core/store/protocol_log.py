"""Every protocol that the store has ever recorded a run under, with how much it was used."""

from __future__ import annotations

import json
from datetime import datetime

from core.models import Record
from core.protocol import ClaimProtocol
from core.store.connection import Session
from core.store.encoding import in_utc


class ProtocolUse(Record):
    """One protocol of the store, and its use."""

    name: str
    """As printed."""
    protocol: ClaimProtocol
    runs: int
    claims: int
    """Claims that it judges now, without what was withdrawn."""
    verdicts: int
    """Claim rows recorded under it, replaced ones too."""
    first_used: datetime | None
    """None when no run is recorded."""
    last_used: datetime | None
    adopted: str | None = None
    """The name under which it was adopted from a calibration; none where it was not."""


def uses(session: Session) -> list[ProtocolUse]:
    """Every protocol, in the order in which they came into the store."""
    found = session.all(
        "select p.name, p.protocol, coalesce(runs, 0), coalesce(claims, 0), coalesce(verdicts, 0), first, last, a.name "
        "from protocols p "
        "left join (select protocol_no, count(*) as runs, min(started_at) as first, max(started_at) as last "
        "from runs group by 1) r using (protocol_no) "
        "left join (select protocol_no, count(*) as claims from current_verdicts group by 1) c using (protocol_no) "
        "left join (select protocol_no, count(*) as verdicts from claim_verdicts group by 1) v using (protocol_no) "
        "left join (select protocol_no, min(name) as name from adoptions group by 1) a using (protocol_no) "
        "order by p.protocol_no"
    )
    return [
        ProtocolUse(
            name=name,
            protocol=ClaimProtocol.model_validate(json.loads(full)),
            runs=runs,
            claims=claims,
            verdicts=verdicts,
            first_used=in_utc(first),
            last_used=in_utc(last),
            adopted=adopted,
        )
        for name, full, runs, claims, verdicts, first, last, adopted in found
    ]


def first_uses(session: Session) -> dict[str, datetime | None]:
    """Every protocol in the order in which they came, with when it was first used; nothing of it is counted."""
    found = session.all(
        "select name, min(started_at) from protocols left join runs using (protocol_no) group by protocol_no, name "
        "order by protocol_no"
    )
    return {name: in_utc(first) for name, first in found}
