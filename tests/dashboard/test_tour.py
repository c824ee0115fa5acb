"""The tour: it speaks only of pages that there are, and only of those that its reader may open."""

from __future__ import annotations

from core.people import Person, Role
from dashboard import navigation
from dashboard.widgets import tour


def test_every_stop_is_a_page() -> None:
    """A page that was renamed would leave a button to nowhere."""
    assert {one.page for one in tour.STOPS} <= {entry.name for entry in navigation.entries()}


def test_a_stop_is_read_in_a_breath() -> None:
    """At most five stops, each of at most fifty words."""
    assert len(tour.STOPS) <= 5
    assert all(len(one.words.split()) <= 50 for one in tour.STOPS)


def test_roles_have_their_own_tour() -> None:
    """A labeller is led to labelling alone; an admin sees every stop, in order."""
    assert [one.page for one in tour.stops(Person(name="ana", role=Role.LABELLER))] == ["label"]
    assert tour.stops(Person(name="ada", role=Role.ADMIN)) == list(tour.STOPS)
