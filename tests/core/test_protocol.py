"""Protocols: what can change a verdict changes the name under which it is stored."""

from __future__ import annotations

import re
from typing import Any

import pytest

from core.models import MergePolicy
from core.protocol import ClaimProtocol, VerifierProtocol


def verifier(**changes: Any) -> VerifierProtocol:
    """A verifier protocol, with changes."""
    values: dict[str, Any] = {"verifier": "lexical", "version": 1, "thresholds": {"supported": 0.7}, "windowing": "x"}
    return VerifierProtocol(**(values | changes))


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"thresholds": {"supported": 0.71}},
        {"windowing": "y"},
        {"qualifiers": ("number@1",)},
        {"weights": "00"},
        {"prompt_sha256": "00"},
        {"quote_policy": "none"},
        {"rules": 99},
        {"model": "m"},
    ],
)
def test_everything_that_decides_is_in_the_name(change: dict[str, Any]) -> None:
    """Any changed ingredient gives another hash, and with it another printed name."""
    assert str(verifier(**change)) != str(verifier())


def test_printed_as_name_number_and_hash() -> None:
    """A protocol prints as name @ number + the first 8 hex of its hash."""
    protocol = verifier()

    assert re.fullmatch(r"lexical@1\+[0-9a-f]{8}", str(protocol))
    assert str(protocol).endswith(protocol.sha256[:8])


def test_order_of_thresholds_means_nothing() -> None:
    """The hash is over the values, not over how they were written down."""
    one = verifier(thresholds={"a": 0.1, "b": 0.2})

    assert one.sha256 == verifier(thresholds={"b": 0.2, "a": 0.1}).sha256


def test_merge_policy_splitter_and_materiality_make_another_claim_protocol() -> None:
    """The span's protocol stays, the claim's changes."""
    base = ClaimProtocol(verifier=verifier(), splitter="s@1", materiality="m@1")
    changed = [
        base.model_copy(update={"merge": MergePolicy.ANY}),
        base.model_copy(update={"splitter": "s@2"}),
        base.model_copy(update={"materiality": "m@2"}),
    ]

    assert len({str(base), *map(str, changed)}) == 4
    assert {str(one.verifier) for one in changed} == {str(base.verifier)}
