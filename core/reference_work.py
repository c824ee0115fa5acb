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
    corpora: tuple[str, ...] = ()
    """Those that answers which cite it are over: nobody is asked whom one of them forbids."""
    who: str
    """Who wants to know."""

    def run(self, desk: Desk, progress: Progress) -> RecheckReport:
        """Do it.

        Raises:
            InputError: Nobody may be asked about such a reference.
        """
        update = {"also": self.also, "chosen": True, "lives": NOW}
        wanted = desk.settings.references.model_copy(update=update)
        policy = desk.policy_for(self.corpora, wanted)
        progress(0, 1)
        (found,) = resolve([self.reference], policy, cache=desk.settings.references_cache, network=desk.network)
        if not found.receipts:
            desk_says = "set CITEDESK_REFERENCES__ALSO and CITEDESK_REFERENCES__CONTACT"
            corpus_says = f"see: citedesk corpus references {' or '.join(self.corpora)}"
            raise InputError(found.said.rstrip("."), desk_says if policy == wanted else corpus_says)
        desk.store.references.add([found], self.who)
        progress(1, 1)
        return RecheckReport(finding=found)
