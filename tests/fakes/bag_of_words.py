"""An embedder without a model: texts that share words lie near each other, always in the same way."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.inference import Tokens
from core.model_folder import ModelConfig
from core.ranking import tokens

DIMENSIONS = 256


class BagOfWords:
    """Counts words; remembers every text that it was asked for."""

    def __init__(self, name: str = "bag") -> None:
        """Be a model of this name, with weights of its own."""
        self.config = ModelConfig(
            name=name,
            version=1,
            sha256=hashlib.sha256(name.encode()).hexdigest(),
            inputs=("input_ids",),
            max_tokens=512,
        )
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """One token a word."""
        return [np.arange(len(text.split()), dtype=np.int32) for text in texts]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row of length 1 for each text; of a text without words, one that is near nothing."""
        self.asked.extend(texts)
        found = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in zip(found, texts, strict=True):
            for word in tokens(text) or ["\0"]:
                row[int(hashlib.sha256(word.encode("utf-8", "replace")).hexdigest(), 16) % DIMENSIONS] += 1
            row /= np.linalg.norm(row)
        return found
