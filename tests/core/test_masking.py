"""Masking: persons are hidden, figures stay, and no character moves."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.masking import mask


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Write to jo.doe+x@mail.example.org.", "Write to ••.•••+•@••••.•••••••.•••."),
        ("mailto:a_b@x.de?subject=1", "mailto:•_•@•.••?subject=1"),
        ("Größe: jürgen@büro.example", "Größe: ••••••@••••.•••••••"),
        ("Pay to DE89 3704 0044 0532 0130 00 today", "Pay to •••• •••• •••• •••• •••• •• today"),
        ("gb29nwbk60161331926819", "••••••••••••••••••••••"),
        ("GB29 NWBK 6016 1331 9268 19", "•••• •••• •••• •••• •••• ••"),
        ("NO93 8601 1117 947 is short", "•••• •••• •••• ••• is short"),
        ("Call +49 (0)30 1234-5678.", "Call +•• (•)•• ••••-••••."),
        ("Call +33 1 23 45 67 89, please", "Call +•• • •• •• •• ••, please"),
        ("Tel. 030/1234567", "Tel. •••/•••••••"),
        ("(555) 123-4567 or 555-123-4567", "(•••) •••-•••• or •••-•••-••••"),
        ("+４９ １７０ １２３４５６７", "+•• ••• •••••••"),
    ],
)
def test_persons_are_hidden(text: str, masked: str) -> None:
    """Addresses, accounts and telephone numbers keep their shape and lose their letters and digits."""
    assert mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "In 2024 the toll rose from 1,000,000 to 1 234 567 crowns.",
        "On 2026-11-30 and 01.02.2024, 01/02/2024-05/03/2024.",
        "p = 0.000123456789; ratio 0,12345678; 12:30-14:45",
        "doi 10.5555/12345678 and p4.0-812, offsets 1024-2048",
        "lexical@1+9c1d04aa judged 100 of 250 @ home",
        "A1 paper AB12 CDEF; ISO 13616; EN 50128:2011",
        "Rooms 007, 0123 and 0 1 2 3",
        "@user said #12",
        "Of 12 000 000 people 400-500 were ill, 3-4-5.",
    ],
)
def test_figures_stay(text: str) -> None:
    """Years, dates, amounts, decimals, offsets, protocols and mentions are nobody's number."""
    assert mask(text) == text


@given(st.text(alphabet=st.one_of(st.sampled_from("+()0123456789 -./@aAbZ•,"), st.characters())))
def test_no_character_moves(text: str) -> None:
    """Every character stays where it was, or is a letter or digit that became the mask."""
    masked = mask(text)

    assert len(masked) == len(text)
    assert all(new == old or (new == "•" and old.isalnum()) for old, new in zip(text, masked, strict=True))


@given(st.from_regex(r"[a-z0-9.]{1,20}@([a-z0-9]{1,10}\.){1,3}[a-z]{2,5}", fullmatch=True))
def test_every_address_is_hidden(address: str) -> None:
    """Whatever stands before the @ of an address does not leave the house."""
    assert not any(char.isalnum() for char in mask(f"to {address} now")[3:-4])


@pytest.mark.parametrize("unit", ["0 ", "a.", "1-", "+1 ", "(0", "AB12", "@a.", "0/"])
def test_a_long_text_takes_no_more_than_its_length(unit: str) -> None:
    """No run of look-alikes makes a pattern try again and again."""
    begun = time.process_time()
    mask(unit * 50_000)

    assert time.process_time() - begun < 5
