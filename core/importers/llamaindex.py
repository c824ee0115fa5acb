"""LlamaIndex responses: ``response`` with its ``source_nodes`` (llama-index-core 0.14).

The citation query engine begins each node's text with ``Source n:``, the number by which its prompt has the model cite;
there the number is the id and the rest the text. Other nodes go by their own id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import _objects
from core.importers._json import RowError, kind
from core.importers._passages import shaped
from core.importers._records import paths
from core.importers._rows import BadLine
from core.importers._told import answer_in, query_in
from core.models import Answer

_NUMBERED = re.compile(r"Source (\d{1,9}):\n(.*?)\n?\Z", re.S)


def sniff(path: Path, head: bytes) -> bool:
    """Whether objects have source nodes."""
    return bool(paths(head) & {"source_nodes", "response.source_nodes"})


def read(path: Path) -> Iterator[Answer | BadLine]:
    """One answer for each response.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return _objects.read(path, _converted)


def count(path: Path) -> int:
    """How many rows ``read`` gives, refused ones included.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
    """
    return _objects.count(path)


def _converted(dump: Mapping[str, Any]) -> Answer:
    inner = dump.get("response")
    row = inner if isinstance(inner, Mapping) and "source_nodes" in inner else dump
    nodes = row.get("source_nodes")
    if nodes is not None and not isinstance(nodes, list):
        raise RowError("source_nodes", f"{kind(nodes)} where a list is due")
    notes: list[str] = []
    taken = [_node(each, f"source_nodes[{index}]") for index, each in enumerate(nodes or ())]
    said = row.get("response", row.get("response_txt"))
    query = {key: dump[key] for key in ("query", "query_str", "question") if key in dump}
    shape = {
        "request_id": dump.get("request_id", dump.get("id")),
        "query": query_in(query),
        "answer": said if isinstance(said, str) else answer_in(said),
        "evidence": shaped(_labelled(taken), None, notes),
    }
    source = {**dump, **row} if row is not dump else dump
    used = ("response", "response_txt", "source_nodes", "request_id", "id", *query)
    return _objects.made(shape, source, used, notes)


def _node(value: object, field: str) -> dict[str, Any]:
    """A node as a passage: its score beside it, its text wherever its class keeps it, its links left out."""
    if not isinstance(value, Mapping):
        raise RowError(field, f"{kind(value)} where a node is due")
    node = value.get("node", value)
    if not isinstance(node, Mapping):
        raise RowError(f"{field}.node", f"{kind(node)} where a node is due")
    node = node.get("__data__", node) if isinstance(node.get("__data__", node), Mapping) else node
    resource = node.get("text_resource")
    text = node.get("text")
    if text is None and isinstance(resource, Mapping):
        text = resource.get("text")
    kept = {"id": node.get("id_", node.get("node_id", node.get("id"))), "text": text, "metadata": node.get("metadata")}
    return kept | ({"score": value["score"]} if value.get("score") is not None else {})


def _labelled(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Nodes under the numbers that their texts begin with, when all of them do, and else under their own ids."""
    found = [_NUMBERED.match(node["text"]) if isinstance(node["text"], str) else None for node in nodes]
    matches = [match for match in found if match is not None]
    if len(matches) < len(nodes):
        return nodes
    return [
        {**node, "id": match[1], "text": match[2], "node_id": node["id"]}
        for node, match in zip(nodes, matches, strict=True)
    ]
