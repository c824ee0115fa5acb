"""People who signed in: a name is theirs for good, and a role is given to those only."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core import audit_check
from core.errors import InputError
from core.models import utc_now
from core.people import Person, Role
from core.store import Store

ISSUER = "https://id.example.org"


def test_a_name_belongs_to_issuer_and_subject(store: Store) -> None:
    """Who comes again is the same, whatever they are called now; who wants a name that is taken gets a number."""
    ana = store.roles.enter(ISSUER, "1", "ana@example.org")
    assert store.roles.enter(ISSUER, "1", "other@example.org") == ana
    assert store.roles.enter(ISSUER, "2", "ana@example.org").name == "ana@example.org (2)"
    assert store.roles.enter("https://else.example.org", "1", "ana@example.org").name == "ana@example.org (3)"
    assert [one.name for one in store.roles.all()] == [
        "ana@example.org",
        "ana@example.org (2)",
        "ana@example.org (3)",
    ]


def test_the_last_role_given_counts(store: Store) -> None:
    """Nobody has one before; it can be taken down again."""
    store.roles.enter(ISSUER, "1", "ana")
    assert store.roles.of("ana") is None
    assert store.roles.give("ana", Role.ADMIN, "keeper").role is Role.ADMIN
    store.roles.give("ana", Role.LABELLER, "keeper")
    assert store.roles.of("ana") is Role.LABELLER


def test_the_last_groups_given_count(store: Store) -> None:
    """All of them at once; they can be taken away again, and each grant is in the audit chain."""
    store.roles.enter(ISSUER, "1", "ana")
    before = store.roles.enter(ISSUER, "1", "ana").groups
    given = store.roles.put_into("ana", ["staff", "board", " staff "], "keeper").groups
    store.roles.put_into("ana", [], "keeper")

    assert (before, given, store.roles.enter(ISSUER, "1", "ana").groups) == ((), ("board", "staff"), ())
    assert [one.person for part in store.audit.entries(subject="person_groups") for one in part] == ["keeper"] * 2
    assert audit_check.verify(store, lambda done, total: None).fault is None
    with pytest.raises(InputError, match="Nobody called 'ben' has signed in yet"):
        store.roles.put_into("ben", ["staff"], "keeper")
    with pytest.raises(InputError, match="An access group needs a name"):
        store.roles.put_into("ana", [" "], "keeper")


def test_a_name_that_is_nobodys_gets_no_role(store: Store) -> None:
    """Else whoever took it first would have it."""
    with pytest.raises(InputError, match="Nobody called 'ana' has signed in yet"):
        store.roles.give("ana", Role.ADMIN, "keeper")


def test_each_role_may_what_the_ones_before_may() -> None:
    """From labeller to admin."""
    may = {role: [Person(name="ana", role=role).may(other) for other in Role] for role in Role}

    assert may[Role.LABELLER] == [True, False, False]
    assert may[Role.REVIEWER] == [True, True, False]
    assert may[Role.ADMIN] == [True, True, True]


def test_what_an_issuer_says_of_groups_is_kept_as_of_the_last_sign_in(store: Store) -> None:
    """It gives no right; an older sign-in changes nothing, and the same words write nothing."""
    first = utc_now()
    ana = store.roles.enter("https://id.example.org", "1", "ana")
    store.roles.tell(ana, ["legal", "hr"], first)
    told = store.roles.enter("https://id.example.org", "1", "ana")
    store.roles.tell(told, [], first - timedelta(hours=1))
    same = store.roles.all()
    store.roles.tell(told, [], first + timedelta(hours=1))

    assert (told.groups, told.told, told.told_at) == ((), ("hr", "legal"), first)
    assert same == [told]
    assert [one.told for one in store.roles.all()] == [()]
