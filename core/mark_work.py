"""Marks of the time axis as work, for a store that another process may have open; see ``core.work``."""

from __future__ import annotations

from core import time_marks
from core.desk import Desk
from core.models import Record
from core.store.time_marks import TimeMark
from core.verification import Progress


class MarksReport(Record):
    """Marks that people made: every one, or the one that was added or taken back."""

    marks: tuple[TimeMark, ...]


class MarksWork(Record):
    """Say which marks there are."""

    def run(self, desk: Desk, progress: Progress) -> MarksReport:
        """Do it."""
        return MarksReport(marks=tuple(desk.store.time_marks.list()))


class AddMarkWork(Record):
    """Mark a day; see ``core.time_marks.add``."""

    day: str
    text: str
    who: str

    def run(self, desk: Desk, progress: Progress) -> MarksReport:
        """Do it."""
        return MarksReport(marks=(time_marks.add(desk.store, self.day, self.text, self.who),))


class TakeMarkBackWork(Record):
    """Take a mark off the axis."""

    mark_id: str
    who: str

    def run(self, desk: Desk, progress: Progress) -> MarksReport:
        """Do it."""
        return MarksReport(marks=(desk.store.time_marks.take_back(self.mark_id, self.who),))


MarkWork = MarksWork | AddMarkWork | TakeMarkBackWork
