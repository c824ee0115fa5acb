"""Rows made from the licensed pairs: long evidence, edited claims, taken-out keys, verbatim sentences, joined claims.

Every row follows from labels people gave or from an edit whose effect is known. Distractor sentences are taken from
texts that share rare words with the evidence, so that topic alone tells nothing, and positives are made as often as
negatives at every length, so that length tells nothing either.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mix import WINDOW_WORDS, Pair, Row, normal, split_sentences, window
from perturbations import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NOT_ENTAILED,
    ONE_SIDED,
    SYMMETRIC,
    Perturbation,
    entities,
    entity,
    negation,
    only_changed_part_of,
    shortened,
)

PER_EPOCH: Final[Mapping[str, int]] = {
    "context": 3500, "swapped": 1500, "edited": 3800, "verbatim": 2000, "joined": 1400, "own_text": 2000,
}  # fmt: skip
"""Rows (for `verbatim` and `edited`: sentences, one to three rows each) made of each kind in an epoch."""

CAPTIONS: Final = frozenset({"snli", "cad_nli"})
DIALOGUE: Final = frozenset({"begin_cmu", "begin_wow"})
_COMMON: Final = frozenset(
    "the a an of in on at to for and or is are was were be been by with from as that this it its his her their he she"
    " they".split()
)


class Generator:
    """Makes rows from `pairs`; all texts, names and word indexes it draws on come from those pairs alone."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        """Index the sentences of `pairs` (captions aside) by their words, and collect the names they contain."""
        self.pairs = [pair for pair in pairs if pair.source not in CAPTIONS]
        texts: dict[str, None] = {}
        self.documents: list[tuple[str, ...]] = []
        seen: set[tuple[str, ...]] = set()
        for pair in self.pairs:
            sentences = pair.sentences or tuple(split_sentences(pair.evidence))
            if sentences in seen:
                continue
            seen.add(sentences)
            self.documents.append(sentences)
            texts.update(dict.fromkeys(s for s in sentences if 6 <= len(s.split()) <= 50))
        self.sentences = list(texts)
        self.postings: dict[str, list[int]] = defaultdict(list)
        for number, sentence in enumerate(self.sentences):
            for word in set(normal(sentence).split()) - _COMMON:
                self.postings[word].append(number)
        names = Counter(name for sentence in self.sentences for name in entities(sentence))
        self.swap_entity = entity(sorted(name for name, count in names.items() if count >= 2))
        self.kinds: dict[str, Perturbation] = {**SYMMETRIC, **ONE_SIDED, "entity": self.swap_entity}

    def rows(self, rng: random.Random, scale: float = 1.0) -> list[Row]:
        """The generated rows of one epoch; `scale` multiplies the counts of `PER_EPOCH`."""
        made: list[Row] = []
        for kind, make in (
            ("context", self._context), ("swapped", self._swapped), ("edited", self._edited),
            ("verbatim", self._verbatim), ("joined", self._joined), ("own_text", self._own_text),
        ):  # fmt: skip
            wanted = int(PER_EPOCH[kind] * scale)
            rounds = make(rng)
            for _ in range(wanted):
                made.extend(next(rounds, ()))
        return [row for row in made if row.evidence.strip() and row.claim.strip()]

    def similar(self, text: str, rng: random.Random, count: int) -> list[str]:
        """Up to `count` sentences that share a rare word with `text`, filled up with random ones."""
        words = [w for w in set(normal(text).split()) if 2 <= len(self.postings.get(w, ())) <= 400]
        words.sort(key=lambda word: (len(self.postings[word]), word))
        own = normal(text)
        found: dict[str, None] = {}
        for word in words[:8]:
            for number in rng.sample(self.postings[word], min(3, len(self.postings[word]))):
                sentence = self.sentences[number]
                if normal(sentence) not in own:
                    found[sentence] = None
        chosen = list(found)
        rng.shuffle(chosen)
        chosen = chosen[: max(1, count * 2 // 3)]
        while len(chosen) < count:
            chosen.append(rng.choice(self.sentences))
        return chosen

    def surrounded(self, parts: Sequence[str], rng: random.Random, words: int) -> str:
        """`parts`, in order, among similar sentences up to about `words` words; the parts stay whole."""
        total = sum(len(part.split()) for part in parts)
        around = []
        for sentence in self.similar(" ".join(parts), rng, 9):
            if total + len(sentence.split()) > words:
                continue
            around.append(sentence)
            total += len(sentence.split())
        if rng.random() < 0.5:
            cut = rng.randrange(len(around) + 1)
            return " ".join([*around[:cut], *parts, *around[cut:]])
        for part in parts:
            around.insert(rng.randrange(len(around) + 1), part)
        return " ".join(around)

    def _context(self, rng: random.Random) -> Iterator[list[Row]]:
        """Labelled pairs whose short evidence is set among similar sentences: the label stays."""
        pool = [p for p in self.pairs if p.source not in DIALOGUE and len(p.evidence.split()) <= 90 and p.target != 3]
        by_target = {target: [p for p in pool if p.target == target] for target in (0, 1, 2)}
        while True:
            target = rng.choices((ENTAILMENT, CONTRADICTION, NEUTRAL), (55, 32, 13))[0]
            pair = rng.choice(by_target[target] or pool)
            yield [Row(self.surrounded([pair.evidence], rng, _length(rng)), pair.claim, pair.target, "gen_context")]

    def _swapped(self, rng: random.Random) -> Iterator[list[Row]]:
        """A claim with sentences that share rare words with it, none of them its evidence."""
        while True:
            pair = rng.choice(self.pairs)
            words = set(normal(pair.claim).split()) - _COMMON
            own = normal(pair.evidence)
            near = []
            for sentence in self.similar(pair.claim, rng, rng.choice([1, 1, 2, 4, 7])):
                shared = set(normal(sentence).split()) & words
                if len(shared) <= 0.5 * len(words) and normal(sentence) not in own:
                    near.append(sentence)
            yield [Row(" ".join(near), pair.claim, NEUTRAL, "gen_swapped")] if near else []

    def _edited(self, rng: random.Random) -> Iterator[list[Row]]:
        """Supported pairs with one edit, on either side, beside the pair as it was (so that no word tells alone)."""
        pool = [p for p in self.pairs if p.target == ENTAILMENT and len(p.evidence.split()) <= 120]
        names = sorted(self.kinds)
        while True:
            pair = rng.choice(pool)
            order = rng.sample(names, len(names))
            yield next(filter(None, (self._edit_pair(pair, name, rng) for name in order)), [])

    def _edit_pair(self, pair: Pair, name: str, rng: random.Random) -> list[Row]:
        """One edit of kind `name` to a supported pair, sometimes beside the pair itself; [] where it has no place."""
        edit = self.kinds[name](pair.claim, rng)
        if edit is None or (name == "weaker" and rng.random() < 0.7):
            return []
        claim, target = edit
        if name in ("number", "entity", "date") and not only_changed_part_of(pair.claim, claim, pair.evidence):
            return []
        evidence = pair.evidence
        if rng.random() < 0.4:
            evidence = self.surrounded([evidence], rng, _length(rng))
        rows = [Row(evidence, claim, target, f"gen_{name}")]
        if rng.random() < 0.4:
            rows.append(Row(evidence, pair.claim, ENTAILMENT, f"gen_{name}_kept"))
        return rows

    def _verbatim(self, rng: random.Random) -> Iterator[list[Row]]:
        """A sentence in its own text: as it stands, shortened, edited on one side, or with the sentence taken out."""
        while True:
            document = rng.choice(self.documents)
            number = rng.randrange(len(document))
            sentence = document[number]
            if not 6 <= len(sentence.split()) <= 45 or not re.match(r"[A-Z].*[.!?]$", sentence.strip()):
                continue
            yield self._verbatim_rows(document, number, rng)

    def _verbatim_rows(self, document: tuple[str, ...], number: int, rng: random.Random) -> list[Row]:
        """Up to three rows about sentence `number` of `document`."""
        sentence = document[number]
        length = rng.choice([1, 40, 80, 120, WINDOW_WORDS])
        around = window(document, [number], rng, length) if length > 1 else sentence
        if length > 80 and len(around.split()) < 60:
            around = self.surrounded([sentence], rng, length)
        rows = [Row(around, shortened(sentence, rng), ENTAILMENT, "gen_verbatim")]
        for name in rng.sample(sorted(self.kinds), len(self.kinds)):
            edit = self.kinds[name](sentence, rng)
            if edit is None or (name == "weaker" and rng.random() < 0.7):
                continue
            text, target = edit
            if name in SYMMETRIC and rng.random() < 0.5:
                rows.append(Row(around.replace(sentence, text), sentence, target, f"gen_{name}"))
            else:
                rows.append(Row(around, text, target, f"gen_{name}"))
            if name == "negation" or rng.random() < 0.15:
                both = negation(sentence, random.Random(rng.random()))
                if both is not None:
                    rows.append(Row(around.replace(sentence, both[0]), both[0], ENTAILMENT, "gen_negation_both"))
            break
        if rng.random() < 0.35:
            rest = [i for i in range(len(document)) if i != number and document[i] != sentence]
            if len(rest) >= 3:
                without = tuple(document[i] for i in rest)
                centre = min(range(len(rest)), key=lambda i: abs(rest[i] - number))
                rows.append(
                    Row(window(without, [centre], rng, max(length, 60)), sentence, NOT_ENTAILED, "gen_taken_out")
                )
        return rows

    def _joined(self, rng: random.Random) -> Iterator[list[Row]]:
        """Two supported claims joined: entailed where both evidences stand there, not entailed where one is missing."""
        pool = [
            p for p in self.pairs
            if p.target == ENTAILMENT and p.source not in DIALOGUE
            and len(p.evidence.split()) <= 60 and len(p.claim.split()) <= 22
        ]  # fmt: skip
        by_word: dict[str, list[Pair]] = defaultdict(list)
        for pair in pool:
            for word in sorted(set(normal(pair.claim).split()) - _COMMON):
                by_word[word].append(pair)
        while True:
            first = rng.choice(pool)
            second = self._companion(first, by_word, rng) or rng.choice(pool)
            one, two = first.claim.strip().rstrip(" ."), second.claim.strip().rstrip(" .")
            claim = rng.choice([f"{one}, and {two}.", f"{one}; {two}.", f"{one}. {two}.", f"{one}, while {two}."])
            whole = rng.random() < 0.5
            parts = [first.evidence, second.evidence] if whole else [rng.choice([first, second]).evidence]
            target = ENTAILMENT if whole else NOT_ENTAILED
            yield [Row(self.surrounded(parts, rng, _length(rng)), claim, target, "gen_joined")]

    def _companion(self, first: Pair, by_word: Mapping[str, Sequence[Pair]], rng: random.Random) -> Pair | None:
        """A pair on a like topic (it shares a rare word of the claim) that states something else on other evidence."""
        words = set(normal(first.claim).split()) - _COMMON
        for word in sorted(words, key=lambda word: (len(by_word[word]), word)):
            if not 2 <= len(by_word[word]) <= 200:
                continue
            second = rng.choice(by_word[word])
            shared = words & set(normal(second.claim).split())
            if len(shared) <= 0.4 * len(words) and normal(second.evidence) != normal(first.evidence):
                return second
        return None

    def _own_text(self, rng: random.Random) -> Iterator[list[Row]]:
        """Pairs whose key sentences are known, in a window of their own text, or with the key taken out of it."""
        pool = [p for p in self.pairs if p.key and len(p.sentences) - len(p.key) >= 2 and p.source != "citint"]
        kept = [p for p in pool if p.target in (ENTAILMENT, CONTRADICTION, NOT_ENTAILED) and len(p.key) <= 6]
        positive = [p for p in kept if p.target == ENTAILMENT]
        while True:
            if not kept:
                return
            pair = rng.choice(positive if positive and rng.random() < 0.4 else kept)
            if rng.random() < 0.75:
                evidence = window(pair.sentences, pair.key, rng, _length(rng))
                yield [Row(_cut(evidence), pair.claim, pair.target, "gen_own_text")]
                continue
            without = tuple(s for i, s in enumerate(pair.sentences) if i not in pair.key)
            evidence = window(without, [rng.randrange(len(without))], rng, _length(rng))
            yield [Row(_cut(evidence), pair.claim, NOT_ENTAILED, "gen_key_taken_out")]


def _length(rng: random.Random) -> int:
    """A length to fill a window to, in words: short, middling and full windows alike."""
    return rng.choice([50, 80, 110, 140, WINDOW_WORDS, WINDOW_WORDS])


def _cut(text: str) -> str:
    """The first 190 words of `text`: one very long sentence must not fill the memory."""
    return " ".join(text.split()[:190])
