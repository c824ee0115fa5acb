"""Names: does the cited text give another name in the same place?

A name of the claim that the text lacks, in whatever form (acronym, surname, possessive, what belongs to a country), is
held against it only when a name that the claim lacks stands there in the same role: after the same words, or before the
same verb, in a sentence that repeats most of the rest. Places are often named at another scale (a city, its country):
of them the rest of the claim must be there almost word for word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from core import countries, wording
from core.models import Label, Qualifier
from core.text import Span
from core.wording import Change, Token
from core.words import STOP_WORDS

VERSION = 1
LABEL = Label.CONTRADICTED

_WORD = r"(?:[^\W\d_a-zß-öø-ÿ][\w.&]*(?:['’-](?!s\b)\w+)*)"
_NAME = re.compile(
    rf"(?<![\w'’-]){_WORD}(?:\s(?:(?:of|the|and|for|de|van|von|der|del|la|le|du|al|bin)\s){{0,2}}{_WORD})*"
)
_DRUG = re.compile(
    r"\b[a-z]{2,}(?:mab|nib|pril|sartan|statin|olol|azole|cillin|mycin|cycline|vir|caine|dipine|formin|gliptin|gliflozin"
    r"|tidine|oxetine|azepam|azolam|parib|glutide|triptan|profen|fenac|setron|floxacin|thiazide|semide|coxib|platin"
    r"|taxel|quine|mectin|zosin|codone|barbital|triptyline|xaban|gatran|parin|aspirin|paracetamol|prednisolone|zumab)\b"
    r"|\b(?:aspirin|paracetamol|acetaminophen|ibuprofen|insulin|heparin|warfarin|morphine|lithium|methotrexate|caffeine)\b"
)
_NO_NAME = STOP_WORDS | frozenset(
    "january february march april may june july august september october november december monday tuesday "
    "wednesday thursday friday saturday sunday sergeant captain colonel general lieutenant major admiral judge "
    "justice senator governor mayor chancellor pope saint father sister brother mother emperor empress prince "
    "princess duke duchess count baron inspector detective director chairman secretary ambassador coach mr mrs ms "
    "dr prof sir lady lord st king queen president minister although unlike bc ad bce ce b.c b.c.e despite "
    "according since while whereas many several however later earlier today yesterday one two three four five six "
    "seven eight nine ten first second third last next another new old man woman person girl boy child i ii iii "
    "iv".split()
)
_GENERIC = frozenset(
    "university institute institution agency organization organisation bank fund company corporation group party "
    "church cathedral street road park hospital school college academy society association federation union "
    "council committee commission court ministry department office museum gallery library river lake mount "
    "mountain island islands bay city county province district award prize medal cup league club team festival "
    "station airport theatre theater international national royal federal north south east west northern southern "
    "eastern western central great grand saint act bill treaty battle war first second world".split()
)
"""Words of many names, by which none is known again."""
_DOES = re.compile(
    r"\s(?:bought|sold|founded|acquired|signed|won|lost|launched|wrote|directed|composed|painted|designed|released|said"
    r"|announced|appointed|sued|hired|fired|beat|defeated|invaded|discovered|invented|published|married|played|sang"
    r"|became|is the|was the|was born|died|resigned|arrested|elected|developed|manufactures|produces|owns|owned)\b"
)
"""What persons and organisations do: after it a word that opens a sentence may be a name."""
_LINKING = frozenset("of the and for de van von der del la le du al bin".split())
_PLACING = frozenset("in at near from around outside across".split())
_DENIED = re.compile(r"n['’]t\b|\b(?:not|never|no|cannot|neither|nor|without)\b", re.IGNORECASE)
_COMMON_ENDINGS = ("s", "ing", "ly", "tion", "ment", "ness", "ity", "ance", "ence", "ed")
"""Endings of words that open a sentence without being names."""
_INITIALS = re.compile(r"(?:\w\.){2,}")
_JOINED = re.compile(r"\sand\s(?:the\s)?")
_SHORT = 3

_OVERLAP, _STRICT_OVERLAP = 0.6, 0.85
_MOST = 60
"""A text with more names than this is a list, in which no name stands in a role."""
_FEWEST = 2
_WIDEST = 6
"""Tokens of a change in which one name can be said to stand for another."""
_SPELLING = 0.75
"""Words at least this alike may be one name in two spellings."""


class _Name(NamedTuple):
    start: int
    end: int
    words: tuple[str, ...]
    """Folded, without titles and linking words."""
    acronym: str
    ordinary: bool
    """It may owe its capital to the beginning of a sentence alone."""

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def telling(self) -> tuple[str, ...]:
        """The words by which the name is known again."""
        return tuple(word for word in self.words if len(word) >= _SHORT and word not in _GENERIC) or self.words


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare every name of the claim, in order; the snippets are exact substrings of what was given."""
    if not wording.comparable(claim, evidence):
        return []
    ours, theirs = wording.read(claim), wording.read(evidence)
    mine, yours = list(_names(claim, evidence, ours)), list(_names(evidence, claim, theirs))
    if max(len(mine), len(yours)) > _MOST:
        return []
    changed = [one for one in wording.changes(claim, evidence) or () if len(one.ours) <= _WIDEST >= len(one.theirs)]
    denied = _DENIED.search(claim) or _DENIED.search(evidence)
    found = []
    for name in mine:
        snippet = claim[name.start : name.end]
        place = _known(name, claim, evidence, theirs, yours)
        if place:
            agrees: bool | None = True
        else:
            like = [one for one in yours if bool(_countries(evidence, one)) == bool(_countries(claim, name))]
            rivals = (
                one
                for one in (() if denied else like)
                if _swapped(name, one, changed)
                or (_same_role(name, one, ours, theirs) and not _known(one, evidence, claim, ours, mine))
            )
            place = next((one.span for one in rivals), None)
            agrees = False if place else None
        if agrees is False or not name.ordinary:
            other = evidence[slice(*place)] if place else None
            found.append(Qualifier(kind="name", claim=snippet, evidence=other, agrees=agrees))
    return found


def _names(text: str, other: str, tokens: Sequence[Token]) -> Iterator[_Name]:
    """The names of a text: words with a capital that the place in the sentence does not explain, and drugs."""
    opening = {tokens[0].start} if tokens else set()
    opening |= {b.start for a, b in pairwise(tokens) if a.sentence != b.sentence or a.word in '"“:'}
    if text.isupper():
        return
    for match in _NAME.finditer(text):
        named = _untitled(match[0].split())
        acronym = "".join(word[0] for word in named if word[0].isupper()).casefold()
        start = match.start()
        for part in _JOINED.split(match[0]):
            name = _name(part, start, acronym, start in opening and _is_ordinary(part, text[start:], other))
            start = text.find(part, start) + len(part)
            start += len(joint[0]) if (joint := _JOINED.match(text, start)) else 0
            if name and not (name.ordinary and (part.endswith(_COMMON_ENDINGS) or not _DOES.match(text, name.end))):
                yield name
    for match in _DRUG.finditer(text):
        yield _Name(match.start(), match.end(), (match[0],), "", ordinary=False)


def _name(part: str, start: int, acronym: str, ordinary: bool) -> _Name | None:
    """A name without the titles before it and the full stop after it; none when nothing is left."""
    words = _untitled(part.split())
    start += len(part) - len(" ".join(words))
    if not words or words[0] in _LINKING:
        return None
    folded = tuple(word.casefold().strip(".") for word in words if word not in _LINKING)
    end = start + len(" ".join(words).rstrip("." if not _INITIALS.fullmatch(words[-1]) else ""))
    return _Name(start, end, folded, acronym, ordinary)


def _untitled(words: Sequence[str]) -> list[str]:
    """Without the titles and articles before a name; *WHO* is none of them."""
    left = list(words)
    while left and left[0].casefold().strip(".") in _NO_NAME and (len(left[0]) == 1 or not left[0].isupper()):
        del left[0]
    return left


def _is_ordinary(word: str, text: str, other: str) -> bool:
    """Whether a word at the beginning of a sentence may owe its capital to that place."""
    if (
        any(char.isupper() or char.isdigit() or char == " " for char in word[1:])
        or countries.find(word)
        or re.match(rf"{re.escape(word)}['’]s\b", text)
    ):
        return False
    within = rf"[^\W_][,;]?\s{re.escape(word)}\b"
    return not re.search(within, text) and not re.search(within, other)


def _known(name: _Name, text: str, other: str, tokens: Sequence[Token], names: Sequence[_Name]) -> Span | None:
    """Where the other text has the name, or a part, an acronym or a relative of it."""
    for word in name.telling:
        ending = r"(?!\w)" if len(word) <= _SHORT else ""
        place = re.search(rf"(?<!\w){re.escape(word)}{ending}", other, re.IGNORECASE)
        if place:
            return place.span()
        stem = wording.stem(_plain(word))
        for token in tokens:
            theirs = _plain(token.word)
            if wording.stem(theirs) == stem or (len(stem) > _SHORT and _related(stem, theirs)):
                return token.start, token.end
    for one in names:
        short = {name.acronym, name.words[0].replace(".", "")} & {one.acronym, one.words[0].replace(".", "")}
        if any(len(each) > 1 for each in short):
            return one.start, one.end
    here = _countries(text, name)
    for country in countries.find(other):
        if any(not countries.apart(country.place, place) for place in here):
            return country.start, country.end
    return None


def _countries(text: str, name: _Name) -> set[str]:
    """The country that a name is; none for a name that only has one in it."""
    here = text[name.start : name.end]
    return {one.place for one in countries.find(here) if (one.start, one.end) == (0, len(here))}


def _plain(word: str) -> str:
    """Without accents."""
    if word.isascii():
        return word
    return "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))


def _related(stem: str, word: str) -> bool:
    """*Norway* and *Norwegian*, *Darwin* and *Darwinian*: alike in all but an ending."""
    shared = min(len(stem), len(word), 5)
    return len(word) > _SHORT and stem[:shared] == word[:shared]


def _same_role(ours: _Name, theirs: _Name, claim: Sequence[Token], evidence: Sequence[Token]) -> bool:
    before, verb, after = _surroundings(ours, claim)
    their_before, their_verb, their_after = _surroundings(theirs, evidence)
    if _one_spelling(ours, theirs):
        return False
    follows = before[:1].isalnum() and before == their_before and _alike(verb, their_verb)
    precedes = not verb and not their_verb and _alike(after, their_after)
    if not follows and not precedes:
        return False
    rest = wording.stems(one for one in claim if not ours.start <= one.start < ours.end)
    sentence = next(one.sentence for one in evidence if one.start >= theirs.start)
    share = wording.coverage(rest, wording.stems(one for one in evidence if one.sentence == sentence))
    strict = ours.ordinary or theirs.ordinary or (follows and before.split()[0] in _PLACING)
    return len(rest) >= _FEWEST + strict and share >= (_STRICT_OVERLAP if strict else _OVERLAP)


def _swapped(ours: _Name, theirs: _Name, changes: Sequence[Change]) -> bool:
    """Whether one name stands where the other stood, in texts that are otherwise nearly the same word for word."""
    return not _one_spelling(ours, theirs) and any(
        any(ours.start <= one.start < ours.end for one in change.ours)
        and any(theirs.start <= one.start < theirs.end for one in change.theirs)
        for change in changes
    )


def _one_spelling(ours: _Name, theirs: _Name) -> bool:
    return any(SequenceMatcher(None, a, b).ratio() >= _SPELLING for a in ours.telling for b in theirs.telling)


def _alike(one: str, other: str) -> bool:
    return bool(one) and bool(other) and wording.akin(one, other)


def _surroundings(name: _Name, tokens: Sequence[Token]) -> tuple[str, str, str]:
    """The word before a name, the last word before it that says something, and the first after it, in its sentence.

    A place with an article is another kind of place: *in the Prado*, *in Madrid*.
    """
    inside = [i for i, one in enumerate(tokens) if name.start <= one.start < name.end]
    if not inside:
        return "", "", ""
    sentence = tokens[inside[0]].sentence
    earlier = [one for one in tokens[: inside[0]] if one.sentence == sentence]
    later = [one for one in tokens[inside[-1] + 1 :] if one.sentence == sentence]
    article = bool(earlier) and earlier[-1].word == "the"
    while earlier and earlier[-1].word in ("the", "a", "an", '"', "“", "dr", ".", "mr", "mrs"):
        earlier = earlier[:-1]
    verb = next((one.stem for one in reversed(earlier) if one.stem), "")
    after = next((one.stem for one in later[:4] if one.stem), "")
    before = earlier[-1].word if earlier else ""
    return (f"{before} the" if article and before in _PLACING else before), verb, after
