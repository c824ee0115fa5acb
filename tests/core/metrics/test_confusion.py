"""Which side a label is on, and how often each was said."""

from __future__ import annotations

import pytest

from core.metrics.confusion import Outcome, confusion, is_right, is_supported
from core.models import Label


@pytest.mark.parametrize("label", [*Label, "not_supported"])
def test_supported_and_secondary_only_stand_against_all_else(label: str) -> None:
    """DESIGN §2, binary accuracy figures."""
    assert is_supported(label) is (label in ("supported", "secondary_only"))


def test_right_is_the_same_side() -> None:
    """Another label on the same side is right; no label is not."""
    assert is_right(Outcome("supported", "secondary_only"))
    assert is_right(Outcome("not_supported", "partial"))
    assert not is_right(Outcome("partial", "supported"))
    assert not is_right(Outcome("supported", None))
    assert not is_right(Outcome("irrelevant", None))


def test_counts_are_in_the_order_of_the_labels_and_the_unjudged_come_last() -> None:
    """Four pairs, one of them not judged."""
    outcomes = [
        Outcome("not_supported", "irrelevant"),
        Outcome("supported", None),
        Outcome("supported", "supported"),
        Outcome("supported", "supported"),
    ]

    found = confusion(outcomes)

    assert found == {"supported": {"supported": 2, "none": 1}, "not_supported": {"irrelevant": 1}}
    assert list(found) == ["supported", "not_supported"]
    assert list(found["supported"]) == ["supported", "none"]
