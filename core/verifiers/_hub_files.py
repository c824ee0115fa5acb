"""The files of a foreign model: a folder of this machine, or what Hugging Face's hub holds under a name.

Only configuration, tokenizer and weights are looked at. Code that comes with a model is never run; a model that needs
its own is refused before anything large is fetched.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from core.errors import VerifierUnavailable

CONFIG = "config.json"
SAFE = ("*.safetensors", "*.safetensors.index.json")
PICKLED = ("pytorch_model*.bin", "pytorch_model.bin.index.json")
"""Read only where there is nothing safe, and then by a loader that takes tensors and nothing else."""
WORDS = (
    "tokenizer.json tokenizer_config.json special_tokens_map.json added_tokens.json vocab.json vocab.txt merges.txt "
    "spm.model spiece.model sentencepiece.bpe.model tokenizer.model"
).split()

_ARCHITECTURE = "ForSequenceClassification"


class HubModel(NamedTuple):
    """A model whose files are on this machine."""

    name: str
    """As the settings name it; of a folder its last part, so that a protocol names no machine's place."""
    folder: Path
    config: dict[str, Any]


def find(named: str) -> HubModel:
    """Find a model by folder or name (``org/model``, ``org/model@revision``), fetching what is not here yet.

    Raises:
        VerifierUnavailable: It is not to be had, needs code of its own, or is no classifier; one sentence.
    """
    if missing := [one for one in ("torch", "transformers", "huggingface_hub") if find_spec(one) is None]:
        raise VerifierUnavailable(
            f"A model of the hub needs {', '.join(missing)}", "install what is missing: pip install 'citedesk[hub]'"
        )
    if not named:
        raise VerifierUnavailable(
            "The verifier hub needs a model", "name it, for example hub:org/model or hub:./folder"
        )
    folder = Path(named).expanduser()
    if folder.is_dir():
        name = folder.resolve().name
        return HubModel(name, folder, _config(named, folder / CONFIG))
    if named.startswith((".", "/", "~", "\\")) or named.count("/") > 1:
        raise VerifierUnavailable(f"There is no folder {named!r}", "name a folder with config.json and weights")
    return _fetch(named)


def weights_of(folder: Path) -> str:
    """Sha256 (64 hex) over the names and contents of all files that decide: configuration, tokenizer, weights."""
    total = hashlib.sha256()
    for file in _deciding(folder):
        with file.open("rb") as content:
            total.update(f"{file.name}\0{hashlib.file_digest(content, 'sha256').hexdigest()}\n".encode())
    return total.hexdigest()


def is_safe(folder: Path) -> bool:
    """Whether the weights are there in the format that can hold nothing but tensors."""
    return any(folder.glob("*.safetensors"))


def _deciding(folder: Path) -> Iterator[Path]:
    patterns = (CONFIG, *WORDS, *(SAFE if is_safe(folder) else PICKLED))
    for file in sorted(folder.iterdir()):
        if file.is_file() and any(fnmatch(file.name, pattern) for pattern in patterns):
            yield file


def _config(named: str, path: Path) -> dict[str, Any]:
    """Read a configuration, refusing what could not be judged with."""
    try:
        config = json.loads(path.read_bytes())
    except OSError as error:
        raise VerifierUnavailable(f"The model {named!r} has no {CONFIG} that can be read", "name another") from error
    except ValueError as error:
        raise VerifierUnavailable(f"The {CONFIG} of the model {named!r} is not JSON", "get it again") from error
    if not isinstance(config, dict):
        raise VerifierUnavailable(f"The {CONFIG} of the model {named!r} is not an object", "get it again")
    if config.get("auto_map"):
        raise VerifierUnavailable(
            f"The model {named!r} brings code of its own, which Citedesk does not run", "choose a model without"
        )
    kinds = [str(one) for one in config.get("architectures") or ()]
    if not any(one.endswith(_ARCHITECTURE) for one in kinds):
        raise VerifierUnavailable(
            f"The model {named!r} is no cross-encoder or sequence classifier ({', '.join(kinds) or 'it does not say'})",
            "choose one whose config.json names a …ForSequenceClassification",
        )
    return config


def _fetch(named: str) -> HubModel:
    """Take what an earlier run fetched; else fetch, first the configuration and, when it will do, the rest."""
    from huggingface_hub import errors, hf_hub_download, logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # what it would say on the way is said at the end, in one sentence
    repository, _, revision = named.partition("@")
    wanted: dict[str, Any] = {"repo_id": repository, "revision": revision or None}
    try:
        folder = _here(wanted)
        if folder is None:
            _config(named, Path(hf_hub_download(filename=CONFIG, **wanted)))
            folder = _snapshot(wanted, SAFE)
            if not is_safe(folder):
                folder = _snapshot(wanted, PICKLED)
    except errors.HFValidationError as error:
        raise VerifierUnavailable(
            f"{named!r} is neither a folder nor the name of a model", "write hub:org/model, or hub:./folder"
        ) from error
    except OSError as error:  # what the hub and the network raise, and what a full disk does
        _say(named, error)
    return HubModel(named, folder, _config(named, folder / CONFIG))


def _snapshot(wanted: dict[str, Any], weights: Sequence[str], **more: Any) -> Path:
    from huggingface_hub import snapshot_download

    return Path(snapshot_download(allow_patterns=[CONFIG, *WORDS, *weights], ignore_patterns=["*/*"], **wanted, **more))


def _here(wanted: dict[str, Any]) -> Path | None:
    """What an earlier run fetched, when it is all there: the hub is not asked again."""
    from huggingface_hub import errors

    try:
        folder = _snapshot(wanted, (*SAFE, *PICKLED), local_files_only=True)
        indexes = [*folder.glob("*.safetensors.index.json"), *folder.glob("pytorch_model.bin.index.json")]
        parts = {part for index in indexes for part in json.loads(index.read_bytes())["weight_map"].values()}
        whole = all((folder / part).is_file() for part in parts)
    except (errors.LocalEntryNotFoundError, ValueError, LookupError, TypeError, AttributeError):
        return None
    weights = is_safe(folder) or any(folder.glob(PICKLED[0]))
    return folder if whole and weights and (folder / CONFIG).is_file() else None


def _say(named: str, error: Exception) -> NoReturn:
    """Turn the hub's trouble into a sentence."""
    from huggingface_hub import constants, errors

    if isinstance(error, errors.GatedRepoError):
        raise VerifierUnavailable(
            f"The model {named!r} is open only to who accepted its terms",
            "accept them on its page, then: hf auth login",
        ) from error
    if isinstance(error, errors.RepositoryNotFoundError | errors.RevisionNotFoundError):
        raise VerifierUnavailable(f"The hub has no model {named!r} that you may see", "check the name") from error
    if isinstance(error, errors.RemoteEntryNotFoundError):
        raise VerifierUnavailable(f"The model {named!r} has no {CONFIG}", "choose a sequence classifier") from error
    if constants.HF_HUB_OFFLINE:
        raise VerifierUnavailable(
            f"The model {named!r} is not on this machine, and HF_HUB_OFFLINE forbids to fetch it",
            "unset it once, or name a folder",
        ) from error
    raise VerifierUnavailable(
        f"The model {named!r} is not on this machine, and the hub cannot be reached", "connect once, or name a folder"
    ) from error
