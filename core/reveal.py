"""The reveal rule: may somebody be shown what judges said of a claim?

Everything that shows a verdict, a score or a reason asks this one function: the label page, the review list and its
inspector, links, the claims behind a point of a chart, and exports that a page runs. ``core.store.reveals`` says the
same for many claims at once.
"""

from __future__ import annotations

from core.models import Record
from core.people import Person, Role

HIDDEN = "hidden until you have labelled it"
"""What stands in the place of a verdict that somebody may not see yet."""


def left_out(number: int) -> str:
    """Why some claims are in no figure of a page, in a sentence; empty for none."""
    if not number:
        return ""
    claims = "1 claim is" if number == 1 else f"{number:,} claims are"
    return f"{claims} not counted here: what judges said is {HIDDEN}."


class BlindQueue(Record):
    """A queue whose labellers are not to know what judges said, as far as the rule needs it."""

    guideline: str
    labellers: tuple[str, ...] = ()
    """Who may label it; empty means everybody."""
    closed: bool = False

    def is_open_to(self, name: str) -> bool:
        """Whether this person may still label it."""
        return not self.closed and (not self.labellers or name in self.labellers)


class OwnLabel(Record):
    """A label that somebody gave and did not take back; skips and flags are none."""

    cite: str | None
    guideline: str
    not_a_claim: bool = False
    """Then it settles all spans of the claim."""


class Standing(Record):
    """How one person stands to one claim."""

    cites: tuple[str | None, ...]
    """Its spans; a claim that cites nothing has the one span none."""
    queues: tuple[BlindQueue, ...] = ()
    """Those that are blind and hold it."""
    labels: tuple[OwnLabel, ...] = ()
    """What the person committed on it."""


def may_reveal(person: Person, standing: Standing) -> bool:
    """Whether what judges said of a claim may be shown to this person.

    A labeller sees it of claims that they have labelled themselves, whole. A reviewer or admin sees it of every claim,
    but for those that a blind queue open to them holds and that they have not labelled under its guideline yet.
    """
    waiting = [queue.guideline for queue in standing.queues if queue.is_open_to(person.name)]
    if not person.may(Role.REVIEWER) and not waiting:
        return any(has_labelled(standing, guideline) for guideline in {one.guideline for one in standing.labels})
    return all(has_labelled(standing, guideline) for guideline in waiting)


def has_labelled(standing: Standing, guideline: str) -> bool:
    """Whether every span of the claim has a label of the person under a guideline, or the claim is none for them."""
    mine = [one for one in standing.labels if one.guideline == guideline]
    return any(one.not_a_claim for one in mine) or {one.cite for one in mine} >= set(standing.cites)
