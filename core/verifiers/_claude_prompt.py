"""What the judge ``claude`` is asked: numbered prompt files that are never rewritten, and the object it answers with.

Policy and output contract are blocks of the system prompt; claim and cited text are blocks of their own, each a JSON
object whose strings cannot be closed from inside; the question comes last.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from core.asking import Prompt, Trouble
from core.models import Failure, Pair, Qualifier, digest
from core.text import Span, find_quote, sha256

PROMPT = "claude_1"
"""The file under ``prompts/``. A better prompt is a new file with the next number."""

_SECTION = re.compile(r"^# (\w+)\n", re.MULTILINE)
_SURROGATE = re.compile("[\ud800-\udfff]")


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


class PromptFile(NamedTuple):
    """A prompt file taken apart."""

    policy: str
    output: str
    question: str
    sha256: str
    """Of the whole file, line ends folded."""


@cache
def prompt_file(name: str = PROMPT) -> PromptFile:
    """Read a prompt that this version ships."""
    text = files("core.verifiers").joinpath("prompts", f"{name}.md").read_text("utf-8").replace("\r\n", "\n")
    pieces = _SECTION.split(text)
    sections = {title: body.strip() for title, body in zip(pieces[1::2], pieces[2::2], strict=True)}
    return PromptFile(**sections, sha256=sha256(text))


def asked_sha256() -> str:
    """64 hex over all that a model is told beside the pair: the prompt file, and the schema with its descriptions."""
    return digest([prompt_file().sha256, Decision.model_json_schema()])


def prompt(pair: Pair) -> Prompt:
    """The prompt about one pair: nothing but the claim and the cited text goes into it."""
    file = prompt_file()
    return Prompt(
        system=(file.policy, file.output),
        user=(as_data("claim", pair.claim), as_data("cited_text", pair.evidence), file.question),
    )


def as_data(name: str, text: str) -> str:
    """A text as a JSON object; it has as many code points inside as ``text``, lone surrogates replaced."""
    return json.dumps({name: readable(text)}, ensure_ascii=False)


def readable(text: str) -> str:
    """The text with lone surrogates replaced one by one, for UTF-8 cannot carry them."""
    return _SURROGATE.sub("\ufffd", text)


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
