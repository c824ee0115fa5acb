"""Masking what names a person in a text that leaves the house: e-mail addresses, telephone and IBAN-like numbers.

Letters and digits become ``•`` one by one, so offsets and words stay where they are and the shape still says what was
there. When in doubt a number is masked; dates, years, amounts and decimals are not telephone numbers.
"""

from __future__ import annotations

import re

MASK = "•"

_LETTER = re.compile(r"[^\W_]")
_BLANK = "[ \u00a0\u2009\u202f]"

_EMAIL = re.compile(r"(?<![\w.+%'-])[\w.+%'-]+[@＠](?:[\w-]+\.)+[\w-]*\w", re.UNICODE)

_IBAN = re.compile(
    rf"(?<![A-Za-z0-9])[A-Za-z]{{2}}[0-9]{{2}}(?:[A-Za-z0-9]{{11,30}}|"
    rf"(?:(?:{_BLANK}|-)(?=[A-Za-z0-9]{{0,3}}[0-9]|[A-Z]{{4}})[A-Za-z0-9]{{4}}){{2,7}}"
    rf"(?:(?:{_BLANK}|-)(?=[A-Za-z0-9]{{0,2}}[0-9])[A-Za-z0-9]{{1,3}})?)(?![A-Za-z0-9])"
)
"""Two letters, two check digits, then 11 to 30 characters, in one piece or in groups of four (ISO 13616)."""

_IBAN_DIGITS = 8
"""Fewer digits after the check digits make a code of some other kind."""

_PHONE = re.compile(
    rf"(?<![\w.,/+-])(?:[+＋]{_BLANK}?\d|\(0?\d{{2,5}}\){_BLANK}?\d|0\d|(?=\d{{3}}([-. ])\d{{3}}\1\d{{4}}(?!\w))\d)"
    rf"(?:(?:{_BLANK}|[-./–()]){{0,3}}\d)*(?!\w)"
)
"""With a country code, with an area code in brackets, with a trunk zero, or written 555-123-4567."""

_PHONE_DIGITS = range(8, 16)
"""At most 15 digits make a number (ITU-T E.164); fewer than 8 are read as other figures."""

_DATE = re.compile(r"0?\d[./-]\d{1,2}[./-]\d{2,4}(?!\d)|\d{4}[./-]\d{1,2}[./-]\d{1,2}(?!\d)")


def mask(text: str) -> str:
    """Mask every e-mail address, telephone number and IBAN-like number; the text keeps its length in code points."""
    if "@" in text or "＠" in text:
        text = _EMAIL.sub(_hidden, text)
    text = _IBAN.sub(lambda found: _hidden(found) if _is_iban(found[0]) else found[0], text)
    return _PHONE.sub(lambda found: _hidden(found) if _is_phone(found[0]) else found[0], text)


def _hidden(found: re.Match[str]) -> str:
    return _LETTER.sub(MASK, found[0])


def _is_iban(text: str) -> bool:
    return sum(char.isdigit() for char in text[4:]) >= _IBAN_DIGITS


def _is_phone(text: str) -> bool:
    digits = sum(char.isdigit() for char in text)
    if text[0] in "+＋":
        return digits >= _PHONE_DIGITS.start  # whatever figures follow it, the number is among them
    return digits in _PHONE_DIGITS and not _DATE.match(text)
