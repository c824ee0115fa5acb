"""Raised numbers: ``levels.¹``, ``levels¹,²``, ``levels¹⁻³``, ``<sup>1</sup>``.

An exponent (``m²``, ``10⁶``, ``x²``), a charge (``Cu²⁺``) and a mass number (``²³⁵U``) are none. ``¹²`` is twelve.
"""

from __future__ import annotations

import re

from core.markers import Marker
from core.markers._prose import prose
from core.markers.numbered import expand

EXAMPLE = "<sup>1, 2</sup>"

_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
SIGNS = ("<", *_DIGITS)
_PLAIN = str.maketrans(_DIGITS + "⁻˒", "0123456789-,")
_RAISED = rf"[{_DIGITS}]{{1,3}}"
_MARKER = re.compile(
    rf"(?<=\S)⁽?(?<![{_DIGITS}⁺⁻])(?P<raised>{_RAISED}(?:(?:[,˒]\s?|[⁻–-]){_RAISED})*)⁽?⁾?(?![{_DIGITS}⁺⁻])"
    r"|<sup>\s*(?:<a\b[^<>\n]{0,200}>)?\s*\[?\s*(?P<tagged>\d{1,3}(?:\s*[,–-]\s*\d{1,3})*)\s*\]?\s*"
    r"(?:</a>)?\s*</sup>",
    re.I,
)
_SOME = re.compile(rf"[{_DIGITS}]|<sup>", re.I)
_WORD = re.compile(r"(?:(?P<number>\d)\s?)?(?P<word>[^\W\d_]+)[.,;:!?…)\]\"'”’»*_]*\Z")
_STOPPED = re.compile(r"[.,;:!?…。！？、”’»\"'%]\Z")
_UNITS = frozenset(
    "m cm mm km nm µm μm dm hm ft yd mi in s h ha kg g sec min mol rad bar foot feet inch inches mile miles yard yards "
    "meter metre meters metres kilometer kilometre kilometers kilometres centimeter centimetre centimeters centimetres "
    "sin cos tan log chi eta".split()
)


def find(text: str) -> list[Marker]:
    """Find the markers; ids are the numbers in plain digits."""
    if not _SOME.search(text):
        return []
    text = prose(text)
    markers = []
    for found in _MARKER.finditer(text):
        ids = expand((found["raised"] or found["tagged"]).translate(_PLAIN))
        if ids and (len(ids) > 1 or not _is_exponent(text, found.start())):
            markers.append(Marker(start=found.start(), end=found.end(), ids=ids))
    return markers


def _is_exponent(text: str, start: int) -> bool:
    """Whether what stands before a raised number is raised by it: a unit, a symbol or a number, but no word."""
    before = text[max(0, start - 40) : start]
    if not before or before[-1].isspace():
        return not before.strip()
    word = _WORD.search(before)
    if word is None:
        return not _STOPPED.search(before) or before[-2:-1] in ("", *"+-*/=")
    if _STOPPED.search(before):
        return False
    return len(word["word"]) < 3 or word["word"].casefold() in _UNITS or (before[-1] == ")" and len(word["word"]) < 4)
