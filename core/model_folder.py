"""Folders that hold a model: where they are, what ``config.json`` says of them, and whether the weights are those.

A folder is opened whole or not at all; nothing is downloaded.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import VerifierUnavailable
from core.models import digest
from core.settings import data_path, local_path
from core.text import sha256

MODELS = "models"
CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.onnx", "tokenizer.json"

_BUNDLED_ADVICE = "run `citedesk doctor` to see what is there, and install Citedesk again if a file is damaged"
_ADDED_ADVICE = "see `citedesk models list`, and put it there with `citedesk models add`"


class ModelConfig(BaseModel):
    """What a model says about itself; fields that are not named here are for people."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    name: str = Field(min_length=1)
    version: int
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    """Of the weights."""
    inputs: tuple[Literal["input_ids", "attention_mask", "token_type_ids"], ...] = Field(min_length=1)
    max_tokens: int = Field(ge=32)
    """Longest input, special tokens included."""
    labels: tuple[str, ...] = ()
    """What the logits of a classifier mean, in their order."""
    temperature: float = Field(default=1.0, gt=0)
    thresholds: dict[str, float] = Field(default_factory=dict)
    pooling: Literal["mean"] | None = None
    normalize: bool = False
    dimensions: int | None = None
    tokenizer_sha256: str = ""
    """Of ``tokenizer.json``; set when the folder is read, whatever the file says."""

    @property
    def digest(self) -> str:
        """Sha256 (64 hex) over whatever of the folder can move a score; thresholds are in a protocol by themselves."""
        return digest(self.model_dump(mode="json", exclude={"name", "version", "thresholds"}))


class ModelFiles(NamedTuple):
    """The content of a folder, read and checked."""

    folder: Path
    config: ModelConfig
    weights: bytes
    tokenizer: str
    """A tokenizer in the JSON of the ``tokenizers`` library."""


def locate(name: str) -> Path:
    """Find a model by name: the ones that come with Citedesk first, then the ones added on this machine.

    Raises:
        VerifierUnavailable: No folder of that name in either place.
    """
    places = (data_path(MODELS, name), local_path(MODELS, name)) if _is_plain(name) else ()
    there = [folder for folder in places if (folder / CONFIG).is_file()]
    # The repository holds large weights in parts only; joined they are among the added ones.
    for folder in sorted(there, key=lambda folder: not (folder / WEIGHTS).is_file()):
        return folder
    raise VerifierUnavailable(f"There is no model called {name!r}", _ADDED_ADVICE)


def read(folder: Path) -> ModelFiles:
    """Read a folder and check its weights against its configuration.

    Raises:
        VerifierUnavailable: A file is missing or cannot be read, or is not what the configuration says.
    """
    try:
        config = ModelConfig.model_validate_json((folder / CONFIG).read_bytes())
        weights = (folder / WEIGHTS).read_bytes()
        tokenizer = (folder / TOKENIZER).read_text(encoding="utf-8")
    except OSError as trouble:
        file = Path(trouble.filename).name if trouble.filename else "a file"
        refuse(folder, f"{file} of the model {folder.name!r} cannot be read ({trouble.strerror})", trouble)
    except ValidationError as trouble:
        first = trouble.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        refuse(folder, f"{CONFIG} of the model {folder.name!r} is not valid at {where}: {first['msg']}", trouble)
    except UnicodeDecodeError as trouble:
        refuse(folder, f"{TOKENIZER} of the model {folder.name!r} is damaged", trouble)
    if hashlib.sha256(weights).hexdigest() != config.sha256:
        refuse(folder, f"{WEIGHTS} of the model {folder.name!r} is not the file that {CONFIG} names by its sha256")
    if not _is_tokenizer(tokenizer):
        refuse(folder, f"{TOKENIZER} of the model {folder.name!r} is damaged")
    named = config.model_copy(update={"tokenizer_sha256": sha256(tokenizer)})
    return ModelFiles(folder, named, weights, tokenizer)


def refuse(folder: Path, what: str, cause: Exception | None = None) -> NoReturn:
    """Say that a model cannot be used, with the advice that fits where it lies.

    Raises:
        VerifierUnavailable: Always.
    """
    bundled = folder.parent == data_path(MODELS)
    raise VerifierUnavailable(what, _BUNDLED_ADVICE if bundled else _ADDED_ADVICE) from cause


def _is_plain(name: str) -> bool:
    """Whether a name is that of a folder, not a way to another place."""
    return bool(name) and name.strip(".") == name and not set(name) & set("/\\\0:")


def _is_tokenizer(text: str) -> bool:
    try:
        found: Any = json.loads(text)
    except ValueError:
        return False
    return isinstance(found, dict) and isinstance(found.get("model"), dict) and bool(found["model"].get("vocab"))
