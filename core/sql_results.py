"""What a question to the documented views gave, and how it is drawn; as notebooks keep it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from core.models import Record, utc_now

Value = str | int | float | bool | None


class ChartKind(StrEnum):
    """How a result is drawn."""

    TABLE = "table"
    BAR = "bar"
    LINE = "line"
    POINTS = "points"


class ChartChoice(Record):
    """Which columns of a result are drawn, and how."""

    kind: ChartKind = ChartKind.TABLE
    x: str = ""
    y: str = ""


class SqlResult(Record):
    """A result, as it was when the question was asked."""

    sql: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    """DuckDB's words, one a column."""
    rows: tuple[tuple[Value, ...], ...]
    cut: bool = False
    """Whether there were more rows than are kept."""
    notes: tuple[str, ...] = ()
    """What must be read beside it: whose verdicts it speaks of, above all."""
    seconds: float = 0.0
    at: datetime = Field(default_factory=utc_now)
    seen_with: tuple[str, ...] | None = None
    """The access groups of whoever got it; none for one who sees all, and where nobody noted them."""

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns that hold numbers only, and at least one."""
        found = []
        for at, name in enumerate(self.columns):
            values = [row[at] for row in self.rows if row[at] is not None]
            if values and all(isinstance(one, int | float) and not isinstance(one, bool) for one in values):
                found.append(name)
        return tuple(found)
