"""How well passages are found: questions of ours against the sample sources, apart from everything about citations.

Each line of ``data/gold/questions.jsonl`` names the words of a source that answer a question; the passage that holds
all of them is the one to be found. Topics of Python's reference stand among the sources to be passed over. The ranking
is the product's own, as ``core.retrieval.Retriever`` makes it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from core import corpora
from core.corpora import AddRequest
from core.errors import InputError
from core.hits import Hit
from core.loaders import Document
from core.metrics import Estimate, bootstrap, wilson
from core.models import Record
from core.retrieval import Retriever
from core.settings import Settings, data_path
from core.store import Store, open_store
from core.store.source_log import NewSource

AT = (1, 3, 8)
"""How many of the best passages are looked among."""

TOPICS = 12
"""Topics of Python's reference among the sources, where nothing else is said; as when chunk sizes were chosen."""

Progress = Callable[[int, int], None]


class Question(Record):
    """What is asked, and the words of a source that answer it."""

    question: str
    source: str
    """A file's name."""
    quote: str


class Found(Record):
    """At which place the passage with the answer stood, from 1; none when it was not among the candidates."""

    fused: int | None
    words: int | None
    meaning: int | None
    given: bool
    """Whether a generator would have been given it."""


class Ranking(Record):
    """How one ranking did over all questions."""

    name: str
    recall: dict[int, Estimate]
    """By how many of the best passages are looked among: questions whose passage is there."""
    mrr: Estimate
    """Mean of 1 / place, 0 where it was not found."""


class RetrievalBench(Record):
    """What was measured, on what."""

    embedder: str
    sources: int
    passages: int
    questions: int
    rankings: tuple[Ranking, ...]
    """As it is used (fused), then each part alone, as far as its places are among the candidates."""
    given: Estimate
    """Questions whose passage a generator would have been given."""


def questions() -> list[Question]:
    """All of ours.

    Raises:
        InputError: They are not here: an installed wheel does not carry them.
    """
    path = data_path("gold", "questions.jsonl")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path} cannot be read", "run this in a checkout of Citedesk") from error
    return [Question.model_validate_json(line) for line in lines]


def run(settings: Settings, topics: int = TOPICS, seed: int = 0, progress: Progress | None = None) -> RetrievalBench:
    """Ask every question of a store made for it.

    Args:
        settings: Which embedder.
        topics: Topics of the reference to be passed over.
        seed: Of the intervals.
        progress: Told of passages read, then of questions asked.

    Raises:
        VerifierUnavailable: The embedder cannot be had.
        InputError: The questions are not here.
    """
    asked = questions()
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "bench.duckdb")) as store:
        sources = _fill(store, topics)
        retriever = Retriever.open(store, settings)
        retriever.prepare("main", progress)
        found: list[Found] = []
        for done, one in enumerate(asked, start=1):
            retrieval = retriever.search(one.question, "main", None)
            found.append(place(one, retrieval.candidates))
            if progress:
                progress(done, len(asked))
        return measured(found, seed, embedder=retrieval.embedder, sources=sources, passages=retrieval.searched)


def place(asked: Question, candidates: Sequence[Hit]) -> Found:
    """Where the answer stood among what was found, best first."""
    for rank, hit in enumerate(candidates, start=1):
        if asked.quote in hit.chunk.text and hit.chunk.uri.endswith(f"/{asked.source}"):
            return Found(fused=rank, words=hit.bm25_rank, meaning=hit.dense_rank, given=not hit.cut)
    return Found(fused=None, words=None, meaning=None, given=False)


def measured(found: Sequence[Found], seed: int = 0, **what: Any) -> RetrievalBench:
    """Recall with Wilson intervals, reciprocal ranks with bootstrap intervals over questions."""
    places = {name: [getattr(one, name) for one in found] for name in ("fused", "words", "meaning")}
    return RetrievalBench(
        questions=len(found),
        rankings=tuple(_ranking(name, ranks, seed) for name, ranks in places.items()),
        given=wilson.interval(sum(one.given for one in found), len(found)),
        **what,
    )


def _ranking(name: str, ranks: Sequence[int | None], seed: int) -> Ranking:
    sums = np.asarray([[1 / rank if rank else 0.0, 1.0] for rank in ranks]).reshape(-1, 2)
    return Ranking(
        name=name,
        recall={k: wilson.interval(sum(rank is not None and rank <= k for rank in ranks), len(ranks)) for k in AT},
        mrr=bootstrap.interval(sums, _share, len(ranks), [seed]),
    )


def _share(sums: bootstrap.Sums) -> bootstrap.Sums:
    return np.asarray(sums[..., 0] / sums[..., 1])


def _fill(store: Store, topics: int) -> int:
    """The sample sources, and topics beside them; gives how many sources there are."""
    from pydoc_data import topics as reference

    folder = data_path("samples", "corpus")
    taken = corpora.add(store, AddRequest(paths=(folder,)), "bench").files
    texts = list(islice(reference.topics.items(), topics))
    for name, text in texts:
        new = NewSource(corpus="main", uri=f"help:/{name}", title=name, media="text", file_sha256="0" * 64)
        corpora.take(store, new, Document.of([text]), "bench", name)
    return len(taken) + len(texts)


def markdown(found: RetrievalBench) -> str:
    """The figures as a table, with what its words mean."""
    lines = [
        f"{found.questions} questions, {found.passages:,} passages of {found.sources} sources, embedder "
        f"`{found.embedder}`.",
        "",
        f"| ranking | {' | '.join(f'recall@{k}' for k in AT)} | MRR |",
        f"| --- | {' | '.join('---' for _ in AT)} | --- |",
        *(
            f"| {_NAMES[one.name]} | {' | '.join(_said(one.recall[k]) for k in AT)} | {_said(one.mrr)} |"
            for one in found.rankings
        ),
        "",
        f"Given to the generator: {_said(found.given)} of the questions had the passage with their answer among what a "
        "generator is given.",
        "",
        "recall@k: the share of questions whose passage is among the k best. MRR: the mean of 1 / its place. In "
        "brackets 95 % intervals: Wilson for shares, bootstrap over questions for MRR. The parts alone count places "
        "among the candidates of both.",
    ]
    return "\n".join(lines)


_NAMES = {"fused": "as used: both, fused by rank", "words": "by words alone (BM25)", "meaning": "by meaning alone"}


def _said(one: Estimate) -> str:
    if one.estimate is None or one.low is None or one.high is None:
        return "no data"
    return f"{one.estimate:.2f} [{one.low:.2f}, {one.high:.2f}]"
