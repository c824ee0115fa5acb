"""Windows: every token is in one, spans are exact, and what stands around the focus does not move it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.inference import Encoded, Tokens
from core.text import Span
from core.windows import EvidenceText, focus, shared, stated, take_apart, windows, with_rest
from core.words import letters, words

_TOKEN = re.compile(r"\w+|[^\w\s]")


def encode(texts: Sequence[str]) -> list[Tokens]:
    """One token a word or sign; the id is its length."""
    return [encode_with_places(text).ids for text in texts]


def encode_with_places(text: str) -> Encoded:
    """The same, with places."""
    found = list(_TOKEN.finditer(text))
    ids = np.asarray([len(one[0]) for one in found], dtype=np.int32)
    return Encoded(ids, np.asarray([one.span() for one in found], dtype=np.int64).reshape(-1, 2))


def sentences(text: str) -> list[Span]:
    """Up to a full stop."""
    return [found.span() for found in re.finditer(r"[^.\s][^.]*\.?", text)]


def apart(text: str, longest: int = 20) -> EvidenceText:
    """Take a text apart with the tools of this test."""
    return take_apart(text, sentences(text), encode, encode_with_places, longest)


def test_pieces_are_the_sentences() -> None:
    """Exact spans, tokens of each, and their sum."""
    text = "Cars stop here. The toll is 3 crowns."
    found = apart(text)

    assert [text[one.start : one.end] for one in found.pieces] == ["Cars stop here.", "The toll is 3 crowns."]
    assert [len(one.ids) for one in found.pieces] == [4, 6]
    assert found.total == 10


def test_a_sentence_longer_than_the_model_reads_is_cut_between_tokens() -> None:
    """Each part is an exact stretch; the last one is what is left."""
    text = "one two three four five six seven."
    found = apart(text, longest=3)

    assert [text[one.start : one.end] for one in found.pieces] == ["one two three", "four five six", "seven."]


def test_what_lies_between_the_sentences_is_read_too() -> None:
    """Code and lists of sources are no sentences, but they are evidence."""
    assert with_rest("Cars stop. toll: 3", [(0, 10)]) == [(0, 10), (10, 18)]
    assert with_rest("  A.  ", [(2, 4)]) == [(2, 4)]


def test_hand_worked_windows() -> None:
    """Room for 9: pieces of 3, 3, 3 fill it; a third of it (3) is shared with the next window."""
    assert windows([3, 3, 3, 3, 3], 9) == [range(0, 3), range(2, 5)]
    assert windows([9, 9], 9) == [range(0, 1), range(1, 2)]
    assert windows([2, 2, 8, 2], 10) == [range(0, 2), range(1, 3), range(3, 4)]
    assert windows([4], 9) == [range(0, 1)]
    assert windows([], 9) == []


@given(st.lists(st.integers(1, 50), max_size=60), st.integers(50, 120))
def test_windows_cover_every_piece_within_the_room(lengths: list[int], room: int) -> None:
    """In order, no gap, none too large, none inside another."""
    found = windows(lengths, room)

    assert {at for one in found for at in one} == set(range(len(lengths)))
    assert all(sum(lengths[at] for at in one) <= room for one in found)
    for before, after in pairwise(found):
        assert before.start < after.start <= before.stop < after.stop


@given(st.text(alphabet=st.sampled_from("ab .\n😀é1—漢\u2009"), max_size=200), st.integers(2, 30))
def test_pieces_hold_every_token(text: str, longest: int) -> None:
    """Whatever the text: exact, ordered stretches within the limit, and no token is lost."""
    found = apart(text, longest)
    tokens = [token for one in found.pieces for token in _TOKEN.findall(text[one.start : one.end])]

    assert tokens == _TOKEN.findall(text)
    assert found.total == len(tokens)
    assert all(0 < len(one.ids) <= longest for one in found.pieces)
    borders = [at for one in found.pieces for at in (one.start, one.end)]
    assert borders == sorted(borders)
    assert all(0 <= at <= len(text) for at in borders)


@pytest.mark.parametrize(
    ("piece", "share"),
    [("The toll is 3 crowns.", 1), ("The toll is 4 crowns.", 1.8 / 3.8), ("It cost 3.", 2 / 3.8), ("Sheep graze.", 0)],
)
def test_hand_worked_share(piece: str, share: float) -> None:
    """Toll weighs 4/5, crown 5/5 and the number 3 twice as much: 3.8 in all."""
    assert shared(words("The toll is 3 crowns."), words(piece)) == pytest.approx(share)


@pytest.mark.parametrize(
    ("claim", "stretch"),
    [
        ("The toll is 3 crowns.", "The toll is 3 crowns."),
        (" The toll\n is 3 crowns", "The toll is 3 crowns."),
        ("Rain fell. The toll is 3 crowns.", "Rain fell. The toll is 3 crowns."),
        ("The toll is 3", None),
        ("the toll is three crowns", "The toll is 3 crowns."),
        ("Rain fell. The toll's 3 crowns.", None),
        ("The toll is not 3 crowns.", None),
        ("Rain fell. Cars stop.", None),
        (".", None),
    ],
)
def test_a_copy_is_one_of_whole_sentences(claim: str, stretch: str | None) -> None:
    """Not of a part of one; in whatever notation."""
    evidence = "Cars stop. Rain fell. The toll is 3 crowns."
    found = stated(claim, words(claim), evidence, apart(evidence))

    assert (evidence[slice(*found)] if found else None) == stretch


def test_nothing_to_share_is_no_share() -> None:
    """A claim without words has no focus."""
    assert shared(words("It is so."), words("It is so.")) == 0.0
    assert focus(words("It is so."), apart("It is so."), 3, 50) == []


def test_the_focus_takes_each_piece_for_what_the_others_lack() -> None:
    """The second copy of the toll adds nothing; the place of the bridge does."""
    text = apart("The toll is 3 crowns. The toll is 3 crowns now. Cars stop. The bridge stands in Arnhem.")
    claim = words("The toll of the bridge in Arnhem is 3 crowns.")

    assert focus(claim, text, 2, 50) == [0, 3]
    assert focus(claim, text, 1, 50) == [0]
    assert focus(claim, text, 3, 12) == [0, 3]
    assert focus(claim, text, 3, 6) == [0]
    assert focus(words("Rain fell."), text, 3, 50) == []


@given(st.lists(st.sampled_from(["Sheep graze.", "Parking is free.", "Rain fell at noon."]), max_size=6), st.data())
def test_what_stands_around_does_not_move_the_focus(padding: list[str], data: st.DataObject) -> None:
    """The same sentences are chosen wherever unrelated ones are added."""
    claim, evidence = words("The toll of the bridge is 3 crowns."), ["The bridge is old.", "Its toll is 3 crowns."]
    at = data.draw(st.integers(0, len(padding)))
    text = " ".join([*padding[:at], *evidence, *padding[at:]])
    found = apart(text)

    assert [text[found.pieces[one].start : found.pieces[one].end] for one in focus(claim, found, 2, 50)] == evidence[
        ::-1
    ]


@given(st.permutations(["fare", "storm", "ferry", "anchor", "island", "harbour", "lighthouse", "a" * 40]))
def test_words_of_as_many_letters_share_as_much(order: list[str]) -> None:
    """Exactly, whatever words they are: a tie is a tie in every process, and the earlier piece is read."""
    claim = words(" ".join(order))
    first, second = order[:4], order[4:]

    assert letters(first) + letters(second) == letters(order) == 4 + 5 + 5 + 6 + 6 + 7 + 10 + 10
    assert shared(claim, words(" ".join(first))) == letters(first) / letters(order)
