"""Looking at one reference again, as a piece of work; what is found is kept, and no verdict is touched."""

from __future__ import annotations

from core.desk import Desk
from core.errors import InputError
from core.models import Record
from core.reference_policy import Also, Lives
from core.references import Reference, ReferenceFinding
from core.resolving import resolve
from core.verification import Progress

NOW = Lives(read_days=0, missing_days=0, refused_hours=0)
"""Whatever is kept, everybody is asked."""


class RecheckReport(Record):
    """What was found."""

    finding: ReferenceFinding


class RecheckWork(Record):
    """Ask about one reference now, and add what was found to its history."""

    reference: Reference
    also: frozenset[Also]
    """Whom to ask; the rest of the policy is the desk's."""
    who: str
    """Who wants to know."""

    def run(self, desk: Desk, progress: Progress) -> RecheckReport:
        """Do it.

        Raises:
            InputError: Nobody may be asked about such a reference.
        """
        policy = desk.settings.references.model_copy(update={"also": self.also, "lives": NOW})
        progress(0, 1)
        (found,) = resolve([self.reference], policy, cache=desk.settings.references_cache, network=desk.network)
        if not found.receipts:
            raise InputError(found.said.rstrip("."), "set CITEDESK_REFERENCES__ALSO and CITEDESK_REFERENCES__CONTACT")
        desk.store.references.add([found], self.who)
        progress(1, 1)
        return RecheckReport(finding=found)
