"""Answers to questions made by hand, for tests of the gate and of what is served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core import pipeline
from core.models import Answer, CheckedAnswer, Evidence, GivenClaim, Label
from core.protocol import ClaimProtocol
from core.semantic import Judge
from tests.fakes.scripted import ScriptedVerifier

TOLL = "The toll is 3 crowns. It is paid at the gate."
DOGS = "Dogs may cross for free."

REGISTRY = (
    Evidence(id="E1", text=TOLL, locator="toll.txt, page 1", source_version="v1", meta={"chunk_id": "a1:p1.0-45"}),
    Evidence(id="E2", text=DOGS, locator="dogs.txt, page 2", source_version="v3", meta={"chunk_id": "b2:p2.0-24"}),
    Evidence(id="E3", text="Cats pay 1 crown.", in_context=False, meta={"chunk_id": "c3:p1.0-17"}),
)


def given(text: str, *cites: str, quote: str | None = None, number: int = 1) -> GivenClaim:
    """One claim as a generator gives it, under the name that asking gives it."""
    return GivenClaim(text=text, citation_ids=cites, quotes=() if quote is None else (quote,), claim_id=f"c{number}")


def checked(
    claims: Sequence[GivenClaim],
    labels: Mapping[str, Label] | None = None,
    answer: str | None = None,
    evidence: Sequence[Evidence] = REGISTRY,
) -> CheckedAnswer:
    """The claims after all stages, each evidence text with the label of the script, else not judged."""
    script = {TOLL: Label.SUPPORTED, DOGS: Label.SUPPORTED} if labels is None else dict(labels)
    judge = Judge(ScriptedVerifier(script), [])
    protocol = ClaimProtocol(verifier=judge.protocol, splitter="s@1", materiality="m@1")
    numbered = tuple(one.model_copy(update={"claim_id": f"c{number}"}) for number, one in enumerate(claims, 1))
    asked = Answer(request_id="q-1", query="What?", answer=answer, claims=numbered, evidence=tuple(evidence))
    (found,) = pipeline.check([asked], judge, protocol)
    return found
