"""Whether a claim and a cited text can be compared at all: what no judge should turn into a score.

Nothing in common is a finding only between two texts that could have something in common.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
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
    "German": "der die das des dem den und ist sind war wurde wurden nicht ein eine einer einem einen mit für auf "
    "von zu im am in an auch sich dass wird werden hat haben nach bei aus als oder über zum zur durch er "
    "sie es um bis kein keine kann so was wie nur noch vor beim vom sein ihre seine diese dieser pro",
    "French": "le la les des du de et est sont une un dans pour que qui sur avec par au aux ne pas cette ces ont "
    "été il elle se plus leur dont où a à en ce son sa ses ou nous vous ils elles mais sans chez",
    "Spanish": "el la los las de del y es son una un en para que por con se su no al lo como más fue este esta ha "
    "han pero sus entre cuando a e o está están fueron desde hasta sin sobre muy",
    "Italian": "il lo la gli le di del della dei delle e è sono una un in per che con si non al alla nel nella da "
    "dal come più ha hanno anche i a o ed alle dalla sul sulla questo questa stato stata fu",
    "Portuguese": "o a os as de do da dos das e é são uma um em para que por com se não ao na no nas nos como mais foi "
    "ser seu sua pela pelo está às ou mas esta este foram até sem",
    "Dutch": "de het een en van is zijn werd niet met voor op te dat die aan er door naar bij ook uit wordt hebben "
    "heeft maar om deze in was als tot hij zij geen kan worden over",
    "Polish": "i w na z do nie się jest są to że o jak po co od za przez dla oraz był była było były jego jej ale "
    "lub ten ta te tego tym we ze który która które może",
    "Swedish": "och i att det som en på är av för med den till inte har ett om var de så från men vid nu ska kan "
    "under eller efter sin man mot hade blev vara",
    "Danish": "og i at det som en på er af for med den til ikke har et om var de så fra men ved nu skal kan under "
    "eller efter sin man mod havde blev være",
    "Norwegian": "og i å det som en på er av for med den til ikke har et om var de så fra men ved nå skal kan under "
    "eller etter sin man mot hadde ble være ei",
    "Finnish": "ja on ei että se oli ovat mutta myös hän kun tai ole jos vain sen joka kuin ne niin mukaan sekä "
    "ollut jälkeen tämä olivat",
    "Czech": "a v na je se že s z do o i k pro ve by jsou za po od jako ale které která který byl byla bylo byly "
    "není nebo jeho jen až",
    "Romanian": "și în de la cu a pe nu o este sunt din care că un pentru se mai au fost prin sau al ale cea cel ca "
    "lui după fi",
    "Hungarian": "a az és nem hogy is egy van volt ez de csak meg már mint vagy el még ki be ha szerint lesz voltak "
    "azt után minden",
    "Turkish": "ve bir bu da de için ile çok olarak daha olan gibi en var ne kadar sonra değil ya ki ise her göre "
    "oldu tarafından",
}
_LISTED = {language: frozenset(listed.split()) for language, listed in _FUNCTION_WORDS.items()}
_LANGUAGES_OF = {
    word: tuple(language for language, listed in _LISTED.items() if word in listed)
    for word in frozenset().union(*_LISTED.values()) - STOP_WORDS
}
_WORD = re.compile(r"[^\W\d_]+")

_LEAST_WORDS = 8
_LEAST_FOUND = 4
_LEAST_SHARE = 0.25
_LEAST_RATIO = 1.5
"""Function words of that language against English ones, some of which ("in", "is") it has too."""
_LEAST_SHARE_ALONE = 0.15
_LEAST_SIGNS = 2
_PARTICLES = frozenset("de la le les du des el los las di da del della van von der den do dos das".split())
"""Parts of names (and of *de novo*) in English texts too, unless a text begins with them."""
_SAMPLE = 4000


def not_english(claim: str, evidence: str, is_known: Callable[[str], bool]) -> Obstacle | None:
    """What stands against a judge that reads English only: a claim in another script, or a text in another language.

    Args:
        claim: The claim.
        evidence: The cited text.
        is_known: Whether the judge knows a word, in small letters, as a whole; asked of few texts only.
    """
    if words(claim).script not in (None, LATIN):
        return Obstacle(Failure.UNREADABLE, "The claim is in a script that this judge does not read; it reads English")
    for what, text in (("claim", claim), ("cited text", evidence)):
        if language := other_language(text, is_known):
            return Obstacle(Failure.UNREADABLE, f"The {what} is in {language}; this judge reads English")
    return None


def other_language(text: str, is_known: Callable[[str], bool]) -> str | None:
    """The language of a text in Latin script that is plainly not English, by its function words; else none.

    Meant to raise few false alarms. A text of eight words or more has many function words of that language and few
    English ones. A shorter one has at least one of them and no English one that the language lacks, and most of its
    words are unknown to a reader of English. Nothing is said of a language without a list. It looks at the first 4,000
    code points.
    """
    written = _WORD.findall(text[:_SAMPLE])
    found = [word.casefold() for word in written]
    counts = Counter(language for word in found for language in _LANGUAGES_OF.get(word, ()))
    if not counts:
        return None
    most = max(counts.values())
    alike = {one: sum(word in _LISTED[one] for word in found) for one, times in counts.items() if times == most}
    language = max(alike, key=lambda one: alike[one])
    named = language if list(alike.values()).count(alike[language]) == 1 else "another language"
    english = [word for word in found if word in STOP_WORDS]
    is_long = len(found) >= _LEAST_WORDS and most >= max(_LEAST_FOUND, _LEAST_SHARE * len(found))
    if is_long and most > _LEAST_RATIO * len(english):
        return named
    if most < _LEAST_SHARE_ALONE * len(found) or any(word not in _LISTED[language] for word in english):
        return None
    telling = [word for at, word in enumerate(found) if word in _LANGUAGES_OF and (at == 0 or word not in _PARTICLES)]
    said = [word for word in written if word.islower() and len(word) > 2 and word not in _LISTED[language]]
    unknown = sum(not word.isascii() or not is_known(word) for word in said)
    is_plain = most + unknown >= _LEAST_SIGNS and (unknown > len(said) - unknown or not said)
    return named if telling and is_plain else None
