"""Edits of one sentence that change what it claims, each with the training target the edit earns.

A perturbation takes a sentence and a random generator and returns the edited sentence with its target, or None where
the sentence offers no place for the edit. Targets are those of the model: ENTAILMENT, CONTRADICTION, NEUTRAL, and
NOT_ENTAILED where only "not supported" is certain (trained with -log(1 - P(entailment))).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from lexicon import CAUSES, DAYS, HEDGES, MONTHS, OPPOSITES, POPULATIONS, UNITS, VERBS, WEAKER, WORD_NUMBERS

ENTAILMENT: Final = 0
CONTRADICTION: Final = 1
NEUTRAL: Final = 2
NOT_ENTAILED: Final = 3

Edit = tuple[str, int]
Perturbation = Callable[[str, random.Random], Edit | None]

_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*\.?\d*(?!\w)")
_ENTITY = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?: (?:of |the |de |von )?[A-Z][a-z]+)*")
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has been|have been|had been|can|could|will|would|should|may|might|must|does|do|did)\b"
    r"(?! not\b|n't\b| never\b| no\b)"
)
_NEGATED = re.compile(
    r"\b(is|are|was|were|has|have|had|can|could|will|would|should|may|might|must|does|do|did)"
    r"(?: not|n't| never| no longer)\b|\bcannot\b"
)


def _replace(text: str, pairs: Sequence[Sequence[str]], rng: random.Random) -> str | None:
    """One occurrence of one left-hand word of `pairs` replaced by one of its alternatives, or None if none occurs."""
    found = []
    for original, *others in pairs:
        tail = "" if original == "%" else r"(?!\w)"
        match = re.search((r"(?<!\w)" if original[0].isalpha() else "") + re.escape(original) + tail, text)
        if match:
            found.append((match, others))
    if not found:
        return None
    match, others = rng.choice(found)
    return text[: match.start()] + rng.choice(list(others)) + text[match.end() :]


def number(text: str, rng: random.Random) -> Edit | None:
    """A figure (or a number word) replaced by another of the same kind and format; CONTRADICTION."""
    matches = list(_NUMBER.finditer(text))
    words = [m for m in re.finditer(r"\b[a-z]+\b", text) if m.group() in WORD_NUMBERS]
    if words and (not matches or rng.random() < 0.3):
        match = rng.choice(words)
        other = rng.choice([word for word in WORD_NUMBERS if word != match.group()])
        return text[: match.start()] + other + text[match.end() :], CONTRADICTION
    if not matches:
        return None
    match = rng.choice(matches)
    figure = match.group().rstrip(".,")
    other = _other_figure(figure, rng)
    if other is None or re.search(r"(?<!\d)" + re.escape(other) + r"(?!\d)", text):
        return None
    return text[: match.start()] + other + text[match.start() + len(figure) :], CONTRADICTION


def _other_figure(figure: str, rng: random.Random) -> str | None:
    """Another figure written the way `figure` is (decimals, thousands commas, years near), or None if unchanged."""
    raw = figure.replace(",", "")
    try:
        value = float(raw)
    except ValueError:
        return None
    if "." in raw:
        decimals = len(raw.split(".")[1])
        other = f"{value * rng.choice([0.5, 0.7, 1.3, 1.8, 2.1]) + rng.choice([0, 0.3]):.{decimals}f}"
    elif 1000 <= value <= 2100 and "," not in figure:
        other = str(int(value) + rng.choice([-50, -20, -10, -7, -3, -2, -1, 1, 2, 3, 5, 8, 12, 30]))
    else:
        if value < 20:
            moved = int(value) + rng.choice([-2, -1, 1, 2, 3, 7])
        else:
            moved = int(value * rng.choice([0.4, 0.6, 0.8, 1.2, 1.5, 2, 3])) + rng.choice([0, 1, 3])
        other = f"{max(0, moved):,}" if "," in figure else str(max(0, moved))
    return None if other == figure else other


def date(text: str, rng: random.Random) -> Edit | None:
    """A month or a day of the week replaced by another; CONTRADICTION."""
    for names in rng.sample((MONTHS, DAYS), 2):
        match = re.search(r"\b(" + "|".join(names) + r")\b", text)
        if match:
            other = rng.choice([name for name in names if name != match.group()])
            return text[: match.start()] + other + text[match.end() :], CONTRADICTION
    return None


def unit(text: str, rng: random.Random) -> Edit | None:
    """The unit after a figure replaced by another unit of the same quantity; CONTRADICTION."""
    match = re.search(r"(?:\d|" + "|".join(WORD_NUMBERS) + r")[ -]?(?=[a-zµ%])", text)
    if not match:
        return None
    tail = _replace(text[match.end() :][:18], [(a, *b) for a, *b in UNITS], rng)
    return None if tail is None else (text[: match.end()] + tail + text[match.end() + 18 :], CONTRADICTION)


def negation(text: str, rng: random.Random) -> Edit | None:
    """A negation taken out where there is one, put in where there is none; CONTRADICTION."""
    match = _NEGATED.search(text)
    if match:
        kept = "can" if match.group() == "cannot" else match.group(1)
        return text[: match.start()] + kept + text[match.end() :], CONTRADICTION
    match = _AUXILIARY.search(text)
    if match:
        aux = match.group()
        forms = [f"{aux} not", f"{aux} not", f"{aux} never"] + (
            [f"{aux} no longer"] if aux in ("is", "are", "was") else []
        )
        if aux.endswith(" been"):
            forms = [aux.replace(" been", " not been"), aux.replace(" been", " never been")]
        elif aux in ("is", "are", "was", "were", "does", "did", "would", "could", "should", "do"):
            forms.append(f"{aux}n't")
        return text[: match.start()] + rng.choice(forms) + text[match.end() :], CONTRADICTION
    for match in re.finditer(r"\b[a-z]+\b", text):
        base = VERBS.get(match.group())
        if base:
            helper = "does" if match.group().endswith("s") else "did"
            form = rng.choice([f"{helper} not {base}", f"{helper} not {base}", f"never {match.group()}"])
            return text[: match.start()] + form + text[match.end() :], CONTRADICTION
    return None


def opposite(text: str, rng: random.Random) -> Edit | None:
    """A word replaced by its opposite (higher / lower, before / after, won / lost, with / without); CONTRADICTION."""
    pairs = [pair if rng.random() < 0.5 else pair[::-1] for pair in OPPOSITES]
    edited = _replace(text, pairs, rng)
    return None if edited is None else (edited, CONTRADICTION)


def population(text: str, rng: random.Random) -> Edit | None:
    """The group spoken of replaced by another (adults / children, mice / humans); NOT_ENTAILED."""
    edited = _replace(text, POPULATIONS, rng)
    return None if edited is None else (edited, NOT_ENTAILED)


def hedge(text: str, rng: random.Random) -> Edit | None:
    """A hedge or a weak quantifier made firm (may → will, some → all, suggests → proves); NOT_ENTAILED."""
    edited = _replace(text, HEDGES, rng)
    return None if edited is None else (edited, NOT_ENTAILED)


def causality(text: str, rng: random.Random) -> Edit | None:
    """An association made a cause; NOT_ENTAILED."""
    edited = _replace(text, CAUSES, rng)
    return None if edited is None else (edited, NOT_ENTAILED)


def weaker(text: str, rng: random.Random) -> Edit | None:
    """A statement made weaker than its evidence (is → may be, all → some), which the evidence still entails."""
    edited = _replace(text, WEAKER, rng)
    return None if edited is None else (edited, ENTAILMENT)


def entities(text: str) -> list[str]:
    """The capitalised names inside `text` (never its first word), in order."""
    return [match.group() for match in _ENTITY.finditer(text)]


def entity(names: Sequence[str]) -> Perturbation:
    """A perturbation that puts another name of as many words, taken from `names`, in a name's place; NOT_ENTAILED."""
    by_length: dict[int, list[str]] = {}
    for name in names:
        by_length.setdefault(len(name.split()), []).append(name)

    def swap(text: str, rng: random.Random) -> Edit | None:
        matches = list(_ENTITY.finditer(text))
        if not matches:
            return None
        match = rng.choice(matches)
        other = rng.choice(by_length.get(len(match.group().split()), [match.group()]))
        if other in text:
            return None
        return text[: match.start()] + other + text[match.end() :], NOT_ENTAILED

    return swap


def only_changed_part_of(before: str, after: str, evidence: str) -> bool:
    """Whether the words the edit took out stand in the evidence, and those it put in do not."""
    old, new = _words(before), _words(after)
    removed = [w for w in old if w not in new]
    added = [w for w in new if w not in old]
    there = set(_words(evidence))
    return all(w in there for w in removed) and not any(w in there for w in added) and bool(added)


def shortened(sentence: str, rng: random.Random) -> str:
    """The sentence, or (one time in three) the sentence without a bracket or a clause set off by commas."""
    if rng.random() < 0.67:
        return sentence
    shorter = re.sub(r"\s*\([^()]*\)", "", sentence)
    if shorter == sentence:
        shorter = re.sub(r", (?:which|who|where|including|such as)[^,]*(?:,|(?=\.$))", "", sentence)
    return shorter if len(shorter.split()) >= 5 else sentence


def _words(text: str) -> list[str]:
    """Words and figures in lower case."""
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).split()


SYMMETRIC: Final[Mapping[str, Perturbation]] = {
    "number": number, "date": date, "unit": unit, "negation": negation, "opposite": opposite, "population": population,
}  # fmt: skip
"""Edits that may be made on either side: of the claim against whole evidence, or of the evidence."""

ONE_SIDED: Final[Mapping[str, Perturbation]] = {"hedge": hedge, "causality": causality, "weaker": weaker}
"""Edits of the claim alone: the other way round the evidence would still entail the claim."""
