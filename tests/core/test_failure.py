"""Failures: a word of a closed list with a sentence, never beside a label."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.models import Failure, Judgement, Label, Status


def test_what_failed_prints_its_word_first() -> None:
    """And what did not fail prints its reason alone."""
    failed = Judgement(status=Status.FAILED, failure=Failure.NO_NETWORK, reason="Nobody answers")

    assert failed.why == "no_network: Nobody answers"
    assert Judgement(status=Status.JUDGED, label=Label.SUPPORTED, reason="So").why == "So"


@pytest.mark.parametrize(
    ("status", "label"),
    [(Status.JUDGED, Label.SUPPORTED), (Status.JUDGED, None), (Status.SKIPPED, None), (Status.FAILED, Label.PARTIAL)],
)
def test_a_failure_has_no_label(status: Status, label: Label | None) -> None:
    """Only what failed or was truncated can have one."""
    with pytest.raises(ValidationError):
        Judgement(status=status, label=label, failure=Failure.BUDGET)


def test_words_are_those_of_their_names() -> None:
    """They are stored and counted: never renamed, never empty."""
    assert all(one.value == one.name.lower() for one in Failure)
