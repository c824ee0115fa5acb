"""Work on people and on what they did, as records, so that whichever process has the store open can do it."""

from __future__ import annotations

from itertools import chain, islice

from core import anchoring, audit_check
from core.anchoring import Anchoring
from core.audit_check import AuditReport
from core.desk import Desk
from core.models import Record
from core.people import Role
from core.store.audit_log import StoredEntry
from core.store.roles import Known
from core.verification import Progress


class RolesReport(Record):
    """People who signed in, with their roles: all of them, or the one whose role was given."""

    people: tuple[Known, ...]


class RolesWork(Record):
    """Say who signed in, and what they may do."""

    def run(self, desk: Desk, progress: Progress) -> RolesReport:
        """Do it."""
        return RolesReport(people=tuple(desk.store.roles.all()))


class GiveRoleWork(Record):
    """Give somebody a role; see ``Store.roles``."""

    person: str
    role: Role
    who: str

    def run(self, desk: Desk, progress: Progress) -> RolesReport:
        """Do it."""
        return RolesReport(people=(desk.store.roles.give(self.person, self.role, self.who),))


class GiveGroupsWork(Record):
    """Put somebody into access groups; see ``Store.roles``."""

    person: str
    groups: tuple[str, ...]
    who: str

    def run(self, desk: Desk, progress: Progress) -> RolesReport:
        """Do it."""
        return RolesReport(people=(desk.store.roles.put_into(self.person, self.groups, self.who),))


class AuditWork(Record):
    """Check the audit chain; see ``core.audit_check``."""

    head: tuple[int, str] | None = None

    def run(self, desk: Desk, progress: Progress) -> AuditReport:
        """Do it."""
        return audit_check.verify(desk.store, progress, self.head)


class AnchoringReport(Record):
    """How often minds changed after a judge's word was seen, protocol by protocol."""

    found: tuple[Anchoring, ...]


class AnchoringWork(Record):
    """Say whether people change their minds towards judges; see ``core.anchoring``."""

    def run(self, desk: Desk, progress: Progress) -> AnchoringReport:
        """Do it."""
        return AnchoringReport(found=tuple(anchoring.every(desk.store)))


class ActsReport(Record):
    """Entries of the audit chain, in its order."""

    entries: tuple[StoredEntry, ...]
    more: bool
    """Whether there are further ones."""


class ActsWork(Record):
    """Say who did what."""

    person: str | None = None
    subject: str | None = None
    """A subject (``queue 4f…``) or a kind of it (``queue``)."""
    limit: int = 1000

    def run(self, desk: Desk, progress: Progress) -> ActsReport:
        """Do it."""
        found = chain.from_iterable(desk.store.audit.entries(self.person, self.subject))
        entries = tuple(islice(found, self.limit + 1))
        return ActsReport(entries=entries[: self.limit], more=len(entries) > self.limit)


RoleWork = RolesWork | GiveRoleWork | GiveGroupsWork
PeopleWork = RoleWork | AuditWork | ActsWork | AnchoringWork
