"""OpenAI Responses: ``output`` with messages of ``output_text`` parts and their ``annotations``.

Shapes as in the SDK's ``types/responses/response_output_text.py`` and ``response_file_search_tool_call.py``. Indices
count within their own part. ``url_citation`` and ``container_file_citation`` bound a stretch; the ``index`` of a
``file_citation`` is the place to insert it at. A web page comes without its text and cannot be read here; a file's text
is what ``file_search_call`` results hold of it, all of them, since a citation names the file only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import _records, _responses
from core.importers._draft import Draft, Part
from core.importers._envelope import Envelope, inner_paths
from core.importers._node import Node
from core.importers._rows import BadLine
from core.models import Answer

_READ = frozenset({"output", "output_text", "object"})


def sniff(path: Path, head: bytes) -> bool:
    """Whether the first objects have output parts, or call themselves responses."""
    found = inner_paths(_records.paths(head))
    traced = found & {"traceId", "parentObservationId", "parent_observation_id"}  # an observation whose output is one
    named = found & {"object=response", "output.content.annotations", "output.content.type=output_text"}
    return bool(named and not traced)


def read(path: Path) -> Iterator[Answer | BadLine]:
    """Read the responses in order.

    Raises:
        ImportFormatError: At once when the file is no text, later when reading fails on the way.
    """
    return _responses.answers(path, answer_of)


def answer_of(row: Mapping[str, Any]) -> Answer:
    """One answer from one response, or from an object that holds one.

    Raises:
        RowError: It holds no response or no text, or a field has another type than its meaning needs.
    """
    envelope = Envelope(row, _is_response, "OpenAI Responses")
    draft = Draft("openai", envelope)
    output = envelope.response.nodes("output")
    _supply_files(draft, output)
    for item in output:
        if item.has_list("content"):
            for index, part in enumerate(item.nodes("content")):
                _read_part(draft, part, apart=index == 0)
    _supply_pages(draft, output)
    return draft.answer(_READ)


def _is_response(node: Node) -> bool:
    return node.has_list("output")


def _supply_files(draft: Draft, output: list[Node]) -> None:
    """Enter the files that were searched, each with all the text that was retrieved from it."""
    texts: dict[str, list[str]] = {}
    titles: dict[str, str | None] = {}
    for item in output:
        for found in item.nodes("results") if item.get("type") == "file_search_call" else []:
            file = found.name("file_id")
            if file is None:
                draft.notes.append(f"{found.path}: a retrieved file without file_id was left out")
                continue
            titles.setdefault(file, found.text("filename"))
            passage = found.text("text")
            if passage and passage.strip() and passage not in texts.setdefault(file, []):
                texts[file].append(passage)
    for file, title in titles.items():
        passages = texts.get(file, [])
        meta = {"passages": len(passages)} if len(passages) > 1 else {}
        draft.supply(file, "\n\n".join(passages), title=title, locator=title, meta=meta)


def _supply_pages(draft: Draft, output: list[Node]) -> None:
    """Enter the pages that were searched and that no citation named."""
    for item in output:
        action = item.node("action") if item.get("type") == "web_search_call" else Node({})
        for source in action.nodes("sources"):
            url = source.name("url")
            if url is not None and not draft.knows(url):
                draft.supply(url, None, uri=url)


def _read_part(draft: Draft, node: Node, apart: bool) -> None:
    text = node.text("text")
    if text is None:
        text = node.text("refusal") or ""
    part = draft.add(text, apart=apart)
    for annotation in node.nodes("annotations"):
        _attach(draft, part, annotation)


def _attach(draft: Draft, part: Part, annotation: Node) -> None:
    """Attach one annotation of a part; one that is no citation, or of no kind known here, is noted.

    Raises:
        RowError: A field has another type than its meaning needs.
    """
    url, file = annotation.name("url"), annotation.name("file_id")
    if annotation.get("type") == "file_path":
        draft.notes.append(f"{annotation.path}: a path to a file that was made, which is no citation")
    elif url is not None:
        if not draft.knows(url):
            draft.supply(url, None, uri=url, title=annotation.text("title"))
        _attach_stretch(draft, part, annotation, url)
    elif file is not None:
        if not draft.knows(file):
            title = annotation.text("filename")
            draft.supply(file, None, title=title, locator=title)
        if annotation.get("index") is not None:
            draft.attach_at(part, annotation.number("index"), file, annotation.path)
        else:
            _attach_stretch(draft, part, annotation, file)
    else:
        draft.notes.append(f"{annotation.path}: an annotation that names no source; it was not attached")


def _attach_stretch(draft: Draft, part: Part, annotation: Node, cite: str) -> None:
    start, end = annotation.number("start_index"), annotation.number("end_index")
    draft.attach(part, start, end, [cite], annotation.path)
