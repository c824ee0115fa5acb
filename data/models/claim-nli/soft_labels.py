"""Let a trained teacher speak on every row a student will see: lines for `train.py --soft-labels`.

    python data/models/claim-nli/soft_labels.py --teacher-base mpnet --checkpoint RUN/checkpoint.pt --to soft.jsonl

The rows are those of the student's seed; a row that several epochs share is asked once.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import torch

import train
from bases import find_base
from examples import Example, load_tokenizer, tokenise
from export import checkpoint_model
from mix import Row
from recipe import Epochs
from training import forward

_BATCH_TOKENS = 4096


def main() -> None:
    """Write evidence, claim and probabilities of every distinct row of the first epochs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teacher-base", default="mpnet")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--to", type=Path, required=True)
    asked, rest = parser.parse_known_args()
    recipe, _ = train.arguments(rest)
    base, _ = find_base(asked.teacher_base, train.ROOT / "data" / "local" / "claim-nli" / "bases")
    model = checkpoint_model(base, asked.checkpoint, "average").to(torch.bfloat16)
    epochs = Epochs(replace(recipe, smoke=False))
    rows = list(
        {(row.evidence, row.claim): row for epoch in range(asked.epochs) for row in epochs.rows(epoch)}.values()
    )
    examples = tokenise(rows, load_tokenizer(base))
    order = sorted(range(len(rows)), key=lambda index: len(examples[index].ids))
    with asked.to.open("w", encoding="utf-8") as lines:
        group: list[int] = []
        for index in order:
            if group and len(examples[index].ids) * (len(group) + 1) > _BATCH_TOKENS:
                _write(model, group, rows, examples, lines)
                group = []
            group.append(index)
        _write(model, group, rows, examples, lines)


def _write(model: torch.nn.Module, group: list[int], rows: list[Row], examples: list[Example], lines: object) -> None:
    """One batch of rows as lines."""
    with torch.no_grad():
        found = forward(model, [examples[index] for index in group]).float().softmax(-1).tolist()
    for index, probabilities in zip(group, found, strict=True):
        said = [round(value, 4) for value in probabilities]
        record = {"evidence": rows[index].evidence, "claim": rows[index].claim, "probabilities": said}
        print(json.dumps(record), file=lines)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
