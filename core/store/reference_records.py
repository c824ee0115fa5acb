"""What the store keeps of works outside the registries, as records."""

from __future__ import annotations

from datetime import datetime

from core.models import Evidence, Record
from core.references import Reference, ReferenceFinding


class StoredFinding(Record):
    """One finding in the history of a work."""

    finding_no: int
    finding: ReferenceFinding
    who: str | None
    """Who wanted to know; none for a run."""
    recorded_at: datetime


class CitedWork(Record):
    """What one citation of a claim was judged by, as it was then."""

    cite: str
    kind: str
    identifier: str
    finding: ReferenceFinding | None
    evidence: Evidence | None
    """The text it was judged on, or of which only a part could be read; none when there was none."""


class Citing(Record):
    """One citation that names a work."""

    claim_uid: str
    claim: str
    cite: str
    corpus: str | None
    """The corpus that its answer names."""


class ClosedWork(Record):
    """A work that could not be read, with every citation that waits for it."""

    kind: str
    identifier: str
    reference: Reference
    reason: str
    """Why, in the words of the verdict."""
    is_checked: bool
    """Whether somebody was asked; else nobody was, by the policy of the run."""
    citing: tuple[Citing, ...]
    passages: int
    """How many passages people have supplied of it by now."""

    @property
    def corpora(self) -> tuple[str, ...]:
        """The corpora that answers which cite it name, sorted."""
        return tuple(sorted({one.corpus for one in self.citing if one.corpus}))
