"""Both errors of the gate over a store, as a piece of work; see ``core.work`` and ``core.gate_errors``."""

from __future__ import annotations

from core import gold as agreed
from core.desk import Desk
from core.gate import Level
from core.gate_errors import GateErrors, decided_of, measure
from core.guidelines import FIRST
from core.models import MergePolicy, Record
from core.verification import Progress


class GateReport(Record):
    """Both errors, with everything that they depend on."""

    level: Level
    protocol: str
    """Whose verdicts the gate saw."""
    guideline: str
    merge: MergePolicy
    """How gold of spans became a claim's."""
    gold: int
    """Claims with gold."""
    errors: tuple[GateErrors, ...]
    """Over all answers, then by their length."""


class GateWork(Record):
    """Hold the gate's decisions on the answers of the store against what people agree on."""

    level: Level | None = None
    """None: the one at which the desk serves."""
    protocol: str | None = None
    """None: the only one there is."""
    guideline: str = FIRST
    merge: MergePolicy = MergePolicy.ALL

    def run(self, desk: Desk, progress: Progress) -> GateReport:
        """Do it; progress is told how many answers are done.

        Raises:
            InputError: Nothing was judged, or several protocols judged and none is chosen.
        """
        protocol = desk.one_protocol(self.protocol)
        level = self.level or Level(desk.settings.ask.gate)
        gold = {one.claim_uid: one.label for one in agreed.of(desk.store, self.guideline, self.merge).claims()}
        total, found = desk.store.summary().requests, []
        for done, judged in enumerate(desk.store.judged_answers(protocol), start=1):
            found.append(decided_of(judged, gold, level))
            progress(done, max(done, total))
        return GateReport(
            level=level,
            protocol=protocol,
            guideline=self.guideline,
            merge=self.merge,
            gold=len(gold),
            errors=tuple(measure(found)),
        )
