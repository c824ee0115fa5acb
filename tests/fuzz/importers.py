"""Feed every importer thousands of broken files; each row must end as imported or refused, and the counts must add up.

Run as ``make fuzz`` (``ARGS="--inputs 1000 --seed 7 openai_chat"`` for less). A file that breaks an importer is kept in
``data/local/fuzz``.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from core import extraction, importers, plugins
from core.errors import InputError
from core.importers import BadLine
from core.models import Answer
from core.settings import local_path
from tests.fuzz.inputs import inputs

_LINE = "{:<20} {:>8} {:>14} {:>9} {:>13} {:>7}\n"


class Counts(NamedTuple):
    """What became of the inputs of one importer."""

    name: str
    inputs: int = 0
    files_refused: int = 0
    """Files that were refused as a whole, with one sentence."""
    answers: int = 0
    rows_refused: int = 0
    faults: tuple[str, ...] = ()
    """Inputs that broke a promise, each with the promise."""


def fuzz(name: str, number: int, seed: int) -> Counts:
    """Try one importer; nothing is raised, whatever it does."""
    counts = Counts(name, inputs=number)
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        for content in inputs(name, number, seed):
            path.write_bytes(content)
            try:
                answers, refused = attempt(name, path)
            except InputError:
                counts = counts._replace(files_refused=counts.files_refused + 1)
            except Exception as error:  # every kind of failure is what is being counted here
                faults.append(f"{_kept(name, content)}: {type(error).__name__}: {str(error)[:160]}")
            else:
                counts = counts._replace(answers=counts.answers + answers, rows_refused=counts.rows_refused + refused)
    return counts._replace(faults=tuple(faults))


def attempt(name: str, path: Path) -> tuple[int, int]:
    """Read one file as an import does.

    Returns:
        How many answers it gave and how many rows were refused.

    Raises:
        InputError: The file cannot be read as a whole, which is an answer too.
        AssertionError: A promise was broken.
    """
    module = plugins.load(importers, name)
    assert isinstance(module.sniff(path, path.read_bytes()[: 64 * 1024]), bool), "sniff says neither yes nor no"
    rows = list(importers.read(path, name))
    assert importers.count_rows(path, name) == len(rows), "the rows counted are not the rows read"
    for row in rows:
        assert isinstance(row, Answer | BadLine), f"{row!r} is neither an answer nor a refused row"
        if isinstance(row, BadLine):
            assert row.reason, "a row was refused without a reason"
            continue
        row.model_dump_json()
        extraction.claims(row)  # asserts every place that it gives
    refused = sum(isinstance(row, BadLine) for row in rows)
    return len(rows) - refused, refused


def _kept(name: str, content: bytes) -> Path:
    """Write an input that broke something to where a person finds it."""
    path = local_path("fuzz", f"{name}-{hashlib.sha256(content).hexdigest()[:12]}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def main(words: Sequence[str] | None = None) -> int:
    """Print one line an importer; 1 when any promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="importers; all of them without a name")
    parser.add_argument("--inputs", type=int, default=10_000, help="files for each importer")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    sys.stdout.write(_LINE.format("importer", "inputs", "files refused", "answers", "rows refused", "faults"))
    faults: list[str] = []
    for name in options.names or plugins.names(importers):
        one = fuzz(name, options.inputs, options.seed)
        faults += one.faults
        told = (one.inputs, one.files_refused, one.answers, one.rows_refused, len(one.faults))
        sys.stdout.write(_LINE.format(name, *told))
        sys.stdout.flush()
    distinct = {fault.partition(": ")[2]: fault for fault in faults}
    sys.stdout.write("".join(f"{fault}\n" for fault in distinct.values()) + f"seed {options.seed}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
