"""Run folders made for tests: a small log, judged by the verifier that needs no model."""

from __future__ import annotations

import json
from pathlib import Path

from core.engines import Plan
from core.large_verification import Total, verify
from core.settings import Settings

LEXICAL = Settings(verifier="lexical", cache=None)


def log(path: Path, days: int = 3, first: int = 1) -> Path:
    """One answer a day with two claims, the last undated, and one refused line in the middle."""
    lines = []
    for number in range(first, first + days):
        row = {
            "request_id": f"r{number}",
            "query": f"When does gate {number} open?",
            "claims": [
                {"text": f"Gate {number} opens at 7 in the morning.", "citation_ids": ["C1"]},
                {"text": f"Gate {number} is {number} metres wide.", "citation_ids": ["C9"]},
            ],
            "evidence": [{"id": "C1", "text": f"Gate {number} opens at 7 in the morning, \U0001f6aa says the porter."}],
        }
        dated = {"asked_at": f"2026-11-{number:02}T09:00:00+01:00"} if number < first + days - 1 else {}
        lines.append(json.dumps(row | dated))
    lines.insert(1, '{"request_id": 7}')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def judged(
    log: Path | str, where: Path | str, block_mib: float = 0.0003, engine: str = "local", verifier: str = "lexical"
) -> Total:
    """Judge a log into a folder, in blocks of some 300 bytes."""
    settings = LEXICAL.model_copy(update={"verifier": verifier})
    plan = Plan(settings=settings, where=str(where), format="auto", actors=2)
    return verify([str(log)], engine, plan, lambda done, total: None, block_mib)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file that must be equal: claims, answers and what is done."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for part in ("claims", "answers", "done")
        for file in sorted((folder / part).rglob("*.*"))
    }
