"""Is it the work that is meant? By field, by hand-made pairs, and on the labelled set."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bibliography import Author, Work, compare, folded_title, title_score
from core.reference_gold import rates, read
from core.references import Field, Matches, Reference
from core.resolvers import _crossref, _datacite
from core.settings import data_path
from docs.references.generate import PAGE, page

WORK = Work(
    registry="r",
    id="10.5555/x",
    title="Valve timing in small pumps",
    authors=(Author(family="Quist", given="Nora"), Author(family="Ridge", given="Paul")),
    years=(2011, 2012),
)
ROWS = read(data_path("gold", "references", "works.jsonl"))


@pytest.mark.parametrize(
    ("said", "matches", "differs"),
    [
        ({"title": "Valve timing in small pumps"}, Matches.YES, ()),
        ({"title": "Valve timing in small pumps", "year": 2013}, Matches.YES, ()),
        ({"title": "Valve timing in small pumps", "year": 2014}, Matches.DIFFERS, (Field.YEAR,)),
        ({"title": "Valve timing", "authors": ("Quist",)}, Matches.DIFFERS, (Field.TITLE,)),
        ({"authors": ("Ridge", "Quist")}, Matches.DIFFERS, (Field.AUTHORS,)),
        ({"authors": ("Alder", "Birch")}, Matches.OTHER_WORK, (Field.AUTHORS,)),
        ({"authors": ("Alder",)}, Matches.DIFFERS, (Field.AUTHORS,)),
        ({"title": "Grid refinement near corners"}, Matches.OTHER_WORK, (Field.TITLE,)),
        (
            {"title": "Grid refinement near corners", "authors": ("Quist",), "year": 2011},
            Matches.DIFFERS,
            (Field.TITLE,),
        ),
        ({}, Matches.UNKNOWN, ()),
    ],
)
def test_the_ladder(said: dict[str, Any], matches: Matches, differs: tuple[Field, ...]) -> None:
    """One registry's word, by the thresholds that are published."""
    found = compare(Reference(**said), WORK)

    assert (found.matches, found.differs) == (matches, differs)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Measuring waves, part I", "Measuring waves, part II"),
        ("Guidelines for the care of pumps 2019", "Guidelines for the care of pumps 2020"),
    ],
)
def test_titles_that_differ_in_a_number_are_not_the_same(one: str, other: str) -> None:
    """However alike they are."""
    score = title_score(one, Work(registry="r", id="", title=other))

    assert score is not None
    assert score < 0.90


@given(st.text(max_size=80))
def test_a_title_is_like_itself(title: str) -> None:
    """Whatever it is made of; blank ones cannot be compared."""
    score = title_score(title, Work(registry="r", id="", title=title))

    assert score == (1.0 if folded_title(title) else None)


_PLAIN = st.none() | st.booleans() | st.integers() | st.sampled_from(["", "x", "2001", "Abstract", "retraction"])
_INNER = st.dictionaries(st.sampled_from("family date-parts type title name dateType date DOI updated".split()), _PLAIN)
_JSON = _PLAIN | _INNER | st.lists(_PLAIN | _INNER | st.lists(_PLAIN, max_size=2), max_size=2)
_CROSSREF = (
    "DOI title subtitle author editor issued published-print updated-by update-to container-title type abstract".split()
)
_DATACITE = "doi titles creators publicationYear dates types container descriptions".split()


@given(st.dictionaries(st.sampled_from(_CROSSREF), _JSON), st.dictionaries(st.sampled_from(_DATACITE), _JSON))
def test_no_shape_of_a_record_makes_it_fail(crossref: dict[str, Any], datacite: dict[str, Any]) -> None:
    """A field of another kind than it should be is as good as none."""
    assert _crossref.work(crossref).registry == "Crossref"
    assert _datacite.work({"data": {"attributes": datacite}}).registry == "DataCite"


def test_the_labelled_set() -> None:
    """Few false accusations, none of the heaviest kind, and none of the faulty references passes."""
    found = rates(ROWS)

    assert len({row.id for row in ROWS}) == found.rows >= 60
    assert found.accused[0] <= 1
    assert found.called_other[0] == 0
    assert found.passed[0] == 0


def test_the_page_is_what_its_command_writes() -> None:
    """Ladders, thresholds and errors are those of the code and of the set."""
    assert PAGE.read_text(encoding="utf-8") == page()
