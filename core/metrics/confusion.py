"""Gold against what a judge said: outcomes, and how often each gold label got each label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.models import Label

NOT_SUPPORTED = "not_supported"
"""A coarse gold value: anything but supported or secondary_only; no judge says it."""

UNJUDGED = "none"
"""Stands for the absent label of a pair that was not judged."""

_POSITIVE = frozenset({Label.SUPPORTED, Label.SECONDARY_ONLY})


class Outcome(NamedTuple):
    """One pair that people labelled, with what a judge said of it."""

    gold: str
    """A label, or ``not_supported``."""
    said: str | None
    """A label; none when the pair was not judged, which is neither right nor wrong."""
    cluster: str | None = None
    """Outcomes of one cluster are not independent (one request, one text); none for an outcome on its own."""


def is_supported(label: str) -> bool:
    """Whether a label stands on the side of support in binary figures (DESIGN §2)."""
    return label in _POSITIVE


def is_right(outcome: Outcome) -> bool:
    """Whether judge and people agree on the side of support; an unjudged pair is not right."""
    return outcome.said is not None and is_supported(outcome.said) is is_supported(outcome.gold)


def confusion(outcomes: Iterable[Outcome]) -> dict[str, dict[str, int]]:
    """Gold label → label said (``none`` when unjudged) → how often; both in the order of the labels, zeros left out."""
    counts = Counter((one.gold, one.said or UNJUDGED) for one in outcomes)
    golds = in_order({gold for gold, _ in counts})
    said = in_order({said for _, said in counts})
    return {gold: {one: counts[gold, one] for one in said if counts[gold, one]} for gold in golds}


def in_order(labels: Iterable[str]) -> list[str]:
    """Labels in the order of ``Label``, then ``not_supported``, then what was not judged."""
    order: Sequence[str] = (*Label, NOT_SUPPORTED, UNJUDGED)
    return sorted(labels, key=order.index)
