"""Vendors' offsets → code points: exact for any text, and refused where the stated text says otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.offsets import Located, Offsets, Ruler, Unit

TEXTS = st.text(st.characters(codec=None) | st.sampled_from("é🦔\ufe0f\u200d\ud83d"), max_size=40)


@given(text=TEXTS, unit=st.sampled_from(Unit), data=st.data())
def test_every_place_comes_back(text: str, unit: Unit, data: st.DataObject) -> None:
    """Code points → the vendor's offsets → the same code points, whatever the characters."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    ruler = Ruler(text, unit)

    assert (ruler.code_points(ruler.offset(start)), ruler.code_points(ruler.offset(end))) == (start, end)
    if start < end:
        assert Offsets(text, unit).locate(ruler.offset(start), ruler.offset(end), text[start:end]).span == (start, end)


@given(text=TEXTS)
def test_units_are_those_of_the_encodings(text: str) -> None:
    """A prefix is as long as its encoding."""
    for at in range(len(text) + 1):
        assert Ruler(text, Unit.UTF8_BYTES).offset(at) == len(text[:at].encode("utf-8", "surrogatepass"))
    whole = "".join(char for char in text if not "\ud800" <= char <= "\udfff")
    for at in range(len(whole) + 1):
        assert Ruler(whole, Unit.UTF16_UNITS).offset(at) == len(whole[:at].encode("utf-16-le")) // 2


NUMBERS = st.none() | st.integers(-9, 99)


@given(text=TEXTS, unit=st.sampled_from(Unit), start=NUMBERS, end=NUMBERS, stated=st.none() | st.text(max_size=3))
def test_any_numbers_give_a_span_or_a_reason(
    text: str, unit: Unit, start: int | None, end: int | None, stated: str | None
) -> None:
    """Never a span outside the text, an empty one, or one that holds other words than stated."""
    span, problem = Offsets(text, unit).locate(start, end, stated)

    assert (span is None) == bool(problem)
    if span:
        assert 0 <= span[0] < span[1] <= len(text)
        assert not stated or text[slice(*span)] == stated


def test_bytes_after_an_emoji() -> None:
    """Four bytes of emoji and three of a variation selector are two code points."""
    text = "Ørsted opened 3 parks in 2021 🌬️. Output was 1.2 GW."

    assert Offsets(text, Unit.UTF8_BYTES).locate(40, 58).span == (34, 52)
    assert text[34:52] == "Output was 1.2 GW."


def test_utf16_units_after_emoji() -> None:
    """Three hedgehogs are six units."""
    assert Offsets("🦔🦔🦔 the toll is 3 crowns", Unit.UTF16_UNITS).locate(7, 27).span == (4, 24)


def test_a_place_within_a_character_is_none() -> None:
    """Half an emoji and a third of a sign are no places."""
    assert Ruler("a🦔", Unit.UTF16_UNITS).code_points(2) is None
    assert Ruler("€", Unit.UTF8_BYTES).code_points(1) is None
    assert Offsets("€ 5", Unit.UTF8_BYTES).locate(1, 4) == Located(
        None, "[1, 4) in utf8 bytes is no stretch of the text"
    )


def test_what_is_stated_proves_how_the_vendor_counts() -> None:
    """A zero left out, an end that is the last character, another unit; without proof the first reading stands."""
    offsets = Offsets("🦔 20 beds", Unit.CODE_POINTS, Unit.UTF16_UNITS)

    assert offsets.locate(None, 1).span == (0, 1)
    assert offsets.locate(2, 8, "20 beds").span == (2, 9)
    assert offsets.locate(3, 10, "20 beds").span == (2, 9)
    assert offsets.locate(3, 9).span == (3, 9)


def test_other_words_than_stated_are_no_span() -> None:
    """The indices were made for another text."""
    found = Offsets("Short note. Rents rose 4%.").locate(0, 14, "Rents rose 4%.")

    assert found == Located(None, "span text mismatch: other words stand there than it states")


@pytest.mark.parametrize(("start", "end"), [(2, 2), (3, 1), (0, 99), (-1, 2), (0, None)])
def test_what_is_no_stretch_is_said(start: int, end: int | None) -> None:
    """Empty, backward, beyond the end, before the start, without an end."""
    assert Offsets("a short text").locate(start, end).problem


def test_points() -> None:
    """The start and the end are places too."""
    offsets = Offsets("🦔 hi", Unit.UTF16_UNITS)

    assert [offsets.point(at).span for at in (0, 2, 5)] == [(0, 0), (1, 1), (4, 4)]
    assert [offsets.point(at).problem for at in (1, 6)] == ["1 is no place in the text", "6 is no place in the text"]
    assert offsets.point(None).span is None


def test_a_ruler_has_ends() -> None:
    """Asking for a place outside is a mistake of ours."""
    with pytest.raises(IndexError, match="5 lies outside a text of 2 code points"):
        Ruler("é1", Unit.UTF8_BYTES).offset(5)
