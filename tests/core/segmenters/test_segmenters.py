"""Segmenters: each cuts prose, the chosen one cuts answers, and the claim protocol says which it was."""

from __future__ import annotations

from importlib.machinery import ModuleSpec
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import extraction, pipeline, plugins, segmenters
from core.errors import VerifierUnavailable
from core.models import Answer
from core.protocol import differences
from core.segmenters import nupunkt
from core.settings import Settings

PROSE = "The hall holds 90 people [C1]. It opened in 1931 [C2]. A second one followed."
CHINESE = "大厅可容纳九十人。它于一九三一年开放。"
"""Two sentences whose stops only one of the segmenters knows."""


@pytest.mark.parametrize("name", plugins.names(segmenters))
def test_contract(name: str) -> None:
    """Every member has a number and finds the two inner ends of three plain sentences."""
    module = plugins.load(segmenters, name)
    text = "The hall holds 90 people. It opened in 1931. A second one followed."
    cuts = [0, *list(module.build()(text))[:2]]

    assert module.VERSION >= 1
    assert [text[a:b].strip() for a, b in pairwise(cuts)] == ["The hall holds 90 people.", "It opened in 1931."]


@pytest.mark.parametrize("name", plugins.names(segmenters))
def test_claims_stand_where_they_are_said_to(name: str) -> None:
    """The same claims of plain prose, with their citations and places."""
    claims = extraction.claims(Answer(request_id="r", answer=PROSE), name)

    assert [(claim.claim_id, claim.text) for claim in claims] == [
        ("c1", "The hall holds 90 people."),
        ("c2", "It opened in 1931."),
        ("c3", "A second one followed."),
    ]
    assert [claim.cites for claim in claims] == [("C1",), ("C2",), ()]


@given(st.text(max_size=200))
def test_no_text_breaks_the_alternative(text: str) -> None:
    """Every claim stands where it is said to, which extraction asserts, and no two claims share a character."""
    claims = extraction.claims(Answer(request_id="r", answer=text), "nupunkt")
    spans = [span for claim in claims for span in claim.fragments]

    assert spans == sorted(spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))


def test_the_choice_is_what_cuts() -> None:
    """Text that the two cut differently is cut by the one that the settings name, through the pipeline."""
    counts = {}
    for name in ("yasbd", "nupunkt"):
        judge, protocol = pipeline.build(Settings(verifier="lexical", cache=None, segmenter=name))
        (checked,) = pipeline.check([Answer(request_id="r", answer=CHINESE)], judge, protocol)
        counts[name] = len(checked.claims)

    assert counts == {"yasbd": 2, "nupunkt": 1}


def test_another_segmenter_is_another_claim_protocol() -> None:
    """Named with its number; spans stay under the same verifier protocol, and the default's name is as ever."""
    _, usual = pipeline.build(Settings(verifier="lexical", cache=None))
    _, other = pipeline.build(Settings(verifier="lexical", cache=None, segmenter="nupunkt"))

    assert [one.field for one in differences(usual, other)] == ["splitter"]
    assert (extraction.SPLITTER, f"{extraction.SPLITTER}+nupunkt@1") == (usual.splitter, other.splitter)
    assert usual.verifier.sha256 == other.verifier.sha256


@pytest.mark.parametrize("name", plugins.names(segmenters))
def test_a_protocol_names_its_segmenter(name: str) -> None:
    """What cuts is read from the protocol under which claims are recorded."""
    assert name == extraction.segmenter_of(extraction.splitter(name))


def test_a_segmenter_that_is_not_installed_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing and how to get it."""

    def nothing(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(nupunkt, "find_spec", nothing)

    with pytest.raises(
        VerifierUnavailable, match=r"'nupunkt' is not installed; run: pip install 'citedesk\[nupunkt\]'"
    ):
        nupunkt.build()


def test_an_unknown_segmenter_stops_a_run_before_it_begins() -> None:
    """The sentence names those that there are."""
    with pytest.raises(VerifierUnavailable, match="no segmenter called 'punkt'; choose one of: nupunkt, yasbd"):
        pipeline.build(Settings(verifier="lexical", cache=None, segmenter="punkt"))
