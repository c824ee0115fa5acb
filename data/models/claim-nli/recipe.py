"""What a run of `train.py` is made from, the rows of its epochs, and the file that its figures go to."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mix
from generated import Generator


@dataclass(frozen=True)
class Recipe:
    """Everything a run is made from."""

    gold: Path
    base: Path
    title: str
    tokens: int
    seed: int
    workers: int
    threads: int
    out: Path
    work: Path
    soft_labels: Path | None
    smoke: bool
    resume: bool

    @property
    def checkpoint(self) -> Path:
        """Where training is kept."""
        return self.work / "checkpoint.pt"


class Epochs:
    """The rows of each epoch for a seed."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.mix = mix.read_mix(recipe.gold)
        self.generator = Generator(self.mix.train)

    def rows(self, epoch: int) -> list[mix.Row]:
        """Human rows and generated rows of an epoch, in a fixed order."""
        seed, scale = self.recipe.seed, 0.02 if self.recipe.smoke else 1.0
        rows = mix.human_rows(self.mix.train, random.Random(f"{seed}-{epoch}-human"))
        return rows + self.generator.rows(random.Random(f"{seed}-{epoch}-generated"), scale)


def note(recipe: Recipe, figures: dict[str, Any]) -> dict[str, Any]:
    """Add figures to `out`/measured.json; returns all of them."""
    path = recipe.out / "measured.json"
    known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known.update(figures)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return known
