"""Whether a claim and a cited text can be compared at all: what no judge should turn into a score.

Nothing in common is a finding only between two texts that could have something in common.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.failure import Failure
from core.words import STOP_WORDS, Words, words

LATIN = "LATIN"


class Obstacle(NamedTuple):
    """Why a pair cannot be compared."""

    failure: Failure
    reason: str


def obstacle(claim: Words, evidence: Sequence[Words]) -> Obstacle | None:
    """What stands against comparing a claim with the parts of a text; none when they can be compared.

    No word or number on one side, or letters on both but no part in the script of the claim.
    """
    if not claim.content and not claim.numbers:
        return Obstacle(Failure.UNREADABLE, "The claim has no word or number that could be compared")
    if not any(part.content or part.numbers for part in evidence):
        return Obstacle(Failure.UNREADABLE, "The cited text has no word or number that could be compared")
    scripts = {part.script for part in evidence} - {None}
    if claim.script is not None and scripts and claim.script not in scripts:
        return Obstacle(Failure.UNREADABLE, "The cited text is written in another script than the claim")
    return None


_FUNCTION_WORDS = {
    "German": "der die das des dem den und ist sind wurde wurden nicht eine einer einem einen mit für auf von zu im am "
    "auch sich dass wird werden hat haben nach bei aus als oder über zum zur durch",
    "French": "le la les des du de et est sont une un dans pour que qui sur avec par au aux ne pas cette ces ont été "
    "il elle se plus leur dont où",
    "Spanish": "el la los las de del y es son una un en para que por con se su no al lo como más fue este esta ha han "
    "pero sus entre cuando",
    "Italian": "il lo la gli le di del della dei delle e è sono una un in per che con si non al alla nel nella da dal "
    "come più ha hanno anche",
    "Portuguese": "o a os as de do da dos das e é são uma um em para que por com se não ao na no nas nos como mais foi "
    "ser seu sua pela pelo",
    "Dutch": "de het een en van is zijn werd niet met voor op te dat die aan er door naar bij ook uit wordt hebben "
    "heeft maar om deze",
}
_FOREIGN = {language: frozenset(listed.split()) - STOP_WORDS for language, listed in _FUNCTION_WORDS.items()}
_WORD = re.compile(r"[^\W\d_]+")

_LEAST_WORDS = 8
_LEAST_FOUND = 4
_LEAST_SHARE = 0.25
_LEAST_RATIO = 1.5
"""Function words of that language against English ones, some of which ("in", "is") it has too."""
_SAMPLE = 4000


def not_english(claim: str, evidence: str) -> Obstacle | None:
    """What stands against a judge that reads English only: a claim in another script, or a text in another language.

    Short texts in another language of the Latin script are not noticed (``other_language``).
    """
    if words(claim).script not in (None, LATIN):
        return Obstacle(Failure.UNREADABLE, "The claim is in a script that this judge does not read; it reads English")
    for what, text in (("claim", claim), ("cited text", evidence)):
        if language := other_language(text):
            return Obstacle(Failure.UNREADABLE, f"The {what} is in {language}; this judge reads English")
    return None


def other_language(text: str) -> str | None:
    """The language of a text in Latin script that is plainly not English, by its function words; else none.

    Meant to raise few false alarms: it says nothing of fewer than eight words, of a language it has no list for, or of
    a text that has English function words too. It looks at the first 4,000 code points.
    """
    found = [word.casefold() for word in _WORD.findall(text[:_SAMPLE])]
    if len(found) < _LEAST_WORDS:
        return None
    english = sum(word in STOP_WORDS for word in found)
    counts = {language: sum(word in listed for word in found) for language, listed in _FOREIGN.items()}
    language = max(counts, key=lambda name: counts[name])
    most = counts[language]
    return language if most >= max(_LEAST_FOUND, _LEAST_SHARE * len(found)) and most > _LEAST_RATIO * english else None
