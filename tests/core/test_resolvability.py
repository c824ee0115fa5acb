"""Resolvability: each citation of a claim on its own, in citation order."""

from __future__ import annotations

from core import structural
from core.models import Claim, Evidence, Resolve
from core.registry import Registry
from core.resolvability import check

REGISTRY = Registry.build([Evidence(id="C1", text="a"), Evidence(id="C2", text="b", accessible=False)])


def resolve(*cites: str) -> list[tuple[str, Resolve]]:
    """Run both stages on a claim with these citations."""
    claim = Claim(claim_id="c1", text="It employs 112 people.", cites=cites)
    found = check(claim, structural.check(claim, REGISTRY.ids), REGISTRY)
    assert all(one.reason or one.resolve is Resolve.OK for one in found)
    return [(one.cite, one.resolve) for one in found]


def test_every_citation_is_resolved_in_order() -> None:
    """A bad neighbour changes nothing for the others."""
    assert resolve("C9", "C2", "C1") == [
        ("C9", Resolve.NOT_IN_REGISTRY),
        ("C2", Resolve.INACCESSIBLE),
        ("C1", Resolve.OK),
    ]


def test_a_malformed_citation_is_not_looked_up() -> None:
    """The stage before has failed for it, and only for it."""
    assert resolve("a:b:c", "C1") == [("a:b:c", Resolve.NOT_CHECKED), ("C1", Resolve.OK)]


def test_no_citation_nothing_to_resolve() -> None:
    """An uncited claim has no resolutions, rather than a failed one."""
    assert resolve() == []
