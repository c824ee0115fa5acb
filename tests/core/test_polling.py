"""The rule of gold, vote by vote."""

from __future__ import annotations

import pytest

from core.models import Label, MergePolicy
from core.polling import Outcome, Poll, Provenance, State
from core.store.gold_records import Ruling, Vote

CITES = {"a": ("C1", "C2"), "b": ()}


def vote(cite: str | None, label: Label | None, who: str = "ann", uid: str = "a", stale: bool = False) -> Vote:
    """A vote under v1 outside of any queue."""
    return Vote(uid, cite, label, who, "v1", None, stale)


def poll(*votes: Vote, rulings: tuple[Ruling, ...] = (), wanted: int = 1) -> Poll:
    """The poll of some votes."""
    return Poll(votes, rulings, CITES, {"a": wanted, "b": wanted}, MergePolicy.ALL)


@pytest.mark.parametrize(
    ("votes", "wanted", "state"),
    [
        ((), 1, State.WAITING),
        ((vote("C1", Label.SUPPORTED),), 1, State.GOLD),
        ((vote("C1", Label.SUPPORTED),), 2, State.WAITING),
        ((vote("C1", Label.SUPPORTED), vote("C1", Label.SUPPORTED, "bob")), 2, State.GOLD),
        ((vote("C1", Label.SUPPORTED), vote("C1", Label.PARTIAL, "bob")), 3, State.DISAGREEMENT),
        ((vote("C1", Label.SUPPORTED), vote("C1", Label.PARTIAL)), 1, State.GOLD),
        ((vote("C2", None),), 1, State.NOT_A_CLAIM),
        ((vote("C2", None),), 2, State.WAITING),
        ((vote("C2", None), vote("C1", Label.SUPPORTED, "bob")), 1, State.DISAGREEMENT),
    ],
)
def test_a_span(votes: tuple[Vote, ...], wanted: int, state: State) -> None:
    """A person's last word counts once, and "not a claim" on one span speaks of the other."""
    assert poll(*votes, wanted=wanted).span("a", "C1").state is state


def test_a_claim_waits_for_its_last_span() -> None:
    """Then it has the worst label of its spans, and everybody who labelled one of them."""
    first = vote("C1", Label.SUPPORTED)

    assert poll(first).claim("a").state is State.WAITING
    assert poll(first, vote("C2", Label.IRRELEVANT, "bob")).claim("a") == Outcome(
        State.GOLD, Label.IRRELEVANT, Provenance.AGREED, ("ann", "bob"), False
    )
    assert poll(vote(None, Label.UNCITED, uid="b")).claim("b").label is Label.UNCITED


def test_an_adjudicated_span_makes_its_claim_adjudicated() -> None:
    """The other span is agreed on; the adjudicator's own vote is none."""
    ruling = Ruling("a", "C1", Label.PARTIAL, "cyd", "v1", stale=False)
    made = poll(vote("C1", Label.SUPPORTED, "cyd"), vote("C2", Label.SUPPORTED), rulings=(ruling,)).claim("a")

    assert made == Outcome(State.GOLD, Label.PARTIAL, Provenance.ADJUDICATED, ("ann",), False)


def test_a_ruling_of_no_claim_settles_every_span() -> None:
    """Whatever was said of the others."""
    ruling = Ruling("a", "C1", None, "cyd", "v1", stale=False)

    assert poll(vote("C2", Label.SUPPORTED), rulings=(ruling,)).claim("a").state is State.NOT_A_CLAIM


def test_votes_on_other_texts_count_only_while_there_are_no_newer_ones() -> None:
    """They are marked, and a newer one by somebody else outweighs them."""
    old = vote("C1", Label.SUPPORTED, stale=True)

    assert poll(old).span("a", "C1")[-1] is True
    assert poll(old, vote("C1", Label.PARTIAL, "bob")).span("a", "C1") == Outcome(
        State.GOLD, Label.PARTIAL, Provenance.AGREED, ("bob",), False
    )
