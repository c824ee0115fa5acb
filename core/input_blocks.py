"""What a large verification reads: files of folders and object stores, cut into blocks that are judged one by one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from core import importers
from core.errors import CitedeskError, InputError
from core.models import Record, digest

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

LINES = (".jsonl", ".ndjson")
TABLES = (".parquet",)
OWN = "citedesk"
"""The format of which every line is an answer."""


class Block(Record):
    """One stretch of an input file that is judged as a whole, and again as a whole after a failure."""

    input: str
    """The file, as a path or an address."""
    size: int
    """Bytes of the whole file."""
    changed: str
    """When the file was changed last, as its place says it; empty where it does not."""
    start: int = 0
    """First byte of a file of lines, or first row group of a table."""
    end: int | None = None
    """One past the last; none means the end of the file."""

    @property
    def name(self) -> str:
        """Names the block among those of a run, in the order of the file."""
        return f"{digest([shown(self.input)])[:12]}-{self.start:012x}"

    @property
    def is_part(self) -> bool:
        """Whether the file holds more than it."""
        return self.start > 0 or self.end is not None

    @property
    def suffix(self) -> str:
        """How the file's name ends, in small letters."""
        path = urlsplit(self.input).path if "://" in self.input else self.input
        return PurePosixPath(path).suffix.lower()


def place(where: str) -> tuple[FileSystem, str]:
    """The file system of a path or an address (``s3://…``, ``gs://…``, ``file:///…``), and the path in it.

    Raises:
        InputError: There is no such kind of address, or it cannot be reached from here.
    """
    import pyarrow as pa
    from pyarrow import fs

    try:
        if "://" in where:
            found: tuple[FileSystem, str] = fs.FileSystem.from_uri(where)
            return found[0], found[1].rstrip("/")
        return fs.LocalFileSystem(), os.path.abspath(where)
    except (pa.ArrowException, ValueError, OSError) as error:
        raise unreachable(where, error) from error


def settled(where: str) -> str:
    """The same path or address for every program: what is here by its absolute path.

    Raises:
        InputError: As ``place`` does.
    """
    system, path = place(where)
    return path if system.type_name == "local" else where


def within(where: str, path: str) -> str:
    """The address of a file in a folder; what follows the question mark of an address stays behind it."""
    if "://" not in where:
        return os.path.join(where, path)
    parts = urlsplit(where)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{path}"))


def shown(where: str) -> str:
    """An address without what follows its question mark and without a password in it, for messages and records."""
    if "://" not in where:
        return where
    parts = urlsplit(where)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment=""))


def unreachable(where: str, error: Exception) -> InputError:
    """One sentence about a place that cannot be read or written."""
    said = (str(error).splitlines() or [type(error).__name__])[0].rstrip(". ")
    return InputError(f"{shown(where)} cannot be used ({said})", "check the address, the network and your rights there")


def cut(inputs: Sequence[str], block_bytes: int, format: str = "auto") -> list[Block]:
    """Cut inputs into blocks, in the order of the inputs and of the names in a folder.

    Lines of Citedesk's own format are cut anywhere between two of them, tables between two row groups; other files
    stay whole, for an answer may be spread over several of their lines.

    Args:
        inputs: Files, or folders with files of lines or tables.
        block_bytes: How large a block should be.
        format: An importer's name, or ``auto``.

    Raises:
        InputError: An input is not there, cannot be read, or a folder holds something else.
    """
    import pyarrow as pa

    blocks: list[Block] = []
    for where in inputs:
        try:
            for file, info in _files(where):
                whole = Block(input=file, size=info.size, changed=str(info.mtime_ns or ""))
                blocks += _cut(whole, block_bytes, format) if info.size > block_bytes else [whole]
        except (pa.ArrowException, OSError, ValueError) as error:
            raise unreachable(where, error) from error
    return blocks


def _files(where: str) -> Iterator[tuple[str, Any]]:
    from pyarrow import fs

    system, path = place(where)
    info = system.get_file_info(path)
    if info.type == fs.FileType.NotFound:
        raise InputError(f"There is no {shown(where)}", "check the name")
    if info.type == fs.FileType.File:
        yield where, info
        return
    found = system.get_file_info(fs.FileSelector(path, recursive=True))
    for one in sorted(found, key=lambda one: str(one.path)):
        inside = PurePosixPath(one.path).relative_to(path)
        if one.type != fs.FileType.File or any(part[0] in "._" for part in inside.parts):
            continue
        if inside.suffix.lower() not in (*LINES, *TABLES):
            raise InputError(
                f"{shown(within(where, str(inside)))} is neither lines nor a table",
                f"take it out of the folder; read are {', '.join((*LINES, *TABLES))}",
            )
        yield within(where, str(inside)), one


def _cut(whole: Block, block_bytes: int, format: str) -> list[Block]:
    if whole.suffix in TABLES:
        borders = _row_groups(whole, block_bytes)
    elif whole.suffix in LINES and (format == OWN or (format == "auto" and _is_own(whole))):
        borders = list(range(0, whole.size, block_bytes))
    else:
        return [whole]
    ends: list[int | None] = [*borders[1:], None]
    return [whole.model_copy(update={"start": start, "end": end}) for start, end in zip(borders, ends, strict=True)]


def _row_groups(whole: Block, block_bytes: int) -> list[int]:
    import pyarrow.parquet as pq

    system, path = place(whole.input)
    with system.open_input_file(path) as file:
        described = pq.read_metadata(file)
    borders, held = [0], 0
    for number in range(described.num_row_groups):
        size = sum(described.row_group(number).column(at).total_compressed_size for at in range(described.num_columns))
        if held and held + size > block_bytes:
            borders.append(number)
            held = 0
        held += size
    return borders


def _is_own(whole: Block) -> bool:
    """Whether lines are in our own format, where every line is an answer; said by the file's first 64 KiB."""
    system, path = place(whole.input)
    with system.open_input_file(path) as file, tempfile.TemporaryDirectory() as folder:
        head = Path(folder, PurePosixPath(path).name)
        head.write_bytes(file.read(64 * 1024))
        try:
            return importers.detect(head).__name__.endswith(f".{OWN}")
        except CitedeskError:  # too little to tell; the importer says why when it reads the whole
            return False


@contextmanager
def fetched(block: Block) -> Iterator[tuple[Path, int]]:
    """A copy of a block as a local file, and how many lines or rows it holds.

    Raises:
        InputError: It cannot be read, or has changed since it was cut.
    """
    import pyarrow as pa

    system, path = place(block.input)
    with tempfile.TemporaryDirectory(prefix="citedesk-") as folder:
        here = Path(folder, PurePosixPath(path).name)
        try:
            count = (_fetch_rows if block.suffix in TABLES else _fetch)(system, path, block, here)
            info = system.get_file_info(path)  # after reading: what is written meanwhile is seen
        except (pa.ArrowException, OSError) as error:
            raise unreachable(block.input, error) from error
        if (info.size, str(info.mtime_ns or "")) != (block.size, block.changed):
            raise InputError(f"{shown(block.input)} has changed while it was judged", "start again into a new folder")
        yield here, count


def _fetch_rows(system: FileSystem, path: str, block: Block, here: Path) -> int:
    import pyarrow.parquet as pq

    with system.open_input_file(path) as file:
        table = pq.ParquetFile(file)
        if block.start == 0 and block.end is None:
            file.seek(0)
            here.write_bytes(file.read())
            return int(table.metadata.num_rows)
        groups = range(block.start, table.num_row_groups if block.end is None else block.end)
        rows = table.read_row_groups(list(groups))
    pq.write_table(rows, here)
    return int(rows.num_rows)


def _fetch(system: FileSystem, path: str, block: Block, here: Path) -> int:
    """Lines that begin in the block, the last one to its end, wherever that is."""
    count = 0
    with BufferedReader(system.open_input_file(path), 2**20) as file, here.open("wb") as out:
        at = block.start
        if at:  # the byte before says whether a line begins here
            file.seek(at - 1)
            at += len(file.readline()) - 1
        file.seek(at)
        while (block.end is None or at < block.end) and (line := file.readline()):
            out.write(line)
            at += len(line)
            count += 1
    return count
