"""A foreign model at work: texts → tokens → the probability of each of its labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from core.errors import VerifierUnavailable
from core.verifiers._hub_files import HubModel, is_safe

if TYPE_CHECKING:
    from core.inference import Encoded, Tokens


BATCH_TOKENS = 4096
"""Padded tokens of one batch."""


class Network:
    """Tokenizer and network of a model, on the fastest device here.

    Args:
        model: Where it comes from.
        template: How evidence and claim become one text; empty for a pair, evidence first.
    """

    def __init__(self, model: HubModel, template: str) -> None:
        """Load both.

        Raises:
            VerifierUnavailable: They cannot be loaded, or do not fit the configuration.
        """
        self._template = template
        self._tokenizer, self._network = _load(model)
        self.longest = _longest(model.config, self._tokenizer)
        """Most tokens of one input, special ones included."""
        self._marks = re.compile("|".join(map(re.escape, self._tokenizer.all_special_tokens)) or r"(?!)")

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text alone."""
        import numpy as np

        found = self._tokenizer([self._plain(one) for one in texts], add_special_tokens=False) if texts else {}
        return [np.asarray(ids, dtype=np.int32) for ids in found.get("input_ids", ())]

    def encode_with_places(self, text: str) -> Encoded:
        """The tokens of one text, and where each stands in it."""
        import numpy as np

        from core.inference import Encoded

        found = self._tokenizer(self._plain(text), add_special_tokens=False, return_offsets_mapping=True)
        places = np.asarray(found["offset_mapping"], dtype=np.int64).reshape(-1, 2)
        return Encoded(np.asarray(found["input_ids"], dtype=np.int32), places)

    def row(self, evidence: str, claim: str) -> dict[str, list[int]]:
        """One input of the network, uncut."""
        evidence, claim = self._plain(evidence), self._plain(claim)
        if not self._template:
            return dict(self._tokenizer(evidence, claim))
        filled = {"{evidence}": evidence, "{claim}": claim}
        parts = re.split(r"(\{evidence\}|\{claim\})", self._template)
        return dict(self._tokenizer("".join(filled.get(part, part) for part in parts)))

    def probabilities(self, rows: Sequence[dict[str, list[int]]]) -> list[list[float]]:
        """For each row the probability of each label, in the order of the logits; of a single logit, its sigmoid."""
        import torch

        found: list[list[float]] = [[] for _ in rows]
        for batch in _batches([len(row["input_ids"]) for row in rows]):
            padded = self._tokenizer.pad([rows[at] for at in batch], return_tensors="pt")
            with torch.inference_mode():
                logits = self._network(**padded.to(self._network.device)).logits.float()
            one = logits.sigmoid() if logits.shape[-1] == 1 else logits.softmax(dim=-1)
            for at, row in zip(batch, one.cpu().tolist(), strict=True):
                found[at] = row
        return found

    def _plain(self, text: str) -> str:
        """A text of the same length in which nothing is one of the tokenizer's own marks."""
        text = text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
        return self._marks.sub(lambda found: "·" * len(found[0]), text)


def _load(model: HubModel) -> tuple[Any, Any]:
    """Tokenizer and network, on the fastest device here."""
    from pickle import UnpicklingError  # nosec B403 # the error alone

    import torch
    from safetensors import SafetensorError
    from transformers import AutoModelForSequenceClassification, AutoTokenizer
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    here: dict[str, Any] = {"trust_remote_code": False, "local_files_only": True}
    try:
        tokenizer = AutoTokenizer.from_pretrained(model.folder, **here)
        network, loading = AutoModelForSequenceClassification.from_pretrained(
            model.folder, use_safetensors=is_safe(model.folder), dtype=torch.float32, output_loading_info=True, **here
        )
    except (
        OSError, ValueError, LookupError, TypeError, RuntimeError, ImportError, SafetensorError, UnpicklingError
    ) as error:  # fmt: skip
        first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise VerifierUnavailable(
            f"The model {model.name!r} cannot be loaded: {first.rstrip('.')}", "get it again"
        ) from error
    if missing := sorted(loading["missing_keys"]):
        raise VerifierUnavailable(
            f"The weights of the model {model.name!r} lack {missing[0]}: it was never trained to classify",
            "choose one that was",
        )
    if not tokenizer.is_fast:
        raise VerifierUnavailable(
            f"The tokenizer of the model {model.name!r} cannot say where words stand", "choose another"
        )
    return tokenizer, network.eval().to("cuda" if torch.cuda.is_available() else "cpu")


def _longest(config: dict[str, Any], tokenizer: Any) -> int:
    """Most tokens that the model reads, special ones included."""
    positions = config.get("max_position_embeddings") or config.get("n_positions") or 512
    if positions % 128 == 2:  # 514: as many as RoBERTa numbers, of which two are never given to a token
        positions -= 2
    return int(min(positions, tokenizer.model_max_length))


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes of inputs, each once, in batches of like length that hold at most ``BATCH_TOKENS`` when padded."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[index] > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
