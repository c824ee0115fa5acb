"""What an answer becomes: the object asked for, or a setback that repeats nothing of it."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from core.asking import Question, Setback, Trouble, read
from core.models import Failure


class Number(BaseModel):
    """An object to ask for."""

    value: int


EVEN = Question(
    Number, lambda found: Trouble(failure=Failure.BAD_OUTPUT, reason="It is odd") if found.value % 2 else None
)


def test_an_answer_that_passes_is_the_object() -> None:
    """Whole, of the right shape, accepted."""
    assert read('{"value": 4}', "end_turn", None, EVEN) == Number(value=4)


@pytest.mark.parametrize(
    ("text", "stop", "failure", "again", "reason"),
    [
        ('{"value": 4}', None, Failure.CUT_OFF, True, "The answer broke off before its end"),
        ('{"value": 4}', "max_tokens", Failure.CUT_OFF, False, "The answer was longer than it may be"),
        ('{"value": 4}', "refusal", Failure.REFUSED, False, "The model declined to answer (cyber)"),
        ('{"value": 3}', "end_turn", Failure.BAD_OUTPUT, True, "It is odd"),
        ("secret", "end_turn", Failure.BAD_OUTPUT, True, "The answer is not as asked for: The answer is not JSON"),
        ("{}", "end_turn", Failure.BAD_OUTPUT, True, "The answer is not as asked for: value is missing"),
        (
            '{"value": "secret"}',
            "end_turn",
            Failure.BAD_OUTPUT,
            True,
            "The answer is not as asked for: value has a value that cannot be used",
        ),
    ],
)
def test_everything_else_is_a_setback(text: str, stop: str | None, failure: Failure, again: bool, reason: str) -> None:
    """Even a whole object does not count when the answer says that it is not whole."""
    found = read(text, stop, "cyber", EVEN)

    assert isinstance(found, Setback)
    assert (found.failure, found.again, found.reason) == (failure, again, reason)
