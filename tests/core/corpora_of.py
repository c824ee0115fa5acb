"""Corpora of a few texts, for tests of what is asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core import corpora
from core.loaders import Document
from core.store import Store
from core.store.source_log import NewSource


def fill(
    store: Store,
    texts: Mapping[str, str],
    groups: Mapping[str, Sequence[str]] | None = None,
    corpus: str = "main",
) -> None:
    """Put texts into a corpus, each at the place of its name, for the groups named, else for everyone."""
    for name, text in texts.items():
        new = NewSource(
            corpus=corpus,
            uri=f"file:///{name}",
            title=name,
            media="text",
            file_sha256="0" * 64,
            groups=tuple((groups or {}).get(name, ())),
            retain_until=None,
        )
        corpora.take(store, new, Document.of([text]), "me", name)
