"""What was promised while a desk was soaked, beside what its store holds at the end."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import duckdb

from core import audit_check, backup
from core.store import open_store
from tests.faults.desk_faults import Count, counts, table
from tests.faults.soak_faults import FAULTS, MUST_NOT, Soak


class Ledger(NamedTuple):
    """What was promised, and what is in the store at the end."""

    labels: list[Count]
    answers: Count
    backups: int
    missing_in_backup: int
    """Labels that were acknowledged before the last backup was asked for, and are not in it."""
    audit: str
    odd: list[str]
    """What must not happen and did."""

    @property
    def is_kept(self) -> bool:
        """Whether every promise was kept."""
        held = not any(one.lost or one.doubled or one.wrong for one in (*self.labels, self.answers))
        return held and not (self.missing_in_backup or self.odd) and self.audit == "holds"


def ledger(soak: Soak, folder: Path) -> Ledger:
    """Compare what was promised with what is there."""
    load = soak.load
    with duckdb.connect(str(soak.desktop.store), read_only=True) as root:
        held = Counter(dict(root.execute("select request_id, count(*) from requests group by 1").fetchall()))
    ours = {name: number for name, number in held.items() if name.startswith(("imports", "slow imports"))}
    lost = sum(name not in held for name in load.answers)
    doubled = sum(number > 1 for number in ours.values())
    answers = Count("answers", sum(ours.values()), len(load.answers), 0, len(ours), doubled, lost, 0)
    with open_store(soak.desktop.store) as store:
        events = [stored.event for stored in store.labels.events()]
        fault = audit_check.verify(store).fault
    missing = 0
    if load.backups:
        target, before = load.backups[-1]
        backup.restore(target, folder / "restored.duckdb", lambda done, total: None)
        with open_store(folder / "restored.duckdb") as store:
            missing = len(before - {stored.event.event_id for stored in store.labels.events()})
    return Ledger(
        labels=counts(soak.played, events),
        answers=answers,
        backups=len(load.backups),
        missing_in_backup=missing,
        audit=fault.what if fault else "holds",
        odd=[*load.odd, *(said for said in soak.said if said in MUST_NOT)],
    )


def report(found: Ledger, soak: Soak) -> str:
    """The figures, for people."""
    lines = [table([*found.labels, found.answers]), ""]
    lines += [f"{kind} done: {number}" for kind, number in sorted(soak.load.done.items())]
    lines += [f"refused {number} times: {said}" for said, number in soak.load.refused.most_common()]
    lines += [f"{number} times: {said}" for said, number in soak.said.most_common()]
    lines += [f"in the last of {found.backups} backups {found.missing_in_backup} acknowledged labels are missing"]
    lines += [f"the audit chain {found.audit}", *(f"MUST NOT HAPPEN: {one}" for one in found.odd)]
    lines += [f"disk full: {'a small file system' if soak.ballast else 'a limit on the size of files'}"]
    lines += [f"clock jumps: {'every call of the server' if soak.clock else 'not tried, no C compiler here'}"]
    lines += [f"{soak.turn} turns of {len(FAULTS)} faults", "KEPT" if found.is_kept else "NOT KEPT"]
    return "\n".join(lines)
