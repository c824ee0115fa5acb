"""The first question to a corpus, which reads every passage, and the ones after it; called by ``make bench``."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from subprocess import run
from time import process_time

import numpy as np

from core.models import utc_now
from core.retrieval import Retriever
from core.store import Store, open_store
from tests.fakes.bag_of_words import DIMENSIONS, BagOfWords

Row = tuple[str, str, str, str]

PASSAGES_OF_A_DOCUMENT, WORDS, VOCABULARY = 50, 80, 30_000
QUESTIONS = 20


def fill(store: Store, passages: int) -> None:
    """A corpus of so many passages of words drawn as prose draws them (Zipf), each with a vector, written by SQL."""
    drawn = np.random.default_rng(5)
    words = np.array([f"w{number:x}" for number in range(VOCABULARY)])
    chances = 1 / np.arange(1, VOCABULARY + 1)
    chances /= chances.sum()
    embedder = BagOfWords()
    with store._connection.write() as session:
        documents = passages // PASSAGES_OF_A_DOCUMENT
        for sql in _SOURCES:
            session.run(sql, [documents])
        for first in range(1, passages + 1, 5_000):
            numbers = range(first, min(first + 5_000, passages + 1))
            picked = words[drawn.choice(VOCABULARY, size=(len(numbers), WORDS), p=chances)]
            vectors = drawn.standard_normal((len(numbers), DIMENSIONS), dtype=np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            texts = [" ".join(row) for row in picked]
            session.append(
                "chunks",
                [
                    {
                        "chunk_no": number,
                        "doc_no": 1 + (number - 1) // PASSAGES_OF_A_DOCUMENT,
                        "page": 1,
                        "first_char": 1_000 * number,
                        "end_char": 1_000 * number + len(text),
                        "section": None,
                        "paragraph": 1,
                        "text": text,
                    }
                    for number, text in zip(numbers, texts, strict=True)
                ],
            )
            held = [
                {"model": embedder.config.digest, "chunk_no": number, "vector": vector.tobytes()}
                for number, vector in zip(numbers, vectors, strict=True)
            ]
            session.append("embeddings", held)


_SOURCES = (
    "insert into documents select i, lpad(hex(i), 12, '0'), sha256(i::varchar), 'text/plain', 1, 1000, [], '[]', now() "
    "from range(1, ? + 1) t(i)",
    f"insert into cuttings select i, i, 'bench', range((i - 1) * {PASSAGES_OF_A_DOCUMENT} + 1, "
    f"i * {PASSAGES_OF_A_DOCUMENT} + 1)::integer[], now() from range(1, ? + 1) t(i)",
    "insert into sources select i, 'main', 'file' || i, 1, i, 'File ' || i, sha256(i::varchar), now() "
    "from range(1, ? + 1) t(i)",
    "insert into source_events select i, i, 'stood', null, null, 'bench', now() from range(1, ? + 1) t(i)",
)


def measured(path: Path) -> dict[str, float]:
    """CPU seconds of the first question and of one later question, and the memory of this process, in MiB."""
    with open_store(path) as store:
        retriever = Retriever(store, BagOfWords)
        before, began = _memory("VmRSS"), process_time()
        first = retriever.search("w1 w20 w300", "main", None, now=utc_now())
        took, began = process_time() - began, process_time()
        for number in range(QUESTIONS):
            retriever.search(f"w{number:x} w20 w300", "main", None, now=utc_now())
        later, peak = (process_time() - began) / QUESTIONS, _memory("VmHWM") - before
        texts = [chunk.text for chunk in store.corpora.chunks("main", None, utc_now())]
    return {"passages": first.searched, "first": took, "later": later, "peak": peak} | library(texts)


def library(texts: list[str]) -> dict[str, float]:
    """CPU seconds of bm25s for the same words, split at blanks, which costs it nothing here."""
    from bm25s import BM25

    split = [text.split() for text in texts]
    index, began = BM25(), process_time()
    index.index(split, show_progress=False)
    took, began = process_time() - began, process_time()
    for number in range(QUESTIONS):
        index.get_scores([f"w{number:x}", "w20", "w300"])
    return {"library": took, "library_later": (process_time() - began) / QUESTIONS}


def rows(passages: int) -> Iterator[Row]:
    """The first question beside the library that counts words for others, over the same texts, and later ones."""
    found = in_a_process(passages)
    yield (
        f"first question to {passages:,} passages",
        f"{found['first']:.2f} s CPU",
        f"bm25s, index alone {found['library']:.2f} s",
        f"{found['first'] / found['library']:.1f}×",
    )
    yield (
        f"later question to {passages:,} passages",
        f"{found['later'] * 1000:.0f} ms CPU",
        f"bm25s, scores alone {found['library_later'] * 1000:.0f} ms",
        f"{found['later'] / found['library_later']:.1f}×",
    )
    yield (
        "memory of that first question",
        f"{found['peak']:.0f} MiB",
        f"vectors alone {passages * DIMENSIONS * 4 / 2**20:.0f} MiB",
        f"{found['peak'] / (passages * DIMENSIONS * 4 / 2**20):.1f}×",
    )


def in_a_process(passages: int) -> dict[str, float]:
    """The same in a process of its own, over a new corpus."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "desk.duckdb")
        with open_store(path) as store:
            fill(store, passages)
        done = run([sys.executable, "-m", "tests.bench_retrieval", str(path)], check=True, capture_output=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _memory(field: str) -> float:
    status = Path("/proc/self/status")
    return int(status.read_text().split(f"{field}:")[1].split()[0]) / 1024 if status.exists() else 0.0


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measured(Path(sys.argv[1]))))
