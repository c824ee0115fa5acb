"""Inside a reason: which words failing claims share, and which claims are like each other.

Words are compared with those of passing claims (``core.metrics.log_odds``); claims by the vectors of an embedder.
Nothing here is drawn by chance: the same store gives the same groups and the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.failures import failing, reason_words
from core.inference import Floats
from core.metrics import log_odds
from core.metrics.unsupported_rate import UNSUPPORTED
from core.models import Label, Record
from core.retrieval import EMBED_AT_ONCE, Embeds
from core.store import Store
from core.store.claim_vectors import ClaimText
from core.store.records import ClaimFilter
from core.store.slices import ClaimWords
from core.words import STOP_WORDS

SAMPLE = 5_000
"""Claims of a side whose words are compared, at most."""

NEIGHBOURS = 500
"""Claims that are put in order, at most."""

LIKE = 2_000
"""Claims that one is compared with, at most."""

GROUPS = 10
"""Groups of a reason, at most."""

SIGNIFICANT = 1.96
FEWEST = 3
"""Claims of a group at least."""

COVERED = 0.8
"""A group whose claims are in earlier ones to this share says nothing new."""

Progress = Callable[[int, int], None]


class FailureGroup(Record):
    """Failing claims of one reason that share words which passing claims have less often."""

    reason: str
    """The code."""
    terms: tuple[str, ...]
    """One or two words, the more typical one first."""
    claims: int
    z: float
    """Of the first word against passing claims, in standard errors."""
    wanted: ClaimFilter
    """Exactly its claims."""

    @property
    def name(self) -> str:
        """Reason, words and number, before anybody gives it another name."""
        return f"{reason_words(self.reason)} · {' + '.join(self.terms)} · {self.claims:,}"


class GroupReport(Record):
    """The groups of one reason; they may overlap, and need not hold every claim."""

    groups: tuple[FailureGroup, ...]
    """Most claims first."""
    compared: int
    """Failing claims whose words were read."""
    passing: int
    """Passing claims whose words were read."""


class Likeness(Record):
    """A claim and how like another one it is."""

    claim_uid: str
    claim: str
    cosine: float


def groups(store: Store, wanted: ClaimFilter, strictness: str) -> GroupReport:
    """Find the groups of one reason.

    Args:
        store: Where the verdicts are.
        wanted: Which claims, with their reason.
        strictness: ``strict`` or ``lenient``.

    Raises:
        ValueError: The filter names no reason.
    """
    if wanted.reason is None:
        raise ValueError("groups are made inside a reason")
    bad = failing(wanted, strictness)
    passed = tuple(label for label in Label if label not in UNSUPPORTED[strictness] and label is not Label.INACCESSIBLE)
    good = wanted.model_copy(
        update={"reason": None, "labels": passed, "judged_only": True, "unsupported": None, "terms": ()}
    )
    fails, passes = store.slices.sample_words(bad, SAMPLE), store.slices.sample_words(good, SAMPLE)
    pairs = contrasting(fails, passes)
    sizes = store.slices.with_words(bad, [terms for terms, _ in pairs])
    made = [
        FailureGroup(
            reason=wanted.reason, terms=terms, claims=size, z=z, wanted=bad.model_copy(update={"terms": terms})
        )
        for (terms, z), size in zip(pairs, sizes, strict=True)
    ]
    made.sort(key=lambda one: (-one.claims, one.terms))
    return GroupReport(groups=tuple(made), compared=len(fails), passing=len(passes))


def contrasting(fails: Sequence[ClaimWords], passes: Sequence[ClaimWords]) -> list[tuple[tuple[str, ...], float]]:
    """Words, alone or in twos, that failing claims have more often, the most typical first, with their z."""
    of_fails = [_content(one.words) for one in fails]
    here = Counter(word for one in of_fails for word in one)
    there = Counter(word for one in passes for word in _content(one.words))
    odds = [one for one in log_odds.rank(here, there) if one.z >= SIGNIFICANT and here[one.word] >= FEWEST]
    typical = {one.word: one.z for one in odds}
    found: list[tuple[tuple[str, ...], float]] = []
    covered: set[int] = set()
    for word, z in typical.items():
        holding = {at for at, one in enumerate(of_fails) if word in one}
        if len(holding & covered) > COVERED * len(holding):
            continue
        terms = (word, *_partner(word, [of_fails[at] for at in holding], typical))
        found.append((terms, z))
        covered |= {at for at in holding if set(terms) <= of_fails[at]}
        if len(found) == GROUPS:
            break
    return found


def _partner(word: str, holding: Sequence[frozenset[str]], typical: Mapping[str, float]) -> tuple[str, ...]:
    """The other typical word that most of these claims have, when at least half of them and enough claims do."""
    beside = Counter(other for one in holding for other in one if other != word and other in typical)
    best = min(beside.items(), key=lambda item: (-item[1], -typical[item[0]], item[0]), default=None)
    return (best[0],) if best and best[1] >= max(FEWEST, len(holding) / 2) else ()


def _content(words: Sequence[str]) -> frozenset[str]:
    return frozenset(word for word in words if word not in STOP_WORDS and not word.isdigit())


def in_order(store: Store, embedder: Embeds, wanted: ClaimFilter, progress: Progress) -> list[Likeness]:
    """Put the claims of a group so that neighbours are alike, from the most typical one on.

    Each step goes to the claim that is nearest to the last one; ``cosine`` is their likeness, 1 for the first. Of more
    than ``NEIGHBOURS`` claims the same ones are taken always.
    """
    claims = store.claim_vectors.texts(wanted, NEIGHBOURS)
    vectors = _vectors(store, embedder, claims, progress)
    if not claims:
        return []
    at = int(np.argmax(vectors @ vectors.mean(axis=0)))
    order, cosine = [_like(claims[at], 1.0)], vectors @ vectors[at]
    left = np.ones(len(claims), dtype=bool)
    left[at] = False
    while left.any():
        at = int(np.argmax(np.where(left, cosine, -np.inf)))
        order.append(_like(claims[at], float(cosine[at])))
        left[at] = False
        cosine = vectors @ vectors[at]
    return order


def similar(
    store: Store, embedder: Embeds, text: str, wanted: ClaimFilter, progress: Progress, most: int = 20
) -> list[Likeness]:
    """The claims of a filter that are most like a text, the most alike first; equal ones by their id.

    Of more than ``LIKE`` claims the same ones are looked at always.
    """
    claims = store.claim_vectors.texts(wanted, LIKE)
    vectors = _vectors(store, embedder, claims, progress)
    if not claims:
        return []
    cosines = vectors @ embedder.embed([text])[0]
    found = [_like(one, float(cosine)) for one, cosine in zip(claims, cosines, strict=True)]
    return sorted(found, key=lambda one: (-round(one.cosine, 6), one.claim_uid))[:most]


def _like(one: ClaimText, cosine: float) -> Likeness:
    return Likeness(claim_uid=one.claim_uid, claim=one.text, cosine=min(1.0, cosine))


def _vectors(store: Store, embedder: Embeds, claims: Sequence[ClaimText], progress: Progress) -> Floats:
    """A row for each claim; what is not there yet is computed and kept, some at a time."""
    model = embedder.config.digest
    known = store.claim_vectors.find(model, [one.claim_no for one in claims])
    lacking = [one for one in claims if one.claim_no not in known]
    for start in range(0, len(lacking), EMBED_AT_ONCE):
        some = lacking[start : start + EMBED_AT_ONCE]
        made = embedder.embed([one.text for one in some]).astype("<f4")
        new = {one.claim_no: row.tobytes() for one, row in zip(some, made, strict=True)}
        store.claim_vectors.add(model, new)
        known |= new
        progress(start + len(some), len(lacking))
    rows = [np.frombuffer(known[one.claim_no], dtype="<f4") for one in claims]
    return np.asarray(rows, dtype=np.float32).reshape(len(claims), -1 if claims else 0)
