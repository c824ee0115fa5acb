"""The other baseline: how near do the embeddings of the claim and of a passage of the cited text lie?

Passages are one or two adjacent sentences, and the whole text where the model reads it at once; the nearest one counts.
Nearness is of subject more than of statement: a denied sentence lies beside the one it denies. The threshold is global,
fitted on public training pairs with every set weighing the same: ``citedesk bench --verifier cosine --fit cosine
--sample 100`` over ``gold/train``, 1,491 pairs of 14 sets, mean balanced accuracy 0.649 there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.comparability import obstacle
from core.errors import VerifierUnavailable
from core.inference import Encoded, Tokens
from core.model_folder import ModelConfig
from core.models import Failure, Judgement, Label, Pair, Status
from core.protocol import VerifierProtocol
from core.settings import Settings
from core.text import Span
from core.verifiers import Verifier
from core.windows import EvidenceText, take_apart
from core.words import words

VERSION = 1

MODEL = "embed"

THRESHOLDS = {"supported": 0.64}
"""Least cosine for the label."""

WINDOWING = "nearest of 1-2 adjacent sentences and the whole"

CHARACTERS_AT_ONCE = 1_000_000
"""Code points of evidence whose passages are embedded together."""

_AROUND = 8
"""Tokens kept free for those that a tokenizer sets around a text."""


class Embeds(Protocol):
    """Text → a vector; ``core.inference.Embedder`` is one."""

    @property
    def config(self) -> ModelConfig:
        """What the model says about itself."""
        ...

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokens of each text."""
        ...

    def encode_with_places(self, text: str) -> Encoded:
        """Tokens of one text and where each stands in it."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row of length 1 for each text."""
        ...


class CosineVerifier:
    """Compares embeddings; see the module.

    Args:
        model: The embedder.
        thresholds: ``supported``, in [0, 1].
        sentences: Splits a text into the spans of its sentences.
    """

    def __init__(self, model: Embeds, thresholds: dict[str, float], sentences: Callable[[str], Sequence[Span]]) -> None:
        """Keep the configuration; there is no other state."""
        self._model = model
        self._thresholds = thresholds
        self._sentences = sentences
        self._room = model.config.max_tokens - _AROUND

    @cached_property
    def protocol(self) -> VerifierProtocol:
        """Version, model, weights, threshold and windowing."""
        config = self._model.config
        return VerifierProtocol(
            verifier="cosine",
            version=VERSION,
            model=f"{config.name}@{config.version}",
            weights=config.sha256,
            thresholds=dict(self._thresholds),
            windowing=WINDOWING,
        )

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair on its own; a text that several pairs share is taken apart once."""
        return [one for group in _groups(pairs) for one in self._judge_group(group)]

    def _judge_group(self, pairs: Sequence[Pair]) -> list[Judgement]:
        texts = {text: self._take_apart(text) for text in dict.fromkeys(pair.evidence for pair in pairs)}
        passages = {text: _passages(found, self._room // 2) for text, found in texts.items()}
        failed = {pair: one for pair in pairs if (one := self._trouble(pair, texts[pair.evidence])) is not None}
        wanted = dict.fromkeys(pair.claim for pair in pairs if pair not in failed)
        for text in dict.fromkeys(pair.evidence for pair in pairs if pair not in failed):
            wanted.update({text[start:end]: None for start, end in passages[text]})
        rows = {text: row for row, text in enumerate(wanted)}
        vectors = self._model.embed(list(rows))
        found = []
        for pair in pairs:
            if pair in failed:
                found.append(failed[pair])
                continue
            near = vectors[[rows[pair.evidence[start:end]] for start, end in passages[pair.evidence]]]
            found.append(
                self._judgement(near @ vectors[rows[pair.claim]], passages[pair.evidence], texts[pair.evidence])
            )
        return found

    def _take_apart(self, text: str) -> EvidenceText:
        """Pieces of at most half of what the model reads, so that any two adjacent ones can be read together."""
        model = self._model
        return take_apart(text, self._sentences(text), model.encode, model.encode_with_places, self._room // 2)

    def _trouble(self, pair: Pair, text: EvidenceText) -> Judgement | None:
        """The failure of a pair that cannot be compared; none when it can."""
        if found := obstacle(words(pair.claim), text.words):
            return Judgement(status=Status.FAILED, failure=found.failure, reason=found.reason)
        (claim,) = self._model.encode([pair.claim])
        if len(claim) > self._room:
            reason = f"The claim has {len(claim)} tokens, and the embedder reads {self._room}"
            return Judgement(status=Status.FAILED, failure=Failure.TOO_LONG, reason=reason)
        return None

    def _judgement(self, cosines: NDArray[np.float32], passages: Sequence[Span], text: EvidenceText) -> Judgement:
        best = int(cosines.argmax())
        nearness = min(1.0, max(0.0, float(cosines[best])))
        supported = nearness >= self._thresholds["supported"]
        return Judgement(
            status=Status.JUDGED,
            label=Label.SUPPORTED if supported else Label.IRRELEVANT,
            scores={"cosine": round(nearness, 4)},
            start=passages[best][0],
            end=passages[best][1],
            tokens_seen=text.total,
            tokens_total=text.total,
            reason=f"The nearest passage has a cosine of {nearness:.2f} with the claim",
        )


def build(settings: Settings) -> Verifier:
    """Build the baseline on the bundled embedder, with the threshold that the settings override.

    Raises:
        VerifierUnavailable: The embedder is missing or damaged, a threshold that there is not, or one outside [0, 1].
    """
    from core.extraction import sentences  # brings the sentence splitter, which listing verifiers does not need
    from core.inference import load_embedder
    from core.model_folder import locate

    for name, value in settings.thresholds.items():
        if name not in THRESHOLDS:
            raise VerifierUnavailable(
                f"The cosine verifier has no threshold called {name!r}", f"set one of: {', '.join(THRESHOLDS)}"
            )
        if not 0 <= value <= 1:
            raise VerifierUnavailable(f"The threshold {name!r} is {value}", "give a number from 0 to 1")
    return CosineVerifier(load_embedder(locate(MODEL)), THRESHOLDS | settings.thresholds, sentences)


def _passages(text: EvidenceText, whole: int) -> list[Span]:
    """One piece, two adjacent ones, and all of them when there are more and they have at most ``whole`` tokens."""
    pieces = text.pieces
    found = [(one.start, one.end) for one in pieces]
    found += [(one.start, other.end) for one, other in pairwise(pieces)]
    return [*found, (pieces[0].start, pieces[-1].end)] if len(pieces) > 2 and text.total <= whole else found


def _groups(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Cut pairs into lists with a bounded sum of distinct evidence, in order."""
    group: list[Pair] = []
    texts: set[str] = set()
    size = 0
    for pair in pairs:
        new = 0 if pair.evidence in texts else len(pair.evidence)
        if group and size + new > CHARACTERS_AT_ONCE:
            yield group
            group, texts, size, new = [], set(), 0, len(pair.evidence)
        group.append(pair)
        texts.add(pair.evidence)
        size += new
    if group:
        yield group
