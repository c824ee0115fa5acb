"""The command line: rows on standard output, one sentence for whatever goes wrong, the right exit code."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow.parquet as pq
import pytest
from jsonschema import Draft202012Validator

from core import cli
from core.settings import data_path
from docs.schema.generate import HOME

GOOD = {
    "request_id": "r1",
    "query": "When does the gate open?",
    "claims": [{"text": "The gate opens at 7 in the morning.", "citation_ids": ["C1"]}],
    "evidence": [{"id": "C1", "text": "The gate opens at 7 in the morning and shuts at 9 in the evening."}],
}
NO_TRACEBACK = "Traceback"


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


class Command:
    """Runs ``citedesk`` in this process, as a person would type it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], store: Path) -> None:
        """Use a store of its own."""
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        monkeypatch.setenv("CITEDESK_STORE", str(store))

    def __call__(self, *words: str | Path) -> Ran:
        """Run it."""
        self.monkeypatch.setattr(sys, "argv", ["citedesk", *map(str, words)])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            cli.main()
        out, err = self.capsys.readouterr()
        return Ran(int(stop.value.code or 0), out, err)


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command, on an empty store."""
    return Command(monkeypatch, capsys, tmp_path / "desk.duckdb")


def log(path: Path, *lines: object) -> Path:
    """A log of answers; strings go in as they are."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def test_verify_prints_one_valid_row_a_claim(citedesk: Command, tmp_path: Path) -> None:
    """Standard output holds rows of the published schema and nothing else."""
    ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD), "--json")
    (row,) = map(json.loads, ran.out.splitlines())

    assert ran.code == 0
    assert row["claim"] == "The gate opens at 7 in the morning."
    assert row["label"] == "supported"
    Draft202012Validator(json.loads((HOME / "claim-row.schema.json").read_text())).validate(row)


def test_verify_twice_gives_the_same_bytes(citedesk: Command) -> None:
    """Judging the sample again gives byte-equal rows."""
    sample = data_path("samples", "answers.jsonl")

    assert citedesk("verify", sample, "--json").out == citedesk("verify", sample, "--json").out


def test_verify_for_a_person_names_judge_and_counts(citedesk: Command, tmp_path: Path) -> None:
    """Without --json a summary says how many, judged by whom."""
    ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD))

    assert "1 claims in 1 answers, judged by lexical@1+" in ran.out
    assert "supported" in ran.out


def test_verify_writes_a_table(citedesk: Command, tmp_path: Path) -> None:
    """The suffix of --out chooses the format."""
    out = tmp_path / "rows.parquet"
    ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD), "--out", out)

    assert ran.code == 0
    assert pq.read_table(out).num_rows == 1


def test_fail_on_looks_for_the_labels_named(citedesk: Command, tmp_path: Path) -> None:
    """1 when a claim has one of them, 0 when none has."""
    file = log(tmp_path / "a.jsonl", GOOD)

    assert citedesk("verify", file, "--fail-on", "supported").code == 1
    assert citedesk("verify", file, "--fail-on", "contradicted,uncited").code == 0
    assert citedesk("verify", file, "--fail-on", "fine").code == 2


def test_one_bad_line_is_named_and_the_others_go_in(citedesk: Command, tmp_path: Path) -> None:
    """Invalid JSON on line 7 costs line 7 and nothing else."""
    others = [GOOD | {"request_id": f"r{number}"} for number in range(8)]
    file = log(tmp_path / "a.jsonl", *others[:6], '{"request_id": "r6", "claims": [', *others[6:])
    ran = citedesk("verify", file, "--json")

    assert ran.code == 1
    assert len(ran.out.splitlines()) == 8
    assert "a.jsonl, line 7" in ran.err
    assert ran.err.count("refused:") == 1


def test_a_claim_without_text_is_refused_by_name(citedesk: Command, tmp_path: Path) -> None:
    """The report names line, field and reason."""
    bad = GOOD | {"claims": [{"citation_ids": ["C1"]}]}
    ran = citedesk("import", log(tmp_path / "a.jsonl", GOOD, bad))

    assert ran.code == 1
    assert "line 2, field claims[0].text" in ran.err
    assert "1 answers taken in, 1 lines refused" in ran.out


def test_an_import_of_nothing_usable_says_that_it_failed(citedesk: Command, tmp_path: Path) -> None:
    """A log of which no line can be used is no empty success."""
    ran = citedesk("import", log(tmp_path / "a.jsonl", "{broken", "{also broken"))

    assert ran.code == 1
    assert ran.out == "a.jsonl: the import failed, none of its 2 lines could be used\n"
    assert ran.err.count("refused:") == 2


def test_one_id_with_two_texts_resolves_to_neither(citedesk: Command, tmp_path: Path) -> None:
    """The answer is kept, the citation is unresolvable, and a note says why."""
    twice = [{"id": "C1", "text": "One."}, {"id": "C1", "text": "Two."}]
    ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD | {"evidence": twice}), "--json")
    (row,) = map(json.loads, ran.out.splitlines())

    assert (row["label"], row["resolve"]) == ("unresolvable", "duplicate_id")


def test_a_line_of_fifty_megabytes_is_refused(citedesk: Command, tmp_path: Path) -> None:
    """A line that no answer needs is a bad line, and its neighbours go in."""
    huge = json.dumps(GOOD | {"query": "x" * 50_000_000})
    ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD, huge, GOOD | {"request_id": "r3"}), "--json")

    assert ran.code == 1
    assert "line 2" in ran.err
    assert len(ran.err) < 1_000
    assert len(ran.out.splitlines()) == 2


@pytest.mark.parametrize("command", ["verify", "import"])
@pytest.mark.parametrize("kind", ["folder", "missing", "empty", "utf16", "binary"])
def test_a_file_that_cannot_be_read_is_one_sentence(command: str, kind: str, citedesk: Command, tmp_path: Path) -> None:
    """It says which file and what to do; exit code 2; nothing was stored."""
    file = tmp_path / "answers.jsonl"
    if kind == "folder":
        file.mkdir()
    elif kind != "missing":
        file.write_bytes({"empty": b"", "utf16": json.dumps(GOOD).encode("utf-16"), "binary": bytes(range(256))}[kind])
    ran = citedesk(command, file)

    assert ran.code == 2
    assert "answers.jsonl" in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert ran.out == ""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place that nobody can write, such as /proc")
@pytest.mark.parametrize("words", [["verify", "--out", "/proc/rows.csv"], ["import", "--store", "/proc/desk.duckdb"]])
def test_a_place_that_cannot_be_written_is_one_sentence(words: list[str], citedesk: Command, tmp_path: Path) -> None:
    """A read-only disk is said in one sentence; exit code 2."""
    ran = citedesk(words[0], log(tmp_path / "a.jsonl", GOOD), *words[1:])

    assert ran.code == 2
    assert "/proc" in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_an_unknown_suffix_writes_nothing(citedesk: Command, tmp_path: Path) -> None:
    """The sentence names the suffixes that exist."""
    ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD), "--out", tmp_path / "rows.xls")

    assert ran.code == 2
    assert ".csv, .html, .jsonl, .jsonld, .md, .parquet" in ran.err
    assert not (tmp_path / "rows.xls").exists()


def test_an_unknown_verifier_names_those_there_are(citedesk: Command, tmp_path: Path) -> None:
    """It is wrong use: code 2, one sentence, no row."""
    ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD), "--verifier", "oracle", "--json")

    assert ran.code == 2
    assert "'oracle'" in ran.err
    assert "lexical" in ran.err
    assert ran.out == ""


@pytest.mark.parametrize("option", ["supported", "supported=high", "supported=7", "nonsense=0.5"])
def test_a_threshold_that_means_nothing_is_refused(option: str, citedesk: Command, tmp_path: Path) -> None:
    """Neither a missing value nor an unknown name nor one outside [0, 1] is taken."""
    ran = citedesk("verify", log(tmp_path / "a.jsonl", GOOD), "--threshold", option)

    assert ran.code == 2
    assert NO_TRACEBACK not in ran.err


def test_importing_twice_stores_once(citedesk: Command, tmp_path: Path) -> None:
    """The second import says that all was there already."""
    file = log(tmp_path / "a.jsonl", GOOD)
    first = json.loads(citedesk("import", file, "--json").out)
    second = json.loads(citedesk("import", file, "--json").out)

    assert (first["answers_new"], first["verdicts_new"]) == (1, 1)
    assert (second["answers_new"], second["answers_known"], second["verdicts_new"]) == (0, 1, 0)


def test_export_gives_what_verify_prints(citedesk: Command, tmp_path: Path) -> None:
    """The stored claim table is the same rows, in the order of the file."""
    sample = data_path("samples", "answers.jsonl")
    printed = citedesk("verify", sample, "--json").out
    citedesk("import", sample)
    out = tmp_path / "claims.jsonl"

    assert citedesk("export", "claims", out).code == 0
    assert out.read_text("utf-8") == printed


def test_export_never_mixes_protocols(citedesk: Command, tmp_path: Path) -> None:
    """With two protocols in the store one has to be chosen, by its printed name."""
    file = log(tmp_path / "a.jsonl", GOOD)
    citedesk("import", file)
    citedesk("verify", "--threshold", "supported=0.99")
    ran = citedesk("export", "claims", tmp_path / "claims.csv")

    assert ran.code == 2
    assert "Several protocols" in ran.err
    assert citedesk("export", "claims", tmp_path / "claims.csv", "--protocol", ran.err.split()[-1].strip(".")).code == 0


def test_an_open_store_is_said_in_one_sentence(citedesk: Command, tmp_path: Path) -> None:
    """While another process has the store, commands stop with a sentence and store nothing."""
    store = tmp_path / "desk.duckdb"
    file = log(tmp_path / "a.jsonl", GOOD)
    with holding(store):
        ran = citedesk("import", file)

    assert ran.code == 2
    assert str(store) in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_a_store_of_a_newer_citedesk_is_one_sentence(citedesk: Command, tmp_path: Path) -> None:
    """A file with a later schema is left alone, and the sentence says to update."""
    store = tmp_path / "desk.duckdb"
    file = log(tmp_path / "a.jsonl", GOOD)
    citedesk("import", file)
    with duckdb.connect(str(store)) as connection:
        connection.execute("insert into migrations values (9999, 'later', '00', now())")
    before = store.read_bytes()

    for words in (["import", file], ["serve", "--no-browser"], ["export", "claims", tmp_path / "out.csv"]):
        ran = citedesk(*words)
        assert ran.code == 2
        assert "newer Citedesk" in ran.err
        assert "update Citedesk" in ran.err
        assert len(ran.err.strip().splitlines()) == 1
    assert store.read_bytes() == before


def holding(store: Path) -> _Holder:
    """Another process that has the store open, for as long as the block runs."""
    return _Holder(store)


class _Holder:
    def __init__(self, store: Path) -> None:
        program = (
            "import sys; from pathlib import Path; from core.store import open_store\n"
            "with open_store(Path(sys.argv[1])): print('open', flush=True); sys.stdin.read()"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "open\n"

    def __exit__(self, *_error: object) -> None:
        self.process.communicate("")


def test_help_costs_little() -> None:
    """``citedesk --help`` imports neither pydantic nor pandas nor Streamlit nor DuckDB."""
    program = (
        "import sys; sys.argv = ['citedesk', '--help']\n"
        "from core.cli import main\n"
        "try: main()\n"
        "except SystemExit as stop:\n"
        "    print(stop.code, sorted({'pydantic', 'pandas', 'streamlit', 'duckdb'} & set(sys.modules)))"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert printed.splitlines()[-1] == "0 []"


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port that something listens on, for as long as the test runs."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_port_in_use_is_one_sentence(citedesk: Command, taken_port: int) -> None:
    """It is found before any work, and the sentence names another port."""
    ran = citedesk("demo", "--port", str(taken_port), "--no-browser")

    assert ran.code == 2
    assert f"Port {taken_port}" in ran.err
    assert f"--port {taken_port + 1}" in ran.err


def test_strangers_cannot_be_let_in(citedesk: Command) -> None:
    """Without sign-in the desk listens on this machine only."""
    ran = citedesk("serve", "--host", "0.0.0.0", "--no-browser")

    assert ran.code == 2
    assert "will not listen on 0.0.0.0" in ran.err


def test_doctor_says_ok_or_what_to_do(citedesk: Command, taken_port: int) -> None:
    """One line a thing; a taken port is a thing to mend."""
    ran = citedesk("doctor", "--port", str(taken_port))
    lines = ran.out.splitlines()

    assert ran.code == 1
    assert {line[:4] for line in lines} <= {"ok  ", "MEND"}
    assert [line for line in lines if line.startswith("MEND")] == [line for line in lines if "port" in line[:10]]
    assert any("streamlit" in line for line in lines)


def test_reading_stops_quietly_when_nobody_reads(tmp_path: Path) -> None:
    """``citedesk verify … --json | head -1`` prints no traceback."""
    file = log(tmp_path / "a.jsonl", *[GOOD | {"request_id": f"r{number}"} for number in range(2_000)])
    command = f"'{sys.executable}' -m core verify '{file}' --json | head -n 1"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=os.environ, check=False)

    assert len(ran.stdout.splitlines()) == 1
    assert ran.stderr == ""
