"""Hedges: does the claim state as a fact what the cited text only holds possible?

The hedge must stand before the predicate that the claim shares, in the sentence that repeats most of the claim, and the
claim must have no reserve of its own anywhere. A hedge about another clause, one that the claim adds, and a statement
that the text makes elsewhere without reserve settle nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from core import wording
from core.models import Label, Qualifier
from core.wording import Token

VERSION = 1
LABEL = Label.PARTIAL

_CUE = re.compile(
    r"""\b(?:(?P<modal>may(?!\s\d)|might|could)(?!\shave\sto\b)
    | (?P<verb>(?:appear|seem)(?:s|ed)?\s(?:to|that)|(?:is|are|was|were|been)\s(?:\w+\s)?
        (?:thought|believed|suspected|assumed|rumou?red|hypothesi[sz]ed|speculated|alleged|presumed|supposed)\s(?:to|that)
        |(?:plan|intend|hope|aim)(?:s|ed)?\sto|(?:is|are|was|were)\s(?:expected|planned|scheduled|likely|predicted)\sto)
    | (?P<adverb>possibly|probably|perhaps|presumably|apparently|allegedly|reportedly|supposedly|potentially|conceivably
        |(?<!more\s)(?<!less\s)(?<!as\s)(?<!how\s)(?<!equally\s)likely(?!\s(?:to|than|that|whether|if)\b))
    | (?P<clause>(?:suggest(?:s|ed|ing)?|hypothesi[sz]ed?|speculate[sd]?|suspect(?:s|ed)?|propose[sd]?|hint(?:s|ed)?)
        \sthat|(?:preliminary|early|tentative|limited|inconclusive|weak)\s(?:\w+\s)?(?:results?|findings|evidence|data|analys[ei]s)
        |it\sis\s(?:possible|likely|conceivable|plausible|thought|believed|rumou?red)\sthat|there\sis\ssome\sevidence
        |(?:possible|likely|unclear|uncertain|unknown|not\s(?:yet\s)?(?:clear|known|certain))\s(?:that|whether|if)|whether))\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OPEN_QUESTION = re.compile(
    r"\b(?:unclear|unknown|uncertain|not (?:yet )?(?:clear|known|certain|settled|established)|open question"
    r"|remains? (?:open|to be (?:seen|shown|determined|established))|disputed|debated|undecided"
    r"|under (?:study|investigation))\b",
    re.IGNORECASE,
)
_MONTH = re.compile(r"May\b(?=\s\d|,|\.|\sand\s[A-Z])|\b(?:in|of|since|until|by|on|\d)\sMay\b")
_PURPOSE = re.compile(r"\b(?:so that|those who|in order that|who|which)\s(?:\w+\s){0,4}\Z", re.IGNORECASE)
"""Before *could*, what makes it an ability or an aim."""
_RESERVE = re.compile(
    r"""\b(?:may|might|could|can|would|should|possib\w+|probabl\w+|likely|unlikely|perhaps|presumabl\w+|apparent\w*
    |alleged\w*|reported\w*|supposed\w*|potential\w*|suggest\w*|appear\w*|seem\w*|believ\w*|thought|think\w*|suspect\w*
    |assum\w*|rumou?r\w*|hypothes\w*|specul\w*|expect\w*|plan\w*|schedul\w*|intend\w*|hop(?:e[sd]?|ing)|aim\w*|predict\w*
    |estimat\w*|preliminar\w*|tentativ\w*|inconclusive|limited|unclear|uncertain\w*|unknown|whether|if|indicat\w*|hints?
    |tend\w*|about|propos\w*|consider\w*|said|claim\w*|according|want\w*|tr(?:y|ie[sd]|ying)|theor\w*|capable|able|in\spart|partly)\b
    | \?""",
    re.IGNORECASE | re.VERBOSE,
)
_CONTRAST = frozenset(["but", "although", "though", "while", "whereas", "however", ";"])

_OVERLAP = 0.6
_FEWEST = 2


class _Hedge(NamedTuple):
    start: int
    end: int
    scope: frozenset[str]
    """Stems that the hedge bears on."""
    predicate: frozenset[str]
    """Those of which the claim must share one."""


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Report the hedge that the claim dropped, or the one that both have; at most one, with exact snippets."""
    if not wording.comparable(claim, evidence) or not _CUE.search(evidence):
        return []
    ours = wording.read(claim)
    stems = wording.stems(ours)
    sentence, share = wording.best_sentence(ours, wording.read(evidence))
    if len(stems) < _FEWEST or share < _OVERLAP:
        return []
    for hedge in _hedges(evidence, sentence):
        if not any(wording.akin(one, other) for one in stems for other in hedge.predicate):
            continue
        snippet = evidence[hedge.start : hedge.end]
        reserve = _RESERVE.search(claim)
        if reserve:
            return [Qualifier(kind="hedge", claim=reserve[0], evidence=snippet, agrees=True)]
        if wording.coverage(stems, hedge.scope) >= _OVERLAP:
            return [Qualifier(kind="hedge", claim=_stated(claim, ours, hedge), evidence=snippet, agrees=False)]
    return []


def _stated(claim: str, ours: Sequence[Token], hedge: _Hedge) -> str:
    """What the claim states: its first word that the hedge bears on, with what follows in the clause."""
    first = next(one for one in ours if any(wording.akin(one.stem, other) for other in hedge.predicate if one.stem))
    last = max(one.end for one in ours if one.clause == first.clause and one.word.isalnum())
    return claim[first.start : last]


def _hedges(evidence: str, sentence: Sequence[Token]) -> list[_Hedge]:
    found = []
    start, end = sentence[0].start, sentence[-1].end
    months = {match.start() for match in _MONTH.finditer(evidence, start, end)}
    for cue in _CUE.finditer(evidence, start, end):
        if cue.start() in months or any(begin <= cue.start() < begin + 12 for begin in months):
            continue
        if cue[0].lower() == "whether" and not _OPEN_QUESTION.search(evidence, start, end):
            continue
        if cue[0].lower() == "could" and _PURPOSE.search(evidence[max(start, cue.start() - 40) : cue.start()]):
            continue
        before, after = _around(sentence, cue)
        content = [one for one in after if one.stem]
        reach = len(content) if cue["clause"] else 1
        predicate = frozenset(one.stem for one in content[: reach + (1 if content and _is_adverb(content[0]) else 0)])
        if predicate & wording.stems(before):
            continue
        scope = predicate | wording.stems(after) | (frozenset() if cue["clause"] else wording.stems(before))
        found.append(_Hedge(cue.start(), cue.end(), scope, predicate))
    return found


def _around(sentence: Sequence[Token], cue: re.Match[str]) -> tuple[list[Token], list[Token]]:
    """The tokens before and after a cue, as far as no contrast parts them from it."""
    before: list[Token] = []
    for one in reversed([one for one in sentence if one.end <= cue.start()]):
        if one.word in _CONTRAST:
            break
        before.append(one)
    after: list[Token] = []
    for one in (one for one in sentence if one.start >= cue.end()):
        if one.word in _CONTRAST:
            break
        after.append(one)
    return before, after


def _is_adverb(token: Token) -> bool:
    return token.word.endswith("ly")
