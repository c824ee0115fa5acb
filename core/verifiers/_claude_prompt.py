"""What the judge ``claude`` is asked: numbered prompt files that are never rewritten, and the object it answers with.

Policy and output contract are blocks of the system prompt; claim and cited text are blocks of their own, each a JSON
object whose strings cannot be closed from inside; the question comes last.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from core.asking import Prompt, Trouble
from core.models import Failure, Pair, Qualifier, digest
from core.prompting import as_data, prompt_file, readable
from core.text import Span, find_quote

PROMPT = "claude_1"
"""The file under ``prompts/``. A better prompt is a new file with the next number."""

_PACKAGE = "core.verifiers"


class NamedQualifier(BaseModel):
    """One qualifier of the claim as the judge compared it."""

    model_config = ConfigDict(frozen=True)

    kind: Literal[
        "number", "unit", "date", "population", "sample_size", "negation", "hedge", "causality", "quantifier", "name"
    ]
    claim: str
    evidence: str | None
    agrees: bool | None


class Decision(BaseModel):
    """What the judge answers; the fields stand in the order in which it writes them, the reasons before the label."""

    model_config = ConfigDict(frozen=True)

    rationale: str = Field(min_length=1)
    quote: str
    qualifiers: list[NamedQualifier]
    label: Literal["supported", "partial", "contradicted", "wrong_scope", "secondary_only", "irrelevant"]


def asked_sha256() -> str:
    """64 hex over all that a model is told beside the pair: the prompt file, and the schema with its descriptions."""
    return digest([prompt_file(_PACKAGE, PROMPT).sha256, Decision.model_json_schema()])


def prompt(pair: Pair) -> Prompt:
    """The prompt about one pair: nothing but the claim and the cited text goes into it."""
    ours = prompt_file(_PACKAGE, PROMPT).sections
    return Prompt(
        system=(ours["policy"], ours["output"]),
        user=(as_data("claim", pair.claim), as_data("cited_text", pair.evidence), ours["question"]),
    )


def trouble_with(decision: Decision, pair: Pair) -> Trouble | None:
    """Why a decision cannot be used, or none: it must quote the text, and its parts must not disagree."""
    quoted = bool(decision.quote.strip())
    if quoted and place(decision, pair) is None:
        return Trouble(failure=Failure.QUOTE_NOT_IN_SPAN, reason="What it quotes does not stand in the cited text")
    if not quoted and decision.label != "irrelevant":
        reason = f"It decided {decision.label} without quoting the cited text"
        return Trouble(failure=Failure.QUOTE_NOT_IN_SPAN, reason=reason)
    if decision.label == "supported" and any(one.agrees is False for one in decision.qualifiers):
        reason = "It called the claim supported and named a qualifier that disagrees"
        return Trouble(failure=Failure.BAD_OUTPUT, reason=reason)
    return None


def place(decision: Decision, pair: Pair) -> Span | None:
    """Where the quote stands in the evidence, first place first; none when it stands nowhere or there is none."""
    return next(iter(find_quote(readable(pair.evidence), decision.quote)), None)


def qualifiers(decision: Decision, pair: Pair) -> tuple[Qualifier, ...]:
    """The qualifiers whose words stand in both texts, as those texts spell them; the others mean nothing."""
    found = []
    for one in decision.qualifiers:
        ours, theirs = _words(pair.claim, one.claim), _words(pair.evidence, one.evidence)
        if ours and (theirs or one.evidence is None):
            found.append(Qualifier(kind=one.kind, claim=ours, evidence=theirs, agrees=one.agrees if theirs else None))
    return tuple(found)


def _words(text: str, said: str | None) -> str | None:
    spans = find_quote(readable(text), said or "")
    return text[slice(*spans[0])] if spans else None
