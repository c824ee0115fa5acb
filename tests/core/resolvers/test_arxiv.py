"""arXiv ids against its feed, in which errors look like papers."""

from __future__ import annotations

import pytest

from core.models import Label
from core.reference_policy import Also
from core.references import Exists, Field, Matches, Reason, Scope, Substitute
from tests.core.resolvers.conftest import Look, policy
from tests.fakes.web_server import Web

NAMES = policy(also=frozenset({Also.IDENTIFIERS}))
ASKED = "https://export.arxiv.org/api/query?max_results=1&id_list="


def feed(entry: str = "") -> str:
    """A feed of arXiv's."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom"><title>arXiv Query</title><link href="x"/>' + entry + "</feed>"
    )


def paper(id: str = "2101.00001v3", extra: str = "") -> str:
    """A feed with one paper."""
    return feed(
        f"<entry><id>https://arxiv.org/abs/{id}</id><title>Parsing\n  by hand</title>"
        "<summary>Hands parse well.</summary>"
        f"<published>2021-01-01T00:00:00Z</published><author><name>Ana Ford</name></author>{extra}</entry>"
    )


def put(web: Web, id: str, body: str, status: int = 200) -> None:
    """Set what arXiv answers for an id."""
    web.put(f"{ASKED}{id}", body, status, headers={"content-type": "application/atom+xml"})


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("arXiv:2101.00001", "2101.00001"),
        ("https://arxiv.org/abs/2101.00001v3", "2101.00001"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("math.GT/0309136v1", "math/0309136"),
    ],
)
def test_a_paper_is_asked_for_by_its_plain_id(web: Web, look: Look, text: str, id: str) -> None:
    """Old and new ids, without version and subject class; its abstract is read."""
    put(web, id, paper(f"{id}v3"))

    found = look(text, NAMES, title="Parsing by hand", authors=("Ford",), year=2021)

    assert (found.exists, found.matches, found.identifier) == (Exists.YES, Matches.YES, id)
    assert found.read is not None
    assert (found.read.text, found.read.scope) == ("Hands parse well.", Scope.ABSTRACT)


def test_an_older_version_is_substituted_and_said(web: Web, look: Look) -> None:
    """The abstract is that of the latest version."""
    put(web, "2101.00001", paper())

    found = look("arXiv:2101.00001v1", NAMES)

    assert found.substitute == Substitute(kind="another version", what="v3")
    assert found.said.endswith("Version 3 was read, not 1.")


def test_a_version_that_is_not_there_differs(web: Web, look: Look) -> None:
    """The paper exists, this version does not."""
    put(web, "2101.00001", paper())

    found = look("arXiv:2101.00001v9", NAMES)

    assert (found.exists, found.matches, found.differs) == (Exists.YES, Matches.DIFFERS, (Field.VERSION,))


def test_no_paper_is_no_paper(web: Web, look: Look) -> None:
    """ArXiv keeps its own list: its empty feed is the registrar's answer."""
    put(web, "2101.99999", feed())

    found = look("2101.99999", NAMES)

    assert (found.exists, found.reason, found.label) == (Exists.NO, Reason.NOT_REGISTERED, Label.UNRESOLVABLE)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("Rate exceeded.", 200),
        ("", 503),
        (feed("<entry><id>http://arxiv.org/api/errors#bad_id</id><title>Error</title></entry>"), 200),
        ("<html>maintenance</html>", 200),
        ('<!DOCTYPE x [<!ENTITY a "b">]><feed>&a;</feed>', 200),
    ],
)
def test_an_unsound_answer_proves_nothing(web: Web, look: Look, body: str, status: int) -> None:
    """Busy, broken, or an error in the shape of a paper."""
    put(web, "2101.00001", body, status)

    found = look("2101.00001", NAMES)

    assert (found.exists, found.reason) == (Exists.UNKNOWN, Reason.COVERAGE_INCOMPLETE)


def test_where_arxiv_is_silent_datacite_may_know(web: Web, look: Look) -> None:
    """Its DOI is registered there."""
    put(web, "2101.00001", "Rate exceeded.")
    attributes = {"doi": "10.48550/arxiv.2101.00001", "titles": [{"title": "Parsing by hand"}]}
    web.put_json("https://api.datacite.org/dois/10.48550%2Farxiv.2101.00001", {"data": {"attributes": attributes}})

    assert look("2101.00001", NAMES).resolved_by == "DataCite"


@pytest.mark.parametrize(
    ("extra", "kinds"),
    [
        ("<arxiv:comment>This paper has been withdrawn by the author</arxiv:comment>", ["withdrawn"]),
        ("<arxiv:comment>12 pages</arxiv:comment>", []),
    ],
)
def test_a_withdrawn_paper_says_so(web: Web, look: Look, extra: str, kinds: list[str]) -> None:
    """By its comment."""
    put(web, "2101.00001", paper(extra=extra))

    assert [one.kind for one in look("2101.00001", NAMES).notices] == kinds
