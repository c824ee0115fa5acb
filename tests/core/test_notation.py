"""Notation: what is written in two ways is one statement, and nothing else is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import plugins, qualifiers
from core.notation import may_be_part, tokens
from core.numerals import spelled
from core.opposites import BASE_OF, DENIED_BACK
from core.words import words

SAME = [
    ("The acid is 62% pure.", "The acid is 62 per cent pure."),
    ("Sales rose 5 %", "Sales rose 5 pct."),
    ("Twelve men came.", "12 men came."),
    ("It holds 250,000 seeds.", "It holds two hundred and fifty thousand seeds."),
    ("It cost €2.5 million.", "It cost 2 500 000 euros."),
    ("It cost $5.", "It cost 5.00 dollars."),
    ("It weighs 5kg.", "It weighs five kilograms."),
    ("He drove at 60 km/h.", "He drove at 60 kilometres per hour."),
    ("A 5-year plan.", "A five year plan."),
    ("It is 5 °C.", "It's 5 degrees Celsius."),
    ("It opened on 1 May 2020.", "It opened on May 1st, 2020."),
    ("It opened on 2020-05-01.", "It opened on 1 May 2020."),
    ("In the 19th century", "In the nineteenth century"),
    ("It shuts at 5 pm.", "It shuts at 17:00."),
    ("It shuts at 5:30 p.m.", "It shuts at 17:30"),
    ("It opens at noon.", "It opens at 12 pm."),
    ("It isn't open.", "It is not open."),
    ("It cannot fly.", "It can't fly."),
    ("Frost is common.", "Frost is not uncommon."),
    ("It is a possible cause.", "It is not an impossible cause."),
    ("It happens frequently.", "It happens not infrequently."),
    ("The U.S. left.", "The US left."),
    ("Dr. Moss agreed.", "Dr Moss agreed."),
    ("It takes approx. 5 days.", "It takes approximately 5 days."),
    ("The bridge, which is old, fell.", "Bridge which is old fell"),
    ("He was the first to come.", "He was the 1st to come."),
    ("He said “no”.", 'He said "no".'),
    ("One in four came.", "1 in 4 came."),
    ("- Entry is free.", "Entry is free."),
]
DIFFERENT = [
    ("Smoking is a cause.", "Smoking is the cause."),
    ("Few came.", "A few came."),
    ("The few came.", "Few came."),
    ("It runs on version 3.10.", "It runs on version 3.1."),
    ("It weighs 5 tons.", "It weighs 5 tonnes."),
    ("It cost 5 SEK.", "It cost 5 NOK."),
    ("It cost $5.", "It cost A$5."),
    ("It is 5 mW.", "It is 5 MW."),
    ("It rose 5%.", "It rose 5 percentage points."),
    ("It is .5 wide.", "It is 5 wide."),
    ("It is -5 outside.", "It is 5 outside."),
    ("It is 1.874 wide.", "It is 1,874 wide."),
    ("It is 2⅓ wide.", "It is 2.33 wide."),
    ("It opened on 3/7/2020.", "It opened on 7/3/2020."),
    ("It opened in May 2020.", "It opened on 1 May 2020."),
    ("It shuts at 5 am.", "It shuts at 5 pm."),
    ("It starts at 9:30.", "It starts at 9:30 am."),
    ("It is open.", "Is it open?"),
    ("It is safe.", "It is not safe."),
    ("It is unsafe.", "It is not unsafe."),
    ("It is unsafe.", "It is not safe."),
    ("Whether or not unsafe", "Whether or safe"),
    ("He did not disagree.", "He did agree."),
    ("His uncle came.", "His not cle came."),
    ("Vitamin A helps.", "Vitamin helps."),
    ("Room 007", "Room 7"),
    ("The score was 3:1.", "The score was 3, 1."),
    ('The "expert" came.', "The expert came."),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_another_notation_is_the_same_statement(one: str, other: str) -> None:
    """Token for token, and the quick look lets it through both ways."""
    assert tokens(one) == tokens(other) != ()
    assert may_be_part(words(one), words(other))
    assert may_be_part(words(other), words(one))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_may_mean_something_else_stays_apart(one: str, other: str) -> None:
    """In value, unit, degree, order of a date, polarity or kind of sentence."""
    assert tokens(one) != tokens(other)


def test_the_quick_look_refuses_another_word() -> None:
    """A word of the piece that the claim lacks and that no notation exchanges."""
    assert not may_be_part(words("The toll is three crowns today."), words("The toll is 3 crowns."))


@given(st.text(max_size=80))
def test_any_text_is_a_copy_of_itself(text: str) -> None:
    """With white space around it and once more."""
    assert tokens(f" {text}\n") == tokens(text)


_SENTENCES = st.lists(st.sampled_from([text for pair in SAME + DIFFERENT for text in pair]), min_size=1, max_size=3)


@given(_SENTENCES)
def test_folding_twice_changes_nothing(texts: list[str]) -> None:
    """The tokens are themselves in the notation that they are folded to."""
    found = tokens("\n".join(texts))

    assert tokens("\n".join(found)) == found


@given(_SENTENCES)
def test_sentences_are_folded_one_by_one_or_together(texts: list[str]) -> None:
    """A claim of several sentences has the tokens of each in turn."""
    ended = [text.rstrip(".") + "." for text in texts if not text.startswith("- ")]

    assert tokens(" ".join(ended)) == tuple(token for text in ended for token in tokens(text))


@given(st.integers(0, 10**12))
def test_digits_keep_their_value(value: int) -> None:
    """With and without grouping."""
    assert (
        tokens(f"It holds {value:,} seeds.")
        == tokens(f"It holds {value} seeds.")
        == ("it", "holds", str(value), "seeds")
    )


@given(st.integers(1, 10**6), st.integers(0, 99))
def test_decimals_keep_their_digits(whole: int, part: int) -> None:
    """And their number."""
    assert tokens(f"It is {whole}.{part:02} wide") == ("it", "is", f"{whole}.{part:02}", "wide")


@given(
    st.sampled_from("two five seven nine".split()),
    st.sampled_from(["", " hundred", " hundred and forty-two", " thousand", " million", " thousand and six"]),
)
def test_words_keep_their_value(small: str, scale: str) -> None:
    """The token is what the words spell."""
    written = f"{small}{scale}"

    assert tokens(f"It holds {written} seeds.")[2] == f"{spelled(written).low:f}"


@given(st.sampled_from([text for pair in SAME + DIFFERENT for text in pair]), st.data())
def test_a_denial_more_or_less_is_never_the_same(text: str, data: st.DataObject) -> None:
    """Wherever "not", "no" or "never" is put in, and so wherever one is left out."""
    places = [found.start() for found in re.finditer(r"(?<=\s)(?=\w)", text)]
    at = data.draw(st.sampled_from([0, *places]))
    cue = data.draw(st.sampled_from(["not ", "no ", "never "]))

    assert tokens(text[:at] + cue + text[at:]) != tokens(text)


def test_the_table_of_opposites_is_consistent() -> None:
    """A base is no opposite itself; what a denial turns back is an adjective with a prefix, or its adverb."""
    assert not set(BASE_OF.values()) & set(BASE_OF)
    assert not set(DENIED_BACK.values()) & set(DENIED_BACK)
    assert DENIED_BACK["infrequently"] == "frequently"
    assert DENIED_BACK["unreasonably"] == "reasonably"
    assert DENIED_BACK["unrealistically"] == "realistically"
    assert "disagree" not in DENIED_BACK
    assert "uncle" not in DENIED_BACK


@pytest.mark.parametrize(("one", "other"), SAME)
def test_no_comparer_objects_to_another_notation(one: str, other: str) -> None:
    """A statement supported as a copy is not vetoed, either way round."""
    compared = [
        found
        for module in plugins.load_all(qualifiers)
        for claim, evidence in ((one, other), (other, one))
        for found in module.compare(claim, evidence)
    ]

    assert [found for found in compared if found.agrees is False] == []
