"""Pairs per second of the int8 graph and of the same model as a float32 torch cross-encoder, on the same pairs."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from core.gold_pairs import DataSet
from core.inference import cores, load_classifier

from examples import MAX_TOKENS
from export import checkpoint_model

_PAIRS: Final = 240
_ROUNDS: Final = 5
_LONGEST_WORDS: Final = 150

TextPair = tuple[str, str]


class Run(Protocol):
    """What of a recipe is needed here."""

    base: Path
    checkpoint: Path
    out: Path
    work: Path
    smoke: bool


def measure(run: Run, sets: Sequence[DataSet], which: str) -> dict[str, Any]:
    """Both rates on pairs of mixed lengths, the rounds taking turns; the ratio is of the medians."""
    import torch
    from sentence_transformers import CrossEncoder
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(run.out / "tokenizer.json"))
    drawn = mixed_pairs(sets, _PAIRS // (8 if run.smoke else 1))
    encoded = zip(drawn, tokenizer.encode_batch(drawn), strict=True)
    kept = {pair: len(encoding.ids) for pair, encoding in encoded if len(encoding.ids) <= MAX_TOKENS}
    pairs, lengths = list(kept), list(kept.values())
    folder = run.work / "torch"
    model: Any = checkpoint_model(run.base, run.checkpoint, which)
    model.save_pretrained(folder)
    _fast_tokenizer(folder, run.out / "tokenizer.json")
    torch.set_num_threads(cores())
    encoder = CrossEncoder(str(folder), device="cpu", max_length=MAX_TOKENS)
    classifier = load_classifier(run.out)
    judges: dict[str, Callable[[], object]] = {
        "torch": lambda: encoder.predict(pairs, batch_size=32, show_progress_bar=False),
        "int8": lambda: classifier.probabilities(pairs),
    }
    taken: dict[str, list[float]] = {name: [] for name in judges}
    for number in range(_ROUNDS + 1):
        for name, judge in judges.items():
            begun = time.perf_counter()
            judge()
            if number:
                taken[name].append(time.perf_counter() - begun)
    medians = {name: sorted(values)[len(values) // 2] for name, values in taken.items()}
    return {
        "pairs": len(pairs),
        "mean_tokens": round(sum(lengths) / len(lengths), 1),
        "cores": cores(),
        "rounds": _ROUNDS,
        "torch_pairs_per_second": round(len(pairs) / medians["torch"], 1),
        "int8_pairs_per_second": round(len(pairs) / medians["int8"], 1),
        "ratio": round(medians["torch"] / medians["int8"], 2),
    }


def mixed_pairs(sets: Sequence[DataSet], count: int) -> list[TextPair]:
    """Pairs of all sets in turns, none longer than one window, in random order."""
    fitting = [
        [
            (one.evidence, one.claim)
            for one in data.pairs
            if len(one.evidence.split() + one.claim.split()) <= _LONGEST_WORDS
        ]
        for data in sets
    ]
    share = -(-count // max(1, sum(bool(own) for own in fitting)))
    rng = random.Random(1)
    found = [pair for own in fitting for pair in rng.sample(own, min(share, len(own)))]
    rng.shuffle(found)
    return found[:count]


def _fast_tokenizer(folder: Path, tokenizer: Path) -> None:
    """The same tokenizer beside the torch model."""
    from transformers import PreTrainedTokenizerFast

    special = {
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "mask_token": "[MASK]",
    }
    PreTrainedTokenizerFast(tokenizer_file=str(tokenizer), model_max_length=256, **special).save_pretrained(folder)
