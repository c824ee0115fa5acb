"""Every label importer says what it is, knows its own files only, and refuses nonsense row by row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import label_importers, plugins
from core.errors import ImportFormatError
from core.importers import BadLine
from core.label_importers import GivenLabel

MEMBERS = plugins.names(label_importers)


@pytest.mark.parametrize("name", MEMBERS)
def test_contract(name: str, tmp_path: Path) -> None:
    """It has a docstring, reads lazily, and takes neither answers nor our own events for its own."""
    member = plugins.load(label_importers, name)
    ours = json.dumps({"event_id": "e1", "kind": "label", "claim_uid": "0" * 16, "labeller": "ann"}).encode()
    answers = json.dumps({"request_id": "r1", "answer": "Yes.", "evidence": []}).encode()

    assert member.__doc__
    assert not member.sniff(tmp_path / "x.jsonl", ours)
    assert not member.sniff(tmp_path / "x.jsonl", answers)
    with pytest.raises(ImportFormatError):
        list(member.read(tmp_path / "missing.json"))


@pytest.mark.parametrize("name", MEMBERS)
@pytest.mark.parametrize("text", ['{"id": 1}', "{broken", "[1, 2]", '{"annotations": 3, "label_annotations": []}'])
def test_nonsense_is_refused_row_by_row(name: str, text: str, tmp_path: Path) -> None:
    """Never a traceback, never a label."""
    file = tmp_path / "x.jsonl"
    file.write_text(text + "\n", "utf-8")
    try:
        found = list(plugins.load(label_importers, name).read(file))
    except ImportFormatError:
        return

    assert all(isinstance(one, BadLine) for one in found)
    assert not any(isinstance(one, GivenLabel) for one in found)
