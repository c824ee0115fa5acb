"""Protocols: what can change a verdict changes the name under which it is stored."""

from __future__ import annotations

import re
from typing import Any

import pytest

from core.models import MergePolicy
from core.protocol import RULES, ClaimProtocol, VerifierProtocol, differences


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


def claim_protocol(merge: MergePolicy = MergePolicy.ALL, splitter: str = "s@1", **changes: Any) -> ClaimProtocol:
    """A claim protocol, with changes of its verifier."""
    return ClaimProtocol(verifier=verifier(**changes), merge=merge, splitter=splitter, materiality="m@1")


def test_equal_protocols_differ_in_nothing() -> None:
    """Also when thresholds and qualifiers were written down in another order."""
    assert differences(claim_protocol(), claim_protocol()) == []


def test_differences_are_named_one_by_one() -> None:
    """Thresholds and qualifiers each by name, those that came and those that went."""
    before = claim_protocol(thresholds={"supported": 0.5, "old": 0.1}, qualifiers=("date@1", "number@1"))
    after = claim_protocol(
        MergePolicy.ANY,
        "s@2",
        thresholds={"supported": 0.6},
        qualifiers=("number@2", "unit@1"),
        weights="ab" * 32,
        rules=99,
    )

    assert {str(one) for one in differences(before, after)} == {
        "threshold supported: 0.5 → 0.6",
        "threshold old: 0.1 → none",
        "qualifier date: 1 → none",
        "qualifier number: 1 → 2",
        "qualifier unit: none → 1",
        "weights: none → abababababab",
        f"rules: {RULES} → 99",
        "merge: all → any",
        "splitter: s@1 → s@2",
    }


@pytest.mark.parametrize("field", [*VerifierProtocol.model_fields, *ClaimProtocol.model_fields])
def test_every_field_is_compared(field: str) -> None:
    """No field of a protocol, also one added later, can change without being named."""
    base = claim_protocol()
    if field == "verifier":
        return  # the record, and the name in it, whose change makes every other field incomparable
    in_verifier = field in VerifierProtocol.model_fields
    values = {"thresholds": {"x": 0.9}, "qualifiers": ("x@1",), "merge": MergePolicy.JOINT, "version": 7, "rules": 7}
    update = {field: values.get(field, "changed")}
    changed = (
        ClaimProtocol(**(base.model_dump() | {"verifier": base.verifier.model_dump() | update}))
        if in_verifier
        else ClaimProtocol(**(base.model_dump() | update))
    )

    assert differences(base, changed)
    assert str(changed) != str(base)
