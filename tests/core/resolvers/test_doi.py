"""DOIs against the shapes in which registries answer: registered, which work, and what became of it since."""

from __future__ import annotations

from typing import Any

import pytest

from core.models import Label, Resolve
from core.reference_policy import Also, Endpoint, Endpoints
from core.references import Exists, Field, Matches, Notice, Reachable, Reason, Scope
from tests.core.resolvers.conftest import EAGER, Look, page, policy
from tests.fakes.web_server import Web

DOI = "10.5555/abc.1"
CROSSREF = "https://api.crossref.org/works/10.5555%2Fabc.1?mailto=desk%40citedesk.example"
DATACITE = "https://api.datacite.org/dois/10.5555%2Fabc.1"
HANDLE = "https://doi.org/api/handles/10.5555/abc.1"
NAMES = policy(also=frozenset({Also.IDENTIFIERS}))


def message(**more: Any) -> dict[str, Any]:
    """A work as Crossref answers."""
    work = {
        "DOI": DOI,
        "type": "journal-article",
        "title": ["Valve timing in small pumps"],
        "author": [{"family": "Quist", "given": "Nora"}, {"family": "Ridge", "given": "Paul"}],
        "issued": {"date-parts": [[2011, 3]]},
        "abstract": "<jats:p>Small pumps were timed.</jats:p>",
    }
    return {"status": "ok", "message-type": "work", "message": work | more}


def test_a_work_that_fits(web: Web, look: Look) -> None:
    """Registered, the one that is meant, and only its abstract was read, which says so."""
    web.put_json(CROSSREF, message())

    said = {"title": "Valve Timing in Small Pumps", "authors": ("N. Quist",), "year": 2012}
    found = look(f"https://doi.org/{DOI.upper()}.", NAMES, **said)

    assert (found.exists, found.matches, found.reachable) == (Exists.YES, Matches.YES, Reachable.UNKNOWN)
    assert (found.identifier, found.resolved_by) == (DOI, "Crossref")
    assert found.read is not None
    assert (found.read.text, found.read.scope) == ("Small pumps were timed.", Scope.ABSTRACT)
    assert not found.read.is_whole
    assert (found.resolve, found.label, found.flags) == (Resolve.OK, None, ("abstract_only",))
    assert [one.url for one in web.requests] == [CROSSREF]


def test_a_real_doi_with_another_title_is_a_mismatch(web: Web, look: Look) -> None:
    """One registry names the fields; nobody is called another work yet."""
    web.put_json(CROSSREF, message())

    found = look(DOI, NAMES, title="Grid refinement near corners", authors=("T. Alder",), year=1999)

    assert (found.exists, found.matches) == (Exists.YES, Matches.DIFFERS)
    assert set(found.differs) == {Field.TITLE, Field.AUTHORS, Field.YEAR}
    assert "title_mismatch" in found.flags


def test_another_work_takes_two_registries(web: Web, look: Look) -> None:
    """The second is asked only when the first says so."""
    openalex = Endpoint(url="https://api.openalex.example", per_second=1000)
    rules = policy(also=frozenset({Also.IDENTIFIERS}), endpoints=Endpoints(openalex=openalex))
    web.put_json(CROSSREF, message())
    data = {"title": "Valve timing in small pumps", "authorships": [{"author": {"display_name": "Nora Quist"}}]}
    web.put_json("https://api.openalex.example/works/doi:10.5555%2Fabc.1", data | {"publication_year": 2011})

    found = look(DOI, rules, title="Grid refinement near corners")

    assert found.matches is Matches.OTHER_WORK
    assert "other_work" in found.flags
    assert [one.who for one in found.receipts] == ["Crossref", "OpenAlex"]
    assert look(DOI, rules, title="Valve timing in small pumps").matches is Matches.YES


def test_what_one_agency_does_not_know_another_may(web: Web, look: Look) -> None:
    """A miss at Crossref leads on to DataCite."""
    attributes = {"doi": DOI, "titles": [{"title": "Hourly levels"}], "publicationYear": 2012, "creators": []}
    web.put_json(DATACITE, {"data": {"id": DOI, "attributes": attributes}})

    found = look(DOI, NAMES, title="Hourly levels", year=2012)

    assert (found.exists, found.matches, found.resolved_by) == (Exists.YES, Matches.YES, "DataCite")


def test_the_registrar_knows_dois_of_all_agencies(web: Web, look: Look) -> None:
    """Known to nobody who tells more: it exists, and nothing else is known."""
    web.put_json(HANDLE, {"responseCode": 1, "handle": DOI, "values": []})

    found = look(DOI, NAMES, title="Anything")

    assert (found.exists, found.matches, found.reason) == (Exists.YES, Matches.UNKNOWN, Reason.OK)


def test_only_the_registrar_says_that_there_is_none(web: Web, look: Look) -> None:
    """Its own answer for "not found", and every agency has been asked."""
    web.put_json(HANDLE, {"responseCode": 100, "handle": DOI}, 404)

    found = look(DOI, NAMES)

    assert (found.exists, found.reason, found.label) == (Exists.NO, Reason.NOT_REGISTERED, Label.UNRESOLVABLE)
    assert [one.who for one in found.receipts] == ["Crossref", "DataCite", "doi.org"]


@pytest.mark.parametrize(
    ("body", "status"), [("", 503), ("slow down", 429), ("<html>404</html>", 404), ("{}", 200), ("not json", 200)]
)
def test_an_unsound_answer_proves_nothing(web: Web, look: Look, body: str, status: int) -> None:
    """Whoever did not answer soundly leaves the work unknown."""
    for url in (CROSSREF, DATACITE, HANDLE):
        web.put(url, body, status, headers={"content-type": "application/json"})

    found = look(DOI, NAMES)

    assert (found.exists, found.reason) == (Exists.UNKNOWN, Reason.COVERAGE_INCOMPLETE)
    assert (found.label, found.flags) == (Label.INACCESSIBLE, ("coverage_incomplete",))


def test_a_retraction_is_shown_with_who_says_so(web: Web, look: Look) -> None:
    """From the work's own record, which includes Retraction Watch's."""
    update = {
        "DOI": "10.5555/RET.1", "type": "retraction", "label": "Retraction", "source": "retraction-watch",
        "updated": {"date-parts": [[2020, 5, 1]], "date-time": "2020-05-01T00:00:00Z"},
    }  # fmt: skip
    correction = {"DOI": "10.5555/cor.1", "type": "erratum", "source": "publisher"}
    web.put_json(CROSSREF, message(**{"updated-by": [update, correction, {"type": "new_version"}]}))

    found = look(DOI, NAMES)

    assert found.notices == (
        Notice(kind="retracted", by="Crossref (retraction-watch)", doi="10.5555/ret.1", on="2020-05-01"),
        Notice(kind="corrected", by="Crossref (publisher)", doi="10.5555/cor.1"),
    )
    assert found.flags[:2] == ("retracted", "corrected")


def test_a_title_that_says_retracted_is_a_notice_too(web: Web, look: Look) -> None:
    """And stays the same work."""
    web.put_json(CROSSREF, message(title=["RETRACTED: Valve timing in small pumps"]))

    found = look(DOI, NAMES, title="Valve timing in small pumps")

    assert (found.matches, [one.kind for one in found.notices]) == (Matches.YES, ["retracted"])


def test_a_notice_that_is_cited_itself_is_named_as_one(web: Web, look: Look) -> None:
    """It updates another work."""
    web.put_json(CROSSREF, message(**{"update-to": [{"DOI": "10.5555/x", "type": "retraction"}]}))

    assert look(DOI, NAMES).notices == (Notice(kind="notice_of_retracted", by="Crossref", doi="10.5555/x"),)


def test_the_page_is_opened_where_links_are_allowed(web: Web, look: Look) -> None:
    """Its text is the whole; the registrar's redirect needs no look at its robots.txt."""
    web.put_json(CROSSREF, message())
    web.redirect(f"https://doi.org/{DOI}", "https://journal.example/a/1")
    web.put("https://journal.example/a/1", page("Valve timing in small pumps"))

    found = look(DOI, title="Valve timing in small pumps")

    assert (found.reachable, found.final_url) == (Reachable.LIVE, "https://journal.example/a/1")
    assert found.read is not None
    assert found.read.is_whole
    assert web.asked("https://doi.org/robots.txt") == 0


def test_a_closed_page_of_a_registered_work_is_inaccessible(web: Web, look: Look) -> None:
    """It exists; neither its 403 nor, twice, its 404 says otherwise."""
    web.put_json(CROSSREF, message(abstract=None))
    web.redirect(f"https://doi.org/{DOI}", "https://journal.example/a/1")
    for status, reason in ((403, Reason.FORBIDDEN), (404, Reason.MISSING_ONCE), (404, Reason.NOT_FOUND)):
        web.put("https://journal.example/a/1", "no", status)
        found = look(DOI, policy(lives=EAGER))
        web.later(25)

        assert (found.reason, found.exists, found.label) == (reason, Exists.YES, Label.INACCESSIBLE)


def test_a_publishers_page_can_be_the_second_registry(web: Web, look: Look) -> None:
    """What it says for machines counts as a registry."""
    web.put_json(CROSSREF, message())
    web.redirect(f"https://doi.org/{DOI}", "https://journal.example/a/1")
    meta = '<meta name="citation_title" content="Valve timing in small pumps">'
    web.put("https://journal.example/a/1", page(head=meta))

    assert look(DOI, title="Grid refinement near corners").matches is Matches.OTHER_WORK


def test_a_doi_of_arxiv_goes_to_datacite_first(web: Web, look: Look) -> None:
    """A miss at Crossref would mean nothing."""
    attributes = {"doi": "10.48550/arxiv.2101.00001", "titles": [{"title": "Parsing by hand"}]}
    web.put_json("https://api.datacite.org/dois/10.48550%2Farxiv.2101.00001", {"data": {"attributes": attributes}})

    found = look("10.48550/arXiv.2101.00001", NAMES)

    assert (found.resolved_by, found.exists) == ("DataCite", Exists.YES)
    assert [one.who for one in found.receipts] == ["DataCite"]


@pytest.mark.parametrize(
    "wild", [None, [], "x", 1, {"title": {"a": 1}}, {"author": "x", "issued": [1], "updated-by": 3}]
)
def test_a_wild_record_loses_no_reference(web: Web, look: Look, wild: Any) -> None:
    """Whatever shape a field has, there is one finding."""
    work = {"DOI": DOI, "title": wild, "author": wild, "issued": wild, "updated-by": wild, "abstract": wild}
    web.put_json(CROSSREF, {"message": work})

    assert look(DOI, NAMES, title="Anything").exists is Exists.YES
