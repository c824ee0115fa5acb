"""Is this the work that is meant? What an answer says of a work against what a registry says, field by field.

The rules are those that accuse least: a field is compared only where both sides have it, spellings are folded, and two
works are called different only when their titles are far apart and nothing else speaks for the match.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

from core.models import Record
from core.references import Field, Matches, Notice, Reference

SAME_TITLE = 0.90
"""Likeness of two titles from which they are the same."""
OTHER_TITLE = 0.60
"""Likeness below which they are of two works."""
SAME_NAME = 0.85
"""Likeness of two family names from which they are the same: one letter in seven."""
YEARS_APART = 1
"""Print, online and preprint of one work differ by so much."""

_TAG = re.compile(r"<[^<>]{1,200}>")
_MATH = re.compile(r"<(?:mml:)?math\b.*?</(?:mml:)?math>", re.S)
_PREFIX = re.compile(
    r"^\W*(?:retracted(?: article)?|withdrawn(?: article)?|retraction(?: note)?|erratum|corrigendum|"
    r"expression of concern)\s*[:.\]-]+\s*",
    re.I,
)
_SUFFIX = re.compile(
    r"\s*[\[(](?:retracted(?: article)?|withdrawn|preprint|v\d+|abstract|internet|online)[^\])]*[\])]\s*$", re.I
)
_ACCENT = re.compile(r"\{?\\[`'^\"~=.uvHtcdbrk]\s*\{?\\?([A-Za-z])\}?\}?")
_LETTER = re.compile(r"\\(ss|ae|oe|aa|o|l|i|j)\b\s*(?:\{\})?", re.I)
_LETTERS = {"ss": "ß", "ae": "æ", "oe": "œ", "aa": "å", "o": "ø", "l": "ł", "i": "i", "j": "j"}
_UNFOLDED = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "&": " and "}
)
_NUMERAL = re.compile(r"\b(?:\d+|i{1,3}|iv|vi{0,3}|ix|xi{0,2})\b")
_ROMAN = {
    "i": "1",
    "ii": "2",
    "iii": "3",
    "iv": "4",
    "v": "5",
    "vi": "6",
    "vii": "7",
    "viii": "8",
    "ix": "9",
    "x": "10",
}
_ET_AL = re.compile(r"[,;]?\s*(?:et\.?\s*al\.?|and others|u\.\s?a\.|等)\s*$", re.I)
_TITLES = re.compile(r"\b(?:dr|prof|sir|jr|sr|iii|md|phd)\b\.?", re.I)


class Author(Record):
    """One author as a registry writes them."""

    family: str = ""
    given: str = ""
    literal: str = ""
    """The whole name, where it is not taken apart; also of a group."""


class Work(Record):
    """What a registry says of a work."""

    registry: str
    id: str
    title: str = ""
    subtitle: str = ""
    other_titles: tuple[str, ...] = ()
    """In other languages or short."""
    authors: tuple[Author, ...] = ()
    years: tuple[int, ...] = ()
    """Print, online, issued: each is right."""
    venue: str = ""
    kind: str = ""
    abstract: str = ""
    version: int | None = None
    """The latest one, where there are several."""
    notices: tuple[Notice, ...] = ()


class Comparison(Record):
    """How what is said of a work fits what a registry says of it."""

    matches: Matches
    """``OTHER_WORK`` is what one registry says; it takes two of them."""
    differs: tuple[Field, ...] = ()
    compared: tuple[Field, ...] = ()
    title_score: float | None = None
    """0 to 1."""


def compare(said: Reference, work: Work) -> Comparison:
    """Compare field by field."""
    fits: dict[Field, bool] = {}
    score = title_score(said.title or "", work)
    if score is not None:
        fits[Field.TITLE] = score >= SAME_TITLE
    shared = _shared(said, work)
    if shared is not None:
        fits[Field.AUTHORS] = shared[0]
    if said.year is not None and work.years:
        fits[Field.YEAR] = min(abs(said.year - year) for year in work.years) <= YEARS_APART
    differs = tuple(field for field, does in fits.items() if not does)
    return Comparison(
        matches=_verdict(fits, score, shared),
        differs=differs,
        compared=tuple(fits),
        title_score=None if score is None else round(score, 3),
    )


def _verdict(fits: dict[Field, bool], score: float | None, shared: tuple[bool, int, int] | None) -> Matches:
    if not fits:
        return Matches.UNKNOWN
    if all(fits.values()):
        return Matches.YES
    by_same_people_then = fits.get(Field.AUTHORS, False) and fits.get(Field.YEAR, False)
    if score is not None and score < OTHER_TITLE and not by_same_people_then:
        return Matches.OTHER_WORK
    strangers = shared is not None and shared[1] == 0 and shared[2] >= 2
    if strangers and not fits.get(Field.TITLE, False):
        return Matches.OTHER_WORK
    return Matches.DIFFERS


def title_score(said: str, work: Work) -> float | None:
    """Likeness of two titles, 0 to 1, by the best way to write the registry's; none when they cannot be compared.

    Titles that differ in a number are different works however alike they are: part 1 is not part 2.
    """
    from rapidfuzz import fuzz

    mine = folded_title(said)
    joined = f"{work.title} {work.subtitle}" if work.subtitle else ""
    theirs = [folded_title(one) for one in (work.title, joined, *work.other_titles) if one]
    theirs = [one for one in theirs if one and _is_latin(one) == _is_latin(mine)]
    if not mine or not theirs:
        return None
    scores = []
    for one in theirs:
        score = fuzz.ratio(mine, one) / 100
        whole = _numerals(mine) == _numerals(one)
        scores.append(score if whole or score < SAME_TITLE else SAME_TITLE - 0.01)
    short = folded_title(said.split(":", 1)[0]) if ":" in said else ""
    if len(short) >= 20 and short in theirs:  # the registry has no subtitle
        scores.append(SAME_TITLE)
    main = folded_title(work.title.split(":", 1)[0])
    if len(mine) >= 20 and ":" in work.title and mine == main:  # the answer leaves it out
        scores.append(SAME_TITLE)
    return max(scores)


@lru_cache(maxsize=2048)
def folded_title(title: str) -> str:
    """A title without mark-up, accents, case and punctuation."""
    text = _MATH.sub(" ", title)
    text = html.unescape(html.unescape(_TAG.sub("", text)))
    text = _without_latex(_TAG.sub("", text))
    text = _SUFFIX.sub("", _PREFIX.sub("", text.strip()))
    return " ".join(re.findall(r"\w+", _plain(text)))


def _without_latex(text: str) -> str:
    if "\\" not in text and "{" not in text and "$" not in text:
        return text
    text = _ACCENT.sub(lambda found: found[1], text)
    text = _LETTER.sub(lambda found: _LETTERS[found[1].lower()], text)
    return re.sub(r"\\[a-zA-Z]+\b|[{}$]", "", text)


def _plain(text: str) -> str:
    """Case, compatibility forms and accents folded; letters that no accent makes are written out."""
    text = unicodedata.normalize("NFKD", text.casefold().translate(_UNFOLDED))
    return "".join(one for one in text if not unicodedata.combining(one)).translate(_UNFOLDED)


def _numerals(folded: str) -> frozenset[str]:
    return frozenset(_ROMAN.get(one, one) for one in _NUMERAL.findall(folded))


def _is_latin(folded: str) -> bool:
    letters = [one for one in folded if one.isalpha()]
    return sum(one.isascii() for one in letters) * 2 >= len(letters)


def _shared(said: Reference, work: Work) -> tuple[bool, int, int] | None:
    """Whether the first author agrees, how many authors agree, and how many are said; none when not comparable."""
    mine = [names for one in said.authors if (names := families(one))]
    theirs = [names for one in work.authors if (names := _of_registry(one))]
    if not mine or not theirs or _is_latin(min(mine[0])) != _is_latin(min(theirs[0])):
        return None
    met = [any(_is_same(one, other) for other in theirs) for one in mine]
    first = _is_same(mine[0], theirs[0]) or (len(theirs[0]) == 1 and _is_group(work.authors[0]) and any(met))
    return first, sum(met), len(mine)


def _is_group(author: Author) -> bool:
    return not author.family and len(author.literal.split()) > 3


def _of_registry(author: Author) -> frozenset[str]:
    """What may be the family name of an author; the given one too, for names are often turned round."""
    if not author.family:
        return families(author.literal)
    given = author.given.split()
    turned = {_name(author.given)} if len(given) == 1 and len(author.given) > 2 else set()
    whole = set() if author.family.isascii() else {_name(author.family + author.given)}  # 王伟 is written in one piece
    return frozenset({_name(author.family), *turned, *whole, *_with_particles(author.family)} - {""})


def families(name: str) -> frozenset[str]:
    """What may be the family name in a name as people write it: ``Family, G.``, ``G. Family``, ``Family G``."""
    name = _TITLES.sub("", _ET_AL.sub("", _without_latex(name))).strip(" ,;.")
    if "," in name:
        family = name.split(",", 1)[0]
        return frozenset({_name(family), *_with_particles(family)} - {""})
    words = [word for word in name.split() if not re.fullmatch(r"(?:[^\W\d_]\.?-?){1,3}", word) or word.islower()]
    words = words or name.split()
    ends = {_name("".join(words[at:])) for at in range(max(0, len(words) - 3), len(words))}
    return frozenset({*ends, _name(words[0]) if words else ""} - {""})


def _with_particles(family: str) -> set[str]:
    """A family name with and without its particles: ``van der Berg`` and ``Berg``."""
    words = family.split()
    return {_name(words[-1])} if len(words) > 1 and words[0].islower() else set()


def _name(text: str) -> str:
    return "".join(re.findall(r"[^\W\d_]+", _plain(text)))


def _is_same(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    from rapidfuzz import fuzz

    if mine & theirs:
        return True
    return any(
        len(one) > 4 and len(other) > 4 and fuzz.ratio(one, other) / 100 >= SAME_NAME
        for one in mine
        for other in theirs
    )
