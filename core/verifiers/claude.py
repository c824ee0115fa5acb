"""Claude as the judge: sees one claim and the text cited for it, and must quote what decides.

``claude`` asks the model of the settings, ``claude:MODEL`` another one. A failed call is a judgement without a label,
with its reason; what cannot be quoted from the cited text does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from textwrap import shorten

from core.asking import Question, Trouble
from core.claude import Claude
from core.errors import VerifierUnavailable
from core.models import Failure, Judgement, Label, Pair, Status
from core.protocol import VerifierProtocol
from core.settings import ClaudeSettings, Settings
from core.spend import Call, Ledger
from core.verifiers import Verifier
from core.verifiers._claude_batch import Batches
from core.verifiers._claude_prompt import PROMPT, Decision, asked_sha256, place, prompt, qualifiers, trouble_with

VERSION = 1

MAX_CLAIM, MAX_EVIDENCE = 4_000, 60_000
"""Characters of a claim and of a cited text; a longer one is not judged, for nothing of it may be left out."""

MAX_REASON = 400
"""Characters of a rationale: it is a sentence for a reviewer, and no place for a copy of the source."""

BATCHED_ANSWERS = 2_000
"""Answers whose pairs go into one message batch."""


class ClaudeVerifier:
    """Asks Claude; see the module.

    Args:
        settings: How Claude is called.

    Raises:
        VerifierUnavailable: Claude cannot be asked from here.
    """

    def __init__(self, settings: ClaudeSettings) -> None:
        """Find the key; nothing is sent yet."""
        self._settings = settings
        self._ledger = Ledger(settings.limits)
        self._claude = Claude(settings, self._ledger, "judge")

    @cached_property
    def protocol(self) -> VerifierProtocol:
        """Model, prompt with the shape of its answer, and how much is read; not how the calls are made."""
        return VerifierProtocol(
            verifier="claude",
            version=VERSION,
            model=self._settings.model,
            prompt=PROMPT,
            prompt_sha256=asked_sha256(),
            thresholds={},
            windowing=f"whole, claims up to {MAX_CLAIM} and texts up to {MAX_EVIDENCE} characters",
        )

    @property
    def answers_at_once(self) -> int | None:
        """How many answers' pairs should come together; none leaves it to the caller."""
        return BATCHED_ANSWERS if self._settings.batch else None

    def spent(self) -> list[Call]:
        """The calls since this was asked last, failed ones too."""
        return self._ledger.take()

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair by itself, in order; when the limits of the run are used up, the end is not judged."""
        wanted = {pair: trouble for pair in pairs if (trouble := _cannot_ask(pair)) is None}
        asked = list(wanted)
        questions = [Question(Decision, partial(trouble_with, pair=pair)) for pair in asked]
        if self._settings.batch:
            batches = Batches(self._claude, self._ledger, self._settings, self.protocol.sha256)
            found = batches.ask(asked, questions)
        else:
            found = self._claude.ask_all([(prompt(pair), one) for pair, one in zip(asked, questions, strict=True)])
        answers = dict(zip(asked, found, strict=True))
        return [_judgement(pair, answers[pair] if pair in answers else _cannot_ask(pair)) for pair in pairs]


def build(settings: Settings) -> Verifier:
    """Build the judge that the settings name.

    Raises:
        VerifierUnavailable: There is no key, thresholds are set, or the model's name is blank.
    """
    _, sign, model = settings.verifier.partition(":")
    if settings.thresholds:
        raise VerifierUnavailable("The claude verifier has no thresholds", "leave out --threshold")
    if sign and not model.strip():
        raise VerifierUnavailable("No model is named after 'claude:'", "write for example claude:claude-opus-5-5")
    chosen = settings.claude.model_copy(update={"model": model.strip()}) if sign else settings.claude
    return ClaudeVerifier(chosen)


def _cannot_ask(pair: Pair) -> Trouble | None:
    """Why a pair is not sent, or none."""
    for what, text, limit in (("claim", pair.claim, MAX_CLAIM), ("cited text", pair.evidence, MAX_EVIDENCE)):
        if not text.strip():
            return Trouble(failure=Failure.EMPTY, reason=f"The {what} is empty, so nothing could be judged")
        if len(text) > limit:
            reason = f"The {what} has {len(text)} characters and the judge reads at most {limit}"
            return Trouble(failure=Failure.TOO_LONG, reason=reason)
    return None


def _judgement(pair: Pair, found: Decision | Trouble | None) -> Judgement:
    words = len(pair.evidence.split())
    if not isinstance(found, Decision):
        trouble = found or Trouble(failure=Failure.BAD_OUTPUT, reason="There is no answer")
        return Judgement(
            status=Status.FAILED, failure=trouble.failure, tokens_seen=0, tokens_total=words, reason=trouble.reason
        )
    start, end = place(found, pair) or (None, None)
    return Judgement(
        status=Status.JUDGED,
        label=Label(found.label),
        start=start,
        end=end,
        tokens_seen=words,
        tokens_total=words,
        qualifiers=qualifiers(found, pair),
        reason=shorten(found.rationale, MAX_REASON, placeholder=" …"),
    )
