"""A file that somebody supplies of a work they can open → its text."""

from __future__ import annotations

import tempfile
from pathlib import Path, PurePath

from core import loaders, plugins
from core.errors import InputError

LARGEST_MB = 20
"""Megabytes that such a file may have."""


def text_of(name: str, content: bytes) -> str:
    """The text of a file, its pages one after the other.

    Args:
        name: As it was called; only its ending is looked at.
        content: Its bytes.

    Raises:
        InputError: No loader reads such files, or it holds no text.
    """
    by_suffix = {suffix: one for one in plugins.load_all(loaders) for suffix in one.SUFFIXES}
    suffix = PurePath(name).suffix.lower()
    if suffix not in by_suffix:
        raise InputError(
            f"Files that end in {suffix or 'nothing'} cannot be read", f"give {' '.join(sorted(by_suffix))}"
        )
    with tempfile.TemporaryDirectory(prefix="citedesk-passage-") as folder:
        path = Path(folder, f"passage{suffix}")
        path.write_bytes(content)
        pages = by_suffix[suffix].load(path).pages
    text = "\n\n".join(page.text for page in pages if page.text.strip())
    if not text.strip():
        raise InputError("The file holds no text", "paste the passage instead")
    return text
