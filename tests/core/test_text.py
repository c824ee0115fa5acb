"""Spans, folding, verbatim places, excerpts and segments; offsets are checked by slicing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import excerpt, find_quote, fold_white, segments, sha256

WHITE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
NOT_WHITE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\x1c"

texts = st.lists(st.sampled_from([*"abc.é", *WHITE, *NOT_WHITE, "👩‍👩‍👧", "e\u0301", "א", "文"]), max_size=60).map(
    "".join
)


def test_sha256_is_that_of_utf8() -> None:
    """The digest is the well-known one of the bytes; a lone surrogate has one too."""
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    assert expected == sha256("abc")
    assert len(sha256("\ud800")) == 64


@pytest.mark.parametrize("char", WHITE)
def test_every_white_space_is_one_blank(char: str) -> None:
    """Each character with Unicode's White_Space property folds, alone and in runs."""
    assert fold_white(f"{char}a{char}{char} b{char}").text == "a b"


@pytest.mark.parametrize("char", NOT_WHITE)
def test_format_characters_are_no_white_space(char: str) -> None:
    """U+200B and its like are characters of the text and stay."""
    assert fold_white(f"a{char}b").text == f"a{char}b"


def test_the_map_leads_back() -> None:
    """Behind a line end of two characters, a comes from 2, the blank from 3, b from 5."""
    folded = fold_white("\r\na  b")

    assert (folded.text, list(folded.map)) == ("a b", [2, 3, 5])


@given(texts)
def test_folding_keeps_every_character_but_white_space(text: str) -> None:
    """Mapped back, each folded character is itself, or a blank that was white space."""
    folded = fold_white(text)

    assert len(folded.text) == len(folded.map)
    for char, at in zip(folded.text, folded.map, strict=True):
        assert text[at] == char or (char == " " and text[at] in WHITE)
    assert fold_white(folded.text).text == folded.text


def test_a_quote_across_line_ends_is_verbatim() -> None:
    """Carriage returns and indentation count as one blank, and offsets stay those of the untouched source."""
    source = "Preface.\r\nThe lock   opens\r\n\tat noon. End."

    assert find_quote(source, " The lock opens at noon. ") == [(10, 37)]
    assert source[10:37] == "The lock   opens\r\n\tat noon."


def test_all_places_are_found_also_overlapping_ones() -> None:
    """No place is chosen silently."""
    assert find_quote("a a a", "a a") == [(0, 3), (2, 5)]


@pytest.mark.parametrize("quote", ["The Lock", "lock\u200b opens", "lockopens", "lock, opens", "lоck"])
def test_nothing_but_white_space_is_folded(quote: str) -> None:
    """Case, invisible characters, missing blanks, punctuation and look-alikes are other text."""
    assert find_quote("the lock opens", quote) == []


@pytest.mark.parametrize(("source", "quote"), [("", "a"), ("a", ""), ("a", " \n"), ("\xa0", "a")])
def test_blank_texts_hold_no_quote(source: str, quote: str) -> None:
    """Where there is nothing to compare, nothing is verbatim."""
    assert find_quote(source, quote) == []


@given(texts, st.data())
def test_a_stretch_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    """Every place found reads, folded, like the quote; a quote cut from the text is found where it was cut."""
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    folded = fold_white(quote).text
    places = find_quote(text, quote)

    assert bool(places) == bool(folded)
    assert all(fold_white(text[a:b]).text == folded for a, b in places)


def test_an_excerpt_stops_at_25_words() -> None:
    """Thirty words of one letter: the 25th ends at character 49."""
    assert excerpt("x " * 30, 0, 60) == (0, 49)


def test_an_excerpt_stops_at_160_characters_between_words() -> None:
    """Words of nine letters and a blank: sixteen of them take 159 characters."""
    assert excerpt("abcdefghi " * 20, 0, 200) == (0, 159)


def test_only_a_first_word_that_is_too_long_is_cut() -> None:
    """A run of 200 letters gives its first 160."""
    assert excerpt("  " + "y" * 200 + " z", 0, 204) == (2, 162)


@given(texts, st.integers(0, 80), st.integers(0, 80))
def test_an_excerpt_is_a_trimmed_stretch_within_bounds(text: str, a: int, b: int) -> None:
    """It lies inside what was asked for and keeps both limits."""
    start, end = sorted((min(a, len(text)), min(b, len(text))))
    left, right = excerpt(text, start, end, max_words=3, max_chars=10)

    assert start <= left <= right <= max(end, start)
    assert text[left:right] == text[left:right].strip()
    assert len(text[left:right].split()) <= 3
    assert right - left <= 10


def test_segments_of_nested_and_crossing_marks() -> None:
    """``abcdef`` with claim [1, 5), span [3, 6) and quote [2, 3)."""
    marks = [(1, 5, "claim"), (3, 6, "span"), (2, 3, "quote")]

    assert segments("abcdef", marks) == [
        ("a", ()),
        ("b", ("claim",)),
        ("c", ("claim", "quote")),
        ("de", ("claim", "span")),
        ("f", ("span",)),
    ]


@given(st.text(max_size=20), st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), st.sampled_from("ab"))))
def test_segments_join_to_the_text(text: str, drawn: list[tuple[int, int, str]]) -> None:
    """Whatever the marks, no character is lost, doubled or miscovered."""
    ends = [sorted((min(a, len(text)), min(b, len(text)))) for a, b, _ in drawn]
    marks = [(start, end, kind) for (start, end), (_, _, kind) in zip(ends, drawn, strict=True)]
    pieces = segments(text, marks)

    assert "".join(piece for piece, _ in pieces) == text
    at = 0
    for piece, kinds in pieces:
        assert set(kinds) == {kind for start, end, kind in marks if start <= at < end}
        at += len(piece)


@pytest.mark.parametrize("mark", [(-1, 2, "x"), (0, 4, "x"), (2, 1, "x")])
def test_a_mark_outside_the_text_is_refused(mark: tuple[int, int, str]) -> None:
    """A highlight that would be wrong is an error, never shifted."""
    with pytest.raises(ValueError, match="mark x"):
        segments("abc", [mark])
