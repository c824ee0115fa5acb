"""A short round of ``make fuzz``: no input of any bytes breaks an importer, and every row ends somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import importers, plugins
from core.importers import BadLine
from tests.fuzz import importers as fuzzing
from tests.fuzz.inputs import EXAMPLES, examples, inputs

INPUTS = 200


@pytest.mark.parametrize("name", plugins.names(importers))
def test_broken_files_break_nothing(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two hundred files: each is refused with a sentence, or its rows are answers and refusals that add up."""
    monkeypatch.setattr(fuzzing, "local_path", tmp_path.joinpath)

    counts = fuzzing.fuzz(name, INPUTS, seed=20261130)

    assert counts.faults == ()
    assert counts.answers, "no input was good enough to be read, so little was tried"
    assert counts.rows_refused


@pytest.mark.parametrize("name", plugins.names(importers))
def test_an_example_is_recognised_and_read(name: str, tmp_path: Path) -> None:
    """Every importer has an example, which ``auto`` gives to it alone and of which it refuses nothing."""
    assert examples(name), f"put an example of {name} into {EXAMPLES}"
    for number, content in enumerate(examples(name)):
        path = tmp_path / f"{number}.log"
        path.write_bytes(content)

        rows = list(importers.read(path))

        assert importers.detect(path).__name__ == f"core.importers.{name}"
        assert rows
        assert not [row for row in rows if isinstance(row, BadLine)]


def test_a_seed_gives_the_same_inputs() -> None:
    """A fault can be looked at again."""
    assert list(inputs("citedesk", 40, seed=3)) == list(inputs("citedesk", 40, seed=3))
    assert list(inputs("citedesk", 40, seed=3)) != list(inputs("citedesk", 40, seed=4))


def test_a_fault_is_found(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Were rows lost, the table and the exit code would say so, and the file is kept."""
    monkeypatch.setattr(fuzzing, "local_path", tmp_path.joinpath)
    monkeypatch.setattr(importers, "count_rows", lambda path, format: 99)

    code = fuzzing.main(["citedesk", "--inputs", "40", "--seed", "1"])

    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    assert lines[0].split()[0] == "importer"
    assert lines[1].split()[0] == "citedesk"
    assert int(lines[1].split()[-1]) > 0
    assert lines[2].endswith("AssertionError: the rows counted are not the rows read")
    assert Path(lines[2].partition(": ")[0]).is_file()
    assert lines[-1] == "seed 1"
