"""Inputs that a log importer will meet one day: noise, broken examples, and objects made of its own words.

Everything is drawn from one seeded generator, so that a seed gives the same inputs again.
"""

from __future__ import annotations

import ast
import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import date, datetime, time
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
from openpyxl import Workbook
from pyarrow import parquet

from core import importers, plugins
from core.importers._columns import FIELDS

EXAMPLES = Path(__file__).parent.parent / "core" / "importers" / "examples"

_MARKUP = b'{}[]":,\n\r\t \\"0;|<>\x00\xff\xfe\xef\xbb\xbfPK\x03\x04PAR1'
_ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**63, -(10**25), 1e308, 0.5, float("nan"), float("inf")),
    *("", " ", "0", "[1]", "x" * 300, "\ud800", "\x00", "N/A", "=1+1", "2026-11-30T09:00:00Z", "99999-01-01"),
    "[1] says “so”. Then【4:0†source】 2 🌬️ é.",
    *([], {}, [[]], [None], [{}], {"": None}, '{"a": 1}', '[{"text": 1}]', "['a', 'b']"),
)
_CELLS: tuple[Any, ...] = (
    *(
        None,
        True,
        0,
        -1.5,
        "",
        " ",
        "N/A",
        "=1+1",
        "[1]",
        "C1",
        "C1;C2",
        '["a", "b"]',
        "['a'",
        "x" * 300,
        "\x0b",
        "é\n2 [1].",
    ),
    *(date(2026, 11, 30), datetime.combine(date(2026, 11, 30), time(9)), "2026-11-30", "The fee is 3 euros [C1]."),
)
_TITLES = tuple(name for names in FIELDS.values() for name in names)


def inputs(name: str, number: int, seed: int) -> Iterator[bytes]:
    """That many files for one importer."""
    random = Random(f"{name}-{seed}")
    known, words = examples(name), vocabulary(name)
    for turn in range(number):
        kind = turn % 8
        if kind == 0:
            yield random.randbytes(random.randrange(200))
        elif kind == 1:
            yield bytes(random.choice(_MARKUP) for _ in range(random.randrange(120)))
        elif kind in (2, 3) and name in _WRITERS:
            yield _WRITERS[name](_invented_table(random))
        elif kind == 2 or not known:
            yield _written([_invented(random, words, 0) for _ in range(random.randrange(1, 4))], random)
        elif kind in (3, 4):
            yield _damaged(random.choice(known), random)
        else:
            yield _altered(random.choice(known), words, random)


@cache
def examples(name: str) -> tuple[bytes, ...]:
    """The example files of an importer; those of tables in binary formats are made of the example of ``csv``."""
    found = [file.read_bytes() for file in sorted(EXAMPLES.glob(f"{name}.*"))]
    if name in _WRITERS and not found:
        tables = [list(csv.reader(io.StringIO(file.read_text("utf-8")))) for file in sorted(EXAMPLES.glob("csv.*"))]
        found = [_WRITERS[name](table) for table in tables]
    return tuple(found)


@cache
def vocabulary(name: str) -> tuple[str, ...]:
    """The words that an importer's source holds as text: the fields it looks for."""
    folder = Path(importers.__path__[0])
    sources = [Path(str(plugins.load(importers, name).__file__)), *sorted(folder.glob("_*.py"))]
    nodes = (node for file in sources for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    found = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return tuple(sorted(word for word in found if 0 < len(word) < 40 and "\n" not in word))


def _invented(random: Random, words: Sequence[str], depth: int) -> Any:
    """A value made of the importer's own words."""
    if depth > 5 or random.random() < 0.3 * min(depth, 1):
        return deepcopy(random.choice(_ODD)) if random.random() < 0.6 else random.choice(words)
    if random.random() < 0.3 and depth:
        return [_invented(random, words, depth + 1) for _ in range(random.randrange(4))]
    return {random.choice(words): _invented(random, words, depth + 1) for _ in range(random.randrange(1, 7))}


def _written(values: list[Any], random: Random) -> bytes:
    """Values as JSON Lines, as an array, or as one document spread over lines."""
    form = random.randrange(3)
    if form == 0:
        return "\n".join(json.dumps(value) for value in values).encode()
    return json.dumps(values if form == 1 else values[0], indent=random.choice((None, 1))).encode()


def _damaged(example: bytes, random: Random) -> bytes:
    """An example with some bytes changed, lost, doubled or cut off."""
    data = bytearray(example)
    for _ in range(random.randrange(1, 5)):
        at = random.randrange(len(data) + 1)
        until = min(len(data), at + random.randrange(1, 30))
        choice = random.randrange(5)
        if choice == 0:
            data[at:until] = random.randbytes(until - at)
        elif choice == 1:
            data[at:until] = b""
        elif choice == 2:
            data[at:at] = data[at:until]
        elif choice == 3:
            data[at:at] = bytes([random.choice(_MARKUP)])
        else:
            del data[at:]
    return bytes(data)


def _altered(example: bytes, words: Sequence[str], random: Random) -> bytes:
    """An example whose JSON is sound but holds something else in a few places; tables are damaged instead."""
    try:
        values = [json.loads(line) for line in example.splitlines() if line.strip()]
    except ValueError:
        try:
            values = [json.loads(example)]
        except ValueError:
            return _damaged(example, random)
    for _ in range(random.randrange(1, 4)):
        _alter(values, words, random)
    return _written(values, random) if values else b""


def _alter(value: Any, words: Sequence[str], random: Random) -> None:
    """Change one place of a nest of lists and objects, found by walking down at random."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = random.choice(keys)
        if isinstance(value[key], dict | list) and value[key] and random.random() < 0.8:
            value = value[key]
            continue
        choice = random.random()
        if choice < 0.2:
            del value[key]
        elif choice < 0.8:
            value[key] = deepcopy(random.choice(_ODD))
        else:
            value[key] = _invented(random, words, 3)
        return


def _invented_table(random: Random) -> list[list[Any]]:
    """A header of likely names over cells of any kind; some rows are short."""
    header = [random.choice((*_TITLES, "", "N/A")) for _ in range(random.randrange(1, 6))]
    return [header, *(_invented_row(random, len(header)) for _ in range(random.randrange(6)))]


def _invented_row(random: Random, width: int) -> list[Any]:
    return [random.choice(_CELLS) for _ in range(random.choice((width, width, width, width - 1, width + 1)))]


def _as_csv(table: list[list[Any]]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=",").writerows(table)
    return buffer.getvalue().encode()


def _as_xlsx(table: list[list[Any]]) -> bytes:
    buffer = io.BytesIO()
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in table:
        sheet.append([None if value == "\x0b" else value for value in row])  # no spreadsheet can hold it
    book.save(buffer)
    return buffer.getvalue()


def _as_parquet(table: list[list[Any]]) -> bytes:
    """Columns of one type each: texts where values differ in type, as a Parquet file must have it."""
    buffer = io.BytesIO()
    header, rows = table[0], table[1:]
    columns = [[row[place] if place < len(row) else None for row in rows] for place in range(len(header))]
    parquet.write_table(pa.Table.from_arrays([_column(values) for values in columns], names=header), buffer)
    return buffer.getvalue()


def _column(values: list[Any]) -> Any:
    kinds = {type(value) for value in values if value is not None}
    return pa.array(values if len(kinds) < 2 else [None if value is None else str(value) for value in values])


_WRITERS: Mapping[str, Callable[[list[list[Any]]], bytes]] = {"csv": _as_csv, "xlsx": _as_xlsx, "parquet": _as_parquet}
