"""Labelled pairs made for tests: sentences that every probe can be made of."""

from __future__ import annotations

from core.gold_pairs import DataSet, GoldPair

TOWNS = ("Oslo", "Bergen", "Turku", "Malmo", "Riga", "Tartu", "Narva", "Visby")
NOUNS = ("oak", "brig", "maple", "sloop", "willow", "ketch", "alder", "yawl")


def supported(at: int) -> GoldPair:
    """One supported pair; even ones speak of trees, odd ones of boats, in other words."""
    town, noun = TOWNS[at % 8], NOUNS[at % 8]
    if at % 2:
        claim = f"The {noun} was sailed from {town} for {at + 50} days."
        evidence = (
            f"Once the {noun} was sailed from stormy {town} for {at + 50} days by men. "
            f"This lost {noun} will not be seen again in any {noun} harbour. "
            f"Some {noun} rigging from {town} is kept dry under the roof."
        )
    else:
        claim = f"The {noun} of {town} was planted {at + 20} weeks ago."
        evidence = (
            f"The {noun} in old {town} was planted {at + 20} weeks ago by adults. "
            f"Its {noun} leaves do not fall before the first {noun} frost comes. "
            f"A {noun} gardener from {town} is there on most mornings."
        )
    return GoldPair(claim=claim, evidence=evidence, label="supported")


def made(name: str = "trees", count: int = 8, *others: GoldPair) -> DataSet:
    """A set of supported pairs, and others."""
    pairs = (*(supported(at) for at in range(count)), *others)
    return DataSet(name=name, split="dev", files=(), pairs=pairs, total=len(pairs))
