"""The first question to a corpus, which reads every passage, and the ones after it; called by ``make bench``."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from subprocess import run
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from core.model_folder import ModelConfig, locate, read
from core.models import utc_now
from core.retrieval import MODEL, Embeds, Retriever
from core.settings import Settings
from core.store import Store, open_store

Row = tuple[str, str, str, str]

PASSAGES_OF_A_DOCUMENT, WORDS, VOCABULARY = 50, 80, 30_000
QUESTIONS, WORDS_ASKED = 60, 12


def vocabulary() -> NDArray[np.str_]:
    """Words, the most common first."""
    return np.array([f"w{number:x}" for number in range(VOCABULARY)])


def chances() -> NDArray[np.float64]:
    """How likely each word is: the n-th as 1/n (Zipf)."""
    found = 1 / np.arange(1, VOCABULARY + 1)
    return np.asarray(found / found.sum(), dtype=np.float64)


def dimensions() -> int:
    """Of the vectors of the model that comes with Citedesk."""
    return bundled().dimensions or 0


@cache
def bundled() -> ModelConfig:
    """What that model says about itself."""
    return read(locate(MODEL)).config


def fill(store: Store, passages: int) -> None:
    """A corpus of so many passages of words drawn as prose draws them (Zipf), each with a vector, written by SQL."""
    drawn, words, likely = np.random.default_rng(5), vocabulary(), chances()
    model = bundled().digest
    with store._connection.write() as session:
        documents = passages // PASSAGES_OF_A_DOCUMENT
        for sql in _SOURCES:
            session.run(sql, [documents])
        for first in range(1, passages + 1, 5_000):
            numbers = range(first, min(first + 5_000, passages + 1))
            picked = words[drawn.choice(VOCABULARY, size=(len(numbers), WORDS), p=likely)]
            vectors = drawn.standard_normal((len(numbers), dimensions()), dtype=np.float32)
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
                {"model": model, "chunk_no": number, "vector": vector.tobytes()}
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


def questions() -> list[str]:
    """Questions of words drawn as the passages are, so that common ones, which stand in most passages, come often."""
    drawn = np.random.default_rng(7)
    return [" ".join(row) for row in vocabulary()[drawn.choice(VOCABULARY, (QUESTIONS, WORDS_ASKED), p=chances())]]


def measured(path: Path) -> dict[str, float]:
    """CPU seconds of the first question, wall seconds of later ones, and the memory of this process, in MiB.

    The model that comes with Citedesk embeds every question, as it does at a desk.
    """
    with open_store(path) as store:
        retriever, asked = Retriever.open(store, Settings(store=path)), questions()
        before, began = _memory("VmRSS"), process_time()
        first = retriever.search(asked[0], "main", None, now=utc_now())
        took, peak = process_time() - began, _memory("VmHWM") - before
        later = [_seconds(partial(retriever.search, one, "main", None, now=utc_now())) for one in asked]
        texts = [chunk.text for chunk in store.corpora.chunks("main", None, utc_now())]
        return {
            "passages": first.searched,
            "first": took,
            "p50": float(np.percentile(later, 50)),
            "p95": float(np.percentile(later, 95)),
            "peak": peak,
        } | floor(texts, retriever.embedder, asked)


def floor(texts: list[str], embedder: Embeds, asked: list[str]) -> dict[str, float]:
    """What a question cannot do without: bm25s for its words, split at blanks, its vector, and one product.

    Returns:
        ``index``: CPU seconds of bm25s for all texts; ``floor``: wall seconds of a question, in the middle.
    """
    from bm25s import BM25

    split = [text.split() for text in texts]
    index, began = BM25(), process_time()
    index.index(split, show_progress=False)
    took = process_time() - began
    vectors = np.random.default_rng(5).standard_normal((len(texts), dimensions()), dtype=np.float32)

    def ask(question: str) -> object:
        return index.get_scores(question.split()), vectors @ embedder.embed([question])[0]

    return {"index": took, "floor": float(np.percentile([_seconds(partial(ask, one)) for one in asked], 50))}


def rows(passages: int) -> Iterator[Row]:
    """The first question beside the library that counts words for others, over the same texts, and later ones."""
    found = in_a_process(passages)
    vectors = passages * dimensions() * 4 / 2**20
    yield (
        f"first question to {passages:,} passages",
        f"{found['first']:.2f} s CPU",
        f"bm25s, index alone {found['index']:.2f} s",
        f"{found['first'] / found['index']:.1f}×",
    )
    yield (
        f"later question to {passages:,} passages, its own vector included, {QUESTIONS} times",
        f"p50 {found['p50'] * 1000:.0f}, p95 {found['p95'] * 1000:.0f} ms",
        f"bm25s scores, vector and product alone {found['floor'] * 1000:.0f} ms",
        f"{found['p50'] / found['floor']:.1f}×",
    )
    yield (
        "memory of that first question",
        f"{found['peak']:.0f} MiB",
        f"vectors alone {vectors:.0f} MiB",
        f"{found['peak'] / vectors:.1f}×",
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


def _seconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _memory(field: str) -> float:
    status = Path("/proc/self/status")
    return int(status.read_text().split(f"{field}:")[1].split()[0]) / 1024 if status.exists() else 0.0


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measured(Path(sys.argv[1]))))
