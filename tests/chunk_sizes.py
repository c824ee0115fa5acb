"""How large a chunk should be: questions of ours against the sample corpus, for several sizes.

``python -m tests.chunk_sizes --topics 30``: each question of ``data/gold/questions.jsonl`` names the words that answer
it; a chunk is a hit when it holds all of them. Ranking is the product's own, by words and by meaning; reference topics
of Python stand among the sources to be passed over. Large chunks are easily hits and small ones easily ranked, so sizes
are compared by what fits into the same room: how many questions have a hit within so many code points of the best
chunks.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import islice
from pydoc_data import topics
from statistics import mean
from typing import NamedTuple

from core.chunking import pieces
from core.inference import Embedder, load_embedder
from core.loaders import Page, html, markdown, text
from core.ranking import WordIndex, best, fuse
from core.settings import data_path

SIZES = (300, 600, 800, 1000, 1200, 1600)
ROOMS = (1000, 2000, 4000)
DEPTH = 200
"""Places of each ranking that are fused."""


class Question(NamedTuple):
    """What is asked, and the words of a source that answer it."""

    question: str
    source: str
    quote: str


def questions() -> list[Question]:
    """All of them."""
    lines = data_path("gold", "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [Question(**json.loads(line)) for line in lines]


def corpus() -> dict[str, tuple[Page, ...]]:
    """The pages of the sample corpus, by file name."""
    by_suffix = {suffix: one for one in (html, markdown, text) for suffix in one.SUFFIXES}
    return {
        path.name: by_suffix[path.suffix].load(path).pages for path in sorted(data_path("samples", "corpus").iterdir())
    }


def main() -> None:
    """Print one line a size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topics", type=int, default=30, help="reference topics to add to the sources")
    options = parser.parse_args()
    sources = corpus() | {
        name: (Page(number=1, text=topic),) for name, topic in islice(topics.topics.items(), options.topics)
    }
    embedder = load_embedder(data_path("models", "embed"))
    asked = questions()
    sys.stdout.write(f"{len(asked)} questions, {len(sources)} sources; hits within {ROOMS} code points\n")
    for size in SIZES:
        sys.stdout.write(f"{line(size, sources, asked, embedder)}\n")
        sys.stdout.flush()


def line(size: int, sources: dict[str, tuple[Page, ...]], asked: Sequence[Question], embedder: Embedder) -> str:
    """One size: chunks, their mean length, mean reciprocal rank, recall at 3, questions answered within each room."""
    chunks = [
        (name, pages[piece.page - 1].text[piece.start : piece.end])
        for name, pages in sources.items()
        for piece in pieces(pages, size)
    ]
    texts = [chunk for _, chunk in chunks]
    index, vectors = WordIndex(texts), embedder.embed(texts)
    ranks: list[int | None] = []
    rooms: list[int] = []
    for one, vector in zip(asked, embedder.embed([one.question for one in asked]), strict=True):
        order = [
            place for place, _ in fuse(best(index.scores(one.question), DEPTH, 0.0), best(vectors @ vector, DEPTH))
        ]
        hits = [at for at, place in enumerate(order) if chunks[place][0] == one.source and one.quote in texts[place]]
        ranks.append(hits[0] + 1 if hits else None)
        if hits:
            rooms.append(sum(len(texts[place]) for place in order[: hits[0] + 1]))
    reciprocal = mean(1 / rank if rank else 0.0 for rank in ranks)
    at_three = sum(rank is not None and rank <= 3 for rank in ranks)
    within = "  ".join(str(sum(room <= limit for room in rooms)) for limit in ROOMS)
    length = mean(map(len, texts))
    return f"{size:5}: {len(texts):5} chunks of {length:4.0f}   MRR {reciprocal:.3f}   @3 {at_three}   within {within}"


if __name__ == "__main__":
    main()
