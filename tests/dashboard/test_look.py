"""Every word that the store can hold has a name that a person reads."""

from __future__ import annotations

import re

import pytest

from core.models import Action, Label, QuoteState, Resolve, Structural
from dashboard.widgets import look


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (Label, look.LABELS),
        (Label, look.MEANING),
        (Action, look.ACTIONS),
        (Structural, look.STRUCTURE),
        (Resolve, look.RESOLVES),
        (QuoteState, look.QUOTES),
    ],
)
def test_no_word_is_without_a_name(words: type[Label], names: dict[Label, object]) -> None:
    """In the order of the enum, so that keys and columns follow it."""
    assert list(names) == list(words)


def test_labels_differ_without_colour_or_without_shape() -> None:
    """No two labels share both a colour and a shape, on either ground; the names all differ."""
    looks = [*look.LABELS.values(), look.NO_LABEL]

    assert len({(one.light, one.shape) for one in looks}) == len(looks)
    assert len({(one.dark, one.shape) for one in looks}) == len(looks)
    assert len({one.name for one in looks}) == len(looks)


def test_a_chip_is_made_of_our_own_words() -> None:
    """An unknown word becomes "no verdict", never part of the Markdown."""
    assert look.chip("contradicted", 1234) == ":red[■] Contradicted 1,234"
    assert look.chip("none", 0) == ":gray[○] No verdict 0"
    assert look.chip("![x](http://e.example)", 1) == ":gray[○] No verdict 1"


def test_every_label_has_its_colours_in_the_shared_style() -> None:
    """Components draw chips by class, so each label needs one."""
    for word in (*Label, "none"):
        assert f".l-{word}{{" in look.CSS
        assert re.search(rf"--label-{word}:light-dark\(#[0-9a-f]{{6}},#[0-9a-f]{{6}}\)", look.CSS)
