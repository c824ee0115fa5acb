"""Quotations in prose: which marks count."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.quotations import marked_spans, quotations_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The order reads “the gate «north» stays shut” [2].", ["the gate «north» stays shut"]),
        ('She told them, "The well is dry." They dug.', ["The well is dry."]),
        ("Er schreibt: „Das ist sehr gut.“", ["Das ist sehr gut."]),
        ("Und »das ist auch sehr gut« heißt es.", ["das ist auch sehr gut"]),
        ("Il dit « bonjour tout le monde ».", ["bonjour tout le monde"]),
        ("‘Don’t feed the geese’, says the sign.", ["Don’t feed the geese"]),
        ("It's the firm's 'best in class line' of 2011.", ["best in class line"]),
        ("他说：“今天下雨明天晴后天也下雨。”", ["今天下雨明天晴后天也下雨。"]),
        ("“The well is dry,” he said.", ["The well is dry"]),
        ("``set in the old way''", ["set in the old way"]),
    ],
)
def test_four_words_are_a_quotation(text: str, expected: list[str]) -> None:
    """Every family of marks, outermost only, without blanks and the writer's comma at the end."""
    assert expected == quotations_in(text)


@pytest.mark.parametrize("text", ["He said “no”.", 'The report states: "no"', "The sign says that «no»"])
def test_after_a_reporting_verb_one_word_is_enough(text: str) -> None:
    """What someone said is meant word for word."""
    assert quotations_in(text) == ["no"]


@pytest.mark.parametrize(
    "text",
    [
        "The “green” label and the 'big' one.",
        "The dogs' bowls and the cats' food are here.",
        'A 5" pipe and a 6" pipe of the same make.',
        "In the '90s rock 'n' roll was big again",
        "An “unclosed quotation goes on\n\nand on and on” here",
        "今日は「雨」が降る。",
    ],
)
def test_scare_quotes_apostrophes_and_inches_are_none(text: str) -> None:
    """Short marked words, possessives, measures and marks that close in another paragraph."""
    assert quotations_in(text) == []


def test_short_marks_are_still_seen() -> None:
    """They flag a claim."""
    assert marked_spans("The “green” label") == [(5, 10)]


@given(st.text(alphabet="“”„«»‘’\"'`「」 \nab中.,", max_size=60))
def test_marked_spans_are_in_order_and_apart(text: str) -> None:
    """Whatever the marks, spans lie inside the text, are not empty and do not overlap."""
    at = 0
    for start, end in marked_spans(text):
        assert at <= start < end <= len(text)
        at = end


def test_unclosed_marks_cost_little() -> None:
    """A text of opening marks is read in one pass."""
    began = time.process_time()

    assert quotations_in("“" * 50_000) == []
    assert time.process_time() - began < 5
