"""A folder of judged claims, here or in an object store: Parquet by protocol and day, and what of the input is done.

::

    runs/PROTOCOL.json                               who judges, in full
    claims/protocol=PROTOCOL/day=2026-11-30/BLOCK.parquet    a row a claim: the columns of ``verify --out FILE.parquet``
    answers/protocol=PROTOCOL/day=2026-11-30/BLOCK.parquet   a row an answer that they stand in
    done/PROTOCOL/BLOCK.json                         a block of input that is finished, and its files

A block counts when its file under ``done`` is there, and that one is written last; everything before can be written
again. Only what a finished block names is ever read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core import __version__
from core.errors import InputError
from core.importers import BadLine
from core.input_blocks import Block, place, shown, unreachable
from core.models import Record, utc_now
from core.protocol import ClaimProtocol
from core.spend import CostLine

LAYOUT = 1
"""Raised when files of before could no longer be read as what they are."""

READ_AT_ONCE = 16
"""Small files."""

UNDATED = "__HIVE_DEFAULT_PARTITION__"
"""The day of answers that do not say when they were asked; other tools read it as none."""


class RunNote(Record):
    """Who judges into a folder, and into which blocks its input is cut."""

    layout: int
    protocol: ClaimProtocol
    block_bytes: int
    started_at: datetime
    package_version: str


class PartFile(Record):
    """The claims of one day in one block, and the answers that they stand in."""

    day: str | None
    claims: str
    """Its path in the folder."""
    claims_bytes: int
    claims_rows: int
    answers: str
    answers_bytes: int
    answers_rows: int

    @property
    def sizes(self) -> dict[str, int]:
        """Its two files, with their bytes."""
        return {self.claims: self.claims_bytes, self.answers: self.answers_bytes}


class Judged(Record):
    """What became of some input."""

    protocol: str
    answers: int
    claims: int
    labels: dict[str, int]
    bad_lines: tuple[BadLine, ...]
    """Of a block numbered within it, of more within their files."""
    notes: tuple[str, ...]
    spent: tuple[CostLine, ...]
    """What judging it has cost now; what was finished before cost its own."""


class BlockReport(Judged):
    """What became of one block of input."""

    layout: int = LAYOUT
    block: Block
    lines: int
    """Lines or rows of the block, for counting on in the file."""
    files: tuple[PartFile, ...]

    def is_whole(self, sizes: Mapping[str, int]) -> bool:
        """Whether its files are there, as large as they were written; see ``RunFolder.sizes``."""
        return all(part.sizes.items() <= sizes.items() for part in self.files)


class RunFolder:
    """One such folder.

    Args:
        where: A path or an address.

    Raises:
        InputError: The place cannot be reached.
    """

    def __init__(self, where: str) -> None:
        """Nothing is written yet."""
        self.where = where
        self.system, self.path = place(where)
        self.is_here = self.system.type_name == "local"

    def begin(self, protocol: ClaimProtocol, block_bytes: int) -> None:
        """Note who judges; on going on, look that it is the same as before.

        Raises:
            InputError: Another protocol that prints alike judged into it, or the input was cut in another way.
        """
        name = f"runs/{protocol}.json"
        known = next((note for note in self.runs() if str(note.protocol) == str(protocol)), None)
        if known is None:
            note = RunNote(
                layout=LAYOUT,
                protocol=protocol,
                block_bytes=block_bytes,
                started_at=utc_now(),
                package_version=__version__,
            )
            self.write(name, note.model_dump_json(indent=1).encode())
        elif known.protocol.sha256 != protocol.sha256:
            raise InputError(f"Two protocols print as {protocol} in {shown(self.where)}", "name a new folder")
        elif known.block_bytes != block_bytes:
            before = f"{known.block_bytes / 2**20:.17g}"  # all digits: it must come to the same bytes again
            raise InputError(f"{shown(self.where)} was begun with blocks of {before} MiB", f"say --block-mib {before}")

    def runs(self) -> list[RunNote]:
        """Who has judged into the folder, by name."""
        return [self._record(RunNote, name) for name in self._names("runs")]

    def done(self, protocol: str | None = None) -> list[BlockReport]:
        """The finished blocks, of one protocol or of all, in the order of their names."""
        names = self._names(f"done/{protocol}" if protocol else "done")
        with ThreadPoolExecutor(READ_AT_ONCE) as pool:  # an object store answers late, but many at once
            return list(pool.map(lambda name: self._record(BlockReport, name), names))

    def finish(self, report: BlockReport) -> None:
        """Say that a block is done; what it names is written by now."""
        self.write(f"done/{report.protocol}/{report.block.name}.json", report.model_dump_json(indent=1).encode())

    def write(self, name: str, body: Any) -> int:
        """Write a file whole or not at all; gives its bytes.

        Raises:
            InputError: The place cannot be written.
        """
        import pyarrow as pa

        path = f"{self.path}/{name}"
        try:
            if self.is_here:
                _write_here(Path(path), body)
            else:
                with self.system.open_output_stream(path) as out:  # an object is there when its last byte is
                    out.write(body)
        except (pa.ArrowException, OSError) as error:
            raise unreachable(self.where, error) from error
        return len(body)

    def sizes(self) -> dict[str, int]:
        """Every file of claims and answers that is there, with its bytes."""
        found = [*self._infos("claims"), *self._infos("answers")]
        return {name: int(info.size) for name, info in found}

    def _names(self, folder: str) -> list[str]:
        return sorted(name for name, _ in self._infos(folder) if name.endswith(".json"))

    def _infos(self, folder: str) -> Iterator[tuple[str, Any]]:
        import pyarrow as pa
        from pyarrow import fs

        try:
            for info in self.system.get_file_info(
                fs.FileSelector(f"{self.path}/{folder}", recursive=True, allow_not_found=True)
            ):
                if info.type == fs.FileType.File and not info.base_name.startswith("."):
                    yield info.path[len(self.path) + 1 :], info
        except (pa.ArrowException, OSError) as error:
            raise unreachable(self.where, error) from error

    def _record(self, kind: type[Any], name: str) -> Any:
        import pyarrow as pa

        try:
            with self.system.open_input_file(f"{self.path}/{name}") as file:
                found = kind.model_validate_json(file.read())
        except (pa.ArrowException, OSError) as error:
            raise unreachable(self.where, error) from error
        except ValidationError as error:
            raise InputError(
                f"{shown(self.where)}/{name} is damaged or of another version",
                "remove that file and verify into the folder again",
            ) from error
        if found.layout != LAYOUT:
            raise InputError(
                f"{shown(self.where)} was written in layout {found.layout}, this Citedesk reads {LAYOUT}",
                "update Citedesk",
            )
        return found


def _write_here(file: Path, body: Any) -> None:
    """Write a file beside its place and put it there once it is on the disk, so that a power cut leaves no half."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}.part")
    with part.open("wb") as out:
        out.write(body)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)
