"""Verifying files without a store: what it does without, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LOG = (
    '{"request_id": "r1", "claims": [{"text": "The lamp weighs 40 grams.", "citation_ids": ["C1"]}], "evidence": []}\n'
)
PROBE = """
import sys
{code}
print(*sorted({{"duckdb", "pyarrow", "openpyxl", "pandas", "streamlit"}} & set(sys.modules)))
"""


def loaded(code: str) -> str:
    """Which of the heavy packages a fresh process holds after some code."""
    run = subprocess.run(
        [sys.executable, "-c", PROBE.format(code=code)], capture_output=True, text=True, check=True, timeout=120
    )
    return run.stdout.splitlines()[-1]


@pytest.mark.parametrize("module", ["core.verification", "core.importers.xlsx", "core.importers.parquet"])
def test_importing_needs_no_heavy_package(module: str) -> None:
    """A file is verified without a store, so neither the store nor the readers of other formats are loaded for it."""
    assert loaded(f"import {module}") == ""


def test_verifying_a_file_needs_no_heavy_package(tmp_path: Path) -> None:
    """Neither does recognising its format, nor printing its rows."""
    log = tmp_path / "answers.jsonl"
    log.write_text(LOG, encoding="utf-8")
    command = ["citedesk", "verify", str(log), "--json", "--verifier", "lexical"]

    code = f"sys.argv = {command!r}\nfrom core.cli import cli\ncli.main(sys.argv[1:], standalone_mode=False)"
    assert loaded(code) == ""
