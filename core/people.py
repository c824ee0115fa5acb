"""Who is at the desk: a name, who vouches for it, and what they may do."""

from __future__ import annotations

from enum import StrEnum

from core.models import Record

CHOSEN = "chosen"
"""The identity of somebody whose name nobody has checked: only on a desk that this machine alone reaches."""


class Role(StrEnum):
    """What a person may do; each may do all that the ones before may."""

    LABELLER = "labeller"
    """Label, and see what they labelled themselves."""
    REVIEWER = "reviewer"
    """Also see agreement, decide where labellers differ, and write guidelines."""
    ADMIN = "admin"
    """Also make queues, give roles, bring data in and take it out."""


_RANK = {role: rank for rank, role in enumerate(Role)}


class Person(Record):
    """Somebody at the desk, as the session knows them; never as a request says."""

    name: str
    """Under which labels are stored."""
    role: Role
    identity: str = CHOSEN
    """Who vouches for the name: ``chosen`` for nobody, else the issuer they signed in with."""

    groups: tuple[str, ...] | None = ()
    """Whose sources they may read beside everyone's; none stands for whoever keeps the desk and sees all."""

    def may(self, role: Role) -> bool:
        """Whether they may do what this role may."""
        return _RANK[self.role] >= _RANK[role]
