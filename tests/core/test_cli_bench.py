"""``citedesk bench``: one table or one object on standard output, everything else elsewhere, the right exit code."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from core import cli, minimal_pairs
from tests.core.gold_made import supported

OPEN = "The gate opens at 7 in the morning."
ROWS = [
    {"claim": OPEN, "evidence": f"{OPEN} It is blue.", "label": "supported"},
    {"claim": OPEN, "evidence": "Bread is sold in the shop.", "label": "irrelevant"},
    {"claim": OPEN, "evidence": "The gate opens at 9 in the morning.", "label": "contradicted"},
]
BENCH = ("bench", "--verifier", "lexical", "--no-baselines")


class Bench:
    """Runs the command in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        """Keep the tools."""
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def __call__(self, *words: str | Path) -> tuple[int, str, str]:
        """Run it; exit code, standard output, standard error."""
        self.monkeypatch.setattr(sys, "argv", ["citedesk", *map(str, words)])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            cli.main()
        out, err = self.capsys.readouterr()
        return int(stop.value.code or 0), out, err


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Bench:
    """The command."""
    return Bench(monkeypatch, capsys)


def write(path: Path, *rows: dict[str, Any] | str) -> Path:
    """A file of rows; strings go in as they are."""
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_json_is_one_object_and_nothing_else(citedesk: Bench, tmp_path: Path) -> None:
    """All three pairs are judged as people did."""
    code, out, err = citedesk(*BENCH, "--json", write(tmp_path / "gates.jsonl", *ROWS))

    (line,) = out.splitlines()
    found = json.loads(line)
    one = found["datasets"]["gates"]
    assert (code, err) == (0, "")
    assert (one["n"], one["balanced_accuracy"]["estimate"], one["false_pass"], one["false_strip"]) == (3, 1.0, 0.0, 0.0)
    assert found["mean_balanced_accuracy"] == 1.0
    assert found["verifier"] == "lexical"


def test_words_are_markdown(citedesk: Bench, tmp_path: Path) -> None:
    """With the set, its size and the sections."""
    code, out, err = citedesk(*BENCH, write(tmp_path / "gates.jsonl", *ROWS))

    assert (code, err) == (0, "")
    assert out.startswith("# `lexical` against people's labels\n")
    assert "| `gates` |  | 3 | 1.000 [" in out
    assert "## Behaviour probes" in out


def test_bad_lines_are_named_and_end_with_one(citedesk: Bench, tmp_path: Path) -> None:
    """File, line, field and reason; the other lines count."""
    path = write(tmp_path / "gates.jsonl", *ROWS, ROWS[0] | {"label": "true"}, "{", ROWS[0] | {"label": "uncited"})

    code, out, err = citedesk(*BENCH, "--json", path)

    assert code == 1
    assert json.loads(out)["datasets"]["gates"]["n"] == 3
    assert err.splitlines() == [
        "refused: gates.jsonl, line 4, field label: 'true' is none of supported, partial, contradicted, irrelevant, "
        "wrong_scope, secondary_only, not_supported",
        err.splitlines()[1],
        "note: gates.jsonl: 1 pairs set aside, no verifier says uncited",
    ]
    assert err.splitlines()[1].startswith("refused: gates.jsonl, line 5: invalid JSON")


def test_a_file_of_bad_lines_only_has_no_figures(citedesk: Bench, tmp_path: Path) -> None:
    """No data is no accuracy of nought."""
    code, out, _ = citedesk(*BENCH, "--json", write(tmp_path / "gates.jsonl", "{", "[]"))

    assert code == 1
    assert json.loads(out)["datasets"] == {}
    assert json.loads(out)["mean_balanced_accuracy"] is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["gone.jsonl"], "gone.jsonl"),
        (["gates.jsonl", "--verifier", "oracle"], "no verifier called 'oracle'"),
        (["gates.jsonl", "--threshold", "supported=high"], "NAME=VALUE"),
        (["gates.jsonl", "--sample", "0"], "--sample"),
        ([], "FILES"),
    ],
)
def test_what_cannot_be_looked_at_is_one_sentence(
    citedesk: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str
) -> None:
    """And exit code 2, without a traceback."""
    write(tmp_path / "gates.jsonl", *ROWS)
    monkeypatch.chdir(tmp_path)

    code, out, err = citedesk("bench", "--no-baselines", *words)

    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


def test_a_sample_is_the_same_for_the_same_seed(citedesk: Bench, tmp_path: Path) -> None:
    """And says of how many it was drawn."""
    rows = [one.model_dump(include={"claim", "evidence", "label"}) for one in map(supported, range(8))]
    path = write(tmp_path / "trees.jsonl", *rows, *ROWS)
    words = (*BENCH, "--json", "--sample", "4", "--no-probes", path)

    first, again, other = (json.loads(citedesk(*words, "--seed", seed)[1]) for seed in ("1", "1", "2"))

    one = first["datasets"]["trees"]
    assert (one["n"], one["total"], first["sample"]) == (4, 11, 4)
    assert (first["probes"], first["sensitivity"]) == ([], None)
    assert one["confusion"] == again["datasets"]["trees"]["confusion"]
    assert one["balanced_accuracy"] == again["datasets"]["trees"]["balanced_accuracy"]
    assert other["seed"] == 2


def test_the_baselines_stand_beside_unless_it_is_one_itself(citedesk: Bench, tmp_path: Path) -> None:
    """Lexical is not measured beside lexical; what is not there is said, not left out silently."""
    path = write(tmp_path / "gates.jsonl", *ROWS)

    code, out, _ = citedesk("bench", "--verifier", "lexical", "--no-probes", "--json", path)

    found = json.loads(out)
    assert code == 0
    assert set(found["baselines"]) | set(found["absent_baselines"]) == {"cosine"}


def test_the_qualifiers_are_measured_without_files_or_beside_them(
    citedesk: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """False alarms and misses by kind and split, from our own pairs."""
    folder = tmp_path / "minimal_pairs"
    folder.mkdir()
    pair = {"id": "n1", "kind": "number", "claim": "It has 4 rooms.", "evidence": "It has 5 rooms.", "agrees": False}
    write(folder / "number.jsonl", pair, pair | {"id": "n2", "evidence": "It has 4 rooms.", "agrees": True})
    monkeypatch.setattr(minimal_pairs, "folder", lambda: folder)

    alone = json.loads(citedesk("bench", "--minimal-pairs", "--json")[1])
    words = citedesk("bench", "--minimal-pairs")[1]
    beside = json.loads(citedesk(*BENCH, "--minimal-pairs", "--json", write(tmp_path / "gates.jsonl", *ROWS))[1])

    (one,) = alone["minimal_pairs"]
    assert (one["kind"], one["misses"]["estimate"], one["false_alarms"]["estimate"]) == ("number", 0.0, 0.0)
    assert "| `number` | tuned | 2 | 0.000 [" in words
    assert beside["minimal_pairs"] == alone["minimal_pairs"]
    assert beside["datasets"]["gates"]["n"] == 3


def test_a_threshold_is_fitted(citedesk: Bench, tmp_path: Path) -> None:
    """In words, or as one object."""
    path = write(tmp_path / "gates.jsonl", *ROWS[:2])

    code, out, _ = citedesk("bench", "--verifier", "lexical", "--fit", "coverage", path)
    assert code == 0
    assert out.startswith("coverage ≥ 0.")
    code, out, _ = citedesk("bench", "--verifier", "lexical", "--fit", "coverage", "--json", path)
    assert json.loads(out)["mean_balanced_accuracy"] == 1.0
    code, _, err = citedesk("bench", "--verifier", "lexical", "--fit", "warmth", path)
    assert code == 2
    assert "name a score of the verifier" in err
