"""Second-hand statements: does the cited text only repeat what somebody else said or found?

"According to the WHO", "Smith et al. reported that", "earlier studies have shown", "…, officials said" and a reference
after the statement attribute it to another source. A claim that carries an attribution of its own, a sentence in which
the authors speak for themselves ("we found"), and a text that makes the statement elsewhere itself are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core import wording
from core.models import Label, Qualifier
from core.text import Span
from core.wording import Token

VERSION = 1
LABEL = Label.SECONDARY_ONLY

_SAYS = (
    r"(?:said|says?|claim(?:s|ed)?|stat(?:es?|ed)|argu(?:es?|ed)|report(?:s|ed)?|noted|estimat(?:es?|ed)|told|announced|wrote"
    r"|believes?|maintain(?:s|ed)?|insist(?:s|ed)?|alleg(?:es?|ed)|warn(?:s|ed)?|conclude[sd]|assert(?:s|ed)|explain(?:s|ed))"
)
_FINDS = (
    r"(?:found|finds?|show(?:s|ed|n)?|demonstrated|observed|suggest(?:s|ed)?|reveal(?:s|ed)|indicate[sd]?|concluded)"
)
_NAME = r"[A-Z][\w'’&-]*(?:\s(?:of\s|for\s|and\s|the\s|de\s|van\s|et\s)?[A-Z][\w'’&-]*){0,5}"
_AUTHORS = (
    r"[A-Z][\w'’-]+(?:\s(?:and|&)\s[A-Z][\w'’-]+|\set\sal\.?|\sand\scolleagues|\sand\sco-workers)"
    r"(?:\s?[\[(][^\])]{1,40}[\])])?"
)
_OTHERS = (
    r"(?:(?:(?:two|three|four|five|several|some|many|most|former|local|senior|company|government|city|leading)\s){0,3}"
    r"(?:researchers|employees|residents|neighbours|lawyers|colleagues|scientists|experts|officials|analysts|critics"
    r"|authors|investigators|economists|police|witnesses|historians|campaigners|doctors|prosecutors|sources|a\sspokes(?:man|woman|person)|the\s(?:minister|government"
    r"|company|ministry|agency|president|mayor|newspaper|police))(?:\s(?:at|from|for|of|in)\s[^,.;]{2,50})?)"
)
_EARLIER = (
    r"(?:(?:previous|prior|earlier|other|another|several|many|recent|some|numerous|two|three|a|an)\s(?:[\w-]+\s){0,3}"
    r"(?:stud(?:y|ies)|reports?|research|surveys?|reviews?|trials?|analys[ei]s|authors|investigators|article|paper"
    r"|investigation|poll)(?:\s(?:by|of|from|in|at|published)\s(?:the\s|an?\s)?[^,.;]{2,60}?(?!\w))?)"
)
_RULES = (
    r"(?i:article|section|table|figure|fig|rules?|laws?|act|plans?|scale|criteria|guidelines?|protocol|manual|method"
    r"|definition|classification|system|calendar|schedule|article)\b"
)
"""What one goes by rather than what says something."""
_BEFORE = re.compile(
    rf"""\b(?:{_AUTHORS}|(?i:{_EARLIER}))\s(?:ha(?:s|ve|d)\s)?(?:\w+ly\s)?(?:{_SAYS}|{_FINDS})\b
    | \b(?i:{_OTHERS})\s(?:ha(?:s|ve|d)\s)?(?:\w+ly\s)?(?:{_SAYS}\b|{_FINDS}\sthat\b)
    | \b(?:[Tt]he\s)?{_NAME}\s(?:\(\d{{4}}\)\s)?(?:ha(?:s|ve|d)\s)?(?:{_SAYS}|{_FINDS})\sthat\b
    | \b(?i:it\s(?:has\sbeen|was|is)\s(?:\w+ly\s)?(?:reported|claimed|said|alleged|rumou?red)\sthat)\b
    | \b(?:[Hh]e|[Ss]he)\s(?:said|says|claim(?:s|ed)|told\s\w+|argu(?:es|ed)|stated|insist(?:s|ed))\b""",
    re.VERBOSE,
)
"""Attributions that come before what they attribute."""
_AFTER = re.compile(
    rf"""[,”"]\s(?:he|she|{_NAME}|{_OTHERS})\s(?:{_SAYS})\b | [,”"]\s(?:said|says|wrote|reported|told)\s{_NAME}""",
    re.VERBOSE,
)
_EITHER = re.compile(
    rf"""\b(?:is|are|was|were)\s(?:\w+ly\s)?(?:said|reported|claimed|alleged|rumou?red)\sto\b
    | \b(?i:according\sto|as\s(?:reported|stated|noted|described|claimed|estimated|cited|quoted|told)\s(?:by|in|to))\s
        (?:the\s)?(?!{_RULES})(?:{_AUTHORS}|{_NAME}(?!['’\w]|\s(?:\w+\s)?(?:{_RULES}))|{_OTHERS}|(?i:{_EARLIER}))""",
    re.VERBOSE,
)
_REFERENCE = re.compile(
    r"(?<!\d,\s)\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]"
    r"|\((?:e\.g\.,?\s|see\s|cf\.\s)?(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Autumn|Fall|Winter|Since"
    r"|From|Before|After|About|Around|In|On|Until)[a-z]*\b)[A-Z][\w'’-]+(?:\set\sal\.?|\s(?:and|&)\s[A-Z][\w'’-]+)?,?\s\(?(?:19|20)\d\d[a-z]?[^()]*\)"
)
_PATTERNS = (_EITHER, _BEFORE, _AFTER, _REFERENCE)
_MARKER_LENGTH = 8
_OWN = re.compile(
    r"\b(?:we|our|ours|us|I|my|this (?:study|paper|trial|survey|analysis)|the present study|here)\b", re.IGNORECASE
)

_OVERLAP = 0.6
_FEWEST = 3


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Report the attribution under which the text makes the claim's statement; at most one, with exact snippets.

    ``agrees`` is true when the claim attributes it too, false when the claim states it as a fact.
    """
    if not wording.comparable(claim, evidence):
        return []
    ours, theirs = wording.read(claim), wording.read(evidence)
    stems = wording.stems(ours)
    if len(stems) < _FEWEST:
        return []
    sentence, share = wording.best_sentence(ours, theirs)
    if share < _OVERLAP:
        return []
    found = _attribution(evidence, sentence, stems)
    if found is None:
        return []
    place = evidence[slice(*found)]
    own = next((match for pattern in _PATTERNS if (match := pattern.search(claim))), None)
    if own:
        return [Qualifier(kind="secondary", claim=own[0], evidence=place, agrees=True)]
    if _names(claim, place) or _stated_elsewhere(evidence, theirs, sentence, stems):
        return [Qualifier(kind="secondary", claim=claim.strip(), evidence=place, agrees=None)]
    return [Qualifier(kind="secondary", claim=claim.strip(), evidence=place, agrees=False)]


def _attribution(evidence: str, sentence: Sequence[Token], stems: frozenset[str]) -> Span | None:
    """Where a sentence attributes what it repeats of the claim, if it does."""
    start, end = sentence[0].start, sentence[-1].end
    if _OWN.search(evidence, start, end):
        return None
    for pattern in _PATTERNS:
        for match in pattern.finditer(evidence, start, min(len(evidence), end + _MARKER_LENGTH)):
            before = pattern in (_AFTER, _REFERENCE)
            after = pattern is _BEFORE
            part = [
                one
                for one in sentence
                if (not before or one.end <= match.start()) and (not after or one.start >= match.end())
            ]
            if wording.coverage(stems, wording.stems(part)) >= _OVERLAP:
                return match.span()
    return None


def _names(claim: str, attribution: str) -> bool:
    """Whether the claim speaks of the source itself, in whatever words."""
    ours = wording.stems(wording.read(claim))
    return any(one.stem in ours for one in wording.read(attribution) if one.stem and attribution[0].isupper())


def _stated_elsewhere(evidence: str, theirs: Sequence[Token], sentence: Sequence[Token], stems: frozenset[str]) -> bool:
    others = [one for one in wording.sentences(theirs) if one[0].sentence != sentence[0].sentence]
    return any(
        wording.coverage(stems, wording.stems(one)) >= _OVERLAP and _attribution(evidence, one, stems) is None
        for one in others
    )
