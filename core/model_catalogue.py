"""Models on this machine: those that come with Citedesk, those that were added, and adding one.

A model is added whole or not at all, after its weights were found to be those that its configuration names; it may come
as a folder, or as a folder whose weights are cut into parts (``model.onnx.part-001``, …). Nothing is downloaded, and no
code of a model folder is ever copied or run.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from core.errors import InputError, VerifierUnavailable
from core.model_folder import CONFIG, MODELS, TOKENIZER, WEIGHTS, read
from core.models import Record
from core.settings import data_path, local_path

PAPERS = ("MODEL_CARD.md", "NOTICE", "LICENSE", "README.md")
"""What goes with a model for people to read."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_PART = re.compile(rf"{re.escape(WEIGHTS)}\.part-(\d+)")
_BLOCK = 1 << 20


class ModelEntry(Record):
    """One model folder."""

    name: str
    version: int | None
    kind: Literal["classifier", "embedder", "unknown"]
    place: Literal["bundled", "added"]
    folder: str
    bytes: int
    """Of the weights."""
    sha256: str | None
    """What the configuration says of the weights."""
    licence: str
    base: str
    """What it was trained from; empty when it does not say."""
    trouble: str | None
    """Why it cannot be used, in a sentence; none when its weights are the ones meant."""


def entries() -> list[ModelEntry]:
    """Every model folder, by place and name; the weights of each are read and compared with its configuration."""
    places: Sequence[tuple[Literal["bundled", "added"], Path]] = (
        ("bundled", data_path(MODELS)),
        ("added", local_path(MODELS)),
    )
    return [
        _entry(folder, place)
        for place, home in places
        if home.is_dir()
        for folder in sorted(home.iterdir())
        if (folder / CONFIG).is_file()
    ]


def add(source: str) -> tuple[ModelEntry, bool]:
    """Add a model of this machine under the name in its configuration, in place of an older one of that name.

    Args:
        source: A folder, or the name of one in ``data/models`` whose weights are in parts.

    Returns:
        The model, and whether anything changed.

    Raises:
        InputError: It is no sound model folder; nothing was changed.
        OSError: The place of added models cannot be written.
    """
    folder = _found(source)
    name = _name(folder)
    home = local_path(MODELS)
    home.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=home, prefix=".adding-") as beside:
        fresh = Path(beside, name)
        fresh.mkdir()
        _copy(folder, fresh)
        try:
            read(fresh)
        except VerifierUnavailable as trouble:
            raise InputError(f"{trouble.what}, so {folder} was not added", "get the folder again") from trouble
        place = home / name
        changed = not (place.is_dir() and _digests(place) == _digests(fresh))
        if changed:
            if place.exists():
                place.rename(Path(beside, f"{name}.old"))  # goes with the temporary folder
            fresh.rename(place)
    return _entry(place, "added"), changed


def _found(source: str) -> Path:
    for folder in (Path(source).expanduser(), data_path(MODELS, source) if _NAME.fullmatch(source) else None):
        if folder is not None and folder.is_dir():
            return folder
    raise InputError(f"There is no folder {source!r}, and no model of that name comes with Citedesk", "name a folder")


def _name(folder: Path) -> str:
    """The name under which a folder is added."""
    name = _config(folder).get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(
            f"{folder / CONFIG} names no model that can be added",
            'give it a "name" of small letters, digits, dots and hyphens',
        )
    if (data_path(MODELS, name) / WEIGHTS).is_file():
        raise InputError(f"A model called {name!r} comes with Citedesk", f'give the "name" in {CONFIG} another value')
    return name


def _copy(folder: Path, to: Path) -> None:
    """Copy what belongs to a model, its weights joined when they are in parts.

    Raises:
        InputError: Weights or tokenizer are missing, or a part is.
    """
    for file in (CONFIG, TOKENIZER, *PAPERS):
        if (folder / file).is_file():
            shutil.copyfile(folder / file, to / file)
    if not (to / TOKENIZER).is_file():
        raise InputError(f"{folder} has no {TOKENIZER}", "get the folder again")
    parts = [folder / WEIGHTS] if (folder / WEIGHTS).is_file() else list(_parts(folder))
    with (to / WEIGHTS).open("wb") as whole:
        for part in parts:
            with part.open("rb") as piece:
                shutil.copyfileobj(piece, whole, _BLOCK)


def _parts(folder: Path) -> Iterator[Path]:
    """The parts of the weights in their order, none missing between them."""
    numbered = sorted(
        (int(found[1]), file) for file in folder.iterdir() if (found := _PART.fullmatch(file.name)) and file.is_file()
    )
    if not numbered:
        raise InputError(f"{folder} has neither {WEIGHTS} nor parts of it", f"name a folder with {WEIGHTS}.part-001 …")
    for expected, (number, file) in enumerate(numbered, start=1):
        if number != expected:
            raise InputError(f"{WEIGHTS}.part-{expected:03} is not in {folder}", "put all parts into one folder")
        yield file


def _entry(folder: Path, place: Literal["bundled", "added"]) -> ModelEntry:
    trouble: str | None = None
    try:
        read(folder)
    except VerifierUnavailable as error:
        trouble = error.what
        if not (folder / WEIGHTS).exists() and any(_PART.fullmatch(file.name) for file in folder.iterdir()):
            trouble = f"its weights are in parts; run: citedesk models add {folder.name}"
    said = _said(folder)
    weights = [folder / WEIGHTS] if (folder / WEIGHTS).is_file() else list(folder.glob(f"{WEIGHTS}.part-*"))
    return ModelEntry(
        name=folder.name,
        version=said.get("version") if isinstance(said.get("version"), int) else None,
        kind="classifier" if said.get("labels") else "embedder" if said.get("pooling") else "unknown",
        place=place,
        folder=str(folder),
        bytes=sum(file.stat().st_size for file in weights),
        sha256=str(said["sha256"]) if said.get("sha256") else None,
        licence=str(said.get("licence") or said.get("license") or ""),
        base=str(said.get("base") or ""),
        trouble=trouble,
    )


def _config(folder: Path) -> dict[str, Any]:
    """What a folder's configuration says.

    Raises:
        InputError: There is none, or it cannot be read.
    """
    try:
        loaded = json.loads((folder / CONFIG).read_bytes())
    except OSError as error:
        raise InputError(f"{folder} has no {CONFIG} that can be read", "name the folder of a model") from error
    except ValueError as error:
        raise InputError(f"{folder / CONFIG} is not JSON", "get the folder again") from error
    return loaded if isinstance(loaded, dict) else {}


def _said(folder: Path) -> dict[str, Any]:
    try:
        return _config(folder)
    except InputError:
        return {}


def _digests(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir() if file.is_file()}
