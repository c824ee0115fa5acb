"""Long work that a person asks for, as records, so that whichever process has the store open can do it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from core import exporting, label_files
from core.desk import Desk, ImportReport
from core.errors import InputError
from core.exporting import ExportReport, ExportRequest
from core.label_files import LabelReport
from core.models import MergePolicy, Record
from core.settings import Settings
from core.verification import Progress


class Judging(Record):
    """Who judges support, and how; the part of the settings that belongs to the person who asks."""

    verifier: str
    merge: MergePolicy
    thresholds: dict[str, float] = Field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings) -> Judging:
        """The judging that some settings ask for."""
        return cls(verifier=settings.verifier, merge=settings.merge, thresholds=settings.thresholds)

    def over(self, settings: Settings) -> Settings:
        """Settings with this judging put over them."""
        return settings.model_copy(update=dict(self))


class ImportWork(Record):
    """Take the answers of a file into the store and judge them; see ``Desk.import_file``."""

    path: Path
    """Absolute: another process may read it."""
    format: str = "auto"
    mapping: dict[str, str] = Field(default_factory=dict)
    judging: Judging

    def run(self, desk: Desk, progress: Progress) -> ImportReport:
        """Do it."""
        settings = self.judging.over(desk.settings)
        return desk.import_file(self.path, self.format, progress, mapping=self.mapping, settings=settings)


class VerifyWork(Record):
    """Judge what the store holds under other settings; see ``Desk.verify_stored``."""

    judging: Judging

    def run(self, desk: Desk, progress: Progress) -> ImportReport:
        """Do it."""
        return desk.verify_stored(self.judging.over(desk.settings), progress)


class ExportWork(ExportRequest):
    """Write what the store holds to a file; see ``core.exporting.export``. The path is absolute, as above."""

    def run(self, desk: Desk, progress: Progress) -> ExportReport:
        """Do it."""
        return exporting.export(desk.store, self, progress)


class LabelsWork(Record):
    """Take the labelling events of a file into the store; see ``core.label_files.take``."""

    path: Path

    def run(self, desk: Desk, progress: Progress) -> LabelReport:
        """Do it."""
        return label_files.take(desk.store, self.path)


Work = ImportWork | VerifyWork | ExportWork | LabelsWork
Report = ImportReport | ExportReport | LabelReport

KINDS: Mapping[str, tuple[type[Work], type[Report]]] = {
    "import": (ImportWork, ImportReport),
    "verify": (VerifyWork, ImportReport),
    "export": (ExportWork, ExportReport),
    "labels": (LabelsWork, LabelReport),
}
"""The names under which work is asked for, each with its record and the record it answers with."""


def kind_of(work: Work) -> str:
    """The name of a piece of work."""
    return next(name for name, (record, _) in KINDS.items() if isinstance(work, record))


def parse(kind: str, values: Any) -> Work:
    """Read a piece of work that came as JSON.

    Raises:
        InputError: There is no such work, or a field of it cannot be used.
    """
    if kind not in KINDS:
        raise InputError(f"There is no work called {kind!r}", f"ask for one of: {', '.join(KINDS)}")
    try:
        return KINDS[kind][0].model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the body"
        raise InputError(f"{field} cannot be used ({first['msg']})", "update Citedesk, then try again") from error
