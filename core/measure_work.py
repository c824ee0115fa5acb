"""Measuring judges over a store, as pieces of work; see ``core.work``."""

from __future__ import annotations

from pydantic import Field

from core import adoption, check_sources, trends
from core.calibration import Calibration, calibrate
from core.check import CheckOutcome
from core.check_sources import Limits
from core.comparison import Comparison, compare
from core.desk import Desk
from core.errors import InputError
from core.gold_sets import GoldSetInfo, gold_sets
from core.metrics.unsupported_rate import Strictness
from core.models import Record
from core.rates_corrected import CorrectedRate
from core.store import Store
from core.store.adoptions import AdoptedProtocol
from core.store.records import Split
from core.trends import TrendPoint
from core.verification import Progress


class CalibrateWork(Record):
    """Measure a judge against a gold set."""

    protocol: str | None = None
    """None: the only one there is."""
    gold: str | None = None
    """None: the only one that has claims."""
    seed: int = 0
    weight: float = Field(default=1.0, gt=0)

    def run(self, desk: Desk, progress: Progress) -> Calibration:
        """Do it.

        Raises:
            InputError: There is no such protocol or gold set, or several and none is chosen.
        """
        protocol = desk.one_protocol(self.protocol)
        return calibrate(desk.store, protocol, one_gold(desk.store, self.gold), self.seed, weight=self.weight)


class GoldSetsReport(Record):
    """The gold sets of a store."""

    sets: tuple[GoldSetInfo, ...]


class GoldSetsWork(Record):
    """Say which gold sets there are."""

    def run(self, desk: Desk, progress: Progress) -> GoldSetsReport:
        """Do it."""
        return GoldSetsReport(sets=tuple(gold_sets(desk.store)))


class AdoptReport(Record):
    """What was adopted."""

    adopted: AdoptedProtocol


class AdoptWork(Record):
    """Measure a judge, and make a new protocol of a threshold."""

    measured: CalibrateWork = CalibrateWork()
    threshold: float | None = None
    """None: the cheapest one."""
    name: str | None = None
    who: str

    def run(self, desk: Desk, progress: Progress) -> AdoptReport:
        """Do it.

        Raises:
            InputError: As above; or there is no threshold to adopt.
        """
        found = self.measured.run(desk, progress)
        threshold = self.threshold if found.best is None or self.threshold is not None else found.best.threshold
        if threshold is None:
            raise InputError(f"There is no threshold to adopt: {found.thresholds_why_not.rstrip('.')}", "")
        return AdoptReport(adopted=adoption.adopt(desk.store, found, threshold, self.who, self.name))


class CompareWork(Record):
    """Compare judges on the same claims."""

    protocols: tuple[str, ...]
    gold: str | None = None
    strictness: Strictness = "strict"
    shared: bool = False
    seed: int = 0

    def run(self, desk: Desk, progress: Progress) -> Comparison:
        """Do it; see ``core.comparison.compare``."""
        return compare(desk.store, self.protocols, None, self.gold, self.strictness, self.shared, self.seed)


class CheckWork(Limits):
    """Hold what one protocol judged in a store against a limit."""

    protocol: str | None = None
    """None: the only one there is."""
    gold: str | None = None
    baseline: str | None = None

    def run(self, desk: Desk, progress: Progress) -> CheckOutcome:
        """Do it; see ``core.check_sources.of_store``."""
        protocol = desk.one_protocol(self.protocol)
        return check_sources.of_store(desk.store, protocol, self, self.gold, self.baseline)


class TrendsReport(Record):
    """Rates over time."""

    points: tuple[TrendPoint, ...]
    """Split, those of each group, the largest group first."""
    split: Split | None = None
    corrected: tuple[CorrectedRate, ...]
    """Of each point, in the same order, the rate as people would see it; empty when split."""


class TrendsWork(Record):
    """Say the rates of each protocol over time."""

    protocols: tuple[str, ...] = ()
    """Empty: every one."""
    bucket: str = "week"
    time_zone: str = "UTC"
    strictness: Strictness = "strict"
    generator: str | None = None
    split: Split | None = None

    def run(self, desk: Desk, progress: Progress) -> TrendsReport:
        """Do it; see ``core.trends.points``.

        Raises:
            InputError: Nothing was judged, or there is no such protocol, bucket or time zone.
        """
        there = [one.name for one in desk.store.protocols()]
        chosen = [desk.one_protocol(name) for name in self.protocols] or there or [desk.one_protocol(None)]
        found = trends.points(
            desk.store, chosen, self.bucket, self.time_zone, self.strictness, self.generator, split=self.split
        )
        rates = [] if self.split else trends.corrected(desk.store, found, self.strictness)
        return TrendsReport(points=tuple(found), split=self.split, corrected=tuple(rates))


MeasureWork = GoldSetsWork | CalibrateWork | AdoptWork | CompareWork | CheckWork | TrendsWork


def one_gold(store: Store, gold_id: str | None) -> str:
    """The gold set asked for, or the only one that has claims.

    Raises:
        InputError: There is none, or several to choose from.
    """
    if gold_id is not None:
        return gold_id
    there = [one.gold_id for one in gold_sets(store) if one.n]
    if not there:
        raise InputError(
            "There is no gold in this store yet", "label claims, or take labels in: citedesk labels import"
        )
    if len(there) > 1:
        raise InputError("There are several gold sets", f"choose with --gold: {', '.join(there)}")
    return there[0]
