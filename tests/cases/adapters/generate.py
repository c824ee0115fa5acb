"""What a generator or a judge writes: the claims that stand in the answer, and the markers in its text."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from core import extraction
from core.markers import vendor
from core.models import Answer, AnswerMatch, GivenClaim

_JUDGES = "read a judge's or a generator's raw output (issues 4 and 5)"
LATER: Mapping[str, str] = dict.fromkeys(("raw", "tokens", "judge_output", "judge_output_json"), _JUDGES)


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """Which of the judge's claims the answer holds, and which sources the text cites."""
    text = given.get("answer", given.get("text"))
    said = tuple(GivenClaim(text=claim) for claim in given.get("judge_claims", ()))
    began = time.perf_counter()
    markers = vendor.find(text)
    seconds = time.perf_counter() - began
    claims = extraction.claims(Answer(request_id="case", answer=text, claims=said))[: len(said)]
    missing = [claim.text for claim in claims if claim.answer_match is AnswerMatch.NONE]
    return {
        "accepted": [claim.text for claim in claims if claim.answer_match is not AnswerMatch.NONE],
        "rejected": [{"text": text, "reason": "claim_not_in_answer"} for text in missing],
        "citations": [id_ for marker in markers for id_ in marker.ids],
        "seconds": seconds,
    }
