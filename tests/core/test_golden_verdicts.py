"""Golden verdicts: whoever changes how the sample is judged must raise ``RULES``, so that the protocol's name changes.

After raising it, write the new verdicts with ``python -m tests.core.test_golden_verdicts`` and read the difference.
Labels of the bundled model are golden only where its score is clearly on one side: int8 arithmetic differs between
processors in the last digits.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core import importers, pipeline, sample
from core.models import Answer, ClaimRow
from core.protocol import RULES, ClaimProtocol, differences
from core.settings import Settings

VERIFIERS = ("lexical", "nli")

TOLERANCE = 0.03
"""How far a score may be from the golden one, and a score from its threshold for its label to be golden."""


def golden_file(verifier: str) -> Path:
    """Where the golden verdicts of a verifier are."""
    return Path(__file__).parent / "golden" / f"{verifier}.json"


@cache
def verdicts(verifier: str) -> dict[str, Any]:
    """What a judge decides about every claim of the sample, and under which rules; as JSON gives it back."""
    judge, protocol = pipeline.build(Settings(verifier=verifier, thresholds={}, cache=None))
    answers = (row for row in importers.read(sample.answers_path()) if isinstance(row, Answer))
    rows = [row for checked in pipeline.check(answers, judge, protocol) for row in checked.rows]
    decided = {f"{row.request_id}/{row.claim_id}": _decided(row, verifier != "lexical") for row in rows}
    written_down = {"rules": RULES, "name": str(protocol), "protocol": protocol.model_dump(mode="json")}
    found: dict[str, Any] = json.loads(json.dumps({**written_down, "verdicts": decided}))
    return found


def _decided(row: ClaimRow, with_scores: bool) -> list[Any]:
    spans: list[list[Any]] = [[span.cite, span.label, span.status, span.start, span.end] for span in row.spans]
    if with_scores:
        for listed, span in zip(spans, row.spans, strict=True):
            listed.append({name: round(score, 2) for name, score in span.scores.items()})
    return [row.claim, row.structural, row.resolve, row.quote, row.label, spans]


def written(verifier: str) -> dict[str, Any]:
    """The golden verdicts of the repository."""
    loaded: dict[str, Any] = json.loads(golden_file(verifier).read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_verdicts_move_only_with_the_protocol(verifier: str) -> None:
    """The same protocol name means the same verdicts, on every machine."""
    golden, now = written(verifier), verdicts(verifier)
    if golden["name"] != now["name"]:
        return  # the test of the file's currency says what differs
    assert golden["verdicts"].keys() == now["verdicts"].keys()
    thresholds = list(golden["protocol"]["verifier"]["thresholds"].values())
    for key, then in golden["verdicts"].items():
        told = f"{key}: decision code changed: raise RULES in core/protocol.py"
        assert _settled(then, thresholds) == _settled(now["verdicts"][key], thresholds, like=then), told


def _settled(verdict: list[Any], thresholds: list[float], like: list[Any] | None = None) -> list[Any]:
    """What of a verdict must be the same on every machine: without scores, and without labels near a threshold."""
    *head, label, spans = verdict
    golden = like[-1] if like else spans
    near = [_is_near(one, thresholds) for one in golden]
    kept = [[cite, None if close else own, *rest[:3]] for (cite, own, *rest), close in zip(spans, near, strict=True)]
    return [*head, None if any(near) else label, kept]


def _is_near(span: list[Any], thresholds: list[float]) -> bool:
    scores = span[5] if len(span) > 5 else {}
    values = [scores[name] for name in ("entailment", "contradiction") if name in scores]
    return any(abs(value - threshold) <= TOLERANCE for value in values for threshold in thresholds)


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_scores_stay_within_tolerance(verifier: str) -> None:
    """The same protocol name means the same scores, but for what processors make of int8."""
    golden, now = written(verifier), verdicts(verifier)
    if golden["name"] != now["name"]:
        return
    for key, (*_, spans) in golden["verdicts"].items():
        for then, span in zip(spans, now["verdicts"][key][-1], strict=True):
            assert then[5:] == [pytest.approx(scores, abs=TOLERANCE) for scores in span[5:]], key


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_the_golden_file_is_current(verifier: str) -> None:
    """The file was written under the rules, thresholds and weights of this code."""
    then, now = (ClaimProtocol.model_validate(one["protocol"]) for one in (written(verifier), verdicts(verifier)))

    assert [str(one) for one in differences(then, now)] == []
    assert (written(verifier)["rules"], written(verifier)["name"]) == (RULES, str(now))


if __name__ == "__main__":
    for name in VERIFIERS:
        golden_file(name).write_text(json.dumps(verdicts(name), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
