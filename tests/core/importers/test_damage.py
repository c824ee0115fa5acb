"""Damaged logs of tables and tracing tools: 200 for each, every row an answer or a refusal, nothing else raised."""

from __future__ import annotations

import copy
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook

from core import importers
from core.errors import ImportFormatError
from core.importers import BadLine
from core.models import Answer
from tests.core.importers import test_alce, test_langchain, test_langfuse, test_openinference, test_ragas, test_trulens
from tests.core.importers.test_llamaindex import node

TRIES = 200
CITED = {"type": "citation", "url": "u", "start_index": 0, "end_index": 1}
ASKED = test_openinference.span("a", "LLM", llm__input_messages=[{"message.role": "user"}])
DOCUMENTS: dict[str, list[Any]] = {
    "alce": [{"data": [test_alce.ITEM, test_alce.ITEM], "args": {}}],
    "langchain": [
        {"query": "q", "answer": "a [d1]", "context": [test_langchain.DUMPED], "sources": "s"},
        {"messages": [test_langchain.message({"type": "text", "text": "a", "annotations": [CITED]})]},
    ],
    "langfuse": [
        test_langfuse.ROOT,
        test_langfuse.FOUND,
        test_langfuse.TOLD,
        {"id": "t", "output": "a", "observations": [test_langfuse.FOUND]},
    ],
    "llamaindex": [{"query": "q", "response": "a [1]", "source_nodes": [node("n", "Source 1:\nx\n"), node("m", "y")]}],
    "openinference": [test_openinference.RETRIEVE, test_openinference.ANSWER, {"spans": [ASKED]}],
    "ragas": [test_ragas.SAMPLE, test_ragas.SAMPLE],
    "trulens": [test_trulens.RECORD, test_trulens.event("r2", "retrieval", retrieval__retrieved_contexts=["x"])],
}
PIECES: list[Any] = [
    None, True, 0, -1, 1.5, float("nan"), "", " ", "x", "{", '{"a": 1}', '["x"]', "9" * 30, "\ud83d", [], {}, [[]],
    [None], [1], ["x"], [{}], {"text": "t"}, {"node": 5}, {"kwargs": {"content": [{"text": 5}]}}, ".".join("abc" * 20),
    {"0": {"document": 5}}, "9999-12-31T23:59:59-23:00",
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of everything inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


def other_json(dice: random.Random, documents: list[Any]) -> bytes:
    """The documents as JSON Lines, some of their values replaced or taken out."""
    documents = copy.deepcopy(documents)
    for _ in range(dice.randint(1, 4)):
        *parents, last = dice.choice(list(places(documents)))
        holder: Any = documents
        for key in parents:
            holder = holder[key]
        if dice.random() < 0.7:
            holder[last] = copy.deepcopy(dice.choice(PIECES))
        else:
            del holder[last]
        if not documents:
            break
    return "\n".join(map(json.dumps, documents)).encode()


def other_bytes(dice: random.Random, content: bytes) -> bytes:
    """The content with bytes changed, taken out and put in."""
    raw = bytearray(content)
    for _ in range(dice.choice([1, 1, 2, 8])):
        at = dice.randrange(len(raw))
        raw[at : at + dice.choice([0, 1, 1, 9])] = bytes(
            dice.choice(b",\"\n;\t[]'{}<>&\xff\0=") for _ in range(dice.choice([0, 1, 1, 3]))
        )
    return bytes(raw) or b"x"


def other_archive(dice: random.Random, content: bytes) -> bytes:
    """The archive with one damaged member, or without it."""
    raw = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(raw, "w") as new:
        hit = dice.choice(old.namelist())
        for name in old.namelist():
            if name != hit:
                new.writestr(name, old.read(name))
            elif dice.random() < 0.9:
                new.writestr(name, other_bytes(dice, old.read(name)))
    return raw.getvalue()


def csv_content() -> bytes:
    """A table with every kind of cell."""
    return b'id,answer,contexts,date\n1,"a ""q"" [1]","[""x""]",2026\n2,N/A,,\n3,"multi\nline","[\'a\', \'b\']",x\n'


def parquet_content() -> bytes:
    """A table with lists and nulls."""
    raw = io.BytesIO()
    pq.write_table(pa.table({"id": [1, None], "answer": ["a [1]", "N/A"], "contexts": [["x"], None]}), raw)
    return raw.getvalue()


def xlsx_content() -> bytes:
    """A workbook with a formula."""
    book = Workbook()
    sheet = book.worksheets[0]
    for line in (["id", "answer", "contexts"], [1, "a [1]", '["x"]'], [2.5, "=1+1", "N/A"]):
        sheet.append(line)
    raw = io.BytesIO()
    book.save(raw)
    return raw.getvalue()


TABLES: dict[str, tuple[Callable[[], bytes], Callable[[random.Random, bytes], bytes]]] = {
    "csv": (csv_content, other_bytes),
    "parquet": (parquet_content, other_bytes),
    "xlsx": (xlsx_content, other_archive),
}


def holds(path: Path, name: str) -> str:
    """Read a file and check the contract; returns how it ended."""
    sentence = ""
    found: list[Answer | BadLine] = []
    try:
        found = list(importers.read(path, name))
    except ImportFormatError as error:
        sentence = str(error)
    if sentence:
        assert "\n" not in sentence
        assert sentence.encode()
        return "refused"
    numbers = [row.line for row in found if isinstance(row, BadLine)]
    assert numbers == sorted(set(numbers))
    assert importers.count_rows(path, name) == len(found)
    for row in found:
        assert (row.uid if isinstance(row, Answer) else str(row)).encode()
    return "read"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_json_of_other_shapes(name: str, tmp_path: Path) -> None:
    """Values of any type anywhere, fields that are missing."""
    dice = random.Random(name)
    path = tmp_path / "log.jsonl"
    ends = set()
    for _ in range(TRIES):
        path.write_bytes(other_json(dice, DOCUMENTS[name]))
        ends.add(holds(path, name))

    assert "read" in ends


@pytest.mark.filterwarnings("ignore::UserWarning")  # openpyxl says what it leaves out
@pytest.mark.parametrize("name", TABLES)
def test_damaged_tables(name: str, tmp_path: Path) -> None:
    """Bytes changed anywhere, in the members of an archive too."""
    content, damaged = TABLES[name]
    whole = content()
    dice = random.Random(name)
    path = tmp_path / f"log.{name}"
    ends = set()
    for _ in range(TRIES):
        path.write_bytes(damaged(dice, whole))
        ends.add(holds(path, name))

    assert ends == {"read", "refused"}
