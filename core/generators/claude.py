"""Claude writes the answer: one JSON object whose citations can be nothing but the ids it was given.

``claude`` asks the model of the settings, ``claude:MODEL`` another one. The ids are enumerated in the schema, and
checked again by whoever uses the answer. Under the contract ``native`` the passages are sent as documents instead, and
Claude cites stretches of them itself; the same claims come of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core import native_citations, replies
from core.asking import Prompt, Sent, Trouble, Written
from core.claude import Claude
from core.errors import VerifierUnavailable
from core.generators import FIRST_WORDS, Generation, Generator, Tell
from core.models import Evidence, Failure, GeneratorName, GivenClaim
from core.prompting import as_data, prompt_file, readable
from core.replies import Reply
from core.settings import ClaudeSettings, Settings
from core.spend import Call, Ledger

VERSION = 1

PROMPT, NATIVE_PROMPT = "answer_1", "native_1"
"""The files under ``prompts/``, one a contract. A better prompt is a new file with the next number."""

MAX_EVIDENCE = 80_000
"""Code points of all passages together; more is not sent, for nothing of a passage may be left out."""

_PACKAGE = "core.generators"


class ClaudeGenerator:
    """Asks Claude; see the module.

    Args:
        settings: How Claude is called.
        native: Whether Claude's own citations are asked for instead of an object.

    Raises:
        VerifierUnavailable: Claude cannot be asked from here.
    """

    shared = False
    repairs = True

    def __init__(self, settings: ClaudeSettings, native: bool = False) -> None:
        """Find the key; nothing is sent yet."""
        self._settings, self._native = settings, native
        self._ledger = Ledger(settings.limits)
        self._claude = Claude(settings, self._ledger, "answer")

    @property
    def name(self) -> GeneratorName:
        """Its number with the prompt's digest, and the model that is asked."""
        asked = prompt_file(_PACKAGE, NATIVE_PROMPT if self._native else PROMPT)
        return GeneratorName(name=f"claude@{VERSION}+{asked.sha256[:8]}", model=self._settings.model)

    def spent(self) -> list[Call]:
        """The calls since this was asked last, failed ones too."""
        return self._ledger.take()

    def generate(
        self,
        query: str,
        evidence: Sequence[Evidence],
        tell: Tell,
        repair: Sequence[str] = (),
        previous: Sequence[GivenClaim] = (),
    ) -> Generation | Trouble:
        """Ask, and read what comes; see ``core.generators.Generator``."""
        size = sum(len(entry.text) for entry in evidence)
        if size > MAX_EVIDENCE:
            reason = f"The passages have {size} characters and the generator is sent at most {MAX_EVIDENCE}"
            return Trouble(failure=Failure.TOO_LONG, reason=reason)
        if self._native:
            asked, form = native_prompt(query, evidence, repair, previous), None
        else:
            asked, form = prompt(query, evidence, repair, previous), schema([entry.id for entry in evidence])
        found = self._claude.write(asked, form, lambda: tell(FIRST_WORDS))
        if not isinstance(found, Written):
            return found
        return _generation(native_citations.read(found.blocks, evidence) if self._native else replies.read(found.text))


def build(settings: Settings) -> Generator:
    """Build the generator that the settings name.

    Raises:
        VerifierUnavailable: There is no key, or the model's name is blank.
    """
    _, sign, model = settings.ask.generator.partition(":")
    if sign and not model.strip():
        raise VerifierUnavailable("No model is named after 'claude:'", "write for example claude:claude-opus-5-5")
    chosen = settings.claude.model_copy(update={"model": model.strip()}) if sign else settings.claude
    return ClaudeGenerator(chosen, native=settings.ask.contract == "native")


def schema(ids: Sequence[str]) -> dict[str, Any]:
    """The object that is asked for; a citation is one of these ids."""
    claim = {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "citation_ids": {"type": "array", "items": {"type": "string", "enum": list(ids)}},
            "quote": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["text", "citation_ids", "quote"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"answer": {"type": "string"}, "claims": {"type": "array", "items": claim}},
        "required": ["answer", "claims"],
        "additionalProperties": False,
    }


def prompt(
    query: str, evidence: Sequence[Evidence], repair: Sequence[str] = (), previous: Sequence[GivenClaim] = ()
) -> Prompt:
    """Policy and output contract are ours; passages and question come each as JSON in a block of their own.

    The passages come first, so that a provider that remembers the beginning of a prompt need not read them twice.
    """
    ours = prompt_file(_PACKAGE, PROMPT).sections
    system = (ours["policy"], ours["output"])
    passages = [{"id": one.id, "title": one.title, "version": one.source_version, "text": one.text} for one in evidence]
    asked = (as_data("passages", passages), as_data("question", query), ours["question"])
    remark = "\n".join([ours["repair"], *(f"- {one}" for one in repair)])
    if not repair:
        return Prompt(system, asked, cached=1)
    if not previous:
        return Prompt(system, (*asked, remark), cached=1)
    said = as_data("claims", [_said(claim) for claim in previous])
    return Prompt(system, asked, cached=1, turns=(said, remark))


def native_prompt(
    query: str, evidence: Sequence[Evidence], repair: Sequence[str] = (), previous: Sequence[GivenClaim] = ()
) -> Prompt:
    """The same with the passages as documents, in their order; a citation names one by its place among them."""
    ours = prompt_file(_PACKAGE, NATIVE_PROMPT).sections
    documents = tuple(Sent(title=_line(one.title), text=readable(one.text)) for one in evidence)
    asked = (as_data("question", query), ours["question"])
    remark = "\n".join([ours["repair"], *(f"- {one}" for one in repair)])
    system = (ours["policy"], ours["output"])
    if not repair:
        return Prompt(system, asked, documents=documents)
    if not previous:
        return Prompt(system, (*asked, remark), documents=documents)
    said = as_data("claims", [claim.text for claim in previous])
    return Prompt(system, asked, turns=(said, remark), documents=documents)


def _line(title: str | None) -> str | None:
    return readable(" ".join(title.split())) or None if title else None


def _said(claim: GivenClaim) -> dict[str, Any]:
    quote = claim.quotes[0] if claim.quotes else None
    return {"text": claim.text, "citation_ids": list(claim.citation_ids), "quote": quote}


def _generation(reply: Reply) -> Generation:
    return Generation(answer=reply.answer, claims=reply.claims, problems=reply.problems, notes=reply.warnings)
