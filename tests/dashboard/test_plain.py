"""``plain`` makes Markdown harmless, ``plain_svg`` does the same for what Plotly reads."""

from __future__ import annotations

import re
import string
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models import utc_now
from dashboard.widgets import ago, plain, plain_svg, showable

JOINER = "\u2060"


def read_back(escaped: str) -> str:
    """What a Markdown reader shows of a text in which only escapes and joiners were added."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", escaped).replace(JOINER, "")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_reads_back_as_one_line(text: str) -> None:
    """Nothing is lost and nothing is added that a reader sees, except that white space becomes single blanks."""
    assert read_back(plain(text)) == " ".join(text.split()).replace(JOINER, "")


@given(st.text(alphabet=string.punctuation + "ab \n"))
def test_no_bare_punctuation(text: str) -> None:
    """Every ASCII punctuation mark stands behind a backslash of its own, so none can open anything."""
    rest = re.sub(r"\\[!-/:-@\[-`{-~]", "", plain(text))

    assert not set(rest) & set(string.punctuation)


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        (":smile:", ":" + JOINER + "smile"),
        (":material/home:", ":" + JOINER + "material"),
        (":red[x]", ":" + JOINER + "red"),
        ("see http://a.example", ":" + JOINER + "//"),
        ("see WWW.a.example", "WWW" + JOINER + "."),
        ("me@a.example", "@" + JOINER + "a"),
        ("a -> b", "-" + JOINER + ">"),
        ("a -- b", "-" + JOINER + "-"),
        ("a <= b", "<" + JOINER + "="),
    ],
)
def test_what_is_replaced_after_parsing_is_broken(text: str, broken: str) -> None:
    """Emoji codes, bare links and arrows are looked for in the parsed text, where escapes are gone already."""
    assert broken in plain(text).replace("\\", "")


def test_lines_become_one() -> None:
    """No text can begin a block of its own."""
    assert plain("one\r\n\r\n# two\tthree\u2028four") == "one \\# two three four"


def test_lone_surrogates_can_be_sent() -> None:
    """A text that UTF-8 cannot hold is shown with question marks instead of breaking the page."""
    assert showable("a\ud800b") == "a?b"
    assert plain("\udcff").encode() == b"\\?"


def test_svg_text_is_no_markup() -> None:
    """Plotly shows tags, entities and dollar signs as they stand."""
    assert plain_svg("<b>a</b> &amp; $x$\n") == f"&lt;b&gt;a&lt;/b&gt; &amp;amp; ${JOINER}x${JOINER}"


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0, "just now"),
        (1, "1 minute ago"),
        (59, "59 minutes ago"),
        (60, "1 hour ago"),
        (1439, "23 hours ago"),
        (2880, "2 days ago"),
    ],
)
def test_ago_is_in_the_largest_unit_that_fits(minutes: int, words: str) -> None:
    """Whole units only, counted down."""
    assert ago(utc_now() - timedelta(minutes=minutes, seconds=5)) == words
