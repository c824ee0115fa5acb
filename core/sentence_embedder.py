"""Any model of sentence-transformers as the embedder of a corpus, from a folder or by name.

Code that comes with a model is never run, and only weights that can hold nothing but tensors are read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import VerifierUnavailable
from core.inference import Floats, Tokens
from core.model_folder import ModelConfig

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

FILES = ("*.json", "*.txt", "*.model", "*.safetensors")
"""What of a model can move a vector: configurations, vocabularies, weights."""


class SentenceEmbedder:
    """Texts → vectors of length 1; see ``core.retrieval.Embeds``.

    Args:
        name: As a person knows the model; no place of this machine.
        model: Loaded.
        sha256: Over all its files, 64 hex.
    """

    def __init__(self, name: str, model: SentenceTransformer, sha256: str) -> None:
        """Keep the model, and say what it is."""
        self._model = model
        longest = model.get_max_seq_length()
        self.config = ModelConfig(
            name=name,
            version=1,
            sha256=sha256,
            inputs=("input_ids",),
            max_tokens=max(32, longest or 512),
            dimensions=int(model.encode([""]).shape[1]),
            normalize=True,
        )

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokens of each text, without special ones and uncut."""
        tokenize: Any = self._model.tokenizer
        found = tokenize([_plain(one) for one in texts], add_special_tokens=False, verbose=False) if texts else {}
        return [np.asarray(ids, dtype=np.int32) for ids in found.get("input_ids", ())]

    def embed(self, texts: Sequence[str]) -> Floats:
        """A row of length 1 for each text; of one that is longer than the model reads, its beginning."""
        found = self._model.encode(
            [_plain(one) for one in texts], normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(found, dtype=np.float32).reshape(len(texts), self.config.dimensions or 0)


def load(named: str) -> SentenceEmbedder:
    """Load a model from a folder, or by name from what is here or the hub.

    Raises:
        VerifierUnavailable: It is not to be had, brings code of its own, or is no such model; one sentence.
    """
    if missing := [one for one in ("torch", "sentence_transformers") if find_spec(one) is None]:
        raise VerifierUnavailable(
            f"The embedder {named!r} needs {', '.join(missing)}", "install what is missing: pip install 'citedesk[hub]'"
        )
    folder = _folder(named)
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # what goes wrong is said in one sentence
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # there is one of ours
    try:
        model = SentenceTransformer(
            str(folder), trust_remote_code=False, local_files_only=True, model_kwargs={"use_safetensors": True}
        )
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        line = str(error).splitlines()[0].rstrip(". ") if str(error) else type(error).__name__
        raise VerifierUnavailable(f"The embedder {named!r} cannot be loaded: {line}", _ADVICE) from error
    return SentenceEmbedder(folder.resolve().name if Path(named).is_dir() else named, model, _sha256(folder))


_ADVICE = "set CITEDESK_EMBEDDER to a folder or a name of a sentence-transformers model, or to bundled"


def _folder(named: str) -> Path:
    folder = Path(named).expanduser()
    if named.strip() and folder.is_dir():
        return folder
    if not named.strip() or named.startswith((".", "/", "~", "\\")) or named.count("/") > 1:
        raise VerifierUnavailable(f"There is no embedder {named!r}", _ADVICE)
    from huggingface_hub import errors, snapshot_download

    repository, _, revision = named.partition("@")
    try:
        return Path(snapshot_download(repository, revision=revision or None, allow_patterns=list(FILES)))
    except errors.HFValidationError as error:
        raise VerifierUnavailable(f"There is no embedder {named!r}", _ADVICE) from error
    except OSError as error:  # what the hub and the network raise, and what a full disk does
        raise VerifierUnavailable(f"The embedder {named!r} is not here and cannot be fetched", _ADVICE) from error


def _sha256(folder: Path) -> str:
    """Over names and contents of all files that decide."""
    total = hashlib.sha256()
    for file in sorted({file for pattern in FILES for file in folder.rglob(pattern) if file.is_file()}):
        with file.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
        total.update(f"{file.relative_to(folder).as_posix()}\0{digest}\n".encode())
    return total.hexdigest()


def _plain(text: str) -> str:
    """Without halves of surrogate pairs, which no tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
