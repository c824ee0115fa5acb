"""``citedesk guideline``: versions in, versions out, and half a guideline refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from core import guidelines
from core.cli import cli
from core.errors import InputError


def run(*words: str | Path) -> str:
    """What a command prints."""
    result = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False, standalone_mode=False)
    return result.output


def test_a_file_becomes_the_next_version(tmp_path: Path) -> None:
    """Said with its number, listed after ours, and printed as it is."""
    store, file = tmp_path / "desk.duckdb", tmp_path / "ours.md"
    file.write_text(guidelines.shipped().replace("version 1", "version of ours"), encoding="utf-8")
    added = run("guideline", "add", file, "--store", store)
    listed = run("guideline", "list", "--store", store).splitlines()

    assert "ours.md is guideline v2" in added
    assert [line.split()[0] for line in listed] == ["v1", "v2"]
    assert run("guideline", "show", "v2", "--store", store) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "said"), [(b"## supported\n", "0 entries for 'partial'"), (b"\xff", "is not in UTF-8")]
)
def test_half_a_guideline_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    """In a sentence; the store has what it had."""
    store, file = tmp_path / "desk.duckdb", tmp_path / "half.md"
    file.write_bytes(content)
    with pytest.raises(InputError, match=said):
        run("guideline", "add", file, "--store", store)

    assert len(run("guideline", "list", "--store", store).splitlines()) == 1
