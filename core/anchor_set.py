"""The anchor set: claims, drawn once, that every judge judges, so that a new judge is not taken for a new product.

Whole answers are drawn, for judging one claim means judging its answer. Where two judges follow each other, both are
shown on the same claims with their paired difference: that much of a step in a chart is the judge's.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from math import ceil

from core.comparison_side import rate, score
from core.errors import InputError
from core.metrics import Measure, paired_difference
from core.metrics.unsupported_rate import RateReport, Strictness
from core.models import Record
from core.store import Store
from core.store.anchors import AnchorSet
from core.store.records import ClaimFilter

SIZE = 200
"""Claims of a set, when nobody says otherwise."""

MOST = 5_000
"""Claims that two judges are compared on where no set was drawn, about: of more, every so many-th answer is taken."""

RUN = "anchor set"
"""What a run is called that judges it."""


class Step(Record):
    """Two judges that follow each other, on claims that both judged."""

    first: str
    second: str
    anchored: bool
    """Whether the claims are those of the anchor set; else whatever both judged."""
    one_in: int = 1
    """Where both judged very many claims: of how many answers one was taken, the same ones each time."""
    n: int
    rates: tuple[RateReport, RateReport]
    """Each judge's own share on these claims."""
    difference: Measure
    """The second's share minus the first's, of the claims that both concluded on."""

    @property
    def claims(self) -> str:
        """Which claims, as ``212 anchor claims``."""
        if self.anchored:
            return f"{self.n:,} anchor claims"
        drawn = f" (from one answer in {self.one_in:,})" if self.one_in > 1 else ""
        return f"{self.n:,} claims that both judged{drawn}"

    @property
    def sentence(self) -> str:
        """What the change of judge alone does to the rate, for a reader who knows no statistics."""
        if not self.n:
            return f"{self.first} and {self.second} judged no claim in common: a step between them says nothing."
        found = self.difference
        if found.estimate is None or found.low is None or found.high is None:
            return f"{self.first} and {self.second} both concluded on none of the {self.claims}."
        low, high = round(100 * found.low), round(100 * found.high)
        on = f"On the same {self.claims} {self.second} calls"
        if low > 0 or high < 0:
            less, more = sorted((abs(low), abs(high)))
            which = "more" if low > 0 else "fewer"
            return f"{on} {less} to {more} of 100 {which} unsupported than {self.first}: that much is the judge's."
        return (
            f"{on} between {-low} of 100 fewer and {high} of 100 more unsupported than {self.first}: "
            "no difference between the judges can be told."
        )


def draw(store: Store, who: str, size: int = SIZE, seed: int = 0) -> AnchorSet:
    """Draw the set, once: where one stands already, it is given as it is.

    Args:
        store: Where the claims are.
        who: By name.
        size: Claims that count to reach; whole answers make it a few more.
        seed: Of the order in which answers are drawn.

    Raises:
        InputError: The size is not positive, or no claim was judged yet.
    """
    if (standing := store.anchors.current()) is not None:
        return standing
    if size < 1:
        raise InputError(f"An anchor set of {size} claims is none", "ask for one claim or more")
    answers = sorted(store.anchors.population(), key=lambda one: one.request_uid)
    random.Random(seed).shuffle(answers)
    drawn: list[str] = []
    for one in answers:
        if len(drawn) < size:
            drawn += one.claim_uids
    if not drawn:
        raise InputError("No claim was judged yet, so none can be drawn", "import answers first")
    store.anchors.keep(drawn, seed, who)
    kept = store.anchors.current()
    assert kept is not None
    return kept


def steps(store: Store, protocols: Sequence[str], strictness: Strictness = "strict", seed: int = 0) -> list[Step]:
    """Each of some protocols with the one that came before it, in the order in which they were first used.

    Args:
        store: Where the verdicts are.
        protocols: As printed.
        strictness: Which rule makes a claim unsupported.
        seed: Of the bootstrap.
    """
    came = enumerate(store.protocol_first_uses().items())
    used = [(first, rank, name) for rank, (name, first) in came if name in protocols and first]
    names = [name for _, _, name in sorted(used)]
    pairs, anchor = list(pairwise(names)), store.anchors.current()
    one_in = 1 if anchor else _one_in(store, pairs)
    return [_step(store, pair, anchor, one_in, strictness, seed) for pair in pairs]


def _one_in(store: Store, pairs: Sequence[tuple[str, str]]) -> int:
    """One for all pairs, so that all are told on the same answers."""
    claims = {one.name: one.claims for one in store.protocols()}
    most = max((min(claims.get(one, 0) for one in pair) for pair in pairs), default=0)
    return max(1, ceil(most / MOST))


def _step(
    store: Store, pair: tuple[str, str], anchor: AnchorSet | None, one_in: int, strictness: Strictness, seed: int
) -> Step:
    window = ClaimFilter(protocol=pair[0], claim_uids=anchor.claim_uids if anchor else None)
    claims = store.comparisons.same_claims(pair, window, one_in)
    scores = [{one.claim_uid: score(one.said[at], strictness) for one in claims} for at in (0, 1)]
    clusters = {one.claim_uid: one.request_uid for one in claims}
    found = paired_difference.estimate(scores[0], scores[1], clusters, seed)
    return Step(
        first=pair[0],
        second=pair[1],
        anchored=anchor is not None,
        one_in=one_in,
        n=len(claims),
        rates=(rate(claims, 0, strictness), rate(claims, 1, strictness)),
        difference=Measure.model_validate(found.model_dump(include=set(Measure.model_fields))),
    )
