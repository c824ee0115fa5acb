"""LangChain results: chains, dumps, conversations, and citations by position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core import importers
from core.importers import langchain
from tests.core.importers.logs import answer, evidence, refusals, written

A = "https://a.example/"
PLAIN = {
    "id": "d1",
    "metadata": {"source": "https://toll.example/", "page": 0},
    "page_content": "3 crowns.",
    "type": "Document",
}
DUMPED = {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "document", "Document"], "kwargs": PLAIN}


@pytest.mark.parametrize("document", [PLAIN, DUMPED])
@pytest.mark.parametrize(
    ("asked", "answered", "held"),
    [("query", "result", "source_documents"), ("input", "answer", "context"), ("question", "output_text", "documents")],
)
def test_chains(tmp_path: Path, document: dict[str, Any], asked: str, answered: str, held: str) -> None:
    """Whatever they call question, answer and documents, as models or as ``dumpd`` writes them."""
    path = written(tmp_path, {asked: "What toll?", answered: "3 crowns [d1].", held: [document], "run": 5})
    found = answer(path)

    assert importers.detect(path) is langchain
    assert (found.query, found.answer, evidence(found)) == ("What toll?", "3 crowns [d1].", [("d1", "3 crowns.")])
    assert found.evidence[0].uri == "https://toll.example/"
    assert found.meta == {"run": 5}


def message(*blocks: dict[str, Any]) -> dict[str, Any]:
    """An ``AIMessage`` as ``model_dump`` gives it."""
    return {"content": list(blocks), "additional_kwargs": {}, "type": "ai", "id": None}


def test_citations_by_position(tmp_path: Path) -> None:
    """In code points of their own block; without a place they are for the block; one that fits nowhere is noted."""
    blocks: list[dict[str, Any]] = [
        {"type": "text", "text": "Short 😀 note. "},
        {
            "type": "text",
            "text": "3 crowns. Two beds.",
            "annotations": [
                {"type": "citation", "url": A, "start_index": 0, "end_index": 9, "cited_text": "3 crowns"},
                {"type": "citation", "url": A, "start_index": 10, "end_index": 19, "cited_text": "2 beds"},
                {"type": "citation", "title": "Leaflet"},
                {"type": "citation", "url": "https://b.example/", "start_index": 5, "end_index": 99},
                {"type": "citation"},
            ],
        },
    ]  # fmt: skip
    conversation = [{"content": "What toll?", "additional_kwargs": {}, "type": "human"}, message(*blocks)]
    path = written(tmp_path, {"messages": conversation})
    found = answer(path)
    text = "Short 😀 note. 3 crowns. Two beds."

    assert importers.detect(path) is langchain
    assert (found.query, found.answer) == ("What toll?", text)
    assert [(text[note.start : note.end], note.cite) for note in found.annotations] == [
        ("3 crowns.", A),
        ("Two beds.", "https://a.example/ (2)"),
        ("3 crowns. Two beds.", "Leaflet"),
    ]
    assert [(entry.id, entry.text, entry.accessible) for entry in found.evidence] == [
        (A, "3 crowns", True),
        ("https://a.example/ (2)", "2 beds", True),
        ("Leaflet", "", False),
    ]
    assert [note for note in found.notes if "not attached" in note] == [
        "content[1].annotations[3]: [5, 99) in code points is no stretch of the text; the citation was not attached",
        "content[1].annotations[4]: names no source; the citation was not attached",
    ]


def test_documents_that_tools_returned(tmp_path: Path) -> None:
    """A retriever tool hands its documents on as an artifact of its message."""
    tool = {"content": "3 crowns.", "additional_kwargs": {}, "type": "tool", "artifact": [PLAIN, 5]}
    said = {"content": "3 crowns [d1].", "additional_kwargs": {}, "type": "ai"}

    assert evidence(answer(written(tmp_path, {"messages": [tool, said]}))) == [("d1", "3 crowns.")]


def test_facts_become_claims(tmp_path: Path) -> None:
    """The citation chain quotes and names no ids: its claims are uncited, their quotations are checked."""
    path = written(
        tmp_path, [{"question": "What toll?", "answer": [{"fact": "3 crowns.", "substring_quote": ["3 crowns"]}]}]
    )
    found = answer(path)

    assert importers.detect(path) is langchain
    assert found.claims is not None
    assert [(claim.text, claim.quotes, claim.citation_ids) for claim in found.claims] == [
        ("3 crowns.", ("3 crowns",), ())
    ]


def test_sources_of_a_whole_answer_are_kept_aside(tmp_path: Path) -> None:
    """They do not say what they are for."""
    found = answer(written(tmp_path, {"answer": "x", "sources": "a, b", "source_documents": [PLAIN]}))

    assert found.meta == {"sources": "a, b"}
    assert "sources does not say what each of them is cited for, so it was kept aside" in found.notes


def test_refusals(tmp_path: Path) -> None:
    """No answer, facts that are none, documents that are none."""
    path = written(
        tmp_path,
        [
            {"query": "q", "source_documents": [PLAIN]},
            {"answer": [{"fact": "x", "substring_quote": []}, 5]},
            {"answer": "x", "context": [5]},
        ],
    )

    assert refusals(path) == [
        (1, "answer", "neither an answer nor claims, so there is nothing to check"),
        (2, "answer[1]", "a number where a fact is due"),
        (3, "evidence[0]", "a number where a passage is due"),
    ]
