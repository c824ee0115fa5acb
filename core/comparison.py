"""Two or more judges on the same claims, and on no others: what changed, and whether it is more than chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from core import comparison_side, paired_gold
from core.comparison_side import Side, score
from core.errors import InputError
from core.metrics import Measure, holm, paired_difference, stuart_maxwell
from core.metrics.confusion import UNJUDGED, in_order
from core.metrics.paired_test import PairedTest
from core.metrics.unsupported_rate import Strictness
from core.models import Label, Record
from core.paired_gold import Golds, GoldTest
from core.people import Person
from core.store import Store
from core.store.comparisons import Said, SameClaim
from core.store.records import ClaimFilter


class Change(Record):
    """One cell of the transition matrix."""

    first: str
    second: str
    """Labels; ``none`` without a conclusion."""
    n: int
    changed: bool
    wanted: ClaimFilter
    """Exactly its claims."""


class Pairing(Record):
    """Two judges on the same claims."""

    first: str
    second: str
    n: int
    changed: int
    """Claims whose label differs."""
    changes: tuple[Change, ...]
    """What changed first, the most frequent first; then what stayed."""
    first_only: int
    second_only: int
    """Claims that only one of them makes unsupported, of those that both concluded on."""
    difference: Measure
    """The second's unsupported share minus the first's, of the claims that both concluded on."""
    labels: PairedTest
    """Stuart–Maxwell over all labels, "none" included."""
    labels_p_holm: float | None
    gold: GoldTest | None
    gold_why_not: str
    sentence: str


class Comparison(Record):
    """Judges on the same claims."""

    strictness: str
    n: int
    requests: int
    gold_id: str | None
    sides: tuple[Side, ...]
    """In the order asked for."""
    pairs: tuple[Pairing, ...]
    """Every pair, the earlier one first."""
    left_out: dict[str, int]
    """Per protocol, claims that it judged and not all of the others did."""


def compare(
    store: Store,
    protocols: Sequence[str],
    wanted: ClaimFilter | None = None,
    gold_id: str | None = None,
    strictness: Strictness = "strict",
    shared: bool = False,
    seed: int = 0,
    reader: Person | None = None,
) -> Comparison:
    """Compare judges on the claims that all of them judged.

    Args:
        store: Where the verdicts are.
        protocols: Two or more, as printed.
        wanted: Which claims; what it says of verdicts is said of those of the first protocol.
        gold_id: Gold to hold them against.
        strictness: Which rule makes a claim unsupported.
        shared: Compare on the overlap although the judges judged different claims.
        seed: Of the bootstrap.
        reader: For whose eyes the cells are; figures do not depend on it.

    Raises:
        InputError: Fewer than two protocols, one that judged nothing, or different claims; the message says how many
            would match.
    """
    names = list(dict.fromkeys(protocols))
    if len(names) < 2:
        raise InputError("A comparison needs two protocols or more", "name two; see: citedesk protocols")
    known = {one.name for one in store.protocols()}
    if unknown := [name for name in names if name not in known]:
        raise InputError(
            f"No claim was judged under {unknown[0]!r} in this store", f"choose from: {', '.join(sorted(known))}"
        )
    window = (wanted or ClaimFilter(protocol=names[0])).model_copy(
        update={"protocol": names[0], "reader": None, "attempted_only": True}
    )
    matched = store.comparisons.same_claims(names, _claims_only(window))
    left_out = {name: store.comparisons.judged(name, _claims_only(window)) - len(matched) for name in names}
    _refuse_unmatched(names, left_out, len(matched), shared)
    claims = matched if window == _claims_only(window) else store.comparisons.same_claims(names, window)
    golds = paired_gold.golds(store, gold_id)
    pairs = [_pairing(names, pair, claims, window, golds, strictness, seed, reader) for pair in combinations(names, 2)]
    return Comparison(
        strictness=strictness,
        n=len(claims),
        requests=len({one.request_uid for one in claims}),
        gold_id=gold_id,
        sides=tuple(comparison_side.side(store, name, claims, at, strictness) for at, name in enumerate(names)),
        pairs=tuple(_holm(pairs)),
        left_out=left_out,
    )


def _claims_only(window: ClaimFilter) -> ClaimFilter:
    """The filter without what it says of verdicts."""
    nothing = {"labels": (), "flags": (), "structural": (), "unsupported": None, "failures": (), "beside": ()}
    return window.model_copy(update=nothing)


def _refuse_unmatched(names: Sequence[str], left_out: dict[str, int], n: int, shared: bool) -> None:
    if not n:
        raise InputError(
            f"{_listed(names)} have no claim in common",
            "judge the same answers with both: citedesk verify --verifier …",
        )
    if not shared and any(left_out.values()):
        counts = _listed([f"{name} judged {n + left_out[name]:,}" for name in names])
        raise InputError(
            f"The judges judged different claims ({counts}); {n:,} are the same",
            f"compare on these {n:,} with --shared, or judge the rest",
        )


def _pairing(
    names: Sequence[str],
    pair: tuple[str, str],
    claims: Sequence[SameClaim],
    window: ClaimFilter,
    golds: Golds | None,
    strictness: Strictness,
    seed: int,
    reader: Person | None,
) -> Pairing:
    one, other = (names.index(name) for name in pair)
    moves = Counter((_word(claim.said[one]), _word(claim.said[other])) for claim in claims)
    scores = [{claim.claim_uid: score(claim.said[at], strictness) for claim in claims} for at in (one, other)]
    clusters = {claim.claim_uid: claim.request_uid for claim in claims}
    found = paired_difference.estimate(scores[0], scores[1], clusters, seed)
    both = [(scores[0][uid], scores[1][uid]) for uid in found.shared]
    gold = None if golds is None else paired_gold.measure(scores, golds, strictness)
    changes = [_change(move, n, names, pair, window, reader) for move, n in moves.items()]
    return Pairing(
        first=pair[0],
        second=pair[1],
        n=len(claims),
        changed=sum(one.n for one in changes if one.changed),
        changes=tuple(sorted(changes, key=lambda one: (not one.changed, -one.n, one.first, one.second))),
        first_only=both.count((1.0, 0.0)),
        second_only=both.count((0.0, 1.0)),
        difference=Measure.model_validate(found.model_dump(include=set(Measure.model_fields))),
        labels=stuart_maxwell.test(move for move, n in moves.items() for _ in range(n)),
        labels_p_holm=None,
        gold=gold,
        gold_why_not=paired_gold.why_not(golds, gold),
        sentence=_sentence(pair, found, len(claims)),
    )


def _change(
    move: tuple[str, str],
    n: int,
    names: Sequence[str],
    pair: tuple[str, str],
    window: ClaimFilter,
    reader: Person | None,
) -> Change:
    of = dict(zip(pair, ((_label(word),) for word in move), strict=True))
    wanted = window.model_copy(
        update={
            "labels": of.get(names[0], window.labels),
            "beside": tuple((name, of.get(name, ())) for name in names[1:]),
            "reader": reader,
        }
    )
    return Change(first=move[0], second=move[1], n=n, changed=move[0] != move[1], wanted=wanted)


def _holm(pairs: Sequence[Pairing]) -> Iterable[Pairing]:
    """Correct the p-values of more than one pair."""
    if len(pairs) < 2:
        return pairs
    labels = holm.adjust([one.labels.p for one in pairs])
    golds = holm.adjust([one.gold.test.p if one.gold else None for one in pairs])
    return [
        one.model_copy(
            update={"labels_p_holm": p, "gold": one.gold and one.gold.model_copy(update={"p_holm": of_gold})}
        )
        for one, p, of_gold in zip(pairs, labels, golds, strict=True)
    ]


def _word(said: Said) -> str:
    return str(said.label or UNJUDGED)


def _label(word: str) -> Label | None:
    return None if word == UNJUDGED else Label(word)


def _sentence(pair: tuple[str, str], found: Measure, n: int) -> str:
    if found.estimate is None or found.low is None or found.high is None:
        return f"{pair[0]} and {pair[1]} both concluded on none of these {n:,} claims."
    low, high = round(100 * found.low), round(100 * found.high)
    on = f"On the same {n:,} claims {pair[1]} calls"
    if low > 0 or high < 0:
        less, more = sorted((abs(low), abs(high)))
        return f"{on} {less} to {more} of 100 claims {'more' if low > 0 else 'fewer'} unsupported than {pair[0]}."
    return (
        f"{on} between {-low} of 100 fewer and {high} of 100 more claims unsupported than {pair[0]}: "
        "no difference can be told."
    )


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def labels_in_order(pairing: Pairing) -> list[str]:
    """The labels of a transition matrix, in the order of the labels."""
    return in_order({word for one in pairing.changes for word in (one.first, one.second)})
