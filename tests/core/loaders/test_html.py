"""HTML: what the reader of a page sees, with white space where the page has borders."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.loaders import html
from core.loaders._hidden import rules_of


def text_of(page: str) -> str:
    """The page's visible text."""
    return html.document(page).text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<div>one</div>two", "one\ntwo"),
        ("<table><tr><th>Fee</th><td>3</td></tr><tr><td>Tax</td><td>1</td></tr></table>", "Fee\t3\nTax\t1"),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("one<br>two", "one\ntwo"),
        ("w<b>or</b>d and\n  <i> more</i>", "word and more"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("a&nbsp;b &lt;i&gt; &#8364;", "a\xa0b <i> €"),
        ("<span style='display:block'>one</span>two", "one\ntwo"),
        ("one<dialog>no</dialog>two<dialog open>three</dialog>", "onetwo\nthree"),
        ("", ""),
    ],
)
def test_borders_are_white_space(page: str, text: str) -> None:
    """Blocks, rows, cells and line breaks part words; what stands within a line does not."""
    assert text_of(page) == text


@pytest.mark.parametrize(
    "hidden",
    [
        "<span style='display: none;'>no</span>",
        "<span style='DISPLAY:NONE !important'>no</span>",
        "<span style='visibility:hidden'>no</span>",
        "<span style='opacity:0'>no</span>",
        "<span style='opacity: .0'>no</span>",
        "<span style='font-size:0px'><b>no</b></span>",
        "<span hidden>no</span>",
        "<template>no</template>",
        "<script>no</script>",
        "<style>.no{color:red}</style>",
        "<!-- no -->",
        "<video>no</video>",
        "<span class=x>no</span><style>/* { */ .x, .y {color:red; display:none}</style>",
        "<span id=x><b>no</b></span><style>@import 'a.css'; #x{visibility:hidden}</style>",
    ],
)
def test_what_is_hidden_is_left_out(hidden: str) -> None:
    """Scripts, styles, comments and hidden elements are not text of the page, and leave no gap in it."""
    assert text_of(f"<p>Author: Berit{hidden}. Fee: 3 euros.</p>") == "Author: Berit. Fee: 3 euros."


@pytest.mark.parametrize(
    "shown",
    [
        "<span class=x>3</span><style>@media print {.x{display:none}}</style>",
        "<span class=x>3</span><style media=print>.x{display:none}</style>",
        "<span class=x>3</span><style>.x{display:none} .x{display:inline}</style>",
        "<span class=x style='display:inline'>3</span><style>.x{display:none}</style>",
        "<span class=x>3</span><style>.x::before{display:none} .x:::y{display:none}</style>",
        "<span style='visibility:hidden'><b style='visibility:visible'>3</b></span>",
        "<span style='font-size:0'><b style='font-size:12px'>3</b></span>",
        "<span style='opacity:0.5'>3</span>",
        "<span aria-hidden=true>3</span>",
    ],
)
def test_what_is_shown_is_kept(shown: str) -> None:
    """A rule that does not hold on the screen, or that another one undoes, hides nothing."""
    assert text_of(f"<p>Fee: {shown} euros.</p>") == "Fee: 3 euros."


def test_a_page_has_one_page_and_a_title() -> None:
    """The title is kept apart: it is not text of the page."""
    document = html.document("<title> Fees\n2026 </title><p>3 euros<svg><title>icon</title></svg>")

    assert document.title == "Fees 2026"
    assert [(page.number, page.text) for page in document.pages] == [(1, "3 euros")]


@pytest.mark.parametrize(
    ("page", "headings"),
    [
        ("<h1>Fees</h1><p>3 euros</p><h2>For <i>all</i>\n boats</h2>", [(0, "Fees"), (15, "For all boats")]),
        ("one<h2>two</h2>three", [(5, "two")]),
        ("<h1><span hidden>no</span></h1><h2> </h2><p>text", []),
        ("<td><h3>in a cell</h3><td>text", [(0, "in a cell")]),
        ("<h1>one<br>two</h1>", [(0, "one two")]),
        ("<h1>one<h2>two</h2></h1>", [(0, "one"), (5, "two")]),
    ],
)
def test_headings_are_where_they_say(page: str, headings: list[tuple[int, str]]) -> None:
    """What is shown of them, on one line; a page without a title is called by the first."""
    document = html.document(page)
    found = [(one.start, one.text) for one in document.pages[0].headings]

    assert found == headings
    assert document.title == (headings[0][1] if headings else None)


@given(
    st.lists(
        st.sampled_from(["<h1>", "</h1>", "<h2>", "</h2>", "<p>", "one ", " two", "<br>", "<pre>\n a</pre>", "<td>"])
    )
)
def test_a_heading_begins_where_its_text_stands(parts: list[str]) -> None:
    """However blocks are nested; the places are in order."""
    page = html.document("".join(parts)).pages[0]
    starts = [one.start for one in page.headings]

    assert starts == sorted(starts)
    for one in page.headings:
        assert " ".join(page.text[one.start :].split()).startswith(one.text)


@pytest.mark.parametrize(
    "content",
    [
        "<p>Café</p>".encode(),
        b"\xef\xbb\xbf" + "<p>Café</p>".encode(),
        b"\xff\xfe" + "<p>Café</p>".encode("utf-16-le"),
        "<meta charset='iso-8859-1'><p>Café</p>".encode("latin-1"),
        "<meta http-equiv=x content='text/html; charset=cp1252'><p>Café</p>".encode("cp1252"),
        "<meta charset=no-such><p>Café</p>".encode(),
        "<meta charset=base64><p>Café</p>".encode(),
        "<meta charset=utf-16><p>Café</p>".encode(),
        "<meta charset=utf-7><p>Café</p>".encode(),
        "<p>Café</p>".encode("latin-1"),
    ],
)
def test_the_encoding_is_found(content: bytes, tmp_path: Path) -> None:
    """By the mark, by what the page declares, else UTF-8, else what browsers fall back to."""
    path = tmp_path / "page.html"
    path.write_bytes(content)

    assert html.load(path).text == "Café"


def test_rules_in_conditions_are_left_out() -> None:
    """Only rules at the top of a sheet hold always."""
    sheet = "@charset 'x'; a{b:c} @media print{d{e:f}} g , h{i:j;k:l} broken"

    assert list(rules_of(sheet)) == [("a", "b:c"), ("g , h", "i:j;k:l")]


def test_deep_nesting_is_read() -> None:
    """A page nested thousands of levels deep is read to its end."""
    assert text_of("<div><b>" * 5000 + "deep") == "deep"


@given(st.binary())
def test_any_bytes_are_a_page(content: bytes) -> None:
    """No input makes the loader stumble, and what it gives can be stored as UTF-8."""
    html.document(html.read(content).text).text.encode()


@given(st.lists(st.text(alphabet="abc <>/='\"-!&;{}", max_size=12), max_size=8))
def test_broken_markup_is_a_page(parts: list[str]) -> None:
    """Nor does markup that breaks off anywhere."""
    text_of("<style>".join(parts))
