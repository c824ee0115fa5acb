"""Who is at the desk, from the session alone: whom the issuer vouches for, or, on this machine only, a chosen name."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from core import labelling, sign_in
from core.desk import Desk
from core.errors import CitedeskError
from core.people import Person, Role
from core.settings import Settings

NAME = "labeller"
"""The query parameter and widget of a chosen name."""


class NotSignedIn(CitedeskError):
    """Nobody has signed in, or it was too long ago."""

    title = "Sign in first"


class NotAllowed(CitedeskError):
    """The person's role does not allow this."""

    title = "This page is not for your role"


def check_start(settings: Settings) -> None:
    """Refuse to serve what strangers could reach without signing in, or could sign in to with a guessed secret.

    Raises:
        InputError: The desk must not be started like this.
    """
    sign_in.check_host(st.get_option("server.address"), settings.sign_in)
    if settings.sign_in is not None:
        read = [str(path) for path in st.get_option("secrets.files")]
        if read != [str(sign_in.read(settings.sign_in).path)]:
            raise CitedeskError("The server was not told of the sign-in file", "start it with: citedesk serve")


def person(desk: Desk) -> Person:
    """Who the session belongs to; never what a page, a link or a message says.

    Raises:
        NotSignedIn: People sign in here, and this one has not.
        InputError: Nobody signs in here, and the desk can be reached from elsewhere.
    """
    settings = desk.settings
    if settings.sign_in is not None:
        return vouched_for(desk, st.user.to_dict())
    sign_in.check_host(st.get_option("server.address"), None)
    return Person(name=chosen_name(settings.labeller), role=Role.ADMIN, groups=None)


def seat(one: Person, settings: Settings) -> Callable[[Desk], Person]:
    """Tells who sits in the session of this run, also after the run: with the role and the groups of that moment.

    It raises ``NotSignedIn`` once the sign-in is over.

    Args:
        one: Who it is now.
        settings: Say whether people sign in.
    """
    if settings.sign_in is None:
        return lambda _: one
    claims = st.user.to_dict()
    return lambda desk: vouched_for(desk, claims)


def chosen_name(default: str) -> str:
    """The name that somebody chose in this session, on a desk without sign-in."""
    typed = st.session_state.get(NAME, st.query_params.get(NAME, ""))
    return labelling.labeller_name(typed if isinstance(typed, str) else "", default)


def require(one: Person, role: Role) -> Person:
    """Give the person back when they may do what a role may.

    Raises:
        NotAllowed: They may not.
    """
    if not one.may(role):
        raise NotAllowed(
            f"{one.name} is {_article(one.role)} here, and this page is for a {role}", "ask an admin for that role"
        )
    return one


def vouched_for(desk: Desk, claims: dict[str, Any]) -> Person:
    """Who the issuer says it is; the name is theirs from the first time on, and a name that is taken gets a number.

    Args:
        desk: Knows who came before.
        claims: Of the signed cookie that the callback of the issuer left.

    Raises:
        NotSignedIn: It names nobody, or is too old.
    """
    settings = desk.settings
    issuer, subject = claims.get("iss"), claims.get("sub")
    if claims.get("is_logged_in") is not True or not issuer or not subject:
        raise NotSignedIn("You are not signed in", "press Sign in")
    since = claims.get("iat")
    if not isinstance(since, int | float) or time.time() - since > settings.sign_in_hours * 3600:
        raise NotSignedIn("You signed in too long ago", "press Sign in again")
    known = desk.store.roles.enter(str(issuer), str(subject), _wish(claims))
    told = _groups(claims, settings)
    desk.store.roles.tell(known, told, datetime.fromtimestamp(min(since, time.time()), UTC))
    groups = tuple(sorted({*known.groups, *told}))
    return Person(name=known.name, role=_role(known.role, claims, settings), identity=str(issuer), groups=groups)


def _mail(claims: dict[str, Any]) -> str:
    """Their e-mail address, if the issuer has checked it."""
    return str(claims.get("email") or "") if claims.get("email_verified") is True else ""


def _wish(claims: dict[str, Any]) -> str:
    wished = next(filter(None, (_mail(claims), claims.get("preferred_username"))), claims["sub"])
    return labelling.labeller_name(str(wished), str(claims["sub"]))


def _groups(claims: dict[str, Any], settings: Settings) -> list[str]:
    """The access groups that the issuer says they are in, where the settings name the claim for that."""
    said = claims.get(settings.groups_claim) if settings.groups_claim else None
    named = [said] if isinstance(said, str) else said if isinstance(said, list | tuple) else []
    return [one.strip() for one in named if isinstance(one, str) and one.strip()]


def _role(given: Role | None, claims: dict[str, Any], settings: Settings) -> Role:
    """What was given to them; those whom the settings name, by checked address or by subject, are admins always."""
    named = {name.casefold() for name in settings.admins}
    if {_mail(claims).casefold(), str(claims["sub"]).casefold()} & (named - {""}):
        return Role.ADMIN
    return given or Role.LABELLER


def _article(role: Role) -> str:
    return f"an {role}" if role is Role.ADMIN else f"a {role}"
