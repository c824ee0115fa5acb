"""Rates over time: one line per protocol, never two protocols in one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core import rates_corrected
from core.borrowed_calibration import Elsewhere
from core.gold_sets import made
from core.metrics.clustered_share import Spread
from core.metrics.unsupported_rate import RateReport, Strictness, report
from core.models import Label, Record
from core.people import Person
from core.rates_corrected import CorrectedRate
from core.store import Store
from core.store.conditions import NO_LABEL
from core.store.records import ClaimFilter, Split, TrendRow

PANELS = 12
"""At most this many groups are drawn beside each other."""


class TrendPoint(Record):
    """The unsupported rate of one protocol in one bucket of ``asked_at``; split by label, the share of that label."""

    row: TrendRow
    """Its claims are the point's; ``attempted`` is how many the list behind it shows."""
    rate: RateReport
    wanted: ClaimFilter
    """Exactly its claims."""


class Panels(Record):
    """The groups of a split, the largest first, each with its points."""

    shown: dict[str, tuple[TrendPoint, ...]]
    more: int
    """Groups that found no room."""


def points(
    store: Store,
    protocols: Sequence[str],
    bucket: str,
    time_zone: str,
    strictness: str = "strict",
    generator: str | None = None,
    reader: Person | None = None,
    wanted: ClaimFilter | None = None,
    split: Split | None = None,
) -> list[TrendPoint]:
    """Give each protocol's points in time order, its undated answers as a last point of their own.

    Args:
        store: Where the verdicts are.
        protocols: Claim protocols as printed.
        bucket: ``day``, ``week`` (from Monday) or ``month``.
        time_zone: An IANA name; buckets begin at midnight there.
        strictness: ``strict`` or ``lenient`` (DESIGN §2).
        generator: Only answers of this generator's model or name; none means all.
        reader: For whose eyes; claims that are concealed from them (``core.reveal``) are not counted.
        wanted: Only claims of this filter, its protocol and what it says of time set aside; split by flag, its flags
            too.
        split: Points of each group, the largest group first; by label, of those that are a conclusion.
    """
    given = wanted or ClaimFilter(protocol="")
    chosen = {"generator": generator or given.generator, "reader": reader or given.reader, "attempted_only": True}
    base = given.model_copy(update=chosen | {"concealed": False} | ({"flags": ()} if split is Split.FLAG else {}))
    counted = base.model_copy(update={"attempted_only": False, "bucket": None, "undated": False})
    rows = store.trends.rows(protocols, bucket, time_zone, counted, split)
    whole = _whole(store, protocols, bucket, time_zone, counted) if split is Split.LABEL else {}
    conclusions = [row for row in rows if split is not Split.LABEL or row.group not in (NO_LABEL, Label.INACCESSIBLE)]
    return [
        TrendPoint(row=row, rate=_rate(row, strictness, whole), wanted=_behind(row, base, split)) for row in conclusions
    ]


def panels(some: Iterable[TrendPoint], most: int = PANELS) -> Panels:
    """The points of a split by group, in the order in which the groups come."""
    groups: dict[str, list[TrendPoint]] = {}
    for point in some:
        groups.setdefault(point.row.group or "", []).append(point)
    shown = {group: tuple(own) for group, own in list(groups.items())[:most]}
    return Panels(shown=shown, more=len(groups) - len(shown))


def corrected(store: Store, some: Sequence[TrendPoint], strictness: Strictness) -> list[CorrectedRate]:
    """The rate of each point as people would see it, in the same order; of a label's share there is none to ask for."""
    sets = list(made(store.gold.facts())) if some else []
    elsewhere = Elsewhere(store, strictness, sets)
    return [
        rates_corrected.corrected(store, one.row.protocol, one.wanted, strictness, sets=sets, elsewhere=elsewhere)
        for one in some
    ]


def _behind(row: TrendRow, base: ClaimFilter, split: Split | None) -> ClaimFilter:
    """The filter that holds exactly the claims of a row that count."""
    bucket = (row.start, row.end) if row.start and row.end else None
    place = {"protocol": row.protocol, "bucket": bucket, "undated": bucket is None}
    group = row.group or ""
    match split:
        case None:
            own: dict[str, object] = {}
        case Split.LABEL:
            own = {"labels": (Label(group) if group in set(Label) else None,)}
        case Split.FLAG:
            own = {"flags": (group,)}
        case _:
            own = {split.value: group}
    return base.model_copy(update=place | own)


def _whole(
    store: Store, protocols: Sequence[str], bucket: str, time_zone: str, counted: ClaimFilter
) -> dict[tuple[str, str | None], TrendRow]:
    """What the shares of labels are shares of: each protocol's buckets over all labels."""
    rows = store.trends.rows(protocols, bucket, time_zone, counted)
    return {(row.protocol, row.bucket): row for row in rows}


def _rate(row: TrendRow, strictness: str, whole: dict[tuple[str, str | None], TrendRow]) -> RateReport:
    strict = strictness == "strict"
    if whole:
        of = whole[row.protocol, row.bucket]
        unsupported, spread = row.attempted, _of_label(row.spread_strict, of.spread_strict)
    else:
        of, unsupported = row, row.unsupported_strict if strict else row.unsupported_lenient
        spread = row.spread_strict if strict else row.spread_lenient
    return report(
        attempted=of.attempted,
        inaccessible=of.inaccessible,
        unjudged=of.unjudged,
        unsupported=unsupported,
        spread=spread,
    )


def _of_label(label: Spread, whole: Spread) -> Spread:
    """How a label lies in all answers, also in those that have none of it."""
    return whole.model_copy(update={"hits_pairs": label.hits_pairs, "hits_squared": label.hits_squared})
