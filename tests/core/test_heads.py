"""The beginnings of words."""

from __future__ import annotations

from core.heads import heads


def test_every_run_of_letters_and_digits_begins_somewhere() -> None:
    """Four characters in lower case, fewer where a run is shorter; other characters end a run."""
    assert heads("Dr. Ek's COVID-19 trial, 2nd_part: Zürich") == {
        *("dr", "ek", "s", "covi", "19", "tria", "2nd", "part", "z", "rich"),
    }


def test_a_text_without_words_has_none() -> None:
    """Nothing, signs, and scripts that are no ASCII letters."""
    assert heads("") == heads("…") == heads("資料") == frozenset()
