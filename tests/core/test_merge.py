"""Merging: every label, every order, by the three policies of DESIGN §2."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from core.merge import gated, merge
from core.models import Label, MergePolicy

SUPPORTED, PARTIAL, CONTRADICTED, IRRELEVANT = Label.SUPPORTED, Label.PARTIAL, Label.CONTRADICTED, Label.IRRELEVANT
UNRESOLVABLE, INACCESSIBLE = Label.UNRESOLVABLE, Label.INACCESSIBLE
WRONG_SCOPE, SECONDARY = Label.WRONG_SCOPE, Label.SECONDARY_ONLY

ALL_ORDER = [
    UNRESOLVABLE,
    CONTRADICTED,
    WRONG_SCOPE,
    IRRELEVANT,
    PARTIAL,
    INACCESSIBLE,
    None,
    SECONDARY,
    SUPPORTED,
]
ANY_ORDER = [
    SUPPORTED,
    SECONDARY,
    PARTIAL,
    WRONG_SCOPE,
    IRRELEVANT,
    CONTRADICTED,
    INACCESSIBLE,
    UNRESOLVABLE,
    None,
]


@pytest.mark.parametrize("label", ALL_ORDER)
@pytest.mark.parametrize("policy", [MergePolicy.ALL, MergePolicy.ANY])
def test_one_span_is_the_claim(label: Label | None, policy: MergePolicy) -> None:
    """With one span there is nothing to merge."""
    assert merge([label], policy) is label
    assert merge([label, label], policy) is label


@pytest.mark.parametrize(("policy", "order"), [(MergePolicy.ALL, ALL_ORDER), (MergePolicy.ANY, ANY_ORDER)])
def test_every_pair_and_every_three_in_every_order(policy: MergePolicy, order: list[Label | None]) -> None:
    """The earlier in the policy's order wins, wherever it stands among the spans."""
    for size in (2, 3):
        for labels in product(order, repeat=size):
            expected = min(labels, key=order.index)
            assert all(merge(turned, policy) is expected for turned in permutations(labels))


def test_no_span_no_label() -> None:
    """Whatever the policy."""
    assert merge([], MergePolicy.ALL) is None
    assert merge([], MergePolicy.ANY) is None
    assert merge([], MergePolicy.JOINT) is None


@pytest.mark.parametrize(
    ("labels", "joint", "expected"),
    [
        ([PARTIAL, PARTIAL], SUPPORTED, SUPPORTED),  # together they carry it
        ([SUPPORTED, SUPPORTED], CONTRADICTED, CONTRADICTED),
        ([SUPPORTED, IRRELEVANT], PARTIAL, PARTIAL),
        ([SUPPORTED, None], None, None),  # the joint judgement failed
        ([SUPPORTED, UNRESOLVABLE], SUPPORTED, SUPPORTED),  # found in what could be joined
        ([PARTIAL, UNRESOLVABLE], PARTIAL, UNRESOLVABLE),  # the rest may stand in the missing text
        ([PARTIAL, INACCESSIBLE], IRRELEVANT, INACCESSIBLE),
        ([INACCESSIBLE, UNRESOLVABLE], None, UNRESOLVABLE),
        ([CONTRADICTED, INACCESSIBLE], CONTRADICTED, CONTRADICTED),
    ],
)
def test_joint(labels: list[Label | None], joint: Label | None, expected: Label | None) -> None:
    """The concatenation decides, except by the absence of a text that it lacks."""
    assert merge(labels, MergePolicy.JOINT, joint) is expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        (SUPPORTED, PARTIAL),
        (SECONDARY, PARTIAL),
        (PARTIAL, PARTIAL),
        (IRRELEVANT, IRRELEVANT),
        (WRONG_SCOPE, WRONG_SCOPE),
        (CONTRADICTED, CONTRADICTED),
        (None, None),
    ],
)
def test_the_quote_gate_never_hides_the_verifier(label: Label | None, expected: Label | None) -> None:
    """The worse of partial and the verifier's; a failed judge stays without a label."""
    assert gated(label) is expected
