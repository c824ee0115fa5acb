"""Taking labels from files into a store, as a piece of work; see ``core.work``."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from pydantic import Field

from core import claim_label_files, label_files, label_importers, label_intake, plugins
from core.desk import Desk
from core.errors import ImportFormatError, InputError
from core.importers import BadLine
from core.importers._records import records
from core.label_files import LabelReport
from core.models import Record
from core.verification import Progress

EVENTS, CLAIM_GOLD = "events", "claim-gold"
"""Files of our own kinds: every labelling event, and labels of whole claims."""


def kinds() -> list[str]:
    """What a file of labels may be."""
    return [EVENTS, CLAIM_GOLD, *plugins.names(label_importers)]


class LabelsWork(Record):
    """Take a file of labels into the store."""

    path: Path
    """Absolute: another process may read it."""
    kind: str | None = None
    """One of ``kinds()``; none: what the file looks like."""
    words: dict[str, str] = Field(default_factory=dict)
    """What another tool's words mean."""
    guideline: str = claim_label_files.GUIDELINE
    """Under which labels of another tool were given; our own events say it themselves."""
    design: str | None = None
    """How the claims of claim-level labels were drawn: ``census``, ``random``, or none when nobody knows."""
    probability: float | None = None

    def run(self, desk: Desk, progress: Progress) -> LabelReport:
        """Do it.

        Raises:
            InputError: What is said of the file fits no file of its kind.
            ImportFormatError: The file as a whole cannot be read, or is of no kind that is read here.
        """
        kind = self.kind or kind_of(self.path)
        if kind != CLAIM_GOLD and (self.design or self.probability):
            raise InputError("Only labels of whole claims have a design", "leave --design and --probability out")
        if kind == EVENTS:
            return label_files.take(desk.store, self.path)
        if kind == CLAIM_GOLD:
            drawn = claim_label_files.drawing(self.design, self.probability)
            return claim_label_files.take(desk.store, self.path, drawn, self.guideline, desk.settings.labeller)
        member = plugins.load(label_importers, kind, InputError)
        return label_intake.take(desk.store, self.path, member, self.words, self.guideline)


def kind_of(path: Path) -> str:
    """What a file of labels looks like.

    Raises:
        ImportFormatError: It cannot be opened, or looks like nothing that is read here.
    """
    member = label_intake.member_of(path)
    if member is not None:
        return member.__name__.rsplit(".", 1)[-1]
    first = [value for _, value in islice(records(path), 20) if not isinstance(value, BadLine)]
    if any(claim_label_files.is_mine(value) for value in first):
        return CLAIM_GOLD
    if not first or any("event_id" in value for value in first):
        return EVENTS
    raise ImportFormatError(f"{path} looks like no file of labels", f"say what it is with --as: {', '.join(kinds())}")
