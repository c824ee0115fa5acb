"""Minimal pairs: the format, the rates, and what holds now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from core import minimal_pairs
from core.errors import CitedeskError
from core.minimal_pairs import MinimalPair

PAIRS = minimal_pairs.read(minimal_pairs.folder()) if minimal_pairs.folder().is_dir() else []
KINDS = ("bound", "date", "number", "period", "quantifier", "sample_size", "unit")
LEAST = 40


def pair(claim: str, evidence: str, agrees: bool | None, **more: str) -> MinimalPair:
    """A pair for the number comparer."""
    fields = {"id": claim, "kind": "number", "claim": claim, "evidence": evidence, "agrees": agrees, **more}
    return MinimalPair.model_validate(fields)


@pytest.mark.parametrize("kind", sorted({one.kind for one in PAIRS} | set(KINDS)))
def test_every_kind_has_pairs_in_both_directions(kind: str) -> None:
    """At least 40, with differences and without."""
    own = [one for one in PAIRS if one.kind == kind]

    assert len(own) >= LEAST
    assert sum(one.agrees is False for one in own) >= LEAST / 4
    assert sum(one.agrees is not False for one in own) >= LEAST / 4


def test_no_pair_stands_twice() -> None:
    """Neither its id nor its texts."""
    assert len({one.id for one in PAIRS}) == len(PAIRS)
    assert len({(one.kind, one.claim, one.evidence) for one in PAIRS}) == len(PAIRS)


@pytest.mark.parametrize("kind", KINDS)
def test_what_holds_now(kind: str) -> None:
    """On all pairs of a kind: at most 5 % false alarms, at most 10 % misses."""
    own = [one for one in PAIRS if one.kind == kind]
    same = [one for one in own if one.agrees is not False]
    different = [one for one in own if one.agrees is False]

    assert sum(map(minimal_pairs.says_differs, same)) <= 0.05 * len(same)
    assert sum(not minimal_pairs.says_differs(one) for one in different) <= 0.1 * len(different)


def test_rates_are_counted_apart() -> None:
    """One false alarm of two, one miss of two, one of one confirmed; the held-out pair alone."""
    found = minimal_pairs.rates(
        [
            pair("It is 5 kg.", "It is 5 kg.", True),
            pair("It is 6 kg.", "It is 5 kg.", None),  # the comparer says that they differ
            pair("It is 7 kg.", "It is 5 kg.", False),
            pair("It is big.", "It is small.", False),
            pair("It is 8 kg.", "It is 9 kg.", False, split="held_out"),
        ]
    )

    tuned, held_out = found
    assert (tuned.kind, tuned.split, held_out.split) == ("number", "tuned", "held_out")
    assert (tuned.false_alarms.estimate, tuned.false_alarms.n) == (0.5, 2)
    assert (tuned.misses.estimate, tuned.misses.n) == (0.5, 2)
    assert (tuned.confirmed.estimate, tuned.confirmed.n) == (1.0, 1)
    assert tuned.wrong == ("It is 6 kg.", "It is big.")
    assert (held_out.misses.estimate, held_out.false_alarms.estimate) == (0.0, None)
    assert "no pairs" in minimal_pairs.table(found)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1 is no minimal pair"),
        ('{"id": "a"}', "line 1 is no minimal pair"),
        (
            '{"id": "a", "kind": "date", "claim": "c", "evidence": "e", "agrees": null}',
            "line 1 is of the kind 'date'",
        ),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, said: str) -> None:
    """With its file."""
    (tmp_path / "number.jsonl").write_text(line + "\n", encoding="utf-8")

    with pytest.raises(CitedeskError, match=f"number.jsonl, {said}"):
        minimal_pairs.read(tmp_path)


def test_a_folder_that_is_not_there() -> None:
    """An installed wheel has no pairs."""
    with pytest.raises(CitedeskError, match="There are no minimal pairs"):
        minimal_pairs.read(Path("no-such-folder"))


def test_the_command_prints_a_row_a_kind_and_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a table, with the wrong ones, and as JSON."""
    wrong = pair("It is big.", "It is small.", False)
    (tmp_path / "number.jsonl").write_text(wrong.model_dump_json() + "\n", encoding="utf-8")
    monkeypatch.setattr(minimal_pairs, "folder", lambda: tmp_path)

    printed = CliRunner().invoke(minimal_pairs.main, ["--wrong"]).output
    assert "| number | tuned | no pairs | 100.0% (20.7%–100.0%, n = 1) | no pairs |" in printed
    assert "number tuned: It is big." in printed
    loaded = json.loads(CliRunner().invoke(minimal_pairs.main, ["--json"]).output)
    assert loaded["misses"]["n"] == 1
