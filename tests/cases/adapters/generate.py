"""What a generator or a judge writes: claims of a reply, claims that stand in an answer, and markers in its text."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from core import gate, pipeline, replies
from core.markers import vendor
from core.models import Answer, AnswerMatch, GivenClaim
from core.settings import Settings

_JUDGES = "reads lists of verdicts, where our judge answers about one claim a call, in a shape that the provider holds"
_MARKERS = "reads markers from a stream of prose, where our generator gives its citations as fields of an object"
LATER: Mapping[str, str] = dict.fromkeys(("judge_output", "judge_output_json"), _JUDGES) | {"tokens": _MARKERS}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """Which of the judge's claims the answer holds, which sources the text cites, and what a raw reply says."""
    reply = replies.read(given.get("raw", '{"claims": []}'))
    text = given.get("answer", given.get("text", ""))
    began, markers, ended = time.perf_counter(), vendor.find(text), time.perf_counter()
    said = tuple(GivenClaim(text=claim) for claim in given.get("judge_claims", ())) or reply.claims
    answer = Answer(request_id="case", answer=text, claims=said)
    (checked,) = pipeline.check([answer], *pipeline.build(Settings(verifier="lexical", cache=None)))
    known, prose = checked.claims[: len(said)], checked.rows[len(said) :]
    missing = {claim.text for claim in known if claim.answer_match is AnswerMatch.NONE}
    scores = [score for row in checked.rows for span in row.spans for score in span.scores.values()]
    return {
        "accepted": [claim.text for claim in known if claim.text not in missing],
        "rejected": [{"text": text, "reason": "claim_not_in_answer"} for text in missing],
        "citations": [id_ for marker in markers for id_ in marker.ids],
        "seconds": ended - began,
        "claims": [claim.model_dump(mode="json") for claim in reply.claims],
        "warnings": [*reply.warnings, *gate.messages(gate.failures(checked, gate.Level.CITATIONS), said)],
        "duplicates_removed": reply.duplicates,
        "fallback": "sentence_split" if prose else None,
        "score": max(scores, default=None),
    }
