"""How far people agree with one another on the claims of a gold set: the ceiling of what a judge can agree with them.

People are compared on whole claims, unsupported or not by the strict rule, as judges are. Claims on which they still
disagree count here although they are no gold; leaving them out would flatter people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.gold_sets import GoldSet, counts
from core.merge import merge
from core.metrics import Measure, gwet_ac1, krippendorff_alpha, raw_agreement
from core.metrics.confusion import NOT_SUPPORTED
from core.metrics.ratings import Agreement, Rated
from core.models import Label, MergePolicy, Record
from core.store.gold_records import GoldFacts, Vote


class HumanAgreement(Record):
    """Agreement of people on the same claims."""

    claims: int
    """Claims that two people or more labelled whole."""
    raw: Measure
    """The share of pairs of people who say the same."""
    ac1: Measure
    alpha: Measure


def of(facts: GoldFacts, gold: GoldSet, seed: int = 0) -> HumanAgreement | None:
    """The agreement on a set's claims; none when nobody labelled a claim that somebody else labelled, too."""
    items = rated(facts, gold)
    if not any(len(one.labels) > 1 for one in items):
        return None
    return HumanAgreement(
        claims=sum(len(one.labels) > 1 for one in items),
        raw=_plain(raw_agreement.estimate(items, seed)),
        ac1=_plain(gwet_ac1.estimate(items, seed)),
        alpha=_plain(krippendorff_alpha.estimate(items, seed)),
    )


def rated(facts: GoldFacts, gold: GoldSet) -> list[Rated]:
    """Each claim of the set, also one in disagreement, with the side that each person took."""
    said = _in_file(facts, gold) if gold.source == "file" else _in_desk(facts, gold)
    return [Rated(list(sides.values()), facts.claims[uid].request_uid) for uid, sides in said.items() if sides]


def _in_file(facts: GoldFacts, gold: GoldSet) -> dict[str, dict[str, str]]:
    origin = gold.gold_id.split(":")[1]
    found: dict[str, dict[str, str]] = {}
    for vote in facts.imported:
        if vote.said.origin_sha256.startswith(origin) and vote.said.guideline == gold.guideline and not vote.stale:
            side = _side(None if vote.said.label == NOT_SUPPORTED else Label(vote.said.label))
            if side is not None:
                found.setdefault(vote.said.claim_uid, {})[vote.said.labeller] = side
    return found


def _in_desk(facts: GoldFacts, gold: GoldSet) -> dict[str, dict[str, str]]:
    queue_id = gold.gold_id.split(":")[1] if gold.source == "queue" else None
    uids = {uid for of, uid in facts.drawn if of == queue_id} if queue_id else {one.claim_uid for one in gold.claims}
    votes: dict[str, dict[str, dict[str | None, Vote]]] = {}
    for vote in facts.votes:
        if vote.guideline == gold.guideline and vote.claim_uid in uids and not vote.stale:
            votes.setdefault(vote.claim_uid, {}).setdefault(vote.labeller, {})[vote.cite] = vote
    sides = {uid: {who: _of_person(facts, uid, said) for who, said in each.items()} for uid, each in votes.items()}
    return {uid: {who: side for who, side in each.items() if side is not None} for uid, each in sides.items()}


def _of_person(facts: GoldFacts, uid: str, said: Mapping[str | None, Vote]) -> str | None:
    """The side that one person's labels of all spans come to; none when some span has no label of theirs."""
    cites: Sequence[str | None] = facts.claims[uid].cites or (None,)
    labels = [said[cite].label if cite in said else None for cite in cites]
    if None in labels:
        return None
    first = labels[0]
    label = first if len(set(labels)) == 1 else merge(labels, MergePolicy.ALL)
    return None if label is None or label is Label.INACCESSIBLE else _side(label)


def _side(label: Label | None) -> str | None:
    """``supported`` or ``not_supported``; none for what nobody could read. No label here is coarse gold."""
    if label is None:
        return NOT_SUPPORTED
    unsupported = counts(label, "strict")
    return None if unsupported is None else NOT_SUPPORTED if unsupported else str(Label.SUPPORTED)


def _plain(found: Agreement) -> Measure:
    return Measure.model_validate(found.model_dump(include=set(Measure.model_fields)))
