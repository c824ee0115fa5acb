"""``citedesk export`` and ``citedesk labels``: what people type, what they get, what they are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.settings import data_path
from tests.core.notebooks_made import FARE, ask, begin, opened
from tests.core.test_cli import GOOD, Command, log


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command, on a store with one answer."""
    command = Command(monkeypatch, capsys, tmp_path / "desk.duckdb")
    command("import", log(tmp_path / "a.jsonl", GOOD))
    return command


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["claims", "c.parquet", "--label", "supported"], "1 claims judged by lexical@1+"),
        (["claims", "c.csv", "--label", "none", "--label", "partial"], "0 claims judged by lexical@1+"),
        (["claims", "c.jsonld", "--text", "gate", "--request", "r1"], "1 claims judged by lexical@1+"),
        (["claims", "c.csv", "--unsupported", "strict", "--flag", "number"], "0 claims judged by lexical@1+"),
        (["verdicts", "v.csv"], "4 verdicts judged by lexical@1+"),
        (["report", "r.html"], "1 claims judged by lexical@1+"),
        (["report", "r.md"], "1 claims judged by lexical@1+"),
        (["gold", "gold"], "Gold of 0 spans and 0 claims under guideline v1"),
        (["gold", "g.csv", "--level", "labels", "--guideline", "v0"], "under guideline v0"),
    ],
)
def test_an_export_says_what_it_wrote(words: list[str], said: str, citedesk: Command, tmp_path: Path) -> None:
    """On standard error, with the judge's protocol; standard output stays clean."""
    out = tmp_path / words[1]
    ran = citedesk("export", words[0], out, *words[2:])

    assert (ran.code, ran.out) == (0, "")
    assert said in ran.err
    assert out.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["claims", "c.xls"],
        ["claims", "c.csv", "--label", "splendid"],
        ["claims", "c.csv", "--protocol", "nobody"],
        ["claims", "c.html", "--label", "partial"],
        ["claims", "missing/c.csv"],
        ["report", "r.csv"],
        ["gold", "."],
    ],
)
def test_what_cannot_be_written_is_one_sentence(words: list[str], citedesk: Command, tmp_path: Path) -> None:
    """Exit code 2, and no file."""
    before = sorted(path.name for path in tmp_path.iterdir())
    ran = citedesk("export", words[0], tmp_path / words[1], *words[2:])

    assert ran.code == 2
    assert len(ran.err.strip().splitlines()[-1]) > 20
    assert "Traceback" not in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_labels_go_out_and_in_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Hand labels of the sample, taken into another store with the same answers, give the same gold, byte for byte."""
    from core.desk import Desk
    from core.settings import Settings

    here, there = tmp_path / "here.duckdb", tmp_path / "there.duckdb"
    desk = Desk.open(Settings(store=here))
    desk.load_sample()
    desk.close()
    command = Command(monkeypatch, capsys, there)
    command("import", data_path("samples", "answers.jsonl"))
    labels = tmp_path / "labels.jsonl"

    assert command("labels", "export", labels, "--store", here).code == 0
    first, second = command("labels", "import", labels), command("labels", "import", labels)
    assert "105 labels taken in" in first.out
    assert "0 labels taken in, 105 were there already" in second.out
    for level in ("spans", "claims", "labels"):
        command("export", "gold", tmp_path / "here.jsonl", "--level", level, "--store", here)
        command("export", "gold", tmp_path / "there.jsonl", "--level", level)
        assert (tmp_path / "here.jsonl").read_bytes() == (tmp_path / "there.jsonl").read_bytes()


def test_a_bad_line_of_labels_is_named(citedesk: Command, tmp_path: Path) -> None:
    """One sentence a line, exit code 1; with --json one object."""
    file = tmp_path / "labels.jsonl"
    file.write_text('{"event_id": "e1"}\n{broken\n', "utf-8")
    ran = citedesk("labels", "import", file)

    assert ran.code == 1
    assert [line.split(":")[1].split(",")[1] for line in ran.err.splitlines()] == [" line 1", " line 2"]
    assert citedesk("labels", "import", file, "--json").out.startswith('{"source":"labels.jsonl","events_read":2')


def test_a_file_may_be_judged_into_a_report(citedesk: Command, tmp_path: Path) -> None:
    """Without a store, too: verify writes every format that export writes."""
    out = tmp_path / "report.html"
    ran = citedesk("verify", tmp_path / "a.jsonl", "--out", out)

    assert ran.code == 0
    assert "The gate opens at 7 in the morning." in out.read_text("utf-8")


def test_labels_of_another_tool_go_in(citedesk: Command, tmp_path: Path) -> None:
    """Words need a meaning; what is refused is named, and the exit code says so."""
    answers = tmp_path / "answers.jsonl"
    answers.write_text(
        '{"request_id": "gate-7", "claims": [{"text": "The gate is open.", "citation_ids": ["C1"]}], '
        '"evidence": [{"id": "C1", "text": "The gate is open."}]}\n',
        "utf-8",
    )
    citedesk("import", answers, "--verifier", "lexical")
    file = tmp_path / "labels.csv"
    file.write_text("request_id,claim_id,label,annotator\ngate-7,c1,Yes,ann\ngate-7,c1,Hm,bob\n", "utf-8")
    gold = tmp_path / "gold.jsonl"
    gold.write_text('{"request_id": "gate-7", "claim_id": "c1", "label": "not_supported", "labeller": "x"}\n', "utf-8")
    ran = citedesk("labels", "import", file, "--map", "Yes=supported")

    assert (ran.code, ran.out) == (1, "labels.csv: 1 labels taken in, 1 lines refused\n")
    assert "1 rows say 'Hm'; tell what that means with --map 'Hm'=LABEL" in ran.err
    assert citedesk("labels", "import", gold, "--design", "census").out == "gold.jsonl: 1 labels taken in\n"
    assert citedesk("labels", "import", file, "--design", "census").code == 2
    assert "maps nothing" in citedesk("labels", "import", file, "--map", "Yes").err


def test_a_notebook_is_written_for_its_readers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """``--everyone`` and ``--group`` leave out what their readers may not see; without them it is all there."""
    with opened(tmp_path) as desk:
        notebook_id = begin(desk)
        ask(desk, notebook_id)
        path = desk.settings.store
    citedesk = Command(monkeypatch, capsys, path)
    seen = {}
    for name, words in (("all", ["--everyone"]), ("board", ["--group", "board"]), ("keeper", [])):
        out = tmp_path / f"{name}.md"
        ran = citedesk("export", "notebook", notebook_id, "--format", "md", "--out", out, *words)
        assert (ran.code, ran.out) == (0, "")
        seen[name] = FARE in out.read_text(encoding="utf-8")

    assert seen == {"all": False, "board": True, "keeper": True}
    both = citedesk("export", "notebook", notebook_id, "--everyone", "--group", "board")
    assert both.code == 2
    assert "Give --group or --everyone, not both." in both.err
