"""Polarity: which word a cue denies."""

from __future__ import annotations

import pytest

from core.polarity import Polarity, is_soft


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The bridge did not reopen.", "reopen"),
        ("The bridge did not, however, reopen.", "reopen"),
        ("The bridge has not yet reopened.", "reopened"),
        ("The bridge was not found to be safe.", "found safe"),  # through a word that passes it on
        ("The bridge did not significantly slow traffic.", "slow"),
        ("It failed to reopen.", "reopen"),
        ("It failed.", ""),
        ("The soil is free of lead.", "lead"),
        ("The step is unsafe.", "unsafe"),
        ("The step is not unsafe.", ""),  # two cues cancel
        ("It did not open until May.", ""),
        ("Not only traffic suffers.", ""),
        ("No fewer than ten came.", ""),
        ("Not all bridges reopened.", ""),
        ("Ask whether or not it reopened.", ""),
        ("No, the bridge reopened.", ""),
        ("Previous surgery: No", "surgery"),
    ],
)
def test_denied_words(text: str, denied: str) -> None:
    """The first word after the cue that says something, not the sentence."""
    polarity = Polarity(text)

    assert [one.word for i, one in enumerate(polarity.tokens) if polarity.denied(i)] == denied.split()


def test_a_negative_prefix_is_cut_off() -> None:
    """*Uncommon* and *common* are one predicate of two polarities."""
    one, other = Polarity("It is uncommon."), Polarity("It is common.")

    assert one.stems == other.stems
    assert (one.cued(one.tokens), other.cued(other.tokens)) == (1, 0)


def test_words_that_deny_softly() -> None:
    """They are not weighed, but they are seen."""
    polarity = Polarity("Few people refuse harmless milk.")

    assert [one.word for one in polarity.tokens if is_soft(one)] == ["few", "refuse", "harmless"]
    assert polarity.softened(4)
    assert not Polarity("People drink milk.").softened(2)
