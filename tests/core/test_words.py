"""Words as overlap compares them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.words import NUMBER_WORDS, singular, words


def test_content_numbers_and_count() -> None:
    """Stop words are counted but not compared; number words are numbers; contractions of "not" say nothing."""
    found = words("The museum's twelve rooms weren't open in 1,250 days.")

    assert found.content == {"museum", "room", "open", "day"}
    assert found.numbers == {"12", "1250"}
    assert found.total == 9
    assert found.script == "LATIN"


@pytest.mark.parametrize(
    ("written", "number"),
    [("18.0", "18"), ("1,874", "1874"), ("0.50", "0.5"), ("0,5", "0.5"), ("twenty-five", "25"), ("seven", "7")],
)
def test_one_number_one_spelling(written: str, number: str) -> None:
    """Grouping, trailing zeros and words for small numbers do not matter."""
    assert words(written).numbers == {number}


def test_one_is_mostly_a_pronoun() -> None:
    """Neither "one of them" nor "no one" counts anything."""
    assert words("one of them").numbers == frozenset()


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("studies", "study"),
        ("boxes", "box"),
        ("churches", "church"),
        ("dogs", "dog"),
        ("bus", "bus"),
        ("glass", "glass"),
        ("analysis", "analysis"),
        ("gas", "gas"),
        ("ties", "tie"),
    ],
)
def test_light_plural_folding(plural: str, expected: str) -> None:
    """What only looks like a plural stays."""
    assert singular(plural) == expected


def test_what_reads_the_same_compares_the_same() -> None:
    """Composed and decomposed accents, ligatures, full-width letters, soft hyphens."""
    assert words("cafe\u0301").content == words("caf\u00e9").content
    assert words("o\ufb03ce").content == {"office"}
    assert words("ＡＢＣ").content == {"abc"}
    assert words("har\u00adbour").content == {"harbour"}


def test_unspaced_scripts_are_compared_by_pairs() -> None:
    """Japanese and Chinese by neighbouring characters; mixed text keeps its Latin words whole."""
    found = words("駅は閉鎖 iPhone")

    assert found.content == {"駅は", "は閉", "閉鎖", "iphone"}
    assert found.script == "LATIN"  # six letters against four
    assert words("駅は閉鎖").script == "CJK"
    assert words("駅").content == {"駅"}


def test_signs_for_units_are_words() -> None:
    """Per cent, percent and %; euros and €."""
    assert words("62 %").content == words("62 per cent").content == words("62 percent").content == {"percent"}
    assert words("€5").content == words("5 euros").content


@pytest.mark.parametrize("nothing", ["", "  \n", "…!?", "😀", "It is of the"])
def test_nothing_to_compare(nothing: str) -> None:
    """Blank, punctuation, pictures and stop words give nothing."""
    found = words(nothing)

    assert not found.content
    assert not found.numbers


@given(st.text())
def test_it_reads_any_text(text: str) -> None:
    """No text raises; what is compared is folded and never a stop word's number."""
    found = words(text)

    assert all(word == word.casefold() for word in found.content if word.isascii())
    assert (found.total == 0) <= (not found.content and not found.numbers)


@given(st.sampled_from(sorted(NUMBER_WORDS)))
def test_number_words_and_digits_agree(word: str) -> None:
    """As "ninety-nine" and 99 do."""
    expected = set() if word == "one" else {str(NUMBER_WORDS[word])}

    assert words(word).numbers == expected
