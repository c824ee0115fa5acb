"""Other embedders: vectors labelled by the model's own digest, one sentence when it is missing."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from core.errors import VerifierUnavailable
from core.models import utc_now
from core.retrieval import Retriever
from core.sentence_embedder import load
from core.settings import Settings
from core.store import open_store
from tests.core.corpora_of import fill
from tests.core.verifiers.test_hub import made as made  # a fixture: a tiny model with random weights


def test_vectors_are_of_length_one_and_the_same_for_the_same_text(made: Path) -> None:
    """In company or alone, whatever the text is made of."""
    model = load(str(made))
    found = model.embed(["the gate is open", "", "half a pair \ud800", "the gate " * 500])

    assert found.shape == (4, model.config.dimensions)
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert model.embed(["the gate is open"])[0] == pytest.approx(found[0], abs=1e-5)
    assert model.embed([]).shape[0] == 0
    assert [len(ids) for ids in model.encode(["the gate", ""])] == [2, 0]
    assert model.encode([]) == []


def test_the_digest_is_of_the_content_not_of_the_place(made: Path, tmp_path: Path) -> None:
    """A copy is the same model; one changed setting makes another."""
    copy = shutil.copytree(made, tmp_path / "elsewhere" / made.name)
    same = load(str(copy)).config
    assert same == load(str(made)).config
    assert (same.name, str(tmp_path) in same.model_dump_json()) == (made.name, False)
    (copy / "sentence_bert_config.json").write_text('{"max_seq_length": 48, "do_lower_case": false}', encoding="utf-8")

    assert load(str(copy)).config.digest != same.digest


def test_a_corpus_is_searched_with_the_one_of_the_settings(made: Path, tmp_path: Path) -> None:
    """Its vectors stand beside those of another, neither taken for the other's."""
    with open_store(tmp_path / "s.duckdb") as store:
        fill(store, {"a.txt": "The gate is open.", "b.txt": "Dogs pay."})
        retriever = Retriever.open(store, Settings(embedder=str(made)))

        assert retriever.prepare("main") == 2
        assert retriever.search("the gate", "main", None).searched == 2
        documents = store.corpora.visible("main", None, utc_now())
        assert store.embeddings.lacking(retriever.embedder.config.digest, documents) == []
        assert len(store.embeddings.lacking("another", documents)) == 2


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("./nowhere", "There is no embedder './nowhere'"),
        ("", "There is no embedder ''"),
        ("a/b/c", "There is no embedder 'a/b/c'"),
        ("nobody/has this", "There is no embedder 'nobody/has this'"),
        ("nobody/has-this", "is not here and cannot be fetched"),
    ],
)
def test_what_is_missing_is_one_sentence(named: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(VerifierUnavailable, match=said) as error:
        load(named)
    assert "CITEDESK_EMBEDDER" in str(error.value)


def test_a_folder_without_weights_is_refused(made: Path, tmp_path: Path) -> None:
    """And pickled ones are not opened."""
    copy = shutil.copytree(made, tmp_path / "copy")
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(VerifierUnavailable, match="cannot be loaded"):
        load(str(copy))
