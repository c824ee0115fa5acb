"""What is asked of a language model and what comes back, whoever the provider is: an object, or why there is none."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from core.models import Failure, Record

Output = TypeVar("Output", bound=BaseModel)


class Sent(NamedTuple):
    """A document that is sent to be cited."""

    title: str | None
    text: str


class Prompt(NamedTuple):
    """What one call says."""

    system: tuple[str, ...]
    """Blocks of ours: policy, contract."""
    user: tuple[str, ...]
    """Blocks of the request; whatever is not ours stands in a block of its own, encoded as data."""
    cached: int = 0
    """How many of the user's blocks, from the first on, will be sent again and are worth keeping at the provider."""
    turns: tuple[str, ...] = ()
    """What was said since: an answer of the model and a remark of ours in turn."""
    documents: tuple[Sent, ...] = ()
    """Before the user's blocks: what the provider's own citations may point at."""


class When(StrEnum):
    """How far an answer had come when something failed."""

    BEFORE = "before"
    """Nothing of it had come."""
    DURING = "during"
    """It had begun and did not end."""
    AFTER = "after"
    """It had ended, and cannot be used."""


class Trouble(Record):
    """Why there is no answer; ``reason`` is a sentence without a full stop, the same whenever the same happens."""

    failure: Failure
    reason: str
    when: When = When.BEFORE


class Setback(NamedTuple):
    """One attempt that failed."""

    failure: Failure
    reason: str
    again: bool = False
    """Whether another attempt may succeed."""
    wait: float | None = None
    """Seconds that the provider asks for."""
    hopeless: bool = False
    """Whether no other call of the run can succeed either."""
    sent: bool = True
    """Whether the request reached the provider."""
    billed: bool = False
    """Whether it may cost something all the same."""
    request_id: str | None = None
    when: When = When.BEFORE

    @property
    def trouble(self) -> Trouble:
        """What is left of it when there is no further attempt."""
        return Trouble(failure=self.failure, reason=self.reason, when=self.when)


class Cited(NamedTuple):
    """One of the provider's own citations, as it came."""

    kind: str
    document: int
    """Which of the documents that were sent, counted from 0; -1 when it does not say."""
    start: int
    end: int
    text: str


class Block(NamedTuple):
    """A stretch of an answer with what it cites."""

    text: str
    citations: tuple[Cited, ...] = ()


class Written(NamedTuple):
    """An answer as it was written, whatever it says."""

    text: str
    model: str
    blocks: tuple[Block, ...] = ()
    """The same in pieces, each with the provider's own citations."""


class Question(NamedTuple, Generic[Output]):
    """What is asked for: an object of a pydantic model that passes a check."""

    output: type[Output]
    accept: Callable[[Output], Trouble | None]
    """Why an object of the right shape cannot be used, or none."""


def read(text: str, stop_reason: str | None, category: str | None, question: Question[Output]) -> Output | Setback:
    """Make the object of an answer that has ended.

    Args:
        text: All text of the answer.
        stop_reason: Why it ended, in the words of Anthropic's protocol; none when it broke off.
        category: What a refusal was for, when it says.
        question: The model of the object and the check that it must pass.
    """
    setback = unfinished(stop_reason, category)
    if setback is not None:
        return setback
    try:
        found = question.output.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "The answer"
        return Setback(
            Failure.BAD_OUTPUT, f"The answer is not as asked for: {where} {_kind(first['type'])}", again=True
        )
    trouble = question.accept(found)
    return found if trouble is None else Setback(trouble.failure, trouble.reason, again=True)


def unfinished(stop_reason: str | None, category: str | None) -> Setback | None:
    """Why an answer ended before it was whole, or none; see ``read``."""
    if stop_reason == "refusal":
        return Setback(Failure.REFUSED, "The model declined to answer" + (f" ({category})" if category else ""))
    if stop_reason == "max_tokens":
        return Setback(Failure.CUT_OFF, "The answer was longer than it may be")
    if stop_reason == "model_context_window_exceeded":
        return Setback(Failure.TOO_LONG, "The request was longer than the model can read")
    if stop_reason is None:
        return Setback(Failure.CUT_OFF, "The answer broke off before its end", again=True)
    return None


def _kind(error: str) -> str:
    """What is wrong, without repeating what the model wrote."""
    return {"missing": "is missing", "json_invalid": "is not JSON"}.get(error, "has a value that cannot be used")
