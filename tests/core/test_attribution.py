"""Citations attached by position end at the right sentence, and explain the markers they lie on."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.attribution import attach, settle
from core.extraction import claims
from core.markers._all import find_all
from core.models import Annotation, Answer, Evidence, GivenClaim

TEXT = "Adults pay 9 euros. Children pay 5 euros. Dogs are free."


def over(text: str, stretch: str, cite: str = "a") -> Annotation:
    """An annotation on a stretch of a text."""
    start = text.index(stretch)
    return Annotation(start=start, end=start + len(stretch), cite=cite)


def cited(text: str, *annotations: Annotation, known: tuple[str, ...] = ()) -> list[tuple[str, tuple[str, ...]]]:
    """The claims of an answer with what they cite."""
    evidence = tuple(Evidence(id=id_, text="x") for id_ in known)
    answer = Answer(request_id="r", answer=text, annotations=annotations, evidence=evidence)
    assert not [claim.leaked for claim in claims(answer) if claim.leaked]
    return [(claim.text, claim.cites) for claim in claims(answer)]


def test_a_stretch_belongs_to_every_sentence_it_touches() -> None:
    """Part of a sentence, a whole one, two of them."""
    found = cited(TEXT, over(TEXT, "9 euros", "a"), over(TEXT, "5 euros. Dogs", "b"), over(TEXT, "Dogs are free.", "c"))

    assert found == [
        ("Adults pay 9 euros.", ("a",)),
        ("Children pay 5 euros.", ("b",)),
        ("Dogs are free.", ("b", "c")),
    ]


def test_white_space_at_the_ends_touches_nothing() -> None:
    """``" Children pay 5 euros. "`` is about the children only."""
    found = cited(TEXT, over(TEXT, " Children pay 5 euros. "))

    assert [cites for _, cites in found] == [(), ("a",), ()]


@pytest.mark.parametrize(("at", "cites"), [(18, 0), (19, 0), (20, 0), (21, 1), (56, 2)])
def test_a_point_belongs_to_the_sentence_before_it(at: int, cites: int) -> None:
    """Also when it stands before the full stop, behind it, or where the next one begins."""
    found = cited(TEXT, Annotation(start=at, end=at, cite="a"))

    assert [index for index, (_, ids) in enumerate(found) if ids] == [cites]


def test_a_point_before_everything_belongs_to_none() -> None:
    """There is no sentence before the first one."""
    assert not any(cites for _, cites in cited(TEXT, Annotation(start=0, end=0, cite="a")))


def test_a_heading_takes_its_own_citation_with_it() -> None:
    """It does not fall to the sentence above."""
    text = "Adults pay.\n\n## Fees\n\nDogs are free."

    assert [cites for _, cites in cited(text, over(text, "## Fees"))] == [(), ()]


@pytest.mark.parametrize(
    "marker", ["【4:0†source】", "([a.example](https://a.example/fees?utm=x))", "[1]", "[fees](https://a.example/f)"]
)
def test_a_marker_names_what_the_annotation_on_it_says(marker: str) -> None:
    """Its own text is neither a leaked marker, nor another id, nor part of the claim."""
    text = f"Adults pay 9 euros. {marker} Dogs are free."

    assert cited(text, over(text, marker, "https://a.example/f")) == [
        ("Adults pay 9 euros.", ("https://a.example/f",)),
        ("Dogs are free.", ()),
    ]


def test_a_linked_title_stays_in_its_sentence() -> None:
    """The words of a link are words of the claim."""
    text = "The [fee table](https://a.example/f) says 9 euros."

    assert cited(text, over(text, "[fee table](https://a.example/f)", "f1")) == [
        ("The fee table says 9 euros.", ("f1",))
    ]


def test_two_annotations_on_one_marker_are_two_citations() -> None:
    """In their order."""
    text = "Adults pay 9 euros【0†a】."

    assert cited(text, over(text, "【0†a】", "b"), over(text, "【0†a】", "a")) == [("Adults pay 9 euros.", ("b", "a"))]


def test_markers_within_a_cited_sentence_stay_what_they_are() -> None:
    """The annotation comes after them."""
    text = "Adults pay 9 euros [C1]. Dogs are free."

    assert cited(text, over(text, "Adults pay 9 euros [C1].", "a"), known=("C1",))[0][1] == ("C1", "a")


def test_given_claims_without_citations_take_those_at_their_place() -> None:
    """Those with citations of their own keep them."""
    given_claims = (GivenClaim(text="Children pay 5 euros."), GivenClaim(text="Dogs are free.", citation_ids=("C1",)))
    answer = Answer(
        request_id="r",
        answer=TEXT,
        claims=given_claims,
        annotations=(over(TEXT, "9 euros", "a"), over(TEXT, "5 euros", "b"), over(TEXT, "free", "c")),
    )

    assert [(claim.text[:8], claim.cites) for claim in claims(answer)] == [
        ("Children", ("b",)),
        ("Dogs are", ("C1",)),
        ("Adults p", ("a",)),
    ]


def test_an_annotation_outside_the_answer_is_refused() -> None:
    """An importer that would make one is wrong."""
    with pytest.raises(ValueError, match="lies outside an answer of 5 code points"):
        Answer(request_id="r", answer="short", annotations=(Annotation(start=0, end=6, cite="a"),))


def test_answers_without_annotations_keep_their_name() -> None:
    """Stores that were written before the field existed know them by it."""
    plain = Answer(request_id="r1", answer="It rained.")

    assert plain.uid == "fdc8662cde31f9d5"
    assert plain.model_copy(update={"annotations": (Annotation(start=0, end=2, cite="a"),)}).uid != plain.uid


PIECES = st.lists(
    st.sampled_from(["It rained. ", "[1]", "【4:0†s】", "[t](u)", " ", "\n\n", "# H\n", "é🦔"]), max_size=8
)


@given(pieces=PIECES, data=st.data())
def test_nothing_is_lost_or_invented(pieces: list[str], data: st.DataObject) -> None:
    """Markers stay in order and apart; every citation ends on a marker, or stays free; no claim moves by one."""
    text = "".join(pieces)
    place = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    annotations = [
        Annotation(start=start, end=end, cite=f"a{index}")
        for index, (start, end) in enumerate(data.draw(st.lists(place, max_size=4)))
    ]
    markers, free = settle(text, find_all(text), annotations)

    assert all(left.end <= right.start for left, right in pairwise(markers))
    cites = {cite for marker in markers for cite in marker.ids if cite.startswith("a")} | {one.cite for one in free}
    assert cites == {one.cite for one in annotations}
    assert len(attach([(0, len(text))], free)) == 1
    answer = Answer(request_id="r", answer=text, annotations=tuple(annotations))
    assert {cite for claim in claims(answer) for cite in claim.cites if cite.startswith("a")} <= cites
