"""Does a claim rely on the passage it cites? The same generator is asked again without it, and with another fact in it.

A claim that stays as it was is *correct without reliance*: it may be true, and the citation did not carry it. This is a
report of what was tried, and never a label. An imported answer cannot be asked for again; of it there is one sign only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from random import Random

from core.alterations import insert_negation, swap_number, swap_population, swap_unit
from core.asking import Trouble
from core.generators import Generator
from core.models import Evidence, GivenClaim, Label, Pair, Record, Resolve, Status
from core.registry import Registry
from core.text import find_quote
from core.verdict_cache import SpanJudge
from core.windows import shared
from core.words import words

SAME = 0.9
"""Share of each claim's words that the other one has, from which on two claims with the same numbers are one."""

_SWAPS: dict[str, Callable[[str, str, Random], str | None]] = {
    "another number": swap_number,
    "another unit": swap_unit,
    "another population": swap_population,
    "a denial": insert_negation,
}
"""Ways to put another fact in, the plainest first."""


_CARRIES = (Label.SUPPORTED, Label.SECONDARY_ONLY)
"""Of a passage that carries a claim; the second one carries it at second hand."""


class Change(StrEnum):
    """What was done to the evidence."""

    REMOVED = "removed"
    """The cited passages were left out."""
    REPLACED = "replaced"
    """Each says something else in the place that the claim quotes."""


class Try(Record):
    """One question asked again."""

    change: Change
    what: str
    """What was put in, in words, or why nothing was tried."""
    unchanged: bool | None
    """Whether the claim came again; none when nothing was tried or nothing came back."""
    elsewhere: tuple[str, ...] = ()
    """Labels of passages that were left and hold the claim's quotation too."""

    @property
    def sentence(self) -> str:
        """What was tried, and what became of the claim."""
        if self.unchanged is None:
            return f"Not tried with the cited evidence {self.change}: {self.what}."
        came = "stayed" if self.unchanged else "went away or changed"
        return f"Tried with the cited evidence {self.change} ({self.what}): the claim {came}."


class Probe(Record):
    """What was tried with one claim."""

    claim: str
    cites: tuple[str, ...]
    tries: tuple[Try, ...]

    @property
    def words(self) -> str:
        """What the tries say, without a final full stop."""
        done = [one for one in self.tries if one.unchanged is not None]
        if not done:
            return "Nothing could be tried"
        kept = [one for one in done if one.unchanged]
        if not kept:
            tries = "the one try that was made" if len(done) == 1 else f"each of {len(done)} tries"
            return f"The claim went away or changed in {tries}"
        if any(one.elsewhere for one in kept):
            return "The claim stayed, and another passage that was left says the same"
        how = " and ".join(one.change for one in kept)
        return f"Correct without reliance: the claim stayed with the cited evidence {how}"

    @property
    def told(self) -> str:
        """What came of it and what was tried, in sentences."""
        return " ".join([f"{self.words}.", *(one.sentence for one in self.tries)])


class Sign(Record):
    """What can be told of an answer that cannot be asked for again."""

    elsewhere: tuple[str, ...] = ()
    """Labels that support a claim that does not cite them, where all that it cites was judged and does not."""
    unjudged: tuple[str, ...] = ()
    """Labels whose passages could not be judged or read, so that it cannot be told; what it cites, where any is so."""

    @property
    def told(self) -> str:
        """The same in a sentence."""
        if self.elsewhere:
            return f"Supported by {', '.join(self.elsewhere)}, which it does not cite, and by nothing that it cites."
        if self.unjudged:
            return f"Cannot be told: {', '.join(self.unjudged)} could not be judged."
        return "No sign: what it cites supports it, or nothing in its registry does."


def probe(generator: Generator, query: str, evidence: Sequence[Evidence], claim: GivenClaim, seed: int = 0) -> Probe:
    """Ask a generator again without the cited evidence, and with its key fact replaced.

    Args:
        generator: The one that gave the claim.
        query: The question.
        evidence: What it was given then.
        claim: One of its claims.
        seed: Chooses what is put in.
    """
    cites = frozenset(claim.citation_ids)
    left = [entry for entry in evidence if entry.id not in cites]
    removed = _ask(generator, query, left, claim, Change.REMOVED, "the cited passages were left out")
    altered, what = _altered(evidence, cites, claim, Random(seed))
    if not what:
        said = "no fact in the cited passages could be replaced with certainty"
        replaced = Try(change=Change.REPLACED, what=said, unchanged=None)
    else:
        replaced = _ask(generator, query, altered, claim, Change.REPLACED, what)
    return Probe(claim=claim.text, cites=claim.citation_ids, tries=(removed, replaced))


def sign(claim: str, cites: Sequence[str], evidence: Sequence[Evidence], judge: SpanJudge) -> Sign:
    """The one sign in an imported answer: is a claim supported by what it does not cite, and not by what it cites?

    Args:
        claim: Its text.
        cites: Labels that it cites.
        evidence: The registry of its request.
        judge: Who says what supports.
    """
    registry = Registry.build(evidence)
    found = {entry.id: registry.resolve(entry.id).resolve for entry in registry.entries}
    usable = [entry for entry in registry.entries if found[entry.id] is Resolve.OK]
    judged = judge.judge([Pair(claim=claim, evidence=entry.text) for entry in usable])
    said = {entry.id: one for entry, one in zip(usable, judged, strict=True)}
    supporting = [name for name, one in said.items() if one.status is Status.JUDGED and one.label in _CARRIES]
    unseen = [name for name, state in found.items() if state is Resolve.INACCESSIBLE]
    unseen += [name for name, one in said.items() if one.status is not Status.JUDGED]
    if set(supporting) & set(cites):
        return Sign()
    if own := [name for name in unseen if name in cites]:
        return Sign(unjudged=tuple(own))
    return Sign(elsewhere=tuple(supporting), unjudged=() if supporting else tuple(unseen))


def is_same(claim: str, other: str) -> bool:
    """Whether two claims say the same in nearly the same words: with the same numbers, and most words of each."""
    one, two = words(claim), words(other)
    return one.numbers == two.numbers and min(shared(one, two), shared(two, one)) >= SAME


def _ask(
    generator: Generator, query: str, evidence: Sequence[Evidence], claim: GivenClaim, change: Change, what: str
) -> Try:
    if not evidence:
        return Try(change=change, what="no other passage was given", unchanged=None)
    found = generator.generate(query, evidence, lambda event: None)
    if isinstance(found, Trouble):
        return Try(change=change, what=f"no answer came ({found.failure})", unchanged=None)
    if found.problems:
        return Try(change=change, what="no answer came that could be read", unchanged=None)
    unchanged = any(is_same(claim.text, one.text) for one in found.claims)
    return Try(change=change, what=what, unchanged=unchanged, elsewhere=_holding(claim, evidence))


def _holding(claim: GivenClaim, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    quotes = [quote for quote in claim.quotes if quote.strip()] or [claim.text]
    return tuple(entry.id for entry in evidence if all(find_quote(entry.text, quote) for quote in quotes))


def _altered(
    evidence: Sequence[Evidence], cites: frozenset[str], claim: GivenClaim, random: Random
) -> tuple[list[Evidence], str]:
    """The evidence with another fact in every cited passage, and what was put in; blank when one could not be."""
    everything = "\n".join(entry.text for entry in evidence)
    found, said = [], []
    for entry in evidence:
        if entry.id not in cites:
            found.append(entry)
            continue
        changed = _changed(entry.text, claim, everything, random)
        if changed is None:
            return [], ""
        found.append(entry.model_copy(update={"text": changed[0]}))
        said.append(changed[1])
    return found, ", ".join(dict.fromkeys(said))


def _changed(text: str, claim: GivenClaim, everything: str, random: Random) -> tuple[str, str] | None:
    """A passage with another fact in the stretch that the claim quotes, or where it says the claim word for word."""
    for quote in (*claim.quotes, claim.text):
        for start, end in find_quote(text, quote)[:1]:
            for what, swap in _SWAPS.items():
                other = swap(text[start:end], everything, random)
                if other is not None and other != text[start:end]:
                    return text[:start] + other + text[end:], what
    return None
