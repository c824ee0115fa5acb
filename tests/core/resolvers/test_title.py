"""Works that are named by a title only."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.models import Label
from core.reference_policy import Also
from core.references import Exists, Matches, Reason
from tests.core.resolvers.conftest import Look, policy
from tests.fakes.web_server import Answer, Web

NAMES = policy(also=frozenset({Also.IDENTIFIERS}))


def answer_with(web: Web, *items: dict[str, Any], status: int = 200) -> None:
    """Set what Crossref finds; DataCite finds nothing."""
    kind = {"content-type": "application/json"}

    def answer(url: str) -> Answer:
        crossref = url.startswith("https://api.crossref.org/works?query.bibliographic=")
        data: dict[str, Any] = {"message": {"items": list(items)}} if crossref else {"data": []}
        return Answer(json.dumps(data), status if crossref else 200, kind)

    web.fallback = answer


def work(**more: Any) -> dict[str, Any]:
    """A candidate of Crossref's."""
    known = {"DOI": "10.5555/hor03", "title": ["A primer on queues"], "container-title": ["Handbook of Retail"]}
    return known | {"issued": {"date-parts": [[2009]]}, "author": [{"family": "Adler", "given": "Max"}]} | more


def test_title_author_and_year_find_a_work(web: Web, look: Look) -> None:
    """Its DOI is told."""
    answer_with(web, work(title=["Queues"]), work())

    found = look(title="A Primer on Queues", authors=("M. Adler",), year=2009, rules=NAMES)

    assert (found.exists, found.matches, found.kind) == (Exists.YES, Matches.YES, "title")
    assert found.said == "Crossref has a work of this title that fits, under 10.5555/hor03."


@pytest.mark.parametrize(
    "said",
    [
        {"venue": "Letters in Systems", "year": 1991},
        {"venue": "Letters in Systems", "year": 2009},
        {"authors": ("Li Chen",), "year": 2009},
        {},
    ],
)
def test_a_namesake_is_ambiguous(web: Web, look: Look, said: dict[str, Any]) -> None:
    """A title alone is no identity, and no proof that the work was invented."""
    answer_with(web, work())

    found = look(title="A primer on queues", rules=NAMES, **said)

    assert (found.exists, found.matches, found.reason) == (Exists.UNKNOWN, Matches.UNKNOWN, Reason.AMBIGUOUS)
    assert "ambiguous_match" in found.flags
    assert found.label is Label.INACCESSIBLE


def test_not_found_is_said_neutrally(web: Web, look: Look) -> None:
    """Many works are in no list."""
    answer_with(web, work(title=["Something else"]))

    found = look(title="A primer on queues", rules=NAMES)

    assert (found.exists, found.reason) == (Exists.UNKNOWN, Reason.NOT_IN_REGISTRIES)
    assert found.said == "Neither Crossref nor DataCite lists such a title; many works are in neither."


def test_a_registry_that_did_not_answer_leaves_it_unknown(web: Web, look: Look) -> None:
    """Not finding it in the other one is no finding."""
    answer_with(web, status=503)

    assert look(title="A primer on queues", rules=NAMES).reason is Reason.COVERAGE_INCOMPLETE
