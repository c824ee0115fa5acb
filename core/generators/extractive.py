"""Sentences of the sources, word for word: no model writes anything, and what is served says that it is excerpts.

A sentence is taken when it lies near the question in meaning, or holds most of its words and is not far. Each becomes a
claim of its own that quotes itself and cites the passage it stands in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from core.asking import Trouble
from core.generators import FIRST_WORDS, Generation, Generator, Tell
from core.markers._all import find_all
from core.models import Evidence, GeneratorName, GivenClaim
from core.sentences import sentences
from core.settings import Settings
from core.spend import Call
from core.windows import shared
from core.words import words

VERSION = 1

MODEL = "embed"

NEAR = 0.50
"""Least cosine of question and sentence."""

NOT_FAR, WORDS = 0.35, 0.70
"""Least cosine of a sentence that holds at least this share of the question's words."""

MOST = 3
"""Sentences of an answer."""

BESIDE = 0.75
"""Share of the best sentence's cosine below which another one is left out."""

_FEWEST_WORDS = 4

EXCERPTS = "excerpts: sentences of the sources, word for word"
"""The note that says what such an answer is."""


class Embeds(Protocol):
    """Text → a vector of length 1; ``core.inference.Embedder`` is one."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text."""
        ...


class _Candidate(NamedTuple):
    text: str
    cite: str


class ExtractiveGenerator:
    """Picks and cites sentences; see the module.

    Args:
        model: The embedder.
    """

    shared = True
    repairs = False

    def __init__(self, model: Embeds) -> None:
        """Keep the embedder; there is no other state."""
        self._model = model

    @property
    def name(self) -> GeneratorName:
        """Its number; there is no model that writes."""
        return GeneratorName(name=f"extractive@{VERSION}")

    def spent(self) -> list[Call]:
        """Nothing: it is free."""
        return []

    def generate(
        self,
        query: str,
        evidence: Sequence[Evidence],
        tell: Tell,
        repair: Sequence[str] = (),
        previous: Sequence[GivenClaim] = (),
    ) -> Generation | Trouble:
        """Pick sentences, the nearest first; no claims when none is near enough."""
        chosen = self._choose(query, evidence)
        tell(FIRST_WORDS)
        claims = tuple(GivenClaim(text=one.text, citation_ids=(one.cite,), quotes=(one.text,)) for one in chosen)
        return Generation(
            answer=" ".join(one.text for one in chosen), claims=claims, notes=(EXCERPTS,) if claims else ()
        )

    def _choose(self, query: str, evidence: Sequence[Evidence]) -> list[_Candidate]:
        found = candidates(evidence)
        if not found:
            return []
        vectors = self._model.embed([query, *(one.text for one in found)])
        cosines = vectors[1:] @ vectors[0]
        asked = words(query)
        passing = [
            (float(cosine), one)
            for cosine, one in zip(cosines, found, strict=True)
            if cosine >= NEAR or (cosine >= NOT_FAR and shared(asked, words(one.text)) >= WORDS)
        ]
        best = sorted(passing, key=lambda pair: (-round(pair[0], 5), pair[1].text, pair[1].cite))
        return [one for cosine, one in best if cosine >= BESIDE * best[0][0]][:MOST]


def build(settings: Settings) -> Generator:
    """Build it on the bundled embedder.

    Raises:
        VerifierUnavailable: The embedder is missing or damaged.
    """
    from core.inference import load_embedder
    from core.model_folder import locate

    return ExtractiveGenerator(load_embedder(locate(MODEL)))


def candidates(evidence: Sequence[Evidence]) -> list[_Candidate]:
    """The sentences that may stand on their own, each once, with the passage it was found in first."""
    ids = frozenset(entry.id for entry in evidence)
    found: dict[str, str] = {}
    for entry in evidence:
        for start, end in sentences(entry.text):
            text = " ".join(entry.text[start:end].split())
            if len(text.split()) >= _FEWEST_WORDS and not text.endswith("?") and not find_all(text, ids, {}):
                found.setdefault(text, entry.id)
    return [_Candidate(text, cite) for text, cite in found.items()]
