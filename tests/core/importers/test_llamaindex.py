"""LlamaIndex responses: ids of nodes, or the numbers that the citation engine gives them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core import importers
from core.importers import llamaindex
from tests.core.importers.logs import answer, evidence, refusals, written


def node(id_: str, text: str | None, **fields: Any) -> dict[str, Any]:
    """A ``NodeWithScore`` as it is dumped."""
    return {"node": {"id_": id_, "text": text, "metadata": {}, "class_name": "TextNode", **fields}, "score": 0.5}


def test_nodes_go_by_their_own_ids(tmp_path: Path) -> None:
    """Text nodes, and nodes whose text is a resource; their links and templates are left out."""
    resource = {"id_": "n2", "text_resource": {"text": "Two beds."}, "metadata": {}, "class_name": "Node"}
    dump = {
        "query": "How long?",
        "response": "57 km.",
        "source_nodes": [node("n1", "57 km.", relationships={}), {"node": resource, "score": None}],
        "metadata": {"n1": {"page_label": "4"}},
    }
    path = written(tmp_path, dump)
    found = answer(path)

    assert importers.detect(path) is llamaindex
    assert (found.query, found.answer, evidence(found)) == (
        "How long?",
        "57 km.",
        [("n1", "57 km."), ("n2", "Two beds.")],
    )
    assert found.evidence[0].meta == {"metadata": {}, "score": 0.5}
    assert found.meta == {"metadata": {"n1": {"page_label": "4"}}}


def test_numbers_of_the_citation_engine(tmp_path: Path) -> None:
    """``Source n:`` is what its prompt has the model cite; the text behind it is the passage."""
    nodes = [node("n1", "Source 1:\n57 km\nlong.\n"), node("n2", "Source 2:\n2016.\n")]
    found = answer(written(tmp_path, {"response": "57 km [1].", "source_nodes": nodes}))

    assert evidence(found) == [("1", "57 km\nlong."), ("2", "2016.")]
    assert [entry.meta["node_id"] for entry in found.evidence] == ["n1", "n2"]


def test_a_text_that_happens_to_begin_so(tmp_path: Path) -> None:
    """Only where every node does are the numbers the engine's."""
    nodes = [node("n1", "Source 1:\nx\n"), node("n2", "y")]

    assert evidence(answer(written(tmp_path, {"response": "a", "source_nodes": nodes}))) == [
        ("n1", "Source 1:\nx\n"),
        ("n2", "y"),
    ]


def test_a_dump_beside_its_question(tmp_path: Path) -> None:
    """The response object inside, what was asked outside."""
    path = written(
        tmp_path, [{"id": 5, "question": "How long?", "response": {"response": "57 km.", "source_nodes": []}}]
    )

    assert importers.detect(path) is llamaindex
    assert (answer(path).request_id, answer(path).query, answer(path).answer) == ("5", "How long?", "57 km.")


def test_refusals(tmp_path: Path) -> None:
    """An empty response, and nodes that are none; an image node is evidence that cannot be read."""
    path = written(
        tmp_path,
        [
            {"response": None, "source_nodes": []},
            {"response": "a", "source_nodes": [5]},
            {"response": "a", "source_nodes": {}},
            {"response": "a", "source_nodes": [node("n1", None)]},
        ],
    )

    assert refusals(path) == [
        (1, "answer", "neither an answer nor claims, so there is nothing to check"),
        (2, "source_nodes[0]", "a number where a node is due"),
        (3, "source_nodes", "an object where a list is due"),
    ]
