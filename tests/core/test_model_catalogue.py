"""Models on this machine: listed as they are, added whole or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core import model_catalogue, model_folder
from core.errors import InputError
from core.model_catalogue import add, entries

WEIGHTS = b"weights " * 1000
Folder = Callable[..., Path]


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, Path]:
    """Where bundled and added models lie, both of this test alone."""
    bundled, added = tmp_path / "data", tmp_path / "local"
    for module in (model_catalogue, model_folder):
        monkeypatch.setattr(module, "data_path", lambda *parts: bundled.joinpath(*parts))
        monkeypatch.setattr(module, "local_path", lambda *parts: added.joinpath(*parts))
    return bundled / "models", added / "models"


def model(folder: Path, name: str = "nli-large", parts: int = 0, weights: bytes = WEIGHTS, **config: Any) -> Path:
    """A model folder, its weights in so many parts."""
    folder.mkdir(parents=True)
    said = {
        "name": name,
        "version": 2,
        "labels": ["entailment", "contradiction", "neutral"],
        "max_tokens": 256,
        "inputs": ["input_ids", "attention_mask"],
        "sha256": hashlib.sha256(WEIGHTS).hexdigest(),
        "licence": "Apache-2.0",
        "base": "all-mpnet-base-v2",
    }
    (folder / "config.json").write_text(json.dumps(said | config))
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": {"a": 1}}}))
    (folder / "NOTICE").write_text("Whose it is.")
    (folder / "train.py").write_text("raise SystemExit('never copied')")
    if not parts:
        (folder / "model.onnx").write_bytes(weights)
    for number in range(parts):
        piece = len(weights) // parts + 1
        part = weights[number * piece : (number + 1) * piece]
        (folder / f"model.onnx.part-{number + 1:03}").write_bytes(part)
    return folder


@pytest.mark.parametrize("parts", [0, 1, 3, 11])
def test_adding_joins_checks_and_lists(places: tuple[Path, Path], tmp_path: Path, parts: int) -> None:
    """A folder, or its parts, becomes an added model that is found by its name; code is left behind."""
    entry, changed = add(str(model(tmp_path / "somewhere", parts=parts)))
    (listed,) = entries()

    assert changed
    assert entry == listed
    assert (listed.name, listed.version, listed.place, listed.kind) == ("nli-large", 2, "added", "classifier")
    assert (listed.bytes, listed.sha256) == (len(WEIGHTS), hashlib.sha256(WEIGHTS).hexdigest())
    assert (listed.licence, listed.base, listed.trouble) == ("Apache-2.0", "all-mpnet-base-v2", None)
    assert model_folder.read(model_folder.locate("nli-large")).weights == WEIGHTS
    names = sorted(file.name for file in (places[1] / "nli-large").iterdir())
    assert names == ["NOTICE", "config.json", "model.onnx", "tokenizer.json"]
    assert [folder.name for folder in places[1].iterdir()] == ["nli-large"]


def test_parts_in_the_repository_are_added_by_name(places: tuple[Path, Path]) -> None:
    """They are listed as not yet usable, and once added the joined ones are found."""
    model(places[0] / "nli-large", parts=2)
    (before,) = entries()
    assert before.trouble == "its weights are in parts; run: citedesk models add nli-large"
    add("nli-large")

    assert [(one.place, one.trouble is None) for one in entries()] == [("bundled", False), ("added", True)]
    assert model_folder.locate("nli-large") == places[1] / "nli-large"


def test_adding_again_changes_nothing_and_a_new_version_replaces(places: tuple[Path, Path], tmp_path: Path) -> None:
    """The same files are there already; other weights of that name take their place."""
    add(str(model(tmp_path / "one")))
    assert not add(str(tmp_path / "one"))[1]
    newer = b"other weights"
    sha256 = hashlib.sha256(newer).hexdigest()
    entry, changed = add(str(model(tmp_path / "two", weights=newer, sha256=sha256, version=3)))

    assert changed
    assert (entry.version, entry.sha256) == (3, sha256)
    assert model_folder.read(places[1] / "nli-large").weights == newer


def spoil(folder: Path, how: str) -> None:
    """Make a folder one that must be refused."""
    if how == "another byte":
        (folder / "model.onnx.part-002").write_bytes(b"x")
    elif how == "a part is missing":
        (folder / "model.onnx.part-002").unlink()
    elif how == "no weights":
        for part in folder.glob("model.onnx.part-*"):
            part.unlink()
    elif how == "no tokenizer":
        (folder / "tokenizer.json").unlink()
    elif how == "broken tokenizer":
        (folder / "tokenizer.json").write_text("{}")
    elif how == "no configuration":
        (folder / "config.json").unlink()
    elif how == "no JSON":
        (folder / "config.json").write_text("{")
    elif how == "a list":
        (folder / "config.json").write_text("[]")
    else:
        said = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(said | {"name": how}))


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("another byte", "is not the file that config.json names by its sha256"),
        ("a part is missing", "model.onnx.part-002 is not in"),
        ("no weights", "has neither model.onnx nor parts of it"),
        ("no tokenizer", "has no tokenizer.json"),
        ("broken tokenizer", "tokenizer.json of the model 'nli-large' is damaged"),
        ("no configuration", "has no config.json that can be read"),
        ("no JSON", "is not JSON"),
        ("a list", "names no model"),
        ("../escape", "names no model"),
        ("Upper Case", "names no model"),
        (".hidden", "names no model"),
        ("claim-nli", "A model called 'claim-nli' comes with Citedesk"),
    ],
)
def test_what_is_not_sound_is_refused_in_a_sentence(
    places: tuple[Path, Path], tmp_path: Path, how: str, words: str
) -> None:
    """And what was there stays as it was, with nothing left over."""
    model(places[0] / "claim-nli", "claim-nli")
    add(str(model(tmp_path / "good")))
    before = {file: file.read_bytes() for file in places[1].rglob("*") if file.is_file()}
    bad = model(tmp_path / "bad", parts=3)
    spoil(bad, how)
    with pytest.raises(InputError) as refused:
        add(str(bad))

    assert words in str(refused.value)
    assert str(refused.value).count("\n") == 0
    assert {file: file.read_bytes() for file in places[1].rglob("*") if file.is_file()} == before
    assert [folder.name for folder in places[1].iterdir()] == ["nli-large"]


def test_a_place_that_is_none_is_refused(places: tuple[Path, Path]) -> None:
    """Neither a folder nor a name of ours; nothing is looked up anywhere else."""
    for source in ("nobody", "/no/such/folder", "../..", "org/model"):
        with pytest.raises(InputError, match=r"There is no folder|no config\.json"):
            add(source)


def test_a_damaged_model_is_listed_with_its_trouble(places: tuple[Path, Path]) -> None:
    """The list never says that something can be used which cannot."""
    model(places[0] / "claim-nli", "claim-nli", weights=b"changed")
    (places[1] / "odd").mkdir(parents=True)
    (places[1] / "odd" / "config.json").write_text("[")
    one, other = entries()

    assert "sha256" in (one.trouble or "")
    assert (other.kind, other.bytes) == ("unknown", 0)
    assert "odd" in (other.trouble or "")


def test_no_models_at_all(places: tuple[Path, Path]) -> None:
    """An empty list, not an error."""
    assert entries() == []
