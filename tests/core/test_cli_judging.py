"""``citedesk protocols`` and ``citedesk models``: what judged, what judges now, and with what."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core import extraction
from tests.browser.conftest import Desktop
from tests.core.test_cli import GOOD, Command, holding, log
from tests.core.test_model_catalogue import model, places

ROOT = Path(__file__).parents[2]
LEXICAL = ("--verifier", "lexical")
__all__ = ["places"]


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command, on an empty store."""
    return Command(monkeypatch, capsys, tmp_path / "desk.duckdb")


def rows(out: str) -> list[dict[str, Any]]:
    """What ``--json`` printed."""
    return [json.loads(line) for line in out.splitlines()]


def test_without_a_store_only_what_judges_now(citedesk: Command, tmp_path: Path) -> None:
    """No store is made by looking."""
    ran = citedesk("protocols", "--json", *LEXICAL)
    (now,) = rows(ran.out)

    assert ran.code == 0
    assert (now["now"], now["runs"], now["changes"]) == (True, 0, None)
    assert now["name"].startswith("lexical@1+")
    assert not (tmp_path / "desk.duckdb").exists()
    assert citedesk("protocols", *LEXICAL).out.startswith(
        "No verifier has judged anything in this store yet.\nlexical@"
    )


def test_each_protocol_says_what_changed(citedesk: Command, tmp_path: Path) -> None:
    """A threshold and a merge policy, compared with the one before; counted; the one of now is marked."""
    file = log(tmp_path / "a.jsonl", GOOD)
    citedesk("import", file, *LEXICAL)
    citedesk("import", file, *LEXICAL, "--threshold", "supported=0.9")
    citedesk("import", file, *LEXICAL, "--threshold", "supported=0.9")
    first, second, now = rows(citedesk("protocols", "--json", *LEXICAL, "--merge", "any").out)

    assert first["changes"] is None
    assert (first["runs"], first["claims"], first["verdicts"], first["now"]) == (1, 1, 1, False)
    assert second["changes"] == [{"field": "threshold supported", "before": 0.61, "after": 0.9}]
    assert (second["runs"], second["claims"], second["verdicts"]) == (2, 1, 1)
    assert {one["field"] for one in now["changes"]} == {"threshold supported", "merge"}
    assert second["protocol"]["splitter"] == extraction.SPLITTER

    said = citedesk("protocols", *LEXICAL).out
    assert "(judges now)" in said.splitlines()[0]
    assert "    threshold supported: 0.61 → 0.9" in said
    assert "2 runs, 1 claim " in said
    assert "not used yet   (judges now)" in citedesk("protocols", *LEXICAL, "--merge", "any").out


def test_a_verifier_that_cannot_be_had_hides_nothing(citedesk: Command, tmp_path: Path) -> None:
    """The store's protocols are listed, and the trouble is said."""
    citedesk("import", log(tmp_path / "a.jsonl", GOOD), *LEXICAL)
    ran = citedesk("protocols", "--verifier", "oracle")

    assert ran.code == 0
    assert ran.out.startswith("lexical@1+")
    assert "There is no verifier called 'oracle'" in ran.out
    assert rows(citedesk("protocols", "--verifier", "oracle", "--json").out)[1]["name"] is None


def test_an_empty_store_is_said(citedesk: Command, tmp_path: Path) -> None:
    """It is there, and nothing was judged in it."""
    citedesk("import", log(tmp_path / "a.jsonl", "{"), *LEXICAL)
    assert (tmp_path / "desk.duckdb").exists()

    assert rows(citedesk("protocols", "--json", *LEXICAL).out)[-1]["now"] is True


def test_a_store_held_by_something_else_is_one_sentence(citedesk: Command, tmp_path: Path) -> None:
    """As for every command."""
    citedesk("import", log(tmp_path / "a.jsonl", GOOD), *LEXICAL)
    with holding(tmp_path / "desk.duckdb"):
        ran = citedesk("protocols")

    assert ran.code == 2
    assert len(ran.err.strip().splitlines()) == 1


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """A desk on an empty store, in a process of its own."""
    folder = tmp_path_factory.mktemp("desk")
    desktop = Desktop(folder / "desk.duckdb", folder)
    desktop.start()
    yield desktop
    desktop.stop()


@pytest.mark.long
def test_the_open_desk_is_asked(desk: Desktop) -> None:
    """The same lines while the desk has the store open, and the cache is used there too."""
    env = os.environ | {"CITEDESK_STORE": str(desk.store), "PYTHONPATH": str(ROOT)}
    file = log(desk.folder / "a.jsonl", GOOD)

    def run(*words: str) -> str:
        command = [sys.executable, "-m", "core", *words, *LEXICAL]
        return subprocess.run(command, cwd=desk.folder, env=env, capture_output=True, text=True, check=True).stdout

    run("import", str(file), "--no-cache")
    (row,) = rows(run("protocols", "--json"))
    assert (row["runs"], row["claims"], row["now"]) == (1, 1, True)


@pytest.mark.usefixtures("places")
def test_models_are_added_and_listed(citedesk: Command, tmp_path: Path) -> None:
    """With size, hash, licence and base; adding twice says so; a bad one is one sentence and code 2."""
    assert "There are no models here" in citedesk("models", "list").out
    source = model(tmp_path / "source", parts=2)
    added = citedesk("models", "add", source)
    again = citedesk("models", "add", source)
    listed = citedesk("models", "list").out
    (entry,) = rows(citedesk("models", "list", "--json").out)

    assert added.out.startswith("nli-large added to ")
    assert "--verifier nli:nli-large" in added.out
    assert "is there already" in again.out
    assert "nli-large@2   classifier, added   0.0 MB   Apache-2.0   from all-mpnet-base-v2" in listed
    assert f"sha256 {entry['sha256']}" in listed

    (source / "model.onnx.part-001").write_bytes(b"x")
    bad = citedesk("models", "add", source)
    assert bad.code == 2
    assert len(bad.err.strip().splitlines()) == 1
    assert "was not added" in bad.err
