"""Adding and reading guidelines as work, for a store that another process may have open; see ``core.work``."""

from __future__ import annotations

from core import guidelines
from core.desk import Desk
from core.models import Record
from core.store.guidelines import GuidelineText
from core.verification import Progress


class GuidelinesReport(Record):
    """Guidelines of a store: every version, or the one that was added."""

    guidelines: tuple[GuidelineText, ...]


class GuidelinesWork(Record):
    """Say which versions there are, with their texts."""

    def run(self, desk: Desk, progress: Progress) -> GuidelinesReport:
        """Do it."""
        return GuidelinesReport(guidelines=tuple(guidelines.every(desk.store)))


class AddGuidelineWork(Record):
    """Keep a text as the next version; see ``core.guidelines.add``."""

    text: str
    who: str

    def run(self, desk: Desk, progress: Progress) -> GuidelinesReport:
        """Do it."""
        return GuidelinesReport(guidelines=(guidelines.add(desk.store, self.text, self.who),))


GuidelineWork = GuidelinesWork | AddGuidelineWork
