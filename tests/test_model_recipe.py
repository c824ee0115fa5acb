"""The bundled models are the files their configurations name, fit into the wheel, and come from a recipe that runs."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT / "data" / "models"
RECIPE = MODELS / "claim-nli"


def _config(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((MODELS / name / "config.json").read_text(encoding="utf-8"))
    return found


def _recipe(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of the recipe, imported as `train.py` imports it, and forgotten after the test."""
    monkeypatch.syspath_prepend(str(RECIPE))
    for path in RECIPE.glob("*.py"):
        monkeypatch.delitem(sys.modules, path.stem, raising=False)
    spec = importlib.util.spec_from_file_location(name, RECIPE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["claim-nli", "embed"])
def test_a_model_is_the_file_that_its_configuration_names_and_small_enough_for_the_wheel(name: str) -> None:
    """The digest is that of the weights, and the weights are at most 30 MB."""
    weights = (MODELS / name / "model.onnx").read_bytes()
    assert hashlib.sha256(weights).hexdigest() == _config(name)["sha256"]
    assert len(weights) <= 30_000_000


@pytest.mark.parametrize("name", ["claim-nli", "embed"])
def test_a_model_brings_its_tokenizer_and_its_attributions(name: str) -> None:
    """The tokenizer neither pads nor cuts by itself; the NOTICE names the base model and its licence."""
    tokenizer = json.loads((MODELS / name / "tokenizer.json").read_text(encoding="utf-8"))
    assert tokenizer["padding"] is None
    assert tokenizer["truncation"] is None
    notice = (MODELS / name / "NOTICE").read_text(encoding="utf-8")
    assert "all-MiniLM-L6-v2" in notice
    assert "Apache License, Version 2.0" in notice


def test_the_claim_judge_says_what_its_logits_mean_and_where_support_begins() -> None:
    """Labels in the order of the logits, one threshold each for all text, and a licence that lets anyone use it."""
    config = _config("claim-nli")
    assert config["labels"] == ["entailment", "contradiction", "neutral"]
    assert set(config["thresholds"]) >= {"supported", "contradicted"}
    assert all(0 < value < 1 for value in config["thresholds"].values())
    assert (config["licence"], config["max_tokens"]) == ("Apache-2.0", 256)


def test_every_training_set_is_attributed() -> None:
    """Whatever was trained on stands with its licence in the NOTICE, and no set for evaluation only is among it."""
    measured = json.loads((RECIPE / "measured.json").read_text(encoding="utf-8"))
    notice = (RECIPE / "NOTICE").read_text(encoding="utf-8")
    used = set(measured["training"]["sets"])
    assert notice.count("\n- ") == len(used)
    assert not used & {"averitec", "covidfact", "expertqa", "healthver", "litl_baseline", "nli4ct", "rte", "begin_tc"}


def test_the_card_holds_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """The committed card is the one that the committed figures give."""
    card = _recipe("card", monkeypatch)
    measured = json.loads((RECIPE / "measured.json").read_text(encoding="utf-8"))
    assert (RECIPE / "MODEL_CARD.md").read_text(encoding="utf-8") == card.render(measured, _config("claim-nli"))


@pytest.mark.parametrize(
    ("kind", "sentence", "target", "pattern"),
    [
        ("number", "The trial had 240 patients.", 1, r"The trial had (?!240)\d+ patients\."),
        ("date", "It opened in March.", 1, r"It opened in (?!March)[A-Z][a-z]+\."),
        ("unit", "The dose is 40 mg a day.", 1, r"The dose is 40 (g|µg) a day\."),
        ("negation", "The drug was not tested.", 1, r"The drug was tested\."),
        ("negation", "The drug was tested.", 1, r"The drug (was not|was never|was no longer|wasn't) tested\."),
        ("population", "It was given to children.", 3, r"It was given to (adults|older people)\."),
        ("hedge", "It may be harmful.", 3, r"It (is|will be) harmful\."),
        ("causality", "Noise is associated with stress.", 3, r"Noise (causes|is caused by) stress\."),
        ("weaker", "All doors are locked.", 0, r"(Some|Most|All) doors are locked\."),
    ],
)  # fmt: skip
def test_an_edit_changes_what_it_says_it_changes(
    kind: str, sentence: str, target: int, pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each perturbation edits one place and names the target that the edit earns, or finds no place."""
    perturbations = _recipe("perturbations", monkeypatch)
    make = {**perturbations.SYMMETRIC, **perturbations.ONE_SIDED}[kind]
    edits = [make(sentence, random.Random(seed)) for seed in range(20)]
    for edit in edits:
        if edit is not None:
            assert re.fullmatch(pattern, edit[0]), edit
            assert edit[1] == target
    assert kind == "weaker" or any(edits)


def test_a_sentence_without_a_place_for_an_edit_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No number, no month, no unit, no group, no hedge: no edit."""
    perturbations = _recipe("perturbations", monkeypatch)
    for kind in ("number", "date", "unit", "population", "causality"):
        make = {**perturbations.SYMMETRIC, **perturbations.ONE_SIDED}[kind]
        assert make("The gate is open.", random.Random(1)) is None


def test_the_same_seed_gives_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two readings of the same sets make the same rows for an epoch, other ones for the next epoch, and none of dev."""
    mix = _recipe("mix", monkeypatch)
    smoke = _recipe("smoke", monkeypatch)
    generated = _recipe("generated", monkeypatch)
    gold = smoke.write_gold(ROOT / "data", tmp_path)

    def rows(epoch: int) -> str:
        found = mix.read_mix(gold)
        made = generated.Generator(found.train).rows(random.Random(f"1-{epoch}"), 0.02)
        digest: str = mix.digest([*mix.human_rows(found.train, random.Random(epoch)), *made])
        return digest

    assert rows(0) == rows(0)
    assert rows(0) != rows(1)
    kept = {mix.normal(pair.claim) for part in (mix.read_mix(gold).train, mix.read_mix(gold).held_out) for pair in part}
    dev = (gold / "dev" / "smoke.jsonl").read_text(encoding="utf-8").splitlines()
    assert not kept & {mix.normal(json.loads(line)["claim"]) for line in dev}


@pytest.mark.skipif(not os.environ.get("CITEDESK_SMOKE"), reason="takes a minute or two; set CITEDESK_SMOKE=1")
def test_the_recipe_runs_from_mix_to_card(tmp_path: Path) -> None:
    """`train.py --smoke` needs nothing outside the repository and leaves a complete model folder."""
    for package in ("torch", "transformers", "onnx", "sentence_transformers"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed (extra: train)")
    command = [sys.executable, str(RECIPE / "train.py"), "--smoke", "--work", str(tmp_path / "work")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stderr
    made = {path.name for path in (tmp_path / "work" / "model").iterdir()}
    assert made >= {"model.onnx", "tokenizer.json", "config.json", "MODEL_CARD.md", "NOTICE", "measured.json"}
