"""Words made into their opposites by a prefix, and which of them a denial turns back: *not uncommon* is *common*.

A list, as no rule tells *uncommon* from *uncle* or *inactive* from *intense*. Only adjectives are turned back: who is
not dissatisfied need not be satisfied, and who did not disagree need not have agreed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_ADJECTIVES = {
    "un": "common able aware changed safe successful necessary related usual known affected available popular fair "
    "paid stable suitable authorised authorized reliable inhabited lawful healthy official published pleasant signed "
    "armed opposed acceptable altered clear predictable favourable favorable sustainable damaged harmed injured "
    "involved constitutional treated tested confirmed important",
    "in": "active complete correct accurate effective sufficient adequate consistent eligible visible appropriate "
    "accessible significant frequent capable secure valid soluble",
    "im": "possible perfect mature proper probable permeable",
    "il": "legal legitimate logical literate",
    "ir": "regular relevant reversible responsible",
    "dis": "similar honest",
    "non": "fatal toxic invasive existent essential functional",
    "non-": "fatal toxic invasive existent essential functional compliant infectious resident linear",
}
_OTHERS = {
    "un": "finished resolved approved detected",
    "dis": "agree approve allow qualify continue prove satisfied",
    "non": "profit",
}
_WHOLE_ONLY = {
    "un": "reasonable familiar realistic desirable intentional welcome true equal even limited occupied protected "
    "restricted fit",
    "in": "considerable conceivable compatible dependent expensive efficient flexible formal sensitive substantial "
    "direct",
    "im": "plausible material moderate mobile modest partial precise practical",
    "ir": "rational reconcilable replaceable",
    "dis": "proportionate",
}
"""Adjectives whose base is too often another thing ("material", "direct", "even") to be compared on its own."""


def _prefixed(*tables: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for table in tables:
        for prefix, bases in table.items():
            yield from ((prefix + base, base) for base in bases.split())


def _adverb(adjective: str) -> str:
    """*frequent* → *frequently*, *reasonable* → *reasonably*, *realistic* → *realistically*."""
    if adjective.endswith("le"):
        return adjective[:-1] + "y"
    return adjective + ("ally" if adjective.endswith("ic") else "ly")


BASE_OF = dict(_prefixed(_ADJECTIVES, _OTHERS))
"""Words with such a prefix, with the word that each denies: *disagree* → *agree*."""

DENIED_BACK = dict(_prefixed(_ADJECTIVES, _WHOLE_ONLY)) | {
    _adverb(word): _adverb(base) for word, base in _prefixed(_ADJECTIVES, _WHOLE_ONLY) if not base.endswith("ed")
}
"""Adjectives with such a prefix, and their adverbs, with what their denial comes to: *infrequently* → *frequently*."""
