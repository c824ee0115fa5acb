"""Judging into a folder: the rows are those of any verification, a stopped run goes on, nothing is doubled or lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import engines, plugins, verification
from core.block_judging import BlockJudge
from core.errors import InputError
from core.exporters import parquet
from core.input_blocks import cut, fetched, shown, within
from core.models import ClaimRow
from core.run_folder import RunFolder
from tests.core.runs import LEXICAL, judged, log, tree


def rows_in(folder: Path) -> list[dict[str, object]]:
    """The columns of claim rows in all files of a folder, in the order of the input."""
    names = list(ClaimRow.model_fields)
    found = [
        row
        for file in sorted((folder / "claims").rglob("*.parquet"), key=lambda file: file.name)
        for row in pq.read_table(file, columns=names, partitioning=None).to_pylist()
    ]
    return sorted(found, key=lambda row: (str(row["request_id"]), str(row["claim_id"])))


@pytest.mark.parametrize("name", plugins.names(engines))
def test_every_engine_says_what_it_is(name: str) -> None:
    """Listing and loading an engine needs nothing that it runs on."""
    module = plugins.load(engines, name)

    assert module.__doc__
    assert "ray" in sys.modules or callable(module.run)


def test_the_rows_are_those_of_a_verification_without_a_folder(tmp_path: Path) -> None:
    """Cut into blocks of lines or not, every claim has the row that ``verify --json`` prints."""
    file = log(tmp_path / "log.jsonl")
    run = verification.Verification([file], "auto", LEXICAL, lambda done, total: None)
    expected = pa.Table.from_pylist([one.row.model_dump() for one in run.claims()], schema=parquet.schema()).to_pylist()

    total = judged(file, tmp_path / "out")

    assert total.blocks > 2
    assert expected == rows_in(tmp_path / "out")
    assert (total.claims, total.labels) == (len(expected), dict(run.labels.most_common()))
    assert [(bad.line, bad.field) for bad in total.bad_lines] == [(bad.line, bad.field) for bad in run.bad_lines]


def test_days_are_folders_and_undated_answers_have_their_own(tmp_path: Path) -> None:
    """A day is the UTC day of the question; other tools read the folder of undated answers as no day."""
    total = judged(log(tmp_path / "log.jsonl"), tmp_path / "out")

    days = {folder.name for folder in (tmp_path / "out" / "claims" / f"protocol={total.protocol}").iterdir()}
    assert days == {"day=2026-11-01", "day=2026-11-02", "day=__HIVE_DEFAULT_PARTITION__"}


def test_a_finished_block_is_not_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Going on judges what is missing only, and ends with the files of a run that was never stopped."""
    file = log(tmp_path / "log.jsonl")
    whole = judged(file, tmp_path / "whole")
    judged(file, tmp_path / "out")
    gone = sorted((tmp_path / "out" / "done").rglob("*.json"))[1]
    gone.unlink()
    seen: list[str] = []
    run = BlockJudge.run

    def watched(self: BlockJudge, block: object, format: str) -> object:
        seen.append(getattr(block, "name", ""))
        return run(self, block, format)  # type: ignore[arg-type]

    monkeypatch.setattr(BlockJudge, "run", watched)
    again = judged(file, tmp_path / "out")

    assert seen == [gone.stem]
    assert again.resumed == again.blocks - 1
    assert (again.claims, again.bad_lines) == (whole.claims, whole.bad_lines)
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


def test_a_block_whose_files_are_damaged_is_judged_again(tmp_path: Path) -> None:
    """One file is gone and one is cut short, as after a power cut: the same command makes the folder whole."""
    file = log(tmp_path / "log.jsonl")
    judged(file, tmp_path / "whole")
    judged(file, tmp_path / "out")
    first, *_, last = sorted((tmp_path / "out").rglob("*/*.parquet"))
    first.unlink()
    last.write_bytes(last.read_bytes()[:-1])

    again = judged(file, tmp_path / "out")

    assert again.resumed == again.blocks - 2
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


def test_another_spelling_of_a_path_is_the_same_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is judged twice, and a folder is found by processes that work in another one."""
    file = log(tmp_path / "log.jsonl")
    whole = judged(file, tmp_path / "out")
    monkeypatch.chdir(tmp_path)

    for name in ("log.jsonl", "./log.jsonl", file.as_uri()):
        assert judged(name, "out").resumed == whole.blocks
    assert all(json.loads(one.read_text())["block"]["input"] == str(file) for one in Path("out").rglob("done/*/*.json"))


@pytest.mark.long
def test_a_killed_run_goes_on_and_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """Killed without warning after its first block, then run again: the same files as in one go."""
    file = log(tmp_path / "log.jsonl", days=8)
    command = f"from tests.core.runs import judged; judged({str(file)!r}, {str(tmp_path / 'out')!r})"
    run = subprocess.Popen([sys.executable, "-c", command], env=os.environ | {"PYTHONPATH": os.getcwd()})
    end = time.monotonic() + 120
    while not list((tmp_path / "out").rglob("done/*/*.json")) and run.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    run.kill()
    run.wait()
    finished = len(list((tmp_path / "out").rglob("done/*/*.json")))

    again, whole = judged(file, tmp_path / "out"), judged(file, tmp_path / "whole")

    assert again.resumed == finished > 0
    assert again.claims == whole.claims
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


def test_an_input_that_changed_is_refused(tmp_path: Path) -> None:
    """Rows of two states of one file are never mixed in a folder."""
    judged(log(tmp_path / "log.jsonl"), tmp_path / "out", block_mib=1)
    log(tmp_path / "log.jsonl", days=4)

    with pytest.raises(InputError, match=r"log\.jsonl has changed since it was judged; judge it into a new folder"):
        judged(tmp_path / "log.jsonl", tmp_path / "out", block_mib=1)


def test_blocks_of_another_size_are_refused(tmp_path: Path) -> None:
    """What is finished could not be told from what is not."""
    judged(log(tmp_path / "log.jsonl"), tmp_path / "out", block_mib=1)

    with pytest.raises(InputError, match=r"begun with blocks of 1 MiB; say --block-mib 1\."):
        judged(tmp_path / "log.jsonl", tmp_path / "out", block_mib=2)


def test_the_size_that_is_advised_is_the_one_it_was_begun_with(tmp_path: Path) -> None:
    """Also where it is no round number of bytes."""
    judged(log(tmp_path / "log.jsonl"), tmp_path / "out", block_mib=0.05)
    with pytest.raises(InputError) as refused:
        judged(tmp_path / "log.jsonl", tmp_path / "out", block_mib=1)

    said = float(str(refused.value).rpartition("--block-mib ")[2].rstrip("."))
    assert judged(tmp_path / "log.jsonl", tmp_path / "out", block_mib=said).resumed == 1


def test_a_line_is_read_in_the_same_way_wherever_a_block_begins(tmp_path: Path) -> None:
    """One of another format is refused, as it is in a file that is judged whole."""
    own = {"request_id": "r1", "answer": "It opens [C1].", "evidence": [{"id": "C1", "text": "It opens. " * 7_000}]}
    other = {"object": "chat.completion", "choices": [{"message": {"role": "assistant", "content": "It opens at 7."}}]}
    file = tmp_path / "log.jsonl"
    file.write_text(f"{json.dumps(own)}\n{json.dumps(other)}\n")

    parts, whole = judged(file, tmp_path / "parts", block_mib=0.06), judged(file, tmp_path / "whole", block_mib=1)

    assert parts.blocks > whole.blocks == 1
    assert (parts.claims, parts.bad_lines) == (whole.claims, whole.bad_lines)
    assert len(whole.bad_lines) == 1


def test_a_format_whose_answers_span_lines_stays_whole(tmp_path: Path) -> None:
    """Whoever names the format knows better than the look of the first lines."""
    file = str(log(tmp_path / "log.jsonl"))

    assert len(cut([file], 300)) == len(cut([file], 300, "citedesk")) > 1
    assert len(cut([file], 300, "ragas")) == 1


def test_lines_longer_than_what_a_format_is_told_by_are_cut(tmp_path: Path) -> None:
    """Answers with much evidence are no reason to hold a whole log in memory."""
    line = {"request_id": "r1", "answer": "It opens [C1].", "evidence": [{"id": "C1", "text": "x" * 70_000}]}
    (tmp_path / "log.jsonl").write_text(f"{json.dumps(line)}\n" * 3)

    assert len(cut([str(tmp_path / "log.jsonl")], 70_000)) == 4


@pytest.mark.parametrize("name", ["log.parquet", "log.PARQUET"])
def test_a_table_is_cut_between_row_groups(tmp_path: Path, name: str) -> None:
    """Every row is in one block, whatever the block's size."""
    table = pa.table({"query": [f"q{n}" for n in range(40)], "answer": ["Gate opens at 7 [C1]."] * 40})
    pq.write_table(table, tmp_path / name, row_group_size=10)

    blocks = cut([str(tmp_path)], 100)

    assert [(one.start, one.end) for one in blocks] == [(0, 1), (1, 2), (2, 3), (3, None)]
    read = []
    for block in blocks:
        with fetched(block) as (file, rows):
            assert rows == 10
            read += pq.read_table(file).column("query").to_pylist()
    assert read == table.column("query").to_pylist()


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_every_line_is_in_one_block(tmp_path: Path, size: int) -> None:
    """Wherever the cuts fall, also within a line or at its end."""
    file = log(tmp_path / "log.jsonl", days=5)
    body = b""
    for block in cut([str(file)], max(size, file.stat().st_size // 50)):
        with fetched(block) as (part, lines):
            read = part.read_bytes()
            assert lines == read.count(b"\n")
            body += read

    assert body == file.read_bytes()


def test_a_stranger_in_the_folder_is_named(tmp_path: Path) -> None:
    """Nothing in a folder is passed over in silence, but for names that tools keep to themselves."""
    log(tmp_path / "log.jsonl")
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / "notes.txt").write_text("x")

    with pytest.raises(InputError, match=r"notes\.txt is neither lines nor a table"):
        cut([str(tmp_path)], 1000)


def test_a_missing_input_is_named(tmp_path: Path) -> None:
    """One sentence, with what to do."""
    with pytest.raises(InputError, match=r"There is no .*gone; check the name"):
        cut([str(tmp_path / "gone")], 1000)


def test_secrets_of_an_address_are_not_shown() -> None:
    """What follows the question mark may be a key."""
    address = "s3://key:secret@bucket/runs?endpoint_override=localhost:1&scheme=http"

    assert shown(address) == "s3://bucket/runs"
    assert (
        within(address, "a b.jsonl")
        == "s3://key:secret@bucket/runs/a b.jsonl?endpoint_override=localhost:1&scheme=http"
    )


def test_a_damaged_note_is_said(tmp_path: Path) -> None:
    """A folder that does not hold what it should is not gone on with."""
    judged(log(tmp_path / "log.jsonl"), tmp_path / "out")
    next((tmp_path / "out" / "done").rglob("*.json")).write_text("{")

    with pytest.raises(InputError, match="is damaged or of another version; remove that file and verify into the fold"):
        RunFolder(str(tmp_path / "out")).done()
