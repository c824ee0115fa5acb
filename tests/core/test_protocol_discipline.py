"""What runs and its name: nothing that decides can change while the protocol stays, and nothing else changes it."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from core import extraction, model_folder, pipeline, plugins, qualifiers
from core.errors import VerifierUnavailable
from core.models import MergePolicy
from core.protocol import ClaimProtocol, differences
from core.settings import Settings, data_path
from core.verifiers import lexical


def protocol(verifier: str = "lexical", **more: Any) -> ClaimProtocol:
    """The protocol that settings give."""
    return pipeline.build(Settings(verifier=verifier, cache=None, **more))[1]


def fields(before: ClaimProtocol, after: ClaimProtocol) -> list[str]:
    """What differs, by name."""
    return [one.field for one in differences(before, after)]


def test_a_threshold() -> None:
    """Only the one that was set."""
    before, after = protocol(), protocol(thresholds={"supported": 0.62})

    assert fields(before, after) == ["threshold supported"]
    assert before.verifier.sha256 != after.verifier.sha256


@pytest.mark.parametrize("name", plugins.names(qualifiers))
def test_a_qualifier(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Every comparer is in the protocol by name and number."""
    before = protocol()
    module = plugins.load(qualifiers, name)
    monkeypatch.setattr(module, "VERSION", module.VERSION + 1)
    after = protocol()

    assert fields(before, after) == [f"qualifier {name}"]
    assert before.verifier.sha256 != after.verifier.sha256


def test_a_verifiers_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ``VERSION`` in its file."""
    before = protocol()
    monkeypatch.setattr(lexical, "VERSION", lexical.VERSION + 1)

    assert fields(before, protocol()) == ["version"]


@pytest.mark.parametrize("name", ["SPLITTER", "MATERIALITY"])
def test_how_claims_are_found(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A new claim protocol, and the same spans under the same verifier protocol."""
    before = protocol()
    monkeypatch.setattr(extraction, name, "other@9")
    after = protocol()

    assert fields(before, after) == [name.lower()]
    assert str(before) != str(after)
    assert before.verifier.sha256 == after.verifier.sha256


def test_how_spans_are_merged() -> None:
    """The same as above."""
    before, after = protocol(), protocol(merge=MergePolicy.ANY)

    assert fields(before, after) == ["merge"]
    assert before.verifier.sha256 == after.verifier.sha256


def test_where_things_are_kept_decides_nothing(tmp_path: Path) -> None:
    """Neither store nor cache nor labeller is in a protocol."""
    _, kept = pipeline.build(
        Settings(verifier="lexical", cache=tmp_path / "v.sqlite", store=tmp_path / "d.duckdb", labeller="somebody")
    )

    assert kept == protocol()


def change(folder: Path, what: str) -> None:
    """Change one thing of a model folder, keeping it sound."""
    config = json.loads((folder / "config.json").read_text())
    if what == "a byte of the weights":
        # Protobuf takes an unknown field at its end: another file, the same network.
        content = (folder / "model.onnx").read_bytes() + b"\xfa\x7f\x01x"
        (folder / "model.onnx").write_bytes(content)
        config["sha256"] = hashlib.sha256(content).hexdigest()
    elif what == "the tokenizer":
        tokenizer = json.loads((folder / "tokenizer.json").read_text())
        (folder / "tokenizer.json").write_text(json.dumps(tokenizer, indent=1))
    elif what == "its number":
        config["version"] += 1
    elif what == "the temperature":
        config["temperature"] = 2.0
    elif what == "a threshold":
        config["thresholds"]["supported"] = 0.123
    elif what == "the order of labels":
        config["labels"] = [config["labels"][1], config["labels"][0], config["labels"][2]]
    else:
        config["max_tokens"] = 128
    (folder / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize(
    "what",
    [
        "a byte of the weights",
        "the tokenizer",
        "its number",
        "the temperature",
        "a threshold",
        "the order of labels",
        "the longest input",
    ],
)
def test_a_models_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str) -> None:
    """Whatever of a model folder can move a verdict is in the verifier protocol."""
    source = data_path("models", "claim-nli")
    if not (source / "model.onnx").is_file():
        pytest.skip("the bundled model is not here")
    monkeypatch.setattr(model_folder, "local_path", lambda *parts: tmp_path.joinpath(*parts))
    folder = tmp_path / "models" / "copy"
    folder.mkdir(parents=True)
    for file in ("config.json", "model.onnx", "tokenizer.json"):
        shutil.copyfile(source / file, folder / file)
    try:
        before = protocol("nli:copy")
    except VerifierUnavailable as trouble:
        pytest.skip(str(trouble))
    change(folder, what)

    assert protocol("nli:copy").verifier.sha256 != before.verifier.sha256
