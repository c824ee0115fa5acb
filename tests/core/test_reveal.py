"""The reveal rule, by hand."""

from __future__ import annotations

import pytest

from core.people import Person, Role
from core.reveal import BlindQueue, OwnLabel, Standing, may_reveal

BLIND = BlindQueue(guideline="v1")
A, B = OwnLabel(cite="A", guideline="v1"), OwnLabel(cite="B", guideline="v1")


def ana(role: Role) -> Person:
    """Somebody with a role."""
    return Person(name="ana", role=role)


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.ADMIN])
@pytest.mark.parametrize(
    ("queues", "labels", "may"),
    [
        ((), (), True),
        ((BLIND,), (), False),
        ((BLIND,), (A,), False),
        ((BLIND,), (A, B), True),
        ((BLIND,), (OwnLabel(cite="A", guideline="v1", not_a_claim=True),), True),
        ((BLIND,), (A, OwnLabel(cite="B", guideline="v2")), False),
        ((BLIND, BlindQueue(guideline="v2")), (A, B), False),
        ((BlindQueue(guideline="v1", closed=True),), (), True),
        ((BlindQueue(guideline="v1", labellers=("ben",)),), (), True),
        ((BlindQueue(guideline="v1", labellers=("ben", "ana")),), (), False),
    ],
)
def test_reviewers_see_all_but_what_they_are_to_label_blind(
    role: Role, queues: tuple[BlindQueue, ...], labels: tuple[OwnLabel, ...], may: bool
) -> None:
    """A queue that is closed or somebody else's hides nothing; a label under another guideline opens nothing."""
    assert may_reveal(ana(role), Standing(cites=("A", "B"), queues=queues, labels=labels)) is may


@pytest.mark.parametrize(
    ("queues", "labels", "may"),
    [((), (), False), ((), (A,), False), ((), (A, B), True), ((BLIND,), (A, B), True), ((BLIND,), (A,), False)],
)
def test_labellers_see_what_they_labelled_whole(
    queues: tuple[BlindQueue, ...], labels: tuple[OwnLabel, ...], may: bool
) -> None:
    """With or without a queue."""
    assert may_reveal(ana(Role.LABELLER), Standing(cites=("A", "B"), queues=queues, labels=labels)) is may


def test_a_claim_that_is_not_there_shows_nothing_to_labellers() -> None:
    """Nothing labelled is nothing seen."""
    assert not may_reveal(ana(Role.LABELLER), Standing(cites=()))
