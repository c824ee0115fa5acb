"""Negation: does one text deny what the other affirms of the same predicate?

A cue ("not", "no", "without", "failed to", "lack of", un-) denies the word it stands before, not the sentence, and two
cues on one word cancel. The answer of a field ("Previous surgery: No") denies or affirms what the field names. Words
are compared only where both texts say nearly the same around them; where the same word stands affirmed and denied, or
is denied for a part only ("not all", "not necessarily"), nothing is settled.
"""

from __future__ import annotations

from collections.abc import Sequence

from core import fields, wording
from core.fields import Field
from core.models import Label, Qualifier
from core.polarity import TRANSPARENT, Polarity, is_soft
from core.wording import Token

VERSION = 2
LABEL = Label.CONTRADICTED

_CONTRASTS = frozenset(["but", "rather", "instead"])
_OVERLAP = 0.6
"""Least share of the claim's clause that the denying or denied sentence repeats."""
_SCOPE_OVERLAP = 0.6


def compare(claim: str, evidence: str) -> list[Qualifier]:
    """Compare the polarity of every word that one of the texts denies and both have; see the module.

    The snippets run from the cue to the word denied. A denial of the claim that has no counterpart is reported with
    ``agrees`` none.
    """
    if not wording.comparable(claim, evidence):
        return []
    found = fields.find(evidence)
    ours, theirs = Polarity(claim), Polarity(fields.without(evidence, found))
    answered = [one for one in (_answered(ours, evidence, field) for field in found) if one is not None]
    if answered or (not ours.cues and not theirs.cues):
        return answered
    inserted = _inserted(ours, theirs)
    if inserted:
        return [inserted]
    compared = [_qualifier(ours, theirs, index) for index, token in enumerate(ours.tokens) if token.stem]
    return [one for one in compared if one is not None]


def _answered(ours: Polarity, evidence: str, field: Field) -> Qualifier | None:
    """Compare a claim with the answer of a field; none where the claim is not about what the field names."""
    named = fields.said_of(ours.tokens, evidence, field)
    if not named:
        return None
    place = next((at for at in named if at in ours.cues), named[-1])
    agrees: bool | None = ours.denied(place) == field.denies
    if ours.unsettled(place) or (not agrees and (ours.mixed(place) or ours.softened(place))):
        agrees = None
    told = evidence[field.start : field.end]
    return Qualifier(kind="negation", claim=ours.snippet(place), evidence=told, agrees=agrees)


def _inserted(ours: Polarity, theirs: Polarity) -> Qualifier | None:
    """A cue that is all that differs at its place, in texts that are otherwise nearly the same word for word."""
    changes = wording.changes(ours.text, theirs.text) or ()
    cued = [change for change in changes if ours.cued(change.ours) or theirs.cued(change.theirs)]
    others = [one for change in changes if change not in cued for one in (*change.ours, *change.theirs)]
    if len(cued) != 1 or any(one.word in _CONTRASTS or is_soft(one) for one in others):
        return None
    for change in cued:
        here, there = ours.cued(change.ours), theirs.cued(change.theirs)
        stems = wording.stems(change.ours), wording.stems(change.theirs)
        same = wording.coverage(*stems) == wording.coverage(*reversed(stems)) == 1.0
        if here % 2 != there % 2 and same:
            one = _changed(ours.text, change.ours, change.following and change.following[0])
            other = _changed(theirs.text, change.theirs, change.following and change.following[1])
            if one and other:
                return Qualifier(kind="negation", claim=one, evidence=other, agrees=False)
    return None


def _changed(text: str, tokens: Sequence[Token], following: Token | None) -> str:
    """A changed stretch with the word after it, which both texts share."""
    places = [*tokens, *([following] if following else [])]
    return text[places[0].start : places[-1].end] if places else ""


def _qualifier(ours: Polarity, theirs: Polarity, index: int) -> Qualifier | None:
    """Compare one word of the claim with its best counterparts; none where neither text denies it."""
    same = [i for i, stem in enumerate(theirs.stems) if stem and wording.akin(ours.stems[index], stem)]
    if not same:
        if index not in ours.cues or index in ours.cues[index]:
            return None
        return Qualifier(kind="negation", claim=ours.snippet(index), evidence=None, agrees=None)
    if index not in ours.cues and not any(i in theirs.cues for i in same):
        return None
    clause = ours.clause(index)
    rated = {i: len(clause & theirs.clause(i)) for i in same}
    best = [i for i in same if rated[i] == max(rated.values())]
    equal = [i for i in best if theirs.denied(i) == ours.denied(index)]
    place = (equal or best)[0]
    agrees = True if equal else (False if _settled(ours, theirs, index, place) else None)
    return Qualifier(kind="negation", claim=ours.snippet(index), evidence=theirs.snippet(place), agrees=agrees)


def _settled(ours: Polarity, theirs: Polarity, index: int, place: int) -> bool:
    """Whether two words of unlike polarity belong to the same predicate of the same things."""
    if ours.tokens[index].stem in TRANSPARENT or ours.mixed(index) or theirs.mixed(place):
        return False
    if ours.softened(index) or theirs.softened(place):
        return False
    around = wording.coverage(ours.clause(index), theirs.sentence(place))
    scope = ours.scope(index) if ours.denied(index) else theirs.scope(place)
    other = theirs.sentence(place) if ours.denied(index) else frozenset(stem for stem in ours.stems if stem)
    return around >= _OVERLAP and wording.coverage(scope, other) >= _SCOPE_OVERLAP
