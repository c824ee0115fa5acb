"""Bundled models at run time: text pairs → probabilities, texts → vectors, with ONNX Runtime on the processor.

Every text is run alone, one on each core: an int8 model scales its activations by all it is given at once, so that in
company a text would get other digits than alone; and without padding it is no slower. Importing this module loads
neither the runtime nor the tokenizer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.model_folder import WEIGHTS, ModelConfig, ModelFiles, read, refuse

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

LABELS = ("entailment", "contradiction", "neutral")
"""What a pair classifier must tell apart; its own order is read from its configuration."""

AT_ONCE = 2048
"""Texts, or pairs, that are held as tokens at once."""

_SHARE = 8
"""Rows that a thread takes at a time."""

Tokens = NDArray[np.int32]
"""Token ids without special tokens."""

Floats = NDArray[np.float32]

_Row = tuple[Tokens, ...]
"""Special tokens and texts in turn: before, first text, between, second text, after."""


class Encoded(NamedTuple):
    """A text as tokens, with the place of each in the text."""

    ids: Tokens
    places: NDArray[np.int64]
    """``(n, 2)``: first and last-plus-one code point of each token."""


class _Model:
    """A session with its tokenizer; what classifier and embedder share."""

    def __init__(self, files: ModelFiles) -> None:
        self.config: ModelConfig = files.config
        self._tokenizer = _tokenizer(files)
        self._session = _session(files)

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokens of each text, in order; the same text twice is read once."""
        distinct = list(dict.fromkeys(texts))
        found = self._tokenizer.encode_batch_fast([_plain(text) for text in distinct], add_special_tokens=False)
        ids = {text: np.asarray(one.ids, dtype=np.int32) for text, one in zip(distinct, found, strict=True)}
        return [ids[text] for text in texts]

    def encode_with_places(self, text: str) -> Encoded:
        """Tokens of one text and where each stands in it."""
        found = self._tokenizer.encode(_plain(text), add_special_tokens=False)
        places = np.asarray(found.offsets, dtype=np.int64).reshape(-1, 2)
        return Encoded(np.asarray(found.ids, dtype=np.int32), places)

    def _frame(self, pair: bool) -> tuple[list[Tokens], int]:
        """The special tokens around (and between) texts and the type of the last text, as the tokenizer sets them."""
        found = self._tokenizer.encode("a", "a") if pair else self._tokenizer.encode("a")
        own = [at for at, special in enumerate(found.special_tokens_mask) if not special]
        borders = [-1, *own, len(found.ids)]
        parts = [found.ids[one + 1 : two] for one, two in pairwise(borders)]
        return [np.asarray(part, dtype=np.int32) for part in parts], found.type_ids[own[-1]]

    def _run(self, rows: Sequence[_Row], second: int, into: Callable[[int, NDArray[Any]], None]) -> None:
        """Run rows, each alone, on all cores; ``into`` is given the index and the output of each, in any order."""

        def run(start: int) -> None:
            for index, row in enumerate(rows[start : start + _SHARE], start):
                ids = np.concatenate(row, dtype=np.int64)[None]
                types = np.zeros_like(ids)
                types[0, sum(map(len, row[:3])) :] = second
                named = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
                outputs = self._session.run(None, {name: named[name] for name in self.config.inputs})
                into(index, outputs[0][0])

        starts = range(0, len(rows), _SHARE)
        if len(starts) < 2:
            for start in starts:
                run(start)
            return
        with ThreadPoolExecutor(min(cores(), len(starts))) as threads:
            tasks = [threads.submit(run, start) for start in starts]
            try:
                for task in tasks:
                    task.result()
            finally:  # an interruption must not wait for what has not begun
                threads.shutdown(wait=False, cancel_futures=True)


class PairClassifier(_Model):
    """Evidence and claim → the probabilities of entailment, contradiction and neutral."""

    def __init__(self, files: ModelFiles) -> None:
        """Check that the labels are the known ones, then load."""
        if sorted(files.config.labels) != sorted(LABELS):
            given = ", ".join(files.config.labels) or "none"
            refuse(files.folder, f"The model {files.config.name!r} has the labels {given}, not {', '.join(LABELS)}")
        super().__init__(files)
        self._parts, self._second = self._frame(pair=True)

    @property
    def room(self) -> int:
        """How many tokens evidence and claim may have together."""
        return self.config.max_tokens - sum(map(len, self._parts))

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Judge pairs of (evidence, claim).

        Returns:
            ``(n, 3)``, each row summing to 1, in the order of ``config.labels``.

        Raises:
            ValueError: A pair has more tokens than ``room``; cutting is the caller's concern.
        """
        found = np.empty((len(pairs), len(LABELS)), dtype=np.float32)
        for start in range(0, len(pairs), AT_ONCE):
            ids = self.encode([text for pair in pairs[start : start + AT_ONCE] for text in pair])
            found[start : start + AT_ONCE] = self.judge(list(zip(ids[::2], ids[1::2], strict=True)))
        return found

    def judge(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> Floats:
        """Judge pairs of (evidence, claim) given as tokens; otherwise like ``probabilities``."""
        longest = max((len(evidence) + len(claim) for evidence, claim in pairs), default=0)
        if longest > self.room:
            raise ValueError(f"a pair has {longest} tokens, the model reads {self.room}")
        logits = np.empty((len(pairs), len(LABELS)), dtype=np.float32)
        before, between, after = self._parts
        rows = [(before, evidence, between, claim, after) for evidence, claim in pairs]
        self._run(rows, self._second, logits.__setitem__)
        return _softmax(logits / self.config.temperature)


class Embedder(_Model):
    """Text → a vector whose inner product with another is their likeness, from -1 to 1."""

    def __init__(self, files: ModelFiles) -> None:
        """Check that this is an embedder, then load."""
        if files.config.pooling is None or files.config.dimensions is None:
            refuse(files.folder, f"The model {files.config.name!r} is no embedder: it has no pooling or dimensions")
        super().__init__(files)
        self._parts, _ = self._frame(pair=False)

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts; of one that is longer than the model reads, its beginning.

        Returns:
            ``(n, config.dimensions)``, rows of length 1 where ``config.normalize`` is set.
        """
        found = np.empty((len(texts), self.config.dimensions or 0), dtype=np.float32)
        before, after = self._parts
        room = self.config.max_tokens - len(before) - len(after)
        for start in range(0, len(texts), AT_ONCE):
            rows = [(before, ids[:room], after) for ids in self.encode(texts[start : start + AT_ONCE])]
            chunk = found[start : start + AT_ONCE]

            def keep(at: int, states: NDArray[Any], chunk: Floats = chunk) -> None:
                chunk[at] = self._pool(states)

            self._run(rows, 0, keep)
        return found

    def _pool(self, states: NDArray[Any]) -> Floats:
        vector = states.mean(axis=0) if states.ndim == 2 else states  # one vector a token, or already one a text
        if self.config.normalize:
            vector = vector / max(float(np.linalg.norm(vector)), 1e-12)
        return np.asarray(vector, dtype=np.float32)


def load_classifier(folder: Path) -> PairClassifier:
    """Load the pair classifier of a folder.

    Raises:
        VerifierUnavailable: The folder is incomplete or damaged, or holds another kind of model.
    """
    return PairClassifier(read(folder))


def load_embedder(folder: Path) -> Embedder:
    """Load the embedder of a folder.

    Raises:
        VerifierUnavailable: The folder is incomplete or damaged, or holds another kind of model.
    """
    return Embedder(read(folder))


def cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _plain(text: str) -> str:
    """A text that the tokenizer can take: a lone surrogate is no character of UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _softmax(logits: Floats) -> Floats:
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=1, keepdims=True), dtype=np.float32)


def _tokenizer(files: ModelFiles) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(files.tokenizer)
    tokenizer.no_truncation()  # the files of sentence-transformers cut and pad to a fixed length
    tokenizer.no_padding()
    return tokenizer


def _session(files: ModelFiles) -> InferenceSession:
    import onnxruntime as ort
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # the threads are ours, one row each
    options.log_severity_level = 3
    try:
        session = ort.InferenceSession(files.weights, options, providers=["CPUExecutionProvider"])
    except (state.Fail, state.InvalidGraph, state.InvalidProtobuf, state.InvalidArgument, state.NotImplemented) as why:
        refuse(files.folder, f"{WEIGHTS} of the model {files.config.name!r} cannot be run here", why)
    names = {one.name for one in session.get_inputs()}
    if names != set(files.config.inputs):
        refuse(files.folder, f"{WEIGHTS} of the model {files.config.name!r} takes {', '.join(sorted(names))}")
    return session
