"""Anchoring: do people change their minds towards a judge, once they have been shown what it said?

Counted are labels that were given blind, on a span of which the person was shown the judge's word later. Labels that
differed from the judge can be moved towards it, labels that agreed can be moved away; a judge's word that only made
people look again moves both, one that is believed moves the first alone.
"""

from __future__ import annotations

from core.metrics import Estimate, wilson
from core.models import Record
from core.store import Store
from core.store.reveals import Mind


class Anchoring(Record):
    """How often minds were changed after a verdict was shown, each share with its 95 % interval (Wilson) and n."""

    protocol: str
    """Whose word was shown."""
    towards: Estimate
    """Of the blind labels that differed from the judge, those that were changed to what it said."""
    away: Estimate
    """Of the blind labels that agreed with it, those that were changed to something else."""
    elsewhere: int
    """Blind labels that differed from the judge, and were changed to a third one; they are part of the n of towards."""

    @property
    def sentence(self) -> str:
        """The same for somebody who knows no statistics."""
        third = f"; {self.elsewhere:,} went to a third label" if self.elsewhere else ""
        return (
            f"After people were shown what {self.protocol} said: "
            f"{_share(self.towards, 'labels that differed from it', 'changed to its word')}{third}; "
            f"{_share(self.away, 'labels that agreed with it', 'changed away from it')}."
        )


NOBODY = "Nobody has been shown a judge's word on a claim that they had labelled, so no mind can have changed by it."
"""What is said where there is nothing to count."""


def measure(store: Store, protocol: str) -> Anchoring:
    """Read what people said before and after they were shown a protocol's word, and count."""
    return count(store.reveals.minds(protocol), protocol)


def every(store: Store) -> list[Anchoring]:
    """The same for each protocol whose word anybody was shown after a label of theirs, the one used last first."""
    found = (measure(store, info.name) for info in store.protocols())
    return [one for one in found if one.towards.n or one.away.n]


def count(minds: list[Mind], protocol: str) -> Anchoring:
    """Count minds that changed towards the judge, away from it, and elsewhere."""
    differed = [one for one in minds if one.before is not one.judge]
    agreed = [one for one in minds if one.before is one.judge]
    towards = sum(one.now is one.judge for one in differed)
    away = sum(one.now is not one.judge for one in agreed)
    elsewhere = sum(one.now is not one.before for one in differed) - towards
    return Anchoring(
        protocol=protocol,
        towards=wilson.interval(towards, len(differed)),
        away=wilson.interval(away, len(agreed)),
        elsewhere=elsewhere,
    )


def _share(found: Estimate, of: str, done: str) -> str:
    if found.estimate is None or found.low is None or found.high is None:
        return f"there were no {of}"
    changed = round(found.estimate * found.n)
    interval = f"95% interval {found.low:.0%} to {found.high:.0%}"
    return f"{changed:,} of {found.n:,} {of} were {done} ({found.estimate:.0%}, {interval})"
