"""Near misses: where the nearest place is and what differs."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.near_miss import nearest_quote
from core.text import find_quote


@pytest.mark.parametrize(
    ("source", "quote", "place", "differs"),
    [
        ("Then: THE LOCK opens.", "The lock opens.", "THE LOCK opens.", "letter case"),
        ("“Don’t feed the swans”", "Don't feed the swans", "Don’t feed the swans", "curly quotes or punctuation"),
        ("An oﬃcial count of 12.", "An official count", "An oﬃcial count", "ligature or compatibility form"),
        ("The cafe\u0301 opens at 7.", "The café opens", "The cafe\u0301 opens", "accents composed differently"),
        ("The har\u00adbour dues rose.", "harbour dues", "har\u00adbour dues", "invisible character"),
        ("The o ffi ce was shut.", "The office was", "The o ffi ce was", "white space inserted"),
        ("The har-\nbour dues rose.", "The harbour dues", "The har-\nbour dues", "hyphen at a line break"),
        ("It weighs 12 kg in all.", "It weighs 21 kg in all.", "It weighs 12 kg in all.", "another number"),
        (
            "Dogs are never allowed in.",
            "Dogs are … allowed in",
            "Dogs are never allowed in",
            "ellipsis that drops words",
        ),
        ("Dogs are not allowed to swim.", "Dogs are allowed to swim.", None, "words left out (not)"),
        ("Dogs may swim here at noon.", "Dogs may also swim here at noon.", None, "words added (also)"),
        ("The lake is quite deep here.", "The lake is rather deep here.", None, "words changed"),
        ("THE “LOCK” is shut.", 'the "lock" is shut.', None, "curly quotes or punctuation, letter case"),
    ],
)
def test_what_differs_is_named(source: str, quote: str, place: str | None, differs: str) -> None:
    """Each kind of near miss is found at its exact place and called by its name."""
    found = nearest_quote(source, quote)

    assert found is not None
    assert (source[found[0] : found[1]], found[2]) == (place or source, differs)


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("", "Depth averaged 31 m"),
        (" \n", "Depth"),
        ("The lake is deep.", " "),
        ("The lake is deep.", "…"),
        ("The lake is deep.", "Nobody ever measured the tower of Pisa"),
        ("A piano feeds no one.", "no fee"),
    ],
)
def test_far_is_not_near(source: str, quote: str) -> None:
    """Unrelated words, blank texts and letters inside other words are no near miss."""
    assert nearest_quote(source, quote) is None


WORDS = st.sampled_from(["lock", "opens", "noon", "harbour", "12", "geese", "ferry", "tide"])


@given(st.lists(WORDS, max_size=12), st.lists(WORDS, min_size=6, unique=True), st.data())
def test_one_changed_word_is_found_again(before: list[str], quoted: list[str], data: st.DataObject) -> None:
    """A quotation with one word replaced is near the stretch it was taken from, and the place lies in the source."""
    source = " ".join([*before, *quoted])
    changed = list(quoted)
    changed[data.draw(st.integers(0, len(quoted) - 1))] = "zebra"
    assume(not find_quote(source, " ".join(changed)))
    found = nearest_quote(source, " ".join(changed))

    assert found is not None
    assert 0 <= found[0] < found[1] <= len(source)


@given(st.text(max_size=80), st.text(max_size=30))
def test_any_text_gives_a_place_inside_or_none(source: str, quote: str) -> None:
    """Nothing raises, and a place is never empty nor outside."""
    found = nearest_quote(source, quote)

    assert found is None or 0 <= found[0] < found[1] <= len(source)


def test_a_megabyte_is_searched_quickly() -> None:
    """A changed quotation in a source of a million characters is found in well under two seconds."""
    filler = " ".join(f"word{number % 5000}" for number in range(110_000))
    source = f"{filler} the ferry leaves the harbour at noon on Sundays {filler[:1000]}"
    began = time.process_time()
    found = nearest_quote(source, "the ferry leaves the harbour at midnight on Sundays")

    assert found is not None
    assert source[found[0] : found[1]] == "the ferry leaves the harbour at noon on Sundays"
    assert time.process_time() - began < 2
