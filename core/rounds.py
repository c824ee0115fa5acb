"""Generate, check, and ask again: a bounded number of rounds over one frozen registry.

A repair may delete claims, change their citations and quotes, or cut their texts down to a part. It is told in fixed
words what was wrong, never what anybody wrote, and a reply that says something new is thrown away.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from enum import StrEnum

from core import gate
from core.asking import Trouble, When
from core.gate import Level, Refusal
from core.generators import Event, Generation, Generator, Tell
from core.models import Answer, CheckedAnswer, Evidence, Failure, GivenClaim, Record
from core.settings import AskSettings


class Stop(StrEnum):
    """Why the rounds ended."""

    PASSED = "passed"
    REFUSED_BY_GATE = "refused_by_gate"
    INVALID_OUTPUT = "invalid_output"
    INTERRUPTED = "interrupted"
    UNAVAILABLE = "unavailable"
    TIMED_OUT = "timed_out"


class Rounds(Record):
    """What the rounds came to."""

    stop: Stop
    attempts: int
    reason: str | None = None
    """A fixed word; none when it passed."""
    refusal: Refusal | None = None
    checked: CheckedAnswer | None = None
    """The last answer that was checked; with ``passed`` the one to serve."""
    notes: tuple[str, ...] = ()


class _Try:
    """The best that there is so far."""

    def __init__(self) -> None:
        self.claims: tuple[GivenClaim, ...] = ()
        self.prose = ""
        self.checked: CheckedAnswer | None = None
        self.refusals: list[Refusal] = []
        self.told: tuple[str, ...] = ()


def run(
    asked: Answer,
    generator: Generator,
    check: Callable[[Answer], CheckedAnswer],
    level: Level,
    settings: AskSettings,
    tell: Tell,
) -> Rounds:
    """Ask a generator until its answer passes the gate or no round is left.

    Args:
        asked: The request with its frozen registry; what is in context is what the generator is given.
        generator: Who writes.
        check: All stages.
        level: What must hold.
        settings: How often and how long.
        tell: Gets the stages with counts.
    """
    evidence = [entry for entry in asked.evidence if entry.in_context]
    best, until = _Try(), time.monotonic() + settings.repair_seconds
    for attempt in range(1, settings.attempts + 1):
        tell(Event(stage="repairing" if attempt > 1 else "generating", counts={"attempt": attempt}))
        found = generator.generate(asked.query or "", evidence, tell, best.told, best.claims)
        if isinstance(found, Trouble):
            return _refused(best, attempt) if best.refusals else _troubled(found, attempt)
        tell(Event(stage="generated", counts={"claims": len(found.claims)}))
        before = (best.told, best.claims)
        if (passed := _look(found, best, asked, check, level, tell)) is not None:
            return Rounds(stop=Stop.PASSED, attempts=attempt, checked=passed, notes=found.notes)
        if not generator.repairs or time.monotonic() >= until or (best.told, best.claims) == before:
            break
    if best.refusals:
        return _refused(best, attempt)
    return Rounds(stop=Stop.INVALID_OUTPUT, attempts=attempt, reason="invalid_output")


def _look(
    found: Generation,
    best: _Try,
    asked: Answer,
    check: Callable[[Answer], CheckedAnswer],
    level: Level,
    tell: Tell,
) -> CheckedAnswer | None:
    """Check one reply; gives it when it passes, else says in ``best`` what the generator is told."""
    problems = found.problems or new_in(found.claims, best.claims, best.prose)
    if problems:
        best.told = problems
        return None
    claims = tuple(claim.model_copy(update={"claim_id": f"c{number}"}) for number, claim in enumerate(found.claims, 1))
    tell(Event(stage="checking", counts={"claims": len(claims)}))
    checked = check(asked.model_copy(update={"answer": found.answer or None, "claims": claims}))
    refusals = gate.failures(checked, level)
    tell(Event(stage="gate", counts={"claims": len(claims), "failed": len(refusals)}))
    if not refusals:
        return checked
    best.claims, best.prose, best.checked, best.refusals = claims, found.answer, checked, refusals
    best.told = gate.messages(refusals, claims)
    return None


def new_in(claims: Sequence[GivenClaim], previous: Sequence[GivenClaim], prose: str) -> tuple[str, ...]:
    """What a repaired reply says that the last one did not, in fixed words; nothing when there was no last one.

    Args:
        claims: Of the repaired reply.
        previous: Of the last one that was checked.
        prose: Of the last one.
    """
    if not previous and not prose:
        return ()
    said = [" ".join(text.split()) for text in (*(claim.text for claim in previous), prose)]
    return tuple(
        f"claims[{index}].text is neither one of your last claims nor a part of one"
        for index, claim in enumerate(claims)
        if not any(_is_part(" ".join(claim.text.split()).rstrip(".!?;:, "), text) for text in said)
    )


def _is_part(text: str, whole: str) -> bool:
    """Whether a text stands in another one, from the border of a word to the border of a word."""
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", whole) is not None


def _refused(best: _Try, attempts: int) -> Rounds:
    first = best.refusals[0]
    return Rounds(
        stop=Stop.REFUSED_BY_GATE, attempts=attempts, reason=first.reason, refusal=first, checked=best.checked
    )


def _troubled(trouble: Trouble, attempts: int) -> Rounds:
    """Where a failure of the provider belongs: before the first word, in the middle, or after the last one."""
    if trouble.failure is Failure.TIMED_OUT:
        return Rounds(stop=Stop.TIMED_OUT, attempts=attempts, reason="timed_out")
    if trouble.when is When.DURING:
        return Rounds(stop=Stop.INTERRUPTED, attempts=attempts, reason="interrupted")
    if trouble.when is When.AFTER:
        reason = "max_tokens" if trouble.failure is Failure.CUT_OFF else str(trouble.failure)
        return Rounds(stop=Stop.INVALID_OUTPUT, attempts=attempts, reason=reason)
    return Rounds(stop=Stop.UNAVAILABLE, attempts=attempts, reason=str(trouble.failure))


def usable(evidence: Sequence[Evidence]) -> bool:
    """Whether there is anything that a generator could be given."""
    return any(entry.in_context and entry.text.strip() for entry in evidence)
