"""Structure: which citations have a shape that can mean something."""

from __future__ import annotations

import pytest

from core.models import Claim, Structural
from core.structural import check, is_malformed, is_pair

PAIRS = frozenset({"9f2c1a7b4e10:p4.0-812", "9f2c1a7b4e10:p5.0-90"})
LABELS = frozenset({"C1", "C2"})


@pytest.mark.parametrize(
    ("id_", "expected"),
    [
        ("9f2c1a7b4e10:p4.0-812", True),
        ("4:0", True),
        ("a:b:c", False),
        (":b", False),
        ("a:", False),
        ("a :b", False),
        ("a:b\n", False),
        ("C1", False),
        ("https://a.example/x", False),
        ("", False),
    ],
)
def test_pair(id_: str, expected: bool) -> None:
    """Two halves, both non-empty, no colon or white space in either; a link is no pair."""
    assert is_pair(id_) is expected


@pytest.mark.parametrize(
    ("cite", "ids", "expected"),
    [
        ("C9", LABELS, False),  # an opaque label can be unknown, not malformed
        ("a:b:c", LABELS, True),
        ("a: b", LABELS, True),
        ("doc:chunk", LABELS, False),
        ("https://a.example/x:y:z", LABELS, False),  # a link is no reference of this kind
        ("C9", PAIRS, True),  # where every id is a pair, a label cannot be one
        ("https://a.example/x", PAIRS, True),
        ("ffffffffffff:p1.0-5", PAIRS, False),
        ("C9", frozenset({"C1", "a:b"}), False),
        ("C9", frozenset(), False),
        (":", frozenset(), True),
        ("a:b:c", frozenset({"a:b:c"}), False),  # what the registry calls so is well-formed
    ],
)
def test_malformed(cite: str, ids: frozenset[str], expected: bool) -> None:
    """The shape rule holds for references written with a colon, and where all ids are pairs."""
    assert is_malformed(cite, ids) is expected


def claim(*cites: str, material: bool = True, leaked: tuple[str, ...] = ()) -> Claim:
    """A claim with these citations."""
    return Claim(claim_id="c1", text="The tunnel is 57 km long.", cites=cites, material=material, leaked=leaked)


def test_a_material_claim_without_citation_is_uncited() -> None:
    """The registry does not matter: what was retrieved is not what was cited."""
    assert check(claim(), LABELS).structural is Structural.UNCITED


def test_an_honest_refusal_needs_no_citation() -> None:
    """What states nothing about the world is neither uncited nor otherwise wrong."""
    assert check(claim(material=False), LABELS).structural is Structural.OK


def test_an_unknown_id_has_a_sound_structure() -> None:
    """Whether an id exists is the next stage's question."""
    assert check(claim("C1", "C9"), LABELS).structural is Structural.OK


def test_only_the_malformed_citations_are_listed() -> None:
    """One bad reference leaves the others to be resolved."""
    found = check(claim("C1", "a:b:c"), LABELS)

    assert (found.structural, found.malformed) == (Structural.MALFORMED, ("a:b:c",))
    assert "a:b:c" in found.reason


def test_a_leaked_marker_outweighs_and_keeps_the_list() -> None:
    """The raw marker is reported; a malformed id beside it is not forgotten."""
    found = check(claim("a:b:c", leaked=("citeturn0search1",)), LABELS)

    assert (found.structural, found.malformed) == (Structural.LEAKED_MARKER, ("a:b:c",))


def test_a_leaked_marker_is_not_uncited() -> None:
    """The writer did cite; the citation just names nothing."""
    assert check(claim(leaked=("citeturn0search1",)), LABELS).structural is Structural.LEAKED_MARKER
