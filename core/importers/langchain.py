"""LangChain results: an answer beside the documents it was made from, as chains return and ``dumpd`` writes them.

Covers ``RetrievalQA`` (``result``, ``source_documents``), the retrieval chain (``answer``, ``context``), chains with
sources, the citation chain, whose facts become claims with their quotations, and conversations of ``messages`` whose
tools returned documents (langchain-classic 1.0, langchain-core 1.8).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.importers import _objects
from core.importers._json import RowError, kind
from core.importers._langchain_message import arguments, message_in
from core.importers._passages import shaped
from core.importers._records import paths
from core.importers._rows import BadLine
from core.importers._told import answer_in, query_in
from core.models import Answer

_DOCUMENTS = ("source_documents", "context", "documents", "docs")
_ANSWERS = ("answer", "result", "output_text", "output", "response", "messages")
_QUERIES = ("query", "question", "input", "messages")


def sniff(path: Path, head: bytes) -> bool:
    """Whether objects hold documents with ``page_content``, facts with ``substring_quote``, or LangChain's messages."""
    found = paths(head)
    under = tuple(f"{key}.{inner}" for key in _DOCUMENTS for inner in ("page_content", "kwargs.page_content"))
    messages = {"messages.additional_kwargs", "messages.kwargs.content"}
    return not found.isdisjoint((*under, "answer.substring_quote", *messages))


def read(path: Path) -> Iterator[Answer | BadLine]:
    """One answer for each result.

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


def _converted(result: Mapping[str, Any]) -> Answer:
    answered = next((key for key in _ANSWERS if result.get(key) is not None), None)
    asked = next((key for key in _QUERIES if result.get(key) is not None), None)
    said = result.get(answered or "")
    if isinstance(said, list) and answered == "messages":
        said = next((each for each in reversed(said) if arguments(each).get("type") == "ai"), None)
    facts = _facts(said)
    message = message_in(said)
    notes = [] if message is None else message.notes
    held = next((key for key in _DOCUMENTS if isinstance(result.get(key), list)), None)
    documents = [*(result[held] if held else ()), *_artifacts(result.get("messages"))]
    cited = [] if message is None else message.passages
    row: dict[str, Any] = {
        "request_id": next((result[key] for key in ("request_id", "id", "run_id") if _is_id(result.get(key))), None),
        "query": _text(result.get(asked or ""), query_in),
        "answer": message.text if message else None if facts is not None else _text(said, answer_in),
        "claims": facts,
        "evidence": shaped([*(arguments(each) or each for each in documents), *cited], None, notes),
    }
    if isinstance(result.get("sources"), str) and result["sources"].strip():
        notes.append("sources does not say what each of them is cited for, so it was kept aside")
    used = [key for key in ("request_id", "id", "run_id", answered, asked, held) if key not in (None, "messages")]
    found = _objects.made(row, result, (key for key in used if key is not None), notes)
    return found if message is None else found.model_copy(update={"annotations": message.annotations})


def _text(value: object, told: Any) -> str | None:
    """A text as it is; what is in anything else."""
    found: str | None = value if isinstance(value, str) else told(value)
    return found


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _artifacts(messages: object) -> list[Any]:
    """The documents that tools of a conversation returned beside their text."""
    found: list[Any] = []
    for message in messages if isinstance(messages, list) else ():
        artifact = arguments(message).get("artifact")
        if isinstance(artifact, list):
            found += [each for each in artifact if isinstance(arguments(each).get("page_content"), str)]
    return found


def _facts(said: object) -> list[dict[str, Any]] | None:
    """The claims of the citation chain: each fact with the passages it quotes."""
    if not isinstance(said, list) or not any(isinstance(each, Mapping) and "fact" in each for each in said):
        return None
    found = []
    for index, each in enumerate(said):
        if not isinstance(each, Mapping):
            raise RowError(f"answer[{index}]", f"{kind(each)} where a fact is due")
        found.append({"text": each.get("fact"), "quote": each.get("substring_quote")})
    return found
