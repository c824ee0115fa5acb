"""Which passages of a corpus a question is answered from: who may see what comes first, ranking after it.

An index holds exactly what one kind of caller may see, so that nothing else can move a score, a rank or a count.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Protocol

import numpy as np

from core.errors import InputError
from core.hits import BELOW, NO_ROOM, Hit, Retrieval
from core.inference import Tokens
from core.model_folder import ModelConfig
from core.models import digest, utc_now
from core.ranking import Floats, WordIndex, best, fuse, overlap, tokens
from core.settings import Settings
from core.sources import Chunk
from core.store import Store

MODEL = "embed"

BUNDLED = "bundled"
"""The name of the embedder that comes with Citedesk, in the settings."""

K = 8
"""Passages that a generator is given at most."""

DEEP = 10
"""How many times as deep a search looks when the question is why something was not found."""

DEPTH = 4
"""Candidates of each ranking for one passage that is packed."""

CONTEXT_TOKENS = 4_000
"""Tokens of all packed passages together, as the embedder counts them."""

NEAR = 0.30
"""Least cosine of question and passage; below it a passage counts only when it holds the question's words."""

WORDS = 0.60
"""Share of the question's words, long ones weighing more, with which a passage counts whatever its cosine is."""

INDEXES = 8
"""Indexes kept in memory: one a corpus and kind of caller."""

EMBED_AT_ONCE = 256
"""Passages whose vectors are stored together: what is lost when the work is broken off."""

MAX_QUESTION = 2_000
"""Code points of a question."""


class Embeds(Protocol):
    """Text → a vector of length 1; ``core.inference.Embedder`` is one."""

    @property
    def config(self) -> ModelConfig:
        """What the model says about itself."""
        ...

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokens of each text."""
        ...

    def embed(self, texts: Sequence[str]) -> Floats:
        """A row for each text."""
        ...


class _Index:
    """What one kind of caller may see of one corpus."""

    def __init__(self, chunks: Sequence[Chunk], vectors: Floats) -> None:
        self.chunks = tuple(chunks)
        self.words = WordIndex([chunk.text for chunk in chunks])
        self.vectors = vectors


class Retriever:
    """Searches the corpora of a store; safe to use from many threads.

    Args:
        store: Where chunks and their vectors are.
        embedder: Loaded when the first question comes.
    """

    def __init__(self, store: Store, embedder: Callable[[], Embeds]) -> None:
        """Keep both; nothing is read yet."""
        self._store, self._load = store, embedder
        self._model: Embeds | None = None
        self._lock = threading.RLock()
        self._indexes: OrderedDict[str, _Index] = OrderedDict()
        self._asked: dict[tuple[str, frozenset[str] | None], tuple[object, str]] = {}

    @classmethod
    def open(cls, store: Store, settings: Settings) -> Retriever:
        """Search with the embedder that the settings name."""
        return cls(store, lambda: _embedder(settings.embedder))

    @property
    def embedder(self) -> Embeds:
        """The embedder, loaded once.

        Raises:
            VerifierUnavailable: It is missing or damaged.
        """
        with self._lock:
            if self._model is None:
                self._model = self._load()
            return self._model

    def prepare(self, corpus: str, progress: Callable[[int, int], None] | None = None) -> int:
        """Compute the vectors that a corpus lacks; see ``prepare_documents``."""
        return self.prepare_documents(self._store.corpora.visible(corpus, None, utc_now()), progress)

    def prepare_documents(self, doc_ids: Collection[str], progress: Callable[[int, int], None] | None = None) -> int:
        """Compute the vectors that the chunks of some documents lack; gives how many.

        Vectors are stored a few at a time, so that what was computed stays when the work is broken off.

        Raises:
            VerifierUnavailable: The embedder cannot be had.
        """
        if not doc_ids:
            return 0
        held, model = self._store.embeddings, self.embedder.config.digest
        numbers = held.lacking(model, doc_ids)
        for first in range(0, len(numbers), EMBED_AT_ONCE):
            texts = held.texts(numbers[first : first + EMBED_AT_ONCE])
            vectors = self.embedder.embed(list(texts.values())).astype("<f4")
            held.add(model, {number: row.tobytes() for number, row in zip(texts, vectors, strict=True)})
            if progress:
                progress(first + len(texts), len(numbers))
        return len(numbers)

    def search(
        self,
        query: str,
        corpus: str,
        groups: Collection[str] | None,
        k: int = K,
        deep: bool = False,
        now: datetime | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Retrieval:
        """Find the passages of a corpus that a question may be answered from.

        Args:
            query: The question.
            corpus: Its name.
            groups: Those of the caller; none stands for whoever keeps the desk and sees all.
            k: How many passages a generator may be given.
            deep: Look ``DEEP`` times as deep and pack as many.
            now: The present moment, for sources that are kept for a time only.
            progress: Told how many passages are read and how many there are, where they are read for the first time.

        Raises:
            InputError: The question is blank or too long, or there is no such corpus for this caller.
            StoreError: The store cannot be read.
            VerifierUnavailable: The embedder cannot be had.
        """
        began = time.monotonic()
        if not query.strip() or len(query) > MAX_QUESTION:
            raise InputError(f"The question has {len(query)} characters", f"ask something in 1 to {MAX_QUESTION}")
        index = self._index(corpus, None if groups is None else frozenset(groups), now or utc_now(), progress)
        depth = k * DEPTH * (DEEP if deep else 1)
        found = self._rank(query, index, depth)
        room = CONTEXT_TOKENS * (DEEP if deep else 1)
        return Retrieval(
            corpus=corpus,
            candidates=self._pack(found, k * (DEEP if deep else 1), room),
            threshold=NEAR,
            seconds=time.monotonic() - began,
            searched=len(index.chunks),
            embedder=f"{self.embedder.config.name}@{self.embedder.config.version}+{self.embedder.config.digest[:8]}",
        )

    def _rank(self, query: str, index: _Index, depth: int) -> list[Hit]:
        if not index.chunks:
            return []
        cosines = index.vectors @ self.embedder.embed([query])[0]
        by_words = best(index.words.scores(query), depth, least=0.0)
        by_meaning = best(cosines, depth)
        word_rank = {place: rank for rank, place in enumerate(by_words, 1)}
        dense_rank = {place: rank for rank, place in enumerate(by_meaning, 1)}
        asked = tokens(query)
        return [
            Hit(
                chunk=index.chunks[place],
                bm25_rank=word_rank.get(place),
                dense_rank=dense_rank.get(place),
                score=round(score, 6),
                cosine=round(float(cosines[place]), 4),
                overlap=round(overlap(asked, index.chunks[place].text), 4),
            )
            for place, score in fuse(by_words, by_meaning)[:depth]
        ]

    def _pack(self, found: Sequence[Hit], k: int, room: int) -> tuple[Hit, ...]:
        """Take the best that are near enough until there is no room; a passage is packed whole or not at all."""
        hits = []
        for hit in found:
            near = hit.cosine >= NEAR or hit.overlap >= WORDS
            size = len(self.embedder.encode([hit.chunk.text])[0]) if near and k > 0 else 0
            cut = "" if near and k > 0 and size <= room else NO_ROOM if near else BELOW
            k, room = (k - 1, room - size) if not cut else (k, room)
            hits.append(hit.model_copy(update={"cut": cut}))
        return tuple(hits)

    def _index(
        self, corpus: str, groups: frozenset[str] | None, now: datetime, progress: Callable[[int, int], None] | None
    ) -> _Index:
        """The index of what a caller may see at this moment; built anew only when that has changed."""
        corpora = self._store.corpora
        with self._lock:
            state = (corpora.state(corpus), corpora.visible(corpus, groups, now))
            known = self._asked.get((corpus, groups))
            if known is not None and known[0] == state and known[1] in self._indexes:
                self._indexes.move_to_end(known[1])
                return self._indexes[known[1]]
            if not state[1] and not self._may_know(corpus, groups):
                raise InputError(f"There is no corpus called {corpus!r}", "see: citedesk corpus list")
            chunks = list(corpora.chunks(corpus, groups, now))
            name = digest([corpus, [[one.chunk_id, one.uri, one.source_version, one.groups] for one in chunks]])
            if name not in self._indexes:
                self.prepare_documents({chunk.doc_id for chunk in chunks}, progress)
                self._indexes[name] = _Index(chunks, self._vectors(chunks))
                while len(self._indexes) > INDEXES:
                    self._indexes.popitem(last=False)
            self._asked = {key: value for key, value in self._asked.items() if value[1] in self._indexes}
            self._asked[corpus, groups] = (state, name)
            return self._indexes[name]

    def _may_know(self, corpus: str, groups: frozenset[str] | None) -> bool:
        """Whether the caller may know of the corpus: one of its sources, in use or not, is for them."""
        return any(
            groups is None or not one.groups or groups & set(one.groups) for one in self._store.corpora.sources(corpus)
        )

    def _vectors(self, chunks: Sequence[Chunk]) -> Floats:
        found = self._store.embeddings.find(self.embedder.config.digest, [chunk.chunk_no for chunk in chunks])
        joined = b"".join(found[chunk.chunk_no] for chunk in chunks)
        return np.frombuffer(joined, dtype="<f4").reshape(len(chunks), -1) if chunks else np.empty((0, 0), np.float32)


def _embedder(name: str) -> Embeds:
    if name != BUNDLED:
        from core.sentence_embedder import load

        return load(name)
    from core.inference import load_embedder
    from core.model_folder import locate

    return load_embedder(locate(MODEL))
