"""Who is at the desk: what the issuer says, read with suspicion; a chosen name on this machine only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from core.desk import Desk
from core.errors import CitedeskError, InputError
from core.models import utc_now
from core.people import CHOSEN, Person, Role
from core.retrieval import Retriever
from core.settings import Settings
from dashboard import identity, security, session
from dashboard.widgets import visitor
from dashboard.widgets.who import UNCHECKED
from tests.core.corpora_of import fill
from tests.core.test_sign_in import written
from tests.fakes.bag_of_words import BagOfWords

ISSUER = "https://id.example.org"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk where people sign in, whose first admin is named by address."""
    settings = Settings(store=tmp_path / "desk.duckdb", sign_in=written(tmp_path), admins=("boss@example.org", "sub-0"))
    opened = Desk.open(settings)
    yield opened
    opened.close()


def claims(subject: str, **more: Any) -> dict[str, Any]:
    """What a signed cookie holds."""
    return {"is_logged_in": True, "iss": ISSUER, "sub": subject, "iat": time.time(), **more}


def test_the_name_is_a_checked_address_or_less(desk: Desk) -> None:
    """An address that the issuer has not checked could be anybody's."""
    found = [
        identity.vouched_for(desk, claims("1", email="ana@example.org", email_verified=True)),
        identity.vouched_for(desk, claims("2", email="ben@example.org", preferred_username="ben")),
        identity.vouched_for(desk, claims("3", email="cem@example.org", email_verified="true")),
    ]

    assert [one.name for one in found] == ["ana@example.org", "ben", "3"]
    assert {(one.identity, one.role) for one in found} == {(ISSUER, Role.LABELLER)}


def test_admins_are_whom_the_settings_name(desk: Desk) -> None:
    """By checked address, whatever its case, or by subject; a user name that looks like it is nothing."""
    roles = [
        identity.vouched_for(desk, claims("1", email="Boss@example.org", email_verified=True)).role,
        identity.vouched_for(desk, claims("2", email="boss@example.org")).role,
        identity.vouched_for(desk, claims("3", preferred_username="boss@example.org")).role,
        identity.vouched_for(desk, claims("sub-0")).role,
    ]

    assert roles == [Role.ADMIN, Role.LABELLER, Role.LABELLER, Role.ADMIN]


def test_a_role_that_was_given_counts_at_once(desk: Desk) -> None:
    """At the next look at the person."""
    assert identity.vouched_for(desk, claims("1", preferred_username="ana")).role is Role.LABELLER
    desk.store.roles.give("ana", Role.REVIEWER, "keeper")
    assert identity.vouched_for(desk, claims("1", preferred_username="ana")).role is Role.REVIEWER


def test_groups_come_from_the_desk_and_from_the_claim_that_is_named(desk: Desk) -> None:
    """Both together; what the issuer says counts only where the settings name the claim."""
    said = claims("1", preferred_username="ana", teams=["board", "", 7, " legal "], groups=["root"])
    desk.store.roles.enter(said["iss"], "1", "ana")
    desk.store.roles.put_into("ana", ["staff"], "keeper")
    named = Desk(desk.store, desk.settings.model_copy(update={"groups_claim": "teams"}))

    assert identity.vouched_for(desk, said).groups == ("staff",)
    assert identity.vouched_for(named, said).groups == ("board", "legal", "staff")
    assert identity.vouched_for(named, said | {"teams": "board"}).groups == ("board", "staff")
    assert identity.vouched_for(named, said | {"teams": {"board": 1}}).groups == ("staff",)


def test_two_people_never_see_each_others_passages(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each in a group of their own, on the desk's own machine, as admins: their own and everyone's, no more."""
    fill(desk.store, {"a": "Staff toll.", "b": "Board toll.", "c": "Toll of all."}, {"a": ["staff"], "b": ["board"]})
    monkeypatch.setattr("dashboard.widgets.visitor.st.context", SimpleNamespace(ip_address=None, headers={}))
    seen = {}
    for number, (name, group) in enumerate({"ana": "staff", "ben": "board", "cyd": None}.items()):
        desk.store.roles.enter(ISSUER, str(number), name)
        desk.store.roles.put_into(name, [group] if group else [], "keeper")
        desk.store.roles.give(name, Role.ADMIN, "keeper")
        reader = visitor.reader(identity.vouched_for(desk, claims(str(number), preferred_username=name)))
        retriever = Retriever(desk.store, BagOfWords)
        seen[name] = {one.chunk.text for one in retriever.search("toll", "main", reader.groups).packed}
        assert {one.text for one in desk.store.corpora.chunks("main", reader.groups, utc_now())} == seen[name]

    assert seen == {
        "ana": {"Staff toll.", "Toll of all."},
        "ben": {"Board toll.", "Toll of all."},
        "cyd": {"Toll of all."},
    }


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {**claims("1"), "is_logged_in": False},
        {**claims("1"), "is_logged_in": "true"},
        {**claims("1"), "sub": ""},
        {**claims("1"), "iss": None},
        {**claims("1"), "iat": None},
        {**claims("1"), "iat": time.time() - 13 * 3600},
    ],
)
def test_half_an_identity_is_none(desk: Desk, broken: dict[str, Any]) -> None:
    """Nobody signed in, or so long ago that it counts no more."""
    with pytest.raises(identity.NotSignedIn):
        identity.vouched_for(desk, broken)
    assert desk.store.roles.all() == []


@pytest.mark.parametrize(
    ("role", "needed", "may"),
    [
        (Role.LABELLER, Role.LABELLER, True),
        (Role.LABELLER, Role.REVIEWER, False),
        (Role.REVIEWER, Role.ADMIN, False),
        (Role.ADMIN, Role.REVIEWER, True),
    ],
)
def test_pages_ask_for_a_role(role: Role, needed: Role, may: bool) -> None:
    """Or say, in a sentence, that it is missing."""
    ana = Person(name="ana", role=role)
    if may:
        assert identity.require(ana, needed) is ana
    else:
        with pytest.raises(identity.NotAllowed, match="this page is for a"):
            identity.require(ana, needed)


def test_a_server_that_others_reach_needs_sign_in(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is served, and nobody has a chosen name; with sign-in the server must have been told of the file."""
    alone = desk.settings.model_copy(update={"sign_in": None})
    identity.check_start(alone)  # the checkout's own configuration is loopback
    monkeypatch.setattr(st, "get_option", {"server.address": "0.0.0.0", "secrets.files": []}.get)

    with pytest.raises(InputError, match="without sign-in"):
        identity.check_start(alone)
    with pytest.raises(InputError, match="without sign-in"):
        identity.person(Desk(desk.store, alone))
    with pytest.raises(CitedeskError, match="not told of the sign-in file"):
        identity.check_start(desk.settings)
    monkeypatch.setattr(
        st, "get_option", {"server.address": "0.0.0.0", "secrets.files": [str(desk.settings.sign_in)]}.get
    )
    identity.check_start(desk.settings)


@pytest.mark.parametrize(("needed", "status"), [(True, 403), (False, 404)])
def test_without_sign_in_no_other_address_is_answered(needed: bool, status: int) -> None:
    """However the server was bound: the client of this test comes in on a name that is not this machine's."""
    from starlette.applications import Starlette

    app = security.OwnMachine(Starlette(), needed=needed)

    assert TestClient(app).get("/").status_code == status
    assert TestClient(app, base_url="http://127.0.0.1:8501").get("/").status_code == 404


def test_a_chosen_name_is_marked(sample: Path, open_page: Callable[..., AppTest]) -> None:
    """In the sidebar of the pages that use it, and in the person themself."""
    app = open_page(sample, "label", labeller="ana")

    assert not app.exception
    assert app.sidebar.text_input[0].value == "ana"
    assert UNCHECKED.rstrip(".") in app.sidebar.caption[0].value.replace("\\", "")
    assert session.settings().sign_in is None
    assert Person(name="ana", role=Role.ADMIN).identity == CHOSEN


@pytest.mark.parametrize("page", ["review", "trends", "data"])
def test_a_page_of_another_role_says_so(
    page: str, sample: Path, open_page: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its address shows one sentence, and nothing of what would be there."""
    monkeypatch.setattr(identity, "person", lambda _desk: Person(name="ben", role=Role.LABELLER))
    app = open_page(sample, page)

    assert not app.exception
    assert app.title[0].value == "This page is not for your role"
    assert "ben is a labeller here" in app.warning[0].value
    assert not app.get("bidi_component")
    assert not app.dataframe
