"""The points of the trend page, counted once after every write: redrawing a chart counts nothing again."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core import anchor_set, trends
from core.anchor_set import Step
from core.people import Person
from core.rates_corrected import CorrectedRate
from core.store import Store
from core.store.records import Split
from core.trends import TrendPoint
from dashboard.widgets.address import TrendChoice


class Counted:
    """What one reader's choice gives from one state of a store."""

    def __init__(self, store: Store, choice: TrendChoice, me: Person) -> None:
        """Nothing is counted yet."""
        self._store, self._choice, self._me = store, choice, me
        drawn = choice.model_dump_json(exclude={"picture", "split", "corrected"})
        self._at = (str(store.path), store.revision(), drawn, f"{me.name} {me.role}")

    def points(self, split: Split | None = None) -> list[TrendPoint]:
        """See ``core.trends.points``."""
        return _points(self._store, self._choice, self._me, *self._at, split)

    def corrected(self, some: Sequence[TrendPoint]) -> list[CorrectedRate]:
        """See ``core.trends.corrected``."""
        keys = tuple((one.row.protocol, one.row.bucket) for one in some)
        return _corrected(self._store, self._choice, some, *self._at, keys)

    def steps(self) -> list[Step]:
        """See ``core.anchor_set.steps``."""
        return _steps(self._store, self._choice, *self._at)

    def reasons(self, point: TrendPoint) -> dict[str, int]:
        """Why claims of a point have no label, each with how many."""
        return _reasons(self._store, point, *self._at, (point.row.protocol, point.row.bucket))


@st.cache_data(max_entries=16, show_spinner="Counting…")
def _points(
    _store: Store, _choice: TrendChoice, _me: Person, path: str, revision: int, drawn: str, who: str, split: str | None
) -> list[TrendPoint]:
    wanted = _choice.wanted(_me)
    of = Split(split) if split else None
    return trends.points(
        _store, _choice.protocols, _choice.bucket, _choice.time_zone, _choice.strictness, wanted=wanted, split=of
    )


@st.cache_data(max_entries=16, show_spinner="Correcting by people's labels…")
def _corrected(
    _store: Store,
    _choice: TrendChoice,
    _some: Sequence[TrendPoint],
    path: str,
    revision: int,
    drawn: str,
    who: str,
    keys: tuple[tuple[str, str | None], ...],
) -> list[CorrectedRate]:
    return trends.corrected(_store, _some, _choice.strictness)


@st.cache_data(max_entries=16, show_spinner="Comparing judges…")
def _steps(_store: Store, _choice: TrendChoice, path: str, revision: int, drawn: str, who: str) -> list[Step]:
    return anchor_set.steps(_store, _choice.protocols, _choice.strictness)


@st.cache_data(max_entries=256, show_spinner=False)
def _reasons(
    _store: Store, _point: TrendPoint, path: str, revision: int, drawn: str, who: str, key: tuple[str, str | None]
) -> dict[str, int]:
    return _store.claim_page(_point.wanted, 0).failure_counts
