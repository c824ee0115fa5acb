"""Who will read an export: what only some groups may see stays out of a file for others."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from core import corpora
from core.corpora import AddRequest
from core.desk import Desk
from core.models import utc_now
from core.settings import Settings
from tests.core.test_cli import Command

WORDS = "The quokka toll is 7319 silver crowns."


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command, on a store with an answer that cites a source of the group hr."""
    (tmp_path / "tolls.txt").write_text(WORDS, encoding="utf-8")
    with closing(Desk.open(Settings(store=tmp_path / "desk.duckdb", verifier="lexical", cache=None))) as desk:
        corpora.add(desk.store, AddRequest(paths=(tmp_path / "tolls.txt",), groups=("hr",)), "ann")
        (chunk,) = desk.store.corpora.chunks("main", None, utc_now())
        entry = corpora.evidence(chunk, "E1")
        asked: dict[str, Any] = {"request_id": "r1", "claims": [{"text": "The toll is 12.", "citation_ids": ["E1"]}]}
        asked["evidence"] = [entry.model_dump(exclude={"meta"}) | entry.meta]
        (tmp_path / "log.jsonl").write_text(json.dumps(asked), encoding="utf-8")
        desk.import_file(tmp_path / "log.jsonl")
    return Command(monkeypatch, capsys, tmp_path / "desk.duckdb")


@pytest.mark.parametrize(
    ("options", "told"),
    [((), True), (("--everyone",), False), (("--group", "it"), False), (("--group", "it", "--group", "hr"), True)],
)
def test_a_file_is_for_its_readers(citedesk: Command, tmp_path: Path, options: tuple[str, ...], told: bool) -> None:
    """As many claims in every one; the words of the source only where all who read it may see them."""
    for what, name in (("claims", "claims.jsonl"), ("verdicts", "verdicts.csv"), ("report", "report.html")):
        ran = citedesk("export", what, tmp_path / name, *options)
        assert ran.code == 0, ran.err
    claims = (tmp_path / "claims.jsonl").read_text(encoding="utf-8")
    everything = claims + "".join((tmp_path / name).read_text("utf-8") for name in ("verdicts.csv", "report.html"))

    assert len(claims.splitlines()) == 1
    assert ("quokka" in everything) is told
    assert ("7319 silver" in everything) is told


def test_not_for_everyone_and_a_group(citedesk: Command, tmp_path: Path) -> None:
    """That would say nothing."""
    ran = citedesk("export", "claims", tmp_path / "claims.jsonl", "--everyone", "--group", "hr")

    assert ran.code == 2
    assert "Give --group or --everyone, not both" in ran.err
