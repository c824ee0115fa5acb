"""Tokens, stems, clauses, and what of one text another repeats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import wording


@pytest.mark.parametrize(
    ("words", "stem"),
    [
        ("raised raises raising raise", "rais"),
        ("won wins winning win", "win"),
        ("studies studied study", "study"),
        ("boxes box", "box"),
        ("stopped stops stop", "stop"),
        ("quickly quick", "quick"),
        ("mice mouse", "mous"),
        ("used using use", "use"),
        ("bus", "bus"),
    ],
)
def test_stems(words: str, stem: str) -> None:
    """Forms of one word have one stem."""
    assert {wording.stem(word) for word in words.split()} == {stem}


@given(st.text(max_size=120))
def test_tokens_are_stretches_of_the_text(text: str) -> None:
    """In order, none overlapping, each the text that it names."""
    end = 0
    for token in wording.read(text):
        assert end <= token.start < token.end <= len(text)
        assert token.word == text[token.start : token.end].casefold().replace("’", "'")
        end = token.end


def test_clauses_and_sentences() -> None:
    """A comma and a joining word open a clause, a full stop a sentence, that of an abbreviation none."""
    tokens = wording.read("Dr. Bo left, but Ann stayed. It rained.")
    place = {token.word: (token.clause, token.sentence) for token in tokens}

    assert place["left"][0] < place["ann"][0]
    assert place["bo"][1] == place["stayed"][1] == 0
    assert place["rained"][1] == 1


def test_coverage() -> None:
    """Two of three stems stand there, one of them in another form."""
    ours = wording.stems(wording.read("The infection of cattle herds"))

    assert wording.coverage(ours, wording.stems(wording.read("Cattle were infected."))) == pytest.approx(2 / 3)
    assert wording.coverage((), ["x"]) == 1.0


def test_the_best_sentence_is_the_first_of_equals() -> None:
    """And its share is that of the claim's words that say something."""
    evidence = wording.read("Rain fell. The bridge reopened. The bridge reopened again.")
    tokens, share = wording.best_sentence(wording.read("The bridge reopened."), evidence)

    assert [token.word for token in tokens] == ["the", "bridge", "reopened", "."]
    assert share == 1.0
    assert wording.best_sentence([], []) == ([], 0.0)


def test_changes_of_a_sentence_that_is_nearly_repeated() -> None:
    """What differs, with the word that follows in both; texts that differ in more have none."""
    changes = wording.changes("The old bridge over the river reopened.", "Once the old bridge over the canal reopened.")
    assert changes is not None
    pairs = [([one.word for one in each.ours], [one.word for one in each.theirs]) for each in changes]

    assert pairs == [([], ["once"]), (["river"], ["canal"])]
    assert [each.following[0].word for each in changes if each.following] == ["the", "reopened"]
    assert wording.changes("The old bridge over the river reopened.", "Rain fell on the bridge.") is None
