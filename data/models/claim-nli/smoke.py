"""What `train.py --smoke` trains on: a few pairs from the repository's own files, and a tiny random base model.

Nothing outside the repository is needed and nothing good comes of it: it shows that the recipe runs from mix to card.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mix import split_sentences

SMOKE_TOKENS: Final = 60_000
_PAIRS: Final = 500


def write_gold(data: Path, folder: Path) -> Path:
    """A gold folder (train and dev) made from `data`/gold/minimal_pairs and sentences of `data`/samples/corpus."""
    rows = [*_minimal_pairs(data / "gold" / "minimal_pairs"), *_sentence_pairs(data / "samples" / "corpus")]
    random.Random(1).shuffle(rows)
    for part, chosen in (("train", rows[:_PAIRS]), ("dev", rows[_PAIRS : _PAIRS + 120])):
        (folder / part).mkdir(parents=True, exist_ok=True)
        lines = [json.dumps({**row, "split": part}) + "\n" for row in chosen]
        (folder / part / "smoke.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def _minimal_pairs(folder: Path) -> Iterator[dict[str, str]]:
    """Pairs that agree as supported, the others as not supported."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            label = "supported" if record["agrees"] else "not_supported"
            yield {"dataset": "smoke", "claim": record["claim"], "evidence": record["evidence"], "label": label}


def _sentence_pairs(folder: Path) -> Iterator[dict[str, str]]:
    """Sentences with the text around them, and with text from elsewhere."""
    texts = [split_sentences(" ".join(path.read_text(encoding="utf-8").split())) for path in sorted(folder.iterdir())]
    rng = random.Random(2)
    for number, sentences in enumerate(texts):
        for at, sentence in enumerate(sentences):
            if not 6 <= len(sentence.split()) <= 40:
                continue
            around = " ".join(sentences[max(0, at - 1) : at + 2])
            yield {"dataset": "smoke", "claim": sentence, "evidence": around, "label": "supported"}
            other = texts[(number + 1) % len(texts)]
            start = rng.randrange(len(other))
            elsewhere = " ".join(other[start : start + 3])
            yield {"dataset": "smoke", "claim": sentence, "evidence": elsewhere, "label": "irrelevant"}


def write_base(tokenizer: Path, folder: Path) -> Path:
    """A BERT of two narrow layers with random weights and the tokenizer at `tokenizer`."""
    import torch
    from tokenizers import Tokenizer
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(1)
    size = Tokenizer.from_file(str(tokenizer)).get_vocab_size()
    config = BertConfig(
        vocab_size=size, hidden_size=64, num_hidden_layers=2, num_attention_heads=2, intermediate_size=128, num_labels=3
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    shutil.copy(tokenizer, folder / "tokenizer.json")
    return folder
