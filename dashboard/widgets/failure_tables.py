"""Reasons, groups, slices and changes as rows of a table that can be picked from; nothing is computed here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core import slices
from core.failure_groups import FailureGroup, Likeness
from core.failures import ChangedLabel, FailureReason
from core.metrics import Estimate
from core.slices import Slice
from core.store.saved_views import SavedView
from dashboard.widgets import ago, look, rates
from dashboard.widgets.pick_table import Cell, Column

Rows = list[tuple[str, list[Cell]]]

REASONS = (
    Column("Reason", "minmax(0,3fr)"),
    Column("Claims", "80px", True),
    Column("Of all that fail", "minmax(90px,2fr)"),
)
GROUPS = (Column("Group", "minmax(0,3fr)"), Column("Claims", "70px", True))
SLICES = (
    Column("Slice", "minmax(0,3fr)"),
    Column("Fail", "minmax(150px,1.7fr)"),
    Column("Of judged", "110px", True),
    Column("Times elsewhere", "130px", True),
    Column("Too many", "80px", True),
    Column("More than chance", "minmax(0,1.4fr)"),
)
CHANGES = (
    Column("Before", "minmax(0,1fr)"),
    Column("After", "minmax(0,1fr)"),
    Column("Claims", "80px", True),
    Column("Of the same claims", "minmax(90px,1.5fr)"),
)
LIKE = (Column("Claim"), Column("Alike", "70px", True))
SAVED = (
    Column("Name", "minmax(0,2fr)"),
    Column("Page", "90px"),
    Column("Filter", "minmax(0,3fr)"),
    Column("By", "140px"),
)


def reasons(found: Sequence[FailureReason], failed: int) -> Rows:
    """One row a reason."""
    return [
        (
            one.code,
            [
                Cell(text=one.words.partition(" · ")[2], label=one.label or "none"),
                Cell(text=f"{one.claims:,}"),
                _bar(one.claims, failed),
            ],
        )
        for one in found
    ]


def groups(found: Sequence[FailureGroup], names: Mapping[str, str]) -> Rows:
    """One row a group, under the name that somebody gave it or its own.

    Args:
        found: The groups.
        names: Words of a group, joined by commas → its name.
    """
    return [
        (
            ",".join(one.terms),
            [
                Cell(text=names.get(",".join(one.terms), one.name), sub=" + ".join(one.terms)),
                Cell(text=f"{one.claims:,}"),
            ],
        )
        for one in found
    ]


def ranked(found: Sequence[Slice], overall: float) -> Rows:
    """One row a slice; the line in its bar is where all claims stand."""
    return [
        (
            f"{one.dimension}:{one.value}",
            [
                Cell(text=one.words, sub=slices.DIMENSION_WORDS[one.dimension].lower()),
                _rate(one.rate, overall),
                Cell(text=f"{one.failed:,} of {one.judged:,}", sub=rates.percent(one.rate.estimate or 0.0)),
                Cell(text=_times(one), sub=_times_range(one)),
                Cell(text=f"{one.excess:+.1f}"),
                Cell(text="yes" if one.stands_out else "no", sub=_q(one)),
            ],
        )
        for one in found
    ]


def changed(found: Sequence[ChangedLabel]) -> Rows:
    """One row a pair of labels."""
    total = sum(one.claims for one in found)
    return [
        (
            f"{one.before or 'none'}>{one.after or 'none'}",
            [
                Cell(label=one.before or "none"),
                Cell(label=one.after or "none"),
                Cell(text=f"{one.claims:,}"),
                _bar(one.claims, total),
            ],
        )
        for one in found
    ]


def like(found: Sequence[Likeness]) -> Rows:
    """One row a claim."""
    return [(one.claim_uid, [Cell(text=one.claim), Cell(text=f"{one.cosine:.2f}")]) for one in found]


def saved(found: Sequence[SavedView]) -> Rows:
    """One row a view."""
    return [
        (
            one.view_id,
            [
                Cell(text=one.name),
                Cell(text=one.page.capitalize()),
                Cell(text=" · ".join(f"{name} {value}" for name, value in one.params.items())),
                Cell(text=one.who, sub=ago(one.changed_at)),
            ],
        )
        for one in found
    ]


def label_names(one: ChangedLabel) -> str:
    """A change in words."""
    return f"{look.of(one.before).name} → {look.of(one.after).name}"


def _bar(part: int, whole: int) -> Cell:
    share = part / whole if whole else 0.0
    return Cell(text=rates.percent(share), bar=(share, share, share))


def _rate(rate: Estimate, overall: float) -> Cell:
    if rate.estimate is None or rate.low is None or rate.high is None:
        return Cell(text="nothing judged")
    return Cell(
        text=f"{rates.percent(rate.estimate)} ({rates.interval(rate)})",
        bar=(rate.low, rate.estimate, rate.high),
        mark=overall,
    )


def _times(one: Slice) -> str:
    return "—" if one.lift.estimate is None else f"{one.lift.estimate:.1f}×"


def _times_range(one: Slice) -> str:
    if one.lift.low is None or one.lift.high is None:
        return "undefined: none fails elsewhere"
    return f"{one.lift.low:.1f} to {one.lift.high:.1f}"


def _q(one: Slice) -> str:
    if one.q is None:
        return "too few to tell"
    return "q under 0.001" if one.q < 0.001 else f"q = {one.q:.3f}"
