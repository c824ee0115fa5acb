"""How well passages are found: counted by hand, then over our questions with an embedder that needs no model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import retrieval_bench
from core.metrics.wilson import interval
from core.retrieval import Retriever
from core.retrieval_bench import Found, Question, measured, place, questions
from core.settings import Settings
from core.store import Store, open_store
from docs.retrieval.generate import PAGE
from tests.core.corpora_of import fill
from tests.core.test_cli import Command
from tests.fakes.bag_of_words import BagOfWords


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command, with the fake embedder."""

    def bag(store: Store, settings: Settings) -> Retriever:
        return Retriever(store, BagOfWords)

    monkeypatch.setattr(Retriever, "open", bag)
    return Command(monkeypatch, capsys, tmp_path / "desk.duckdb")


def test_recall_and_reciprocal_rank_by_hand() -> None:
    """Places 1, 2, 4 and none: recall 1/4, 2/4, 3/4; mean of 1, 1/2, 1/4 and 0."""
    ranks = (1, 2, 4, None)
    found = measured(
        [Found(fused=rank, words=None, meaning=1, given=rank == 1) for rank in ranks],
        embedder="bag@1",
        sources=3,
        passages=9,
    )
    fused, words, meaning = found.rankings

    assert (found.questions, fused.name) == (4, "fused")
    assert fused.recall == {1: interval(1, 4), 3: interval(2, 4), 8: interval(3, 4)}
    assert fused.mrr.estimate == pytest.approx(1.75 / 4)
    assert fused.mrr.n == 4
    assert fused.mrr.low is not None
    assert fused.mrr.low < 1.75 / 4
    assert (words.mrr.estimate, words.recall[8]) == (0.0, interval(0, 4))
    assert meaning.mrr.estimate == 1.0
    assert found.given == interval(1, 4)


def test_the_place_is_of_the_passage_with_the_answer_in_the_right_source(tmp_path: Path) -> None:
    """The same words in another file do not count; what is not among the candidates has no place."""
    with open_store(tmp_path / "s.duckdb") as store:
        fill(store, {"a.txt": "The toll for the bridge is 3 crowns.", "b.txt": "The toll is 3 crowns for dogs."})
        hits = Retriever(store, BagOfWords).search("toll for the bridge", "main", None).candidates

    assert place(Question(question="?", source="a.txt", quote="3 crowns"), hits).fused == 1
    assert place(Question(question="?", source="b.txt", quote="3 crowns"), hits).fused == 2
    assert place(Question(question="?", source="b.txt", quote="4 crowns"), hits) == Found(
        fused=None, words=None, meaning=None, given=False
    )


def test_the_command_prints_figures_with_n_and_intervals(citedesk: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an object and in words; the questions are ours, all of them."""
    monkeypatch.setattr(retrieval_bench, "TOPICS", 1)
    found = json.loads(citedesk("bench", "--retrieval", "--json").out)
    said = citedesk("bench", "--retrieval").out

    assert found["questions"] == len(questions()) == found["given"]["n"]
    assert [ranking["name"] for ranking in found["rankings"]] == ["fused", "words", "meaning"]
    assert found["rankings"][0]["recall"]["8"]["estimate"] > 0.5
    assert found["embedder"].startswith("bag@1+")
    assert "| as used: both, fused by rank |" in said
    assert citedesk("bench", "--retrieval", "--minimal-pairs").code == 2


def test_the_page_is_of_these_questions() -> None:
    """``docs/retrieval.md`` was written by its command since the questions last changed."""
    assert f"{len(questions())} questions" in PAGE.read_text(encoding="utf-8")
