"""A backup as a record of work, so that whichever process has the store open can write it."""

from __future__ import annotations

from pathlib import Path

from core import backup
from core.backup import BackupReport
from core.desk import Desk
from core.models import Record
from core.store.audit import Act
from core.verification import Progress


class BackupWork(Record):
    """Write a backup; see ``core.backup.make``. What people said is not taken out without a note of who took it."""

    path: Path
    """The new folder; absolute: another process may write it."""
    who: str = ""

    def run(self, desk: Desk, progress: Progress) -> BackupReport:
        """Do it."""
        report = backup.make(desk.store, self.path, progress)
        subject = f"export backup {report.rows} {self.path.name}"
        desk.store.audit.note(self.who or desk.settings.labeller, Act.EXPORTED, subject, report.checksum)
        return report
