"""Rows as token batches: tokenising, teacher's distributions, batches of like lengths, padding."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from tokenizers import Tokenizer
from torch import Tensor

from mix import Row, normal

MAX_TOKENS: Final = 256
_SORT_BLOCK: Final = 4000
"""Rows sorted by length together: enough for even batches, few enough to mix sources."""

SoftLabels = Mapping[tuple[str, str], Sequence[float]]
"""A teacher's distribution over entailment, contradiction and neutral by normalised (evidence, claim)."""


@dataclass(frozen=True, slots=True)
class Example:
    """A tokenised row; `soft` is the teacher's distribution over `LABELS`, where there is one."""

    ids: tuple[int, ...]
    types: tuple[int, ...]
    target: int
    soft: tuple[float, ...] | None


def load_tokenizer(base: Path) -> Tokenizer:
    """The base model's tokenizer, cut to `MAX_TOKENS`, without padding."""
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    return tokenizer


def read_soft_labels(path: Path) -> SoftLabels:
    """Teacher distributions by (evidence, claim), from lines of {evidence, claim, probabilities: [3 numbers]}."""
    found = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            found[(normal(record["evidence"]), normal(record["claim"]))] = tuple(record["probabilities"])
    return found


def tokenise(rows: Sequence[Row], tokenizer: Tokenizer, soft: SoftLabels | None = None) -> list[Example]:
    """The rows as examples, evidence first and claim second."""
    examples = []
    for start in range(0, len(rows), 1000):
        part = rows[start : start + 1000]
        for row, encoding in zip(
            part, tokenizer.encode_batch([(row.evidence, row.claim) for row in part]), strict=True
        ):
            taught = soft.get((normal(row.evidence), normal(row.claim))) if soft else None
            examples.append(
                Example(tuple(encoding.ids), tuple(encoding.type_ids), row.target, tuple(taught) if taught else None)
            )
    return examples


def batches(examples: Sequence[Example], limit: int, rng: random.Random) -> list[list[Example]]:
    """All examples once, shuffled, like lengths together, at most `limit` padded tokens in a batch."""
    order = list(range(len(examples)))
    rng.shuffle(order)
    made: list[list[Example]] = []
    for start in range(0, len(order), _SORT_BLOCK):
        block = sorted(order[start : start + _SORT_BLOCK], key=lambda index: len(examples[index].ids))
        inside: list[list[Example]] = [[]]
        for index in block:
            example = examples[index]
            if inside[-1] and len(example.ids) * (len(inside[-1]) + 1) > limit:
                inside.append([])
            inside[-1].append(example)
        rng.shuffle(inside)
        made.extend(inside)
    return made


def padded(batch: Sequence[Example], padding: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, types and mask of a batch, each (rows, length rounded up to 8); `padding` is the base's padding token."""
    length = -(-max(len(example.ids) for example in batch) // 8) * 8
    ids = torch.full((len(batch), length), padding, dtype=torch.long)
    types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    for row, example in enumerate(batch):
        size = len(example.ids)
        ids[row, :size] = torch.tensor(example.ids)
        types[row, :size] = torch.tensor(example.types)
        mask[row, :size] = 1
    return ids, types, mask
