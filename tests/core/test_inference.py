"""Bundled models: a pair's digits are its own, damage is said in one sentence, and nothing is loaded by importing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import VerifierUnavailable
from core.inference import LABELS, Embedder, PairClassifier, load_classifier, load_embedder
from core.model_folder import locate
from core.settings import data_path

PAIRS = [
    ("The toll is 3 crowns.", "The toll is 3 crowns."),
    ("Parking is free on Sundays.", "The toll is 3 crowns."),
    ("The toll is 4 crowns. It was raised in May, when the bridge was painted.", "The toll is 3 crowns."),
    ("", ""),
    ("駅は閉鎖された。 \ud800 😀", "The station closed."),
]


@pytest.fixture(scope="module")
def classifier() -> PairClassifier:
    """The bundled classifier."""
    return load_classifier(locate("claim-nli"))


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    """The bundled embedder."""
    return load_embedder(locate("embed"))


def test_probabilities_are_probabilities(classifier: PairClassifier) -> None:
    """One row a pair, in the order of the labels, each summing to 1; a copy is entailed."""
    found = classifier.probabilities(PAIRS)

    assert found.shape == (len(PAIRS), 3)
    assert sorted(classifier.config.labels) == sorted(LABELS)
    assert np.allclose(found.sum(axis=1), 1, atol=1e-5)
    assert classifier.config.labels[int(found[0].argmax())] == "entailment"
    assert classifier.probabilities([]).shape == (0, 3)


def test_company_moves_no_digit(classifier: PairClassifier) -> None:
    """A pair alone, among short and long ones, and many times over: the same bits."""
    together = classifier.probabilities(PAIRS * 9)

    for at, pair in enumerate(PAIRS):
        alone = classifier.probabilities([pair])[0]
        assert all(np.array_equal(alone, together[at + turn * len(PAIRS)]) for turn in range(9))


def test_tokens_of_the_same_text_are_read_once_and_joined_as_the_tokenizer_does(classifier: PairClassifier) -> None:
    """Texts and their tokens give the same answer."""
    evidence, claim = PAIRS[2]
    ids = classifier.encode([evidence, claim, evidence])

    assert ids[0] is ids[2]
    assert np.array_equal(classifier.judge([(ids[0], ids[1])]), classifier.probabilities([(evidence, claim)]))


def test_places_are_those_of_the_text(classifier: PairClassifier) -> None:
    """Code points, also behind emoji and what UTF-8 cannot hold."""
    text = "😀 Toll \ud800 3"
    found = classifier.encode_with_places(text)

    assert len(found.ids) == len(found.places)
    assert [text[start:end] for start, end in found.places][-1] == "3"
    assert np.array_equal(found.ids, classifier.encode([text])[0])


def test_a_pair_that_is_too_long_is_never_cut_in_silence(classifier: PairClassifier) -> None:
    """The model reads 256 tokens, three of them special; cutting is the caller's concern."""
    words = "toll " * classifier.room

    assert classifier.probabilities([(words[:-5], "toll")]).shape == (1, 3)
    with pytest.raises(ValueError, match=str(classifier.room)):
        classifier.probabilities([(words, "toll")])


def test_vectors_have_length_one_and_likeness_means_something(embedder: Embedder) -> None:
    """A paraphrase is nearer than another subject; long and empty texts have a vector too."""
    texts = ["The ferry stops in winter.", "In winter the boat does not run.", "Copper conducts heat.", "a " * 999, ""]
    found = embedder.embed(texts)

    assert found.shape == (5, embedder.config.dimensions)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert found[0] @ found[1] > found[0] @ found[2]
    assert np.array_equal(embedder.embed(texts[1:2])[0], found[1])


@pytest.mark.parametrize("name", ["nobody", "", ".", "..", "../models/claim-nli", "a/b", "a\\b", "nli:x"])
def test_an_unknown_model_is_named_with_what_to_do(name: str) -> None:
    """Also a name that is a path."""
    with pytest.raises(VerifierUnavailable, match="models add") as trouble:
        locate(name)

    assert str(trouble.value).startswith("There is no model called")


def _config(**changes: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        (folder / "config.json").write_text(json.dumps(config | changes), encoding="utf-8")

    return change


def _without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _with(name: str, content: bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).write_bytes(content)

    return change


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (_without("config.json"), "config.json"),
        (_without("model.onnx"), "model.onnx"),
        (_without("tokenizer.json"), "tokenizer.json"),
        (_with("model.onnx", b"nothing"), "model.onnx"),
        (_with("tokenizer.json", b'{"model": '), "tokenizer.json"),
        (_with("tokenizer.json", b"\xff"), "tokenizer.json"),
        (_with("tokenizer.json", b'{"model": {}}'), "tokenizer.json"),
        (_with("config.json", b"[]"), "config.json"),
        (_config(labels=["yes", "no", "maybe"]), "yes, no, maybe"),
        (_config(labels=["entailment", "neutral"]), "entailment, neutral"),
        (_config(sha256="0" * 64), "sha256"),
        (_config(sha256="short"), "sha256"),
        (_config(max_tokens=0), "max_tokens"),
        (_config(temperature=0), "temperature"),
        (_config(inputs=["input_ids"]), "model.onnx"),
        (_config(inputs=["words"]), "inputs"),
    ],
)
def test_a_damaged_folder_is_refused_in_one_sentence(damage: Callable[[Path], None], told: str, tmp_path: Path) -> None:
    """What is wrong, with which file, and what to do; never a score."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("config.json", "model.onnx", "tokenizer.json"):
        shutil.copy(data_path("models", "claim-nli", name), folder / name)
    damage(folder)
    with pytest.raises(VerifierUnavailable) as trouble:
        load_classifier(folder)

    assert told in trouble.value.what
    assert trouble.value.advice
    assert "\n" not in str(trouble.value)


def test_the_wrong_kind_of_model_is_refused() -> None:
    """An embedder judges nothing, and a classifier makes no vectors."""
    with pytest.raises(VerifierUnavailable, match="labels none"):
        load_classifier(locate("embed"))
    with pytest.raises(VerifierUnavailable, match="no embedder"):
        load_embedder(locate("claim-nli"))


def test_importing_loads_no_runtime() -> None:
    """Listing verifiers must stay quick."""
    code = "import sys, core.inference; print({'onnxruntime', 'tokenizers'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "set()"
