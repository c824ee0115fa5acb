"""What an importer yields beside answers."""

from __future__ import annotations

from core.models import Record


class BadLine(Record):
    """One input row that could not be read; the others go in."""

    file: str
    line: int
    """Counted from 1."""
    field: str | None
    reason: str

    def __str__(self) -> str:
        """One sentence: where, which field, why."""
        where = f"{self.file}, line {self.line}"
        return f"{where}, field {self.field}: {self.reason}" if self.field else f"{where}: {self.reason}"
