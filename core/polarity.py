"""Polarity: which words of a text are denied, and by which cue.

A cue ("not", "no", "without", "failed to", "lack of", un-) denies the word it stands before, not the sentence; two cues
on one word cancel. "Not only", "no fewer than", "no doubt", "not until" and the like deny nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from core import fields, wording
from core.fields import Field
from core.opposites import BASE_OF
from core.wording import Token

_CUES = frozenset(
    "not no never without cannot neither nor none nobody nothing nowhere n't lack lacks lacked lacking unable".split()
)
_PLAIN_CUES = frozenset("not no never cannot".split())
_TO_CUES = frozenset("failed fails fail failing failure refused refuses declined declines".split())
_OF_CUES = frozenset("absence devoid free instead".split())
_THAN_CUES = frozenset(["rather"])
_HARMLESS = {
    "not": "only just merely simply solely least to until because so".split(),
    "no": "fewer less more later earlier sooner matter doubt other better worse wonder one's".split(),
    "nothing": ["but", "more", "less", "other"],
    "none": ["other"],
}
"""What after a cue makes it no denial: *not only*, *no fewer than*, *no doubt*."""
_PARTIAL = frozenset(
    "all every everyone everything always necessarily completely entirely fully wholly solely exclusively both quite "
    "exactly usually only totally purely immediately clear unclear certain sure hardly scarcely barely enough".split()
)
"""What a denial may bear on instead of the predicate."""
TRANSPARENT = frozenset(
    wording.stem(word)
    for word in "found shown known thought believed considered reported seem appear likely able expected proven "
    "demonstrated evidence observed detected seen ever actually any significant sign intend plan try want".split()
)
"""What a denial passes through on its way to the predicate: *was not found to be safe*."""
_SOFT_VERBS = frozenset(
    wording.stem(word)
    for word in "avoid refuse turned stayed prevent ban forbid prohibit deny reject oppose stop cease fail lack lose "
    "decline exclude miss close".split()
)
_SOFT_WORDS = frozenset(
    "rarely seldom hardly scarcely barely few little except despite rather instead only never no neither nor none "
    "nobody nothing without".split()
)
"""What else denies, or denies a whole clause, in ways that are not weighed here: where one of these stands in the
affirming sentence, nothing is settled."""
_UNDONE = re.compile(r"\b(?:until|unless|except|other than|apart from)\b|\bbefore(?=\s+\w)", re.IGNORECASE)
_UNDONE_NOW = re.compile(r"\bbefore\b", re.IGNORECASE)
"""What was never done before may be done now."""
_QUESTION = re.compile(r"\b(?:whether|if|or|or may) not\b", re.IGNORECASE)
_OPPOSITES = {wording.stem(word): wording.stem(base) for word, base in BASE_OF.items()}

_REACH = 6
"""Tokens with content after a cue that belong to what it denies."""


class Polarity:
    """A text with, for each of its tokens, the cues that deny it.

    Tokens are named by their place among ``tokens``.

    Args:
        text: Any text.
    """

    def __init__(self, text: str) -> None:
        """Find the cues and what they deny."""
        self.text = text
        self.tokens = wording.read(text)
        self.cues: dict[int, list[int]] = {}
        self.stems = [_OPPOSITES.get(token.stem, token.stem) for token in self.tokens]
        for index, token in enumerate(self.tokens):
            if token.stem in _OPPOSITES:
                self.cues.setdefault(index, []).append(index)
            if _is_cue(self.text, self.tokens, index):
                for target in _targets(self.tokens, index):
                    self.cues.setdefault(target, []).append(index)
        for field in fields.find(text):
            if field.denies:
                self._deny_field(field)

    def _deny_field(self, field: Field) -> None:
        """*Previous surgery: No* denies the last word of the field."""
        named = fields.head(field, self.tokens)
        answer = bisect_left(self.tokens, field.answer, key=lambda one: one.start)
        if named is not None and answer < len(self.tokens):
            self.cues.setdefault(named, []).append(answer)

    def cued(self, tokens: Sequence[Token]) -> int:
        """How many of some tokens of the text are cues."""
        cues = {cue for each in self.cues.values() for cue in each}
        return sum(one in tokens for one in (self.tokens[cue] for cue in cues))

    def denied(self, index: int) -> bool:
        """Whether an odd number of cues bears on a token."""
        return len(self.cues.get(index, ())) % 2 == 1

    def snippet(self, index: int) -> str:
        """The text from the first cue of a token to the token, or the other way round."""
        places = [self.tokens[i] for i in (*self.cues.get(index, ()), index)]
        return self.text[min(one.start for one in places) : max(one.end for one in places)]

    def clause(self, index: int) -> frozenset[str]:
        """The stems of the clause of a token, negative prefixes cut off."""
        here = self.tokens[index]
        return frozenset(
            stem for token, stem in zip(self.tokens, self.stems, strict=True) if stem and token.clause == here.clause
        )

    def sentence(self, index: int) -> frozenset[str]:
        """The stems of the sentence of a token, negative prefixes cut off."""
        here = self.tokens[index]
        return frozenset(
            stem
            for token, stem in zip(self.tokens, self.stems, strict=True)
            if stem and token.sentence == here.sentence
        )

    def softened(self, index: int) -> bool:
        """Whether another word of the sentence, no cue of this one, denies in a way that is not weighed."""
        here = self.tokens[index]
        cues = self.cues.get(index, ())
        return any(
            is_soft(one)
            for place, one in enumerate(self.tokens)
            if one.sentence == here.sentence and one.stem != here.stem and place not in cues
        )

    def unsettled(self, index: int) -> bool:
        """Whether the clause of a token has a "not" or "never" that was not found to deny it."""
        here = self.tokens[index].clause
        return any(
            one.clause == here and (one.word in _PLAIN_CUES or one.word.endswith("n't"))
            for place, one in enumerate(self.tokens)
            if place not in self.cues.get(index, ())
        )

    def mixed(self, index: int) -> bool:
        """Whether the text itself has the word affirmed and denied."""
        return len({self.denied(i) for i, stem in enumerate(self.stems) if stem and stem == self.stems[index]}) > 1

    def scope(self, index: int) -> frozenset[str]:
        """What the cues of a token deny, itself first."""
        after = [stem for stem in self.stems[index : index + 2 * _REACH] if stem]
        return frozenset(after[:_REACH]) & self.clause(index)


def is_soft(token: Token) -> bool:
    """Whether a word denies in a way that is not weighed: *few*, *without*, *refuse*, *harmless*."""
    return token.word in _SOFT_WORDS or token.stem in _SOFT_VERBS or token.word.endswith("less")


def _is_cue(text: str, tokens: Sequence[Token], index: int) -> bool:
    word = tokens[index].word
    following = tokens[index + 1].word if index + 1 < len(tokens) else ""
    if word in _TO_CUES:
        return following == "to"
    if word in _OF_CUES:
        return following == "of" or (word == "free" and following == "from")
    if word in _THAN_CUES:
        return following == "than"
    if word not in _CUES and not word.endswith("n't"):
        return False
    if word == "no" and following in (",", ".", "", ":"):
        return False  # an answer, not a denial of what comes next
    if following in _HARMLESS.get(word, ()) or following in _PARTIAL:
        return False
    rest = tokens[index + 1 : index + 12]
    end = max((one.end for one in rest if one.sentence == tokens[index].sentence), default=tokens[index].end)
    if _QUESTION.search(text[max(0, tokens[index].start - 12) : tokens[index].end]):
        return False
    rest_of_it = text[tokens[index].end : end]
    return not _UNDONE.search(rest_of_it) and not (word == "never" and _UNDONE_NOW.search(rest_of_it))


def _targets(tokens: Sequence[Token], cue: int) -> list[int]:
    """The words that a cue denies: the first that says something, and what it is transparent to."""
    found: list[int] = []
    clause = tokens[cue].clause
    for index in range(cue + 1, min(len(tokens), cue + 12)):
        token = tokens[index]
        if token.sentence != tokens[cue].sentence or token.word in _PARTIAL:
            break
        if token.clause != clause:
            if token.word in (",", "yet", "however") and index <= cue + 3 and not found:
                clause = token.clause  # "did not, however, rise", "has not yet risen"
                continue
            break
        if (
            not token.stem
            or token.word == "longer"
            or (token.word.endswith("ly") and token.word not in ("likely", "only") and token.stem not in _OPPOSITES)
        ):
            continue
        found.append(index)
        if token.stem not in TRANSPARENT:
            break
    return found
