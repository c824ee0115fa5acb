"""Chunks: exact stretches that cover a page, parted where a reader would part them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chunking import SIZE, Piece, name_of, pieces
from core.loaders import Page
from core.loaders.markdown import document
from core.sentences import sentences
from tests import chunk_sizes

WORDS = st.sampled_from(
    [
        "The toll is 3 crowns. ",
        "Boats pay. ",
        "\n\n",
        "\n",
        "- item\n",
        "# Fees\n",
        "a" * 70,
        "e.g. ",
        "| a | b |\n",
        "[1] ",
        " \u00a0",
        "```\n",
    ]
)
TEXTS = st.lists(WORDS, max_size=30).map("".join) | st.text(max_size=200)


def cut(text: str, size: int = SIZE) -> list[str]:
    """The chunks of a Markdown text."""
    return [text[one.start : one.end] for one in pieces(document(text).pages, size)]


@given(TEXTS, st.integers(1, 120))
def test_chunks_are_exact_and_cover_the_text_once(text: str, size: int) -> None:
    """In order, none too long, none with white space at its ends, nothing but white space between them."""
    found = pieces(document(text).pages, size)
    end = 0
    for one in found:
        assert not text[end : one.start].strip()
        assert 0 < one.end - one.start <= size
        assert text[one.start : one.end] == text[one.start : one.end].strip()
        end = one.end

    assert not text[end:].strip()


@given(TEXTS, st.integers(20, 120))
def test_no_sentence_is_cut_that_would_fit(text: str, size: int) -> None:
    """Each lies within one chunk."""
    places = [(one.start, one.end) for one in pieces(document(text).pages, size)]
    for start, end in sentences(text):
        if end - start <= size:
            assert [place for place in places if place[0] <= start and end <= place[1]], text[start:end]


def test_a_sentence_as_long_as_a_chunk_fits_with_a_blank_behind_it() -> None:
    """The blank is in no chunk."""
    long = f"The toll\n{'x' * 40} is 3 crowns."

    assert cut(f"| a | b |\n{long} {long} ", len(long)) == ["| a | b |", long, long]


@given(st.lists(TEXTS, max_size=3))
def test_pages_are_cut_one_by_one(texts: list[str]) -> None:
    """The chunks of a page are the same whatever stands on the others, but for the section that goes on."""
    found = pieces([Page(number=at, text=text) for at, text in enumerate(texts, 1)])
    alone = [
        one.model_copy(update={"page": at})
        for at, text in enumerate(texts, 1)
        for one in pieces([Page(number=1, text=text)])
    ]

    assert found == alone


def test_paragraphs_are_packed_whole() -> None:
    """As many as fit; the next one begins a chunk."""
    assert cut("one two\n\nthree\n\nfour five six", 15) == ["one two\n\nthree", "four five six"]


def test_a_paragraph_too_long_is_parted_between_sentences() -> None:
    """And a sentence too long between words, a word too long anywhere."""
    text = "The toll is 3 crowns. Boats pay twice that. All others pay."

    assert cut(text, 45) == ["The toll is 3 crowns. Boats pay twice that.", "All others pay."]
    assert cut("one two three four", 10) == ["one two", "three four"]
    assert cut("abcdefghij" * 2 + "xyz", 10) == ["abcdefghij", "abcdefghij", "xyz"]


def test_a_heading_begins_a_chunk_and_stays_with_what_follows() -> None:
    """Headings one below the other stay together; the last one is the section, and paragraphs count from it."""
    text = "Before.\n\n# Tolls\n\n## Fees\n\nThree crowns.\n\nFour for boats.\n\n## Boats\nAll of them."
    found = pieces(document(text).pages)

    assert [text[one.start : one.end] for one in found] == [
        "Before.",
        "# Tolls\n\n## Fees\n\nThree crowns.\n\nFour for boats.",
        "## Boats\nAll of them.",
    ]
    assert [(one.section, one.paragraph) for one in found] == [(None, 1), ("Fees", 1), ("Boats", 1)]
    assert [(one.section, one.paragraph) for one in pieces(document(text).pages, 40)][1:3] == [("Fees", 1), ("Fees", 2)]


def test_the_section_goes_on_over_a_page() -> None:
    """A page without a heading stands under the last one before it."""
    first = document("# Fees\n\nText.").pages[0]

    assert [one.section for one in pieces([first, Page(number=2, text="More.")])] == ["Fees", "Fees"]


@pytest.mark.parametrize(
    "kept",
    [
        "Fees:\n\n- boats 3\n- cars 4",
        "- boats 3\n\n- cars 4\n\n- all others",
        "| who | fee |\n|---|---|\n| boats | 3 |",
        "who\tfee\nboats\t3\ncars\t4",
    ],
)
def test_lists_and_tables_stay_whole_where_they_fit(kept: str) -> None:
    """With the line that announces them, even if that leaves the chunk before them short."""
    assert cut(f"A sentence before it.\n\n{kept}", len(kept)) == ["A sentence before it.", kept]


def test_a_table_too_long_is_parted_between_rows() -> None:
    """No row is cut."""
    rows = [f"| boat {number} | {number} crowns |" for number in range(20)]

    found = cut("\n".join(["| who | fee |", "|---|---|", *rows]), 100)

    assert len(found) > 3
    assert [row for chunk in found for row in chunk.split("\n")][2:] == rows


def test_a_piece_says_where_it_is() -> None:
    """Page, place, section, paragraph."""
    (piece,) = pieces([Page(number=4, text="  Text. ")])

    assert piece == Piece(page=4, start=2, end=7, section=None, paragraph=1)
    assert name_of(300) == "paragraphs@2/300"


def test_answers_of_the_sample_stand_whole_in_one_chunk() -> None:
    """The words that answer each of our questions are never parted."""
    for one in chunk_sizes.questions():
        (page,) = chunk_sizes.corpus()[one.source]
        assert [piece for piece in pieces([page]) if one.quote in page.text[piece.start : piece.end]], one.quote


@pytest.mark.parametrize("text", ["a" * 200_000, " " * 200_000, "\n" * 200_000, "[1" * 50_000, "a " * 100_000])
def test_no_text_takes_long(text: str) -> None:
    """The time grows with the length."""
    began = time.process_time()
    pieces([Page(number=1, text=text)])

    assert time.process_time() - began < 5
