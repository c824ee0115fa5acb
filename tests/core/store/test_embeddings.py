"""Vectors of chunks: one a chunk and model, kept as they came first."""

from __future__ import annotations

from pathlib import Path

from core.store import open_store


def test_vectors_come_back_by_model_and_chunk(tmp_path: Path) -> None:
    """Missing ones are left out, known ones stay, also after the store was closed; the revision stays what it was."""
    path = tmp_path / "s.duckdb"
    with open_store(path) as store:
        before = store.revision()
        store.embeddings.add("m", {1: b"\x00\x00\x80\x3f", 2: b"\x00\x00\x00\x40"})
        store.embeddings.add("m", {2: b"other", 3: b"\xff\x00\x00\x00"})
        store.embeddings.add("n", {1: b"n"})
        store.embeddings.add("n", {})
        assert store.revision() == before
    with open_store(path) as store:
        assert store.embeddings.find("m", [3, 2, 1, 9]) == {
            1: b"\x00\x00\x80\x3f",
            2: b"\x00\x00\x00\x40",
            3: b"\xff\x00\x00\x00",
        }
        assert store.embeddings.find("n", [1, 2]) == {1: b"n"}
        assert store.embeddings.find("m", []) == {}
