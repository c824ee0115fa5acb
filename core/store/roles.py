"""Who signed in under which name, and what each of them may do; rows are only ever added."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from itertools import count
from typing import Any

from core.errors import InputError
from core.models import Record, utc_now
from core.people import Role
from core.store import audit
from core.store.connection import Connection, Session
from core.store.encoding import in_utc


class Known(Record):
    """Somebody who signed in at least once."""

    name: str
    """Theirs for good: labels are stored under it."""
    issuer: str
    subject: str
    """Who they are to the issuer, whatever their e-mail address becomes."""
    role: Role | None
    """The role that was given to them; none until one is."""
    groups: tuple[str, ...] = ()
    """The access groups that were given to them, sorted."""
    told: tuple[str, ...] = ()
    """Those that their issuer named when they signed in last, sorted; they may be others by now."""
    told_at: datetime | None = None
    """When that sign-in was; none when it never named any."""
    since: datetime


class Roles:
    """The people of one store. See ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection, wrote: Callable[[], None]) -> None:
        """Read and write through this connection, and say when something was written."""
        self._connection, self._wrote = connection, wrote

    def of(self, name: str) -> Role | None:
        """The role that was given to somebody last; none when none ever was."""
        with self._connection.read() as session:
            return _role(session, name)

    def all(self) -> list[Known]:
        """Everybody who ever signed in, by name."""
        with self._connection.read() as session:
            found = session.all("select person, issuer, subject, recorded_at from people order by person")
            return [_known(session, *row) for row in found]

    def enter(self, issuer: str, subject: str, wish: str) -> Known:
        """Who somebody is that an issuer vouches for; the first time they get the name they wish, or the next free one.

        Args:
            issuer: Who vouches.
            subject: Who they are to the issuer; together with it this never changes hands.
            wish: What they are called there, for example an e-mail address.
        """
        with self._connection.read() as session:
            if known := _find(session, issuer, subject):
                return known
        with self._connection.write() as session:
            if known := _find(session, issuer, subject):
                return known
            name = next(name for name in _names(wish) if not _is_taken(session, name))
            row = {"person": name, "issuer": issuer, "subject": subject, "recorded_at": utc_now()}
            session.append("people", [row])
            audit.note(session, [audit.Entry(name, audit.Act.SIGNED_IN, f"person {name}", audit.of_row(row))])
        self._wrote()
        return Known(name=name, issuer=issuer, subject=subject, role=None, since=row["recorded_at"])

    def tell(self, known: Known, groups: Collection[str], signed_in_at: datetime) -> None:
        """Keep which access groups an issuer names, so that others can be told whether anybody may read something.

        It gives nobody any right. A sign-in of before the last one changes nothing.
        """
        named = sorted(set(groups))
        if named == list(known.told) or (known.told_at and signed_in_at <= known.told_at):
            return
        with self._connection.write() as session:
            row = {"person": known.name, "groups": named, "signed_in_at": signed_in_at, "recorded_at": utc_now()}
            session.append("told_groups", [row])

    def give(self, name: str, role: Role, who: str) -> Known:
        """Give somebody who signed in once a role.

        Raises:
            InputError: Nobody of that name ever signed in; a name that is nobody's could be taken by anybody.
        """
        with self._connection.write() as session:
            found = _signed_in(session, name)
            number = session.next_number("roles", "role_no")
            row = {"role_no": number, "person": name, "role": str(role), "who": who, "recorded_at": utc_now()}
            session.append("roles", [row])
            audit.note(session, [audit.Entry(who, audit.Act.GAVE_ROLE, f"role {number}", audit.of_row(row))])
            known = _known(session, *found)
        self._wrote()
        return known

    def put_into(self, name: str, groups: Collection[str], who: str) -> Known:
        """Say in which access groups somebody is who signed in once, in the place of those they were in.

        Raises:
            InputError: Nobody of that name ever signed in, or a group has no name.
        """
        if not all(group.strip() for group in groups):
            raise InputError("An access group needs a name", "leave the empty one out")
        with self._connection.write() as session:
            found = _signed_in(session, name)
            number = session.next_number("person_groups", "grant_no")
            named = sorted({group.strip() for group in groups})
            row = {"grant_no": number, "person": name, "groups": named, "who": who, "recorded_at": utc_now()}
            session.append("person_groups", [row])
            audit.note(session, [audit.Entry(who, audit.Act.GAVE_GROUPS, f"person_groups {number}", audit.of_row(row))])
            known = _known(session, *found)
        self._wrote()
        return known


def _signed_in(session: Session, name: str) -> tuple[Any, ...]:
    """The row of somebody who signed in once."""
    found = session.one("select person, issuer, subject, recorded_at from people where person = ?", [name])
    if found is None:
        raise InputError(
            f"Nobody called {name!r} has signed in yet", "let them sign in once, then see: citedesk role list"
        )
    return found


def _names(wish: str) -> Iterator[str]:
    yield wish
    yield from (f"{wish} ({number})" for number in count(2))


def _is_taken(session: Session, name: str) -> bool:
    """Whether somebody signed in under this name, or labelled under it without signing in."""
    return bool(
        session.value(
            "select exists (from people where person = ?) or exists (from label_events where labeller = ?)",
            [name, name],
        )
    )


def _find(session: Session, issuer: str, subject: str) -> Known | None:
    found = session.one(
        "select person, issuer, subject, recorded_at from people where issuer = ? and subject = ?", [issuer, subject]
    )
    return _known(session, *found) if found else None


def _known(session: Session, name: str, issuer: str, subject: str, since: datetime) -> Known:
    told, told_at = _told(session, name)
    return Known(
        name=name,
        issuer=issuer,
        subject=subject,
        role=_role(session, name),
        groups=_groups(session, name),
        told=told,
        told_at=in_utc(told_at),
        since=in_utc(since),
    )


def _groups(session: Session, name: str) -> tuple[str, ...]:
    last = "select groups from person_groups where person = ? order by grant_no desc limit 1"
    return tuple(session.value(last, [name]) or ())


def _told(session: Session, name: str) -> tuple[tuple[str, ...], datetime | None]:
    last = "select groups, signed_in_at from told_groups where person = ? order by signed_in_at desc limit 1"
    groups, moment = session.one(last, [name]) or ((), None)
    return tuple(groups), moment


def _role(session: Session, name: str) -> Role | None:
    found = session.value("select role from roles where person = ? order by role_no desc limit 1", [name])
    return None if found is None else Role(found)
