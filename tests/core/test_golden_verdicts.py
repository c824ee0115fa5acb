"""Golden verdicts: whoever changes how the sample is judged must raise ``RULES``, so that the protocol's name changes.

After raising it, write the new verdicts with ``python -m tests.core.test_golden_verdicts`` and read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path

from core import importers, pipeline, sample
from core.models import Answer
from core.protocol import RULES
from core.settings import Settings

GOLDEN = Path(__file__).with_name("golden_verdicts.json")


def verdicts() -> dict[str, object]:
    """What the default judge decides about every claim of the sample, and under which rules."""
    judge, protocol = pipeline.build(Settings(verifier="lexical", thresholds={}))
    answers = (row for row in importers.read(sample.answers_path()) if isinstance(row, Answer))
    decided = {
        f"{row.request_id}/{row.claim_id}": [
            row.claim,
            row.structural,
            row.resolve,
            row.quote,
            row.label,
            [[span.cite, span.label, span.status, span.start, span.end] for span in row.spans],
        ]
        for checked in pipeline.check(answers, judge, protocol)
        for row in checked.rows
    }
    return {"rules": RULES, "protocol": str(protocol), "verdicts": decided}


def written() -> dict[str, object]:
    """The golden verdicts of the repository."""
    loaded: dict[str, object] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return loaded


def test_verdicts_move_only_with_the_protocol() -> None:
    """The same protocol name means the same verdicts, on every machine."""
    golden, now = written(), verdicts()
    now = json.loads(json.dumps(now))
    if golden["protocol"] == now["protocol"]:
        assert now["verdicts"] == golden["verdicts"], "decision code changed: raise RULES in core/protocol.py"


def test_the_golden_file_is_current() -> None:
    """The file was written under the rules and thresholds of this code."""
    golden = written()

    assert (golden["rules"], golden["protocol"]) == (verdicts()["rules"], verdicts()["protocol"])


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(verdicts(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
