"""Files of labelled pairs: what becomes a pair, what is refused, how sets, samples and clusters are made."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import ImportFormatError
from core.gold_pairs import DataSet, GoldPair, load, sampled

ROW = {"claim": "The gate opens at 7.", "evidence": "The gate opens at 7 in the morning.", "label": "supported"}


def write(path: Path, *rows: dict[str, Any] | str) -> Path:
    """A file of rows; strings go in as they are."""
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def data(*pairs: GoldPair, name: str = "made") -> DataSet:
    """A set of these pairs."""
    return DataSet(name=name, split="", files=(), pairs=pairs, total=len(pairs))


def test_a_row_becomes_a_pair_and_other_fields_are_for_people(tmp_path: Path) -> None:
    """The file's name is the set's when the rows name none; the record holds the hash of the bytes."""
    path = write(tmp_path / "gates.dev.jsonl", ROW | {"id": "1", "meta": {"x": 1}})

    gold = load([path])

    (found,) = gold.sets
    assert (found.name, found.split, found.total) == ("gates.dev", "", 1)
    assert found.pairs == (GoldPair(**ROW),)
    assert found.pairs[0].pair.claim == ROW["claim"]
    assert gold.files[0].name == "gates.dev.jsonl"
    assert gold.files[0].sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert gold.bad_lines == ()


@pytest.mark.parametrize(
    ("row", "field", "says"),
    [
        (ROW | {"label": "maybe"}, "label", "'maybe' is none of supported, partial"),
        (ROW | {"label": None}, "label", "is missing"),
        (ROW | {"label": ["supported"]}, "label", "is no text"),
        ({"claim": "A.", "label": "supported"}, "evidence", "is missing"),
        (ROW | {"claim": 7}, "claim", "is no text"),
        (ROW | {"dataset": 7}, "dataset", "is no text"),
        ("{", None, "invalid JSON"),
        ("[1]", None, "where an object is due"),
    ],
)
def test_a_line_that_cannot_be_used_is_refused_and_the_others_go_in(
    tmp_path: Path, row: dict[str, Any] | str, field: str | None, says: str
) -> None:
    """With file, line, field and reason."""
    gold = load([write(tmp_path / "a.jsonl", ROW, row, ROW)])

    (bad,) = gold.bad_lines
    assert (bad.file, bad.line, bad.field) == ("a.jsonl", 2, field)
    assert says in bad.reason
    assert len(gold.sets[0].pairs) == 2
    assert gold.files[0].rows == 3


def test_labels_that_no_verifier_gives_are_set_aside_and_counted(tmp_path: Path) -> None:
    """A gold export of ours has them, without evidence; they are no bad lines."""
    aside = [{"claim": "A.", "evidence": None, "label": label} for label in ("uncited", "unresolvable", "uncited")]

    gold = load([write(tmp_path / "a.jsonl", *aside, ROW | {"label": "not_supported"})])

    assert gold.files[0].set_aside == {"uncited": 2, "unresolvable": 1}
    assert [one.label for one in gold.sets[0].pairs] == ["not_supported"]
    assert gold.bad_lines == ()


def test_rows_of_one_set_come_together_and_its_splits_stay_apart(tmp_path: Path) -> None:
    """Two files of one set and split are one set; another split of the name gets it added."""
    one = write(tmp_path / "1.jsonl", ROW | {"dataset": "gates", "split": "dev"}, ROW | {"dataset": "doors"})
    two = write(tmp_path / "2.jsonl", ROW | {"dataset": "gates", "split": "dev"})
    three = write(tmp_path / "3.jsonl", ROW | {"dataset": "gates", "split": "train"}, ROW | {"dataset": "gates"})

    gold = load([one, two, three])

    assert [(found.name, found.split, len(found.pairs)) for found in gold.sets] == [
        ("gates.dev", "dev", 2),
        ("doors", "", 1),
        ("gates.train", "train", 1),
        ("gates.unnamed", "", 1),
    ]
    assert [file.name for file in gold.sets[0].files] == ["1.jsonl", "2.jsonl"]


def test_a_sample_is_drawn_by_seed_and_name_and_keeps_the_order() -> None:
    """Another seed draws others; a small set is left whole."""
    whole = data(*(GoldPair(claim=str(at), evidence="E.", label="partial") for at in range(100)))

    first, again, other = (sampled(whole, 10, seed) for seed in (1, 1, 2))

    assert first == again != other
    numbers = [int(one.claim) for one in first.pairs]
    assert numbers == sorted(set(numbers))
    assert (len(numbers), first.total) == (10, 100)
    assert sampled(whole, 100, 1) == whole


def test_clusters_are_requests_else_the_text_that_repeats_more() -> None:
    """Three claims against two texts cluster by text; a request in every row goes before both."""
    rows = [("a", "x", "r1"), ("b", "x", "r2"), ("c", "y", "r2")]
    pairs = [GoldPair(claim=one, evidence=two, label="partial", request_id=three) for one, two, three in rows]
    without = [one.model_copy(update={"request_id": None}) for one in pairs]
    turned = [GoldPair(claim=two, evidence=one, label="partial") for one, two, _ in rows]

    assert data(*pairs).clusters() == ["r1", "r2", "r2"]
    assert data(*without).clusters() == ["x", "x", "y"]
    assert data(*turned).clusters() == ["x", "x", "y"]
    assert data(*pairs[:2], without[2]).clusters() == ["x", "x", "y"]


def test_the_sentences_that_carry_a_support_are_those_the_row_names(tmp_path: Path) -> None:
    """In every group, each once; an index or a field of another shape is passed over."""
    sentences = ["One.", "Two.", " ", "Four."]
    rows: list[dict[str, Any]] = [
        ROW | {"evidence_sentences": sentences, "support_idx": [[1, 3], [3, 2, 9, -1]]},
        ROW | {"evidence_sentences": sentences, "support_idx": [0]},
        ROW | {"evidence_sentences": "One.", "support_idx": [[0]]},
        ROW | {"evidence_sentences": [7], "support_idx": [[0, True, "0"]]},
    ]

    gold = load([write(tmp_path / "a.jsonl", *rows)])

    assert [one.carrying for one in gold.sets[0].pairs] == [("Two.", "Four."), ("One.",), (), ()]


def test_a_file_that_is_none_is_refused_whole(tmp_path: Path) -> None:
    """Nothing in it, or not there."""
    empty = write(tmp_path / "empty.jsonl")

    with pytest.raises(ImportFormatError, match="empty"):
        load([empty])
    with pytest.raises((ImportFormatError, OSError)):
        load([tmp_path / "gone.jsonl"])
