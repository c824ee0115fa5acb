"""A text as the comparers of meaning read it: tokens with stems, in clauses and sentences.

No grammar: a clause ends at a mark or at a word that opens another, a stem is a word without its English ending. That
is enough to ask whether two texts speak of the same predicate, and cheap enough to ask for every cited span.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from core.words import STOP_WORDS

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*%?|[^\W\d_]+(?:[-'’][^\W\d_]+)*|[^\w\s]")
_CLAUSE_MARKS = frozenset(',;:.!?()[]–—"“”')
_CLAUSE_WORDS = frozenset(
    "but although though while whereas because however yet unless if which who whose whom whether since and "
    "when".split()
)
_SENTENCE_MARKS = frozenset(".!?;")
_ABBREVIATIONS = frozenset(
    "dr mr mrs ms st prof vs al etc no fig approx jr sr inc ltd co eg ie gen sen rep gov".split()
)
_LIGHT = frozenset(
    "have has had having make makes made making use uses used using thing things way ways lot say says said "
    "many much several various certain however therefore thus moreover furthermore indeed even already still since "
    "within among across along around without whether although though while whereas unless yet two one also become "
    "becomes became cannot never nothing nobody none neither".split()
)
"""Words that, like stop words, say little about a subject."""

_IRREGULAR = (
    "win:won;write:wrote,written;go:went,gone;fall:fell,fallen;rise:rose,risen;grow:grew,grown;lead:led;leave:left;"
    "hold:held;find:found;build:built;begin:began,begun,beginning;come:came;lose:lost;pay:paid;sell:sold;buy:bought;"
    "send:sent;keep:kept;meet:met;speak:spoke,spoken;take:took,taken;give:gave,given;see:saw,seen;know:knew,known;"
    "fight:fought;catch:caught;teach:taught;think:thought;bring:brought;shrink:shrank,shrunk;choose:chose,chosen;"
    "die:died,dying,dies;child:children;man:men;woman:women;person:people;sing:sang,sung;steal:stole,stolen;"
    "drive:drove,driven;break:broke,broken;run:ran;show:shown;draw:drew,drawn;fly:flew,flown;drink:drank,drunk;"
    "feel:felt;sleep:slept;swim:swam;throw:threw,thrown;wear:wore,worn;eat:ate,eaten;lie:lay,lain;mouse:mice;"
    "stand:stood;understand:understood;mean:meant;spend:spent;tell:told;sit:sat;shoot:shot;feed:fed;foot:feet;"
    "study:studies,studied;bear:born,bore;seek:sought;bind:bound;breed:bred;tooth:teeth"
)
_BASE = {
    form: entry.partition(":")[0] for entry in _IRREGULAR.split(";") for form in entry.partition(":")[2].split(",")
}

_PREFIX = 5
_PREFIX_SHARE = 0.65


_LONGEST_TEXT = 6_000
_NEAR = 0.75
_LONGEST = 80
_SHORTEST = 5


class Token(NamedTuple):
    """One word, number or mark of a text."""

    start: int
    end: int
    word: str
    """Folded for comparison: lower case, straight apostrophes."""
    stem: str
    """Without its ending; empty for marks and for words that say little."""
    clause: int
    sentence: int


class Change(NamedTuple):
    """Where one of two texts has other words than the other; either side may be empty."""

    ours: tuple[Token, ...]
    theirs: tuple[Token, ...]
    following: tuple[Token, Token] | None
    """The word of either text with which they go on alike; none at the end."""


def comparable(claim: str, evidence: str) -> bool:
    """Whether both texts are short enough to be compared word by word; a stretch of evidence is a few sentences."""
    return len(claim) <= _LONGEST_TEXT and len(evidence) <= _LONGEST_TEXT


@lru_cache(maxsize=512)
def read(text: str) -> tuple[Token, ...]:
    """Take a text apart; offsets are code points of it, clauses and sentences are counted from 0."""
    tokens: list[Token] = []
    clause = sentence = 0
    found = list(_TOKEN.finditer(text))
    for index, match in enumerate(found):
        word = match.group().casefold().replace("’", "'")
        if word in _CLAUSE_WORDS or word in _CLAUSE_MARKS:
            clause += 1
        tokens.append(Token(match.start(), match.end(), word, _content(word), clause, sentence))
        if word in _SENTENCE_MARKS and _ends_sentence(text, found, index):
            sentence += 1
            clause += 1
    return tuple(tokens)


def _ends_sentence(text: str, found: Sequence[re.Match[str]], index: int) -> bool:
    if found[index].group() != ".":
        return True
    if index and found[index].start() == found[index - 1].end():
        before = found[index - 1].group()
        if (len(before) == 1 and before.isalpha()) or before.casefold() in _ABBREVIATIONS:
            return False
    following = text[found[index].end() : found[index].end() + 3].lstrip("\"”’')")
    return not following or (following[0].isspace() and not following.lstrip()[:1].islower())


def _content(word: str) -> str:
    if not word[0].isalnum() or word in STOP_WORDS or word in _LIGHT or word.endswith("n't"):
        return ""
    return word if word[0].isdigit() else stem(word)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Cut an English ending off a folded word: *raised*, *raises*, *raising* → *rais*; *won* → *win*."""
    word = word.removesuffix("'s").removesuffix("'")
    if word in _BASE:
        word = _BASE[word]
    elif word.endswith(("ies", "ied")) and len(word) > 4:
        word = word[:-3] + "y"
    elif len(word) == 4 and word.endswith("ed") and word[1] != "e":
        word = word[:-1]
    elif word.endswith(("ing", "ed")) and len(word) > 4:
        word = _undoubled(word.removesuffix("ing").removesuffix("ed"))
    elif word.endswith(("ches", "shes", "xes", "sses", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    if word.endswith("ly") and len(word) > 5:
        word = word[:-2]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _undoubled(word: str) -> str:
    if len(word) < 3:
        return word + "e"
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word


def akin(one: str, other: str) -> bool:
    """Whether two stems are of one word: equal, or long enough and alike at their beginning (*infect*, *infection*)."""
    if one == other:
        return True
    if min(len(one), len(other)) < _PREFIX or one[:_PREFIX] != other[:_PREFIX] or one[0].isdigit():
        return False
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= _PREFIX_SHARE * max(len(one), len(other))


def stems(tokens: Iterable[Token]) -> frozenset[str]:
    """The stems of the words that say something."""
    return frozenset(token.stem for token in tokens if token.stem)


def coverage(ours: Collection[str], theirs: Collection[str]) -> float:
    """The share of our stems that theirs repeat, in [0, 1]; 1.0 where we have none."""
    if not ours:
        return 1.0
    return sum(one in theirs or any(akin(one, other) for other in theirs) for one in ours) / len(ours)


def sentences(tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens of each sentence, in order."""
    grouped: dict[int, list[Token]] = {}
    for token in tokens:
        grouped.setdefault(token.sentence, []).append(token)
    return list(grouped.values())


def best_sentence(claim: Iterable[Token], evidence: Sequence[Token]) -> tuple[list[Token], float]:
    """The sentence of the evidence that repeats most of the claim, the first of equals, and the share it repeats."""
    ours = stems(claim)
    rated = [(coverage(ours, stems(one)), one) for one in sentences(evidence)]
    if not rated:
        return [], 0.0
    share, tokens = max(rated, key=lambda pair: pair[0])
    return tokens, share


@lru_cache(maxsize=512)
def changes(claim: str, evidence: str) -> tuple[Change, ...] | None:
    """What differs between a claim and a sentence of the evidence that repeats it nearly word for word.

    None when three quarters of the claim's tokens do not stand there in the same order, or when either is too long or
    too short to say so.
    """
    ours = read(claim)
    theirs, share = best_sentence(ours, read(evidence))
    if share < _NEAR or not _SHORTEST <= len(ours) <= _LONGEST or len(theirs) > _LONGEST:
        return None
    matcher = SequenceMatcher(None, [one.word for one in ours], [one.word for one in theirs], autojunk=False)
    steps = matcher.get_opcodes()
    if sum(end - start for step, start, end, _, _ in steps if step == "equal") < _NEAR * len(ours):
        return None
    return tuple(
        Change(ours[a:b], tuple(theirs[c:d]), (ours[b], theirs[d]) if b < len(ours) and d < len(theirs) else None)
        for step, a, b, c, d in steps
        if step != "equal"
    )
