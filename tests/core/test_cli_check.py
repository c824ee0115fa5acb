"""``citedesk check``: what a build sees of a file, of a store, and of labels."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.cli_check import check as command
from tests.core.test_cli import Command, log

EVIDENCE = [{"id": "C1", "text": "The gate opens at 7 in the morning and shuts at 9 in the evening."}]
OPENS, DOGS = "The gate opens at 7 in the morning.", "Dogs pay."


def answers(path: Path, good: int, bad: int) -> Path:
    """An answer a claim; the lexical judge supports the good ones."""
    texts = [OPENS] * good + [DOGS] * bad
    rows = [
        {"request_id": f"r{at}", "claims": [{"text": text, "citation_ids": ["C1"]}], "evidence": EVIDENCE}
        for at, text in enumerate(texts)
    ]
    return log(path, *rows)


def labels(path: Path, said: list[str]) -> Path:
    """What people say of the claims of such a file."""
    rows = [
        {"request_id": f"r{at}", "claim_id": "c1", "label": label, "labeller": "ann"} for at, label in enumerate(said)
    ]
    return log(path, *rows)


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command, with the lexical judge."""
    monkeypatch.setenv("CITEDESK_VERIFIER", "lexical")
    monkeypatch.setenv("CITEDESK_CACHE", "")
    return Command(monkeypatch, capsys, tmp_path / "desk.duckdb")


def test_a_file_passes_fails_or_stays_open(citedesk: Command, tmp_path: Path) -> None:
    """10 of 100 by the raw rate: 0 at 20 %, 1 at 3 %, and 1 between, unless that is allowed; no store is made."""
    file = answers(tmp_path / "a.jsonl", 90, 10)

    ran = citedesk("check", file, "--max-unsupported", "0.2")
    assert (ran.code, ran.out[:5]) == (0, "PASS:")
    assert "this raw rate holds the judge's errors" in ran.out
    failed = citedesk("check", file, "--max-unsupported", "0.03")
    assert (failed.code, failed.out[:5]) == (1, "FAIL:")
    between = citedesk("check", file, "--max-unsupported", "0.1")
    assert (between.code, between.out[:13]) == (1, "INCONCLUSIVE:")
    assert citedesk("check", file, "--max-unsupported", "0.1", "--allow-inconclusive").code == 0
    assert not (tmp_path / "desk.duckdb").exists()


def test_help_says_the_exit_codes(citedesk: Command) -> None:
    """A build depends on them."""
    said = " ".join(str(command.help).split())

    assert "1 on FAIL and on INCONCLUSIVE, unless --allow-inconclusive; 2 when it could not look" in said


def test_labels_correct_the_rate(citedesk: Command, tmp_path: Path) -> None:
    """People call 6 of 100 unsupported where the judge says 50: with labels it passes at 15 %."""
    file = answers(tmp_path / "a.jsonl", 50, 50)
    gold = labels(tmp_path / "g.jsonl", ["supported"] * 94 + ["not_supported"] * 6)
    ran = citedesk("check", file, "--max-unsupported", "0.15", "--labels", gold, "--json")
    found = json.loads(ran.out)

    assert (ran.code, found["outcome"], found["figures"][0]["name"]) == (0, "PASS", "corrected unsupported rate")
    assert found["figures"][0]["estimate"] == pytest.approx(0.06)
    assert citedesk("check", file, "--max-unsupported", "0.15").code == 1


def test_a_sample_of_labels_says_how_it_was_drawn(citedesk: Command, tmp_path: Path) -> None:
    """Without that nobody knows which claims it stands for, and nothing is looked at."""
    file = answers(tmp_path / "a.jsonl", 50, 50)
    gold = labels(tmp_path / "g.jsonl", ["supported"] * 70)
    words = ("check", file, "--max-unsupported", "0.5", "--labels", gold)
    refused, drawn = citedesk(*words), citedesk(*words, "--design", "random", "--probability", "0.7")

    assert refused.code == 2
    assert "labels 70 of 100 claims" in refused.err
    assert "--probability" in refused.err
    assert (drawn.code, "70 labels" in drawn.out) == (0, True)


def test_a_baseline_is_what_verify_printed_before(citedesk: Command, tmp_path: Path) -> None:
    """A higher threshold takes support from the good claims: worse than before by more than 5 of 100."""
    text = "The gate opens in the morning for dogs, cats and guests."
    row = {"claims": [{"text": text, "citation_ids": ["C1"]}], "evidence": EVIDENCE}
    file = log(tmp_path / "a.jsonl", *({"request_id": f"r{at}", **row} for at in range(60)))
    before = tmp_path / "before.jsonl"
    before.write_text(
        citedesk("verify", file, "--json", "--threshold", "supported=0.2", "--threshold", "partial=0.1").out
    )
    words = ("check", file, "--max-unsupported", "1", "--baseline", before, "--margin", "0.05")
    worse, same = citedesk(*words), citedesk(*words, "--threshold", "supported=0.2", "--threshold", "partial=0.1")

    assert (worse.code, same.code) == (1, 0)
    assert "100 of 100 more are unsupported than with before.jsonl; 5 more are allowed" in worse.out
    assert "just as many are unsupported as with before.jsonl; 5 more are allowed" in same.out
    assert "on the 60 claims that both judged" in worse.out.lower()


def test_refused_lines_keep_it_from_passing(citedesk: Command, tmp_path: Path) -> None:
    """Each is named, and the check says why it cannot pass."""
    file = answers(tmp_path / "a.jsonl", 100, 0)
    file.write_text(file.read_text() + "no JSON\n")
    ran = citedesk("check", file, "--max-unsupported", "0.5")

    assert (ran.code, ran.out[:13]) == (1, "INCONCLUSIVE:")
    assert "refused: " in ran.err
    assert "1 lines could not be read, so nothing can pass" in ran.out


def test_what_cannot_be_looked_at_is_2(citedesk: Command, tmp_path: Path) -> None:
    """No file, no claim, no limit, labels that are none: one sentence each."""
    file = answers(tmp_path / "a.jsonl", 1, 0)
    odd = log(tmp_path / "odd.jsonl", {"request_id": "r0"})
    for words, said in (
        ((tmp_path / "none.jsonl",), "none.jsonl"),
        ((log(tmp_path / "empty.jsonl"),), "empty.jsonl"),
        ((file, "--labels", odd), "line 1 is no label of a claim"),
        ((file, "--baseline", odd), "line 1 is no judged claim"),
        ((file, "--protocol", "x"), "--protocol goes with --store"),
        ((), "Give a FILE or --store"),
    ):
        ran = citedesk("check", *words, "--max-unsupported", "0.1")
        assert ran.code == 2, words
        assert said in ran.err
    assert citedesk("check", file).code == 2
    assert citedesk("check", file, "--max-unsupported", "5").code == 2


def test_a_store_is_checked_with_its_gold_and_a_protocol_as_baseline(citedesk: Command, tmp_path: Path) -> None:
    """The same figures as ``calibrate`` has; the reports are written."""
    file = answers(tmp_path / "a.jsonl", 60, 40)
    store = tmp_path / "desk.duckdb"
    for threshold in ("0.61", "0.99"):
        assert citedesk("import", file, "--threshold", f"supported={threshold}").code == 0
    gold = labels(tmp_path / "g.jsonl", ["supported"] * 90 + ["irrelevant"] * 10)
    assert citedesk("labels", "import", gold, "--design", "census").code == 0
    first, second, *_ = [json.loads(line)["name"] for line in citedesk("protocols", "--json").out.splitlines()]
    gold_id = json.loads(citedesk("calibrate", "--list", "--json").out)["gold_id"]
    reports = ("--junit", tmp_path / "j.xml", "--markdown", tmp_path / "m.md")
    ran = citedesk(
        "check", "--store", store, "--protocol", first, "--max-unsupported", "0.3", "--labels", gold_id,
        "--baseline", second, *reports, "--json",
    )  # fmt: skip
    found = json.loads(ran.out)
    calibrated = json.loads(citedesk("calibrate", "--protocol", first, "--json").out)
    rate, difference = found["figures"]

    assert (ran.code, found["outcome"], difference["estimate"]) == (0, "PASS", 0)
    assert [rate[key] for key in ("estimate", "low", "high", "n")] == [
        calibrated["rate"]["corrected"][key] for key in ("estimate", "low", "high", "n")
    ]
    suite = ElementTree.parse(tmp_path / "j.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "0", "0")
    assert "## Citedesk: PASS" in (tmp_path / "m.md").read_text()
