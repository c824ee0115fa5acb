"""The training rows of one epoch: human-labelled pairs, and rows made from them anew for every epoch.

`Mix` reads the licensed training sets, keeps a hold-out by claim, and yields for each epoch the human rows (repeated as
`REPEATS` says) together with rows of `generated.Generator`. The same seed and epoch give the same rows, byte for byte.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from perturbations import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_ENTAILED

TARGETS: Final[Mapping[str, int]] = {
    "supported": ENTAILMENT,
    "contradicted": CONTRADICTION,
    "irrelevant": NEUTRAL,
    "partial": NOT_ENTAILED,
    "not_supported": NOT_ENTAILED,
}
WINDOW_WORDS: Final = 165
"""Longest evidence, in words, of a row with a claim of usual length: about 230 tokens."""

HELD_OUT_PERCENT: Final = 8
REPEATS: Final[Mapping[str, int]] = {
    "checkcovid": 2, "fm2": 2, "citint": 1, "conjnli": 2, "fever_symmetric": 2, "begin_wow": 2, "begin_cmu": 1,
}  # fmt: skip
"""How often a row of a set is seen in an epoch; 1 where a set is not named."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One labelled pair: `target` as in `perturbations`, `sentences` the wider text, `key` those that carry it."""

    evidence: str
    claim: str
    target: int
    source: str
    sentences: tuple[str, ...] = ()
    key: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Row:
    """One training row: evidence first, claim second, and the set (or generator) it comes from."""

    evidence: str
    claim: str
    target: int
    source: str


@dataclass(frozen=True)
class Mix:
    """The training sets, split into `train` and `held_out` pairs; `counts` says what was read and dropped by set."""

    train: tuple[Pair, ...]
    held_out: tuple[Pair, ...]
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def normal(text: str) -> str:
    """Letters and digits of `text` in lower case, single spaces between: the form in which pairs are compared."""
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


def split_sentences(text: str) -> list[str]:
    """`text` cut at sentence ends (also at the detached full stops of tokenised Wikipedia text)."""
    return [part for part in re.split(r"(?<=[.!?])\s+(?=[A-Z\"(])", text) if part.strip()]


def read_mix(gold: Path) -> Mix:
    """The sets of `gold`/train less rows whose claim or pair stands in `gold`/dev, split by a hash of the claim."""
    claims, pairs = _evaluation_texts(gold / "dev")
    train: list[Pair] = []
    held: list[Pair] = []
    counts: dict[str, Counter[str]] = {}
    for path in sorted((gold / "train").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            pair = _pair(record)
            tally = counts.setdefault(pair.source, Counter())
            tally["read"] += 1
            words = normal(pair.claim)
            if words in claims or (words, normal(pair.evidence)[:200]) in pairs:
                tally["dropped"] += 1
            elif bucket(words) < HELD_OUT_PERCENT:
                tally["held_out"] += 1
                held.append(pair)
            else:
                tally["train"] += 1
                train.append(pair)
    return Mix(tuple(train), tuple(held), {name: dict(tally) for name, tally in counts.items()})


def bucket(words: str) -> int:
    """A number from 0 to 99 fixed by the text: rows of one claim always fall on the same side of the split."""
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:4], "big") % 100


def _evaluation_texts(folder: Path) -> tuple[set[str], set[tuple[str, str]]]:
    """Claims, and pairs, of the evaluation sets; empty where the folder is missing."""
    claims: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            claims.add(normal(record["claim"]))
            pairs.add((normal(record["claim"]), normal(record["evidence"])[:200]))
    return claims, pairs


def _pair(record: Mapping[str, object]) -> Pair:
    """A gold record as a pair; whatever groups of supporting sentences it names are joined into one key."""
    sentences = record.get("evidence_sentences") or []
    groups = record.get("support_idx") or []
    assert isinstance(sentences, list)
    assert isinstance(groups, list)
    key: set[int] = set()
    for group in groups:
        key.update(group if isinstance(group, list) else [group])
    return Pair(
        evidence=str(record["evidence"]),
        claim=str(record["claim"]),
        target=TARGETS[str(record["label"])],
        source=str(record["dataset"]),
        sentences=tuple(str(sentence) for sentence in sentences),
        key=frozenset(index for index in key if 0 <= index < len(sentences)),
    )


def human_rows(pairs: Iterable[Pair], rng: random.Random) -> list[Row]:
    """Every pair as a row, as often as `REPEATS` says; long evidence is cut to a window with the key sentences."""
    rows = []
    for pair in pairs:
        for _ in range(REPEATS.get(pair.source, 1)):
            evidence = pair.evidence
            if pair.source == "citint" or (pair.sentences and len(evidence.split()) > WINDOW_WORDS):
                evidence = window(pair.sentences, pair.key, rng, WINDOW_WORDS, shuffle=pair.source == "citint")
            rows.append(Row(evidence, pair.claim, pair.target, pair.source))
    return rows


def window(
    sentences: tuple[str, ...], key: Iterable[int], rng: random.Random, words: int, *, shuffle: bool = False
) -> str:
    """The `key` sentences with neighbours and random others up to about `words` words, in order or shuffled."""
    kept = set(key)
    total = sum(len(sentences[index].split()) for index in kept)
    near = [index + step for index in sorted(kept) for step in (-1, 1, -2, 2)]
    far = rng.sample(range(len(sentences)), min(len(sentences), 12))
    for index in near + far:
        if 0 <= index < len(sentences) and index not in kept:
            length = len(sentences[index].split())
            if total + length > words + 15:
                continue
            kept.add(index)
            total += length
    order = sorted(kept)
    if shuffle:
        rng.shuffle(order)
    return " ".join(sentences[index] for index in order)


def digest(rows: Iterable[Row]) -> str:
    """SHA-256 over all rows in order: two runs trained on the same data if and only if it is equal."""
    total = hashlib.sha256()
    for row in rows:
        total.update(json.dumps([row.evidence, row.claim, row.target, row.source]).encode())
    return total.hexdigest()
