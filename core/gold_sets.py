"""Gold sets: claims with gold, how they were drawn, and a sha256 that names exactly what is in one.

There is one per queue and guideline, one per imported file and guideline, one of the sample's hand labels, and one of
what was labelled outside of any queue. The last two are no samples: nobody can say which claims they stand for. A label
counts in every queue that drew its claim, whichever queue it was given in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from core.errors import InputError
from core.gold import is_old
from core.metrics.unsupported_rate import UNSUPPORTED, Strictness
from core.models import Label, MergePolicy, Record, digest
from core.polling import Outcome, Poll, Provenance, State
from core.store import Store
from core.store.gold_records import NOT_SUPPORTED, SAMPLE_LABELLER, GoldFacts, ImportedVote, QueueFacts, Ruling, Vote
from core.store.queue_records import Design

NO_SAMPLE = "not a sample"
"""The design of what nobody drew."""


class GoldClaim(Record):
    """One claim with gold."""

    claim_uid: str
    request_uid: str
    label: Label | None
    """None for coarse gold."""
    coarse: str | None
    """``not_supported`` for coarse gold."""
    unsupported_strict: bool | None
    """None when people found it inaccessible."""
    unsupported_lenient: bool | None
    """None also for coarse gold, which may be "partial"."""
    provenance: Provenance
    labellers: tuple[str, ...]
    """Who labelled any span of it, sorted."""
    guideline: str
    probability: float | None
    """Of being drawn, in (0, 1]; none when nobody knows."""
    stratum: str
    """Of the queue's design; empty outside of one."""
    queue_id: str | None
    stale: bool
    """Whether claim or cited text read otherwise by now."""
    guideline_old: bool
    """Whether there is a newer guideline."""


class GoldSetInfo(Record):
    """What a gold set is, without its claims."""

    gold_id: str
    """``queue:ID:GUIDELINE``, ``file:SHA256:GUIDELINE``, ``sample:GUIDELINE`` or ``outside:GUIDELINE``."""
    title: str
    source: str
    """``queue``, ``file``, ``sample`` or ``outside``."""
    guideline: str
    design: str
    """How its claims were drawn, in the words of ``Design``, or "not a sample"."""
    n: int
    """Claims with gold, stale ones too."""
    complete: bool
    """Whether every claim that was drawn has gold or was found to be none; of no sample never."""
    census: bool
    """Whether every claim of the population was drawn."""
    feeds_rates: bool
    """False for exploration, and where nobody knows how the claims were drawn."""
    population: int | None
    """Claims that it was drawn from; none when nobody knows."""
    nine_labels: bool
    """Whether it tells all nine labels apart; coarse gold has no place in their confusion matrix."""
    not_claims: int
    """Claims that people call none; never gold."""
    disagreements: int
    """Claims whose labellers do not agree."""


class GoldSet(GoldSetInfo):
    """A gold set with its claims, in the order of their uids."""

    claims: tuple[GoldClaim, ...]
    sha256: str
    """Over everything above but the title, in canonical form."""


class _Kind(NamedTuple):
    """What a set of votes is and where its claims come from."""

    gold_id: str
    title: str
    source: str
    guideline: str
    queue: QueueFacts | None = None


def gold_sets(store: Store) -> list[GoldSetInfo]:
    """What gold sets a store has: of queues (without a label yet, too), of loose labels, of imported files."""
    names = set(GoldSetInfo.model_fields)
    return [GoldSetInfo(**one.model_dump(include=names)) for one in made(store.gold.facts())]


def gold_set(store: Store, gold_id: str) -> GoldSet:
    """One gold set as it stands now.

    Raises:
        InputError: There is none of that id.
    """
    facts = store.gold.facts()
    for one in made(facts, gold_id):
        return one
    known = ", ".join(one.gold_id for one in made(facts)) or "none yet"
    raise InputError(f"There is no gold set {gold_id!r} in this store", f"choose one of: {known}")


def made(facts: GoldFacts, gold_id: str | None = None) -> Iterator[GoldSet]:
    """Make every gold set, or only the one of that id."""
    for kind in _kinds(facts):
        if gold_id in (None, kind.gold_id):
            yield _of_votes(facts, kind)
    files: dict[tuple[str, str], list[ImportedVote]] = {}
    for vote in facts.imported:
        files.setdefault((vote.said.origin_sha256, vote.said.guideline), []).append(vote)
    for (sha256, guideline), votes in files.items():
        name = f"file:{sha256[:16]}:{guideline}"
        if gold_id in (None, name):
            yield _of_file(facts, name, votes)


def _kinds(facts: GoldFacts) -> Iterator[_Kind]:
    under: dict[str | None, list[str]] = {}
    hand: dict[str, None] = {}
    loose: dict[str, None] = {}
    for vote in facts.votes:
        if vote.queue_id is not None:
            under.setdefault(vote.queue_id, []).append(vote.guideline)
        else:
            (hand if vote.labeller == SAMPLE_LABELLER else loose)[vote.guideline] = None
    for queue in facts.queues:
        for guideline in dict.fromkeys([queue.guideline, *under.get(queue.queue_id, ())]):
            title = f"{queue.name}, guideline {guideline}"
            yield _Kind(f"queue:{queue.queue_id}:{guideline}", title, "queue", guideline, queue)
    for guideline in hand:
        yield _Kind(f"sample:{guideline}", f"Hand labels of the sample, guideline {guideline}", "sample", guideline)
    for guideline in loose:
        title = f"Labelled outside of any queue, guideline {guideline}"
        yield _Kind(f"outside:{guideline}", title, "outside", guideline)


def _of_votes(facts: GoldFacts, kind: _Kind) -> GoldSet:
    queue_id = kind.queue.queue_id if kind.queue else None
    drawn = {uid: one for (of, uid), one in facts.drawn.items() if of == queue_id and not one.is_check}
    votes = [one for one in facts.votes if _belongs(one, kind, drawn)]
    uids = drawn if kind.queue else dict.fromkeys(one.claim_uid for one in votes)
    rulings = [one for one in facts.rulings if one.guideline == kind.guideline and one.claim_uid in uids]
    outcomes = _outcomes(facts, votes, rulings, {uid: one.wanted for uid, one in drawn.items()}, uids)
    old = is_old(kind.guideline, facts.guidelines)
    claims = [
        GoldClaim(
            claim_uid=uid,
            request_uid=facts.claims[uid].request_uid,
            label=one.label,
            coarse=None,
            unsupported_strict=counts(one.label, "strict"),
            unsupported_lenient=counts(one.label, "lenient"),
            provenance=one.provenance,
            labellers=one.labellers,
            guideline=kind.guideline,
            probability=drawn[uid].probability if uid in drawn else None,
            stratum=drawn[uid].stratum if uid in drawn else "",
            queue_id=queue_id,
            stale=one.stale,
            guideline_old=old,
        )
        for uid, one in outcomes.items()
        if one.state is State.GOLD
    ]
    states = [one.state for one in outcomes.values()]
    settled = len(claims) + states.count(State.NOT_A_CLAIM)
    return _sealed(
        claims,
        gold_id=kind.gold_id,
        title=kind.title,
        source=kind.source,
        guideline=kind.guideline,
        design=kind.queue.design if kind.queue else NO_SAMPLE,
        complete=kind.queue is not None and bool(drawn) and settled == len(drawn),
        census=kind.queue is not None and kind.queue.design is Design.CENSUS,
        feeds_rates=kind.queue is not None and kind.queue.feeds_rates,
        population=kind.queue.population if kind.queue else None,
        not_claims=states.count(State.NOT_A_CLAIM),
        disagreements=states.count(State.DISAGREEMENT),
    )


def _belongs(vote: Vote, kind: _Kind, drawn: Mapping[str, object]) -> bool:
    if vote.guideline != kind.guideline:
        return False
    if kind.queue:
        people = kind.queue.labellers
        return vote.queue_id is not None and vote.claim_uid in drawn and (not people or vote.labeller in people)
    return vote.queue_id is None and (vote.labeller == SAMPLE_LABELLER) == (kind.source == "sample")


def _outcomes(
    facts: GoldFacts, votes: list[Vote], rulings: list[Ruling], wanted: Mapping[str, int], uids: Iterable[str]
) -> dict[str, Outcome]:
    poll = Poll(votes, rulings, {uid: facts.claims[uid].cites for uid in uids}, wanted, MergePolicy.ALL)
    return {uid: poll.claim(uid) for uid in uids}


def _of_file(facts: GoldFacts, name: str, votes: list[ImportedVote]) -> GoldSet:
    of: dict[str, list[ImportedVote]] = {}
    for vote in votes:
        of.setdefault(vote.said.claim_uid, []).append(vote)
    agreed = {uid: each for uid, each in of.items() if len({one.said.label for one in each}) == 1}
    claims = [_imported(facts, uid, each) for uid, each in agreed.items()]
    first = votes[0].said
    requests = {facts.claims[uid].request_uid for uid in of}
    census = all(one.said.design == "census" for one in votes)
    eligible = sum(facts.eligible.get(uid, 0) for uid in requests)
    return _sealed(
        claims,
        gold_id=name,
        title=f"{first.origin}, guideline {first.guideline}",
        source="file",
        guideline=first.guideline,
        design=first.design or NO_SAMPLE,
        complete=bool(first.design) and len(agreed) == len(of) and (not census or len(of) >= eligible),
        census=census,
        feeds_rates=all(one.said.probability is not None for one in votes),
        population=eligible if census else None,
        not_claims=0,
        disagreements=len(of) - len(agreed),
    )


def _imported(facts: GoldFacts, uid: str, votes: list[ImportedVote]) -> GoldClaim:
    said = votes[0].said
    coarse = said.label == NOT_SUPPORTED
    label = None if coarse else Label(said.label)
    return GoldClaim(
        claim_uid=uid,
        request_uid=facts.claims[uid].request_uid,
        label=label,
        coarse=NOT_SUPPORTED if coarse else None,
        unsupported_strict=True if coarse else counts(label, "strict"),
        unsupported_lenient=None if coarse else counts(label, "lenient"),
        provenance=Provenance.IMPORTED,
        labellers=tuple(sorted({one.said.labeller for one in votes})),
        guideline=said.guideline,
        probability=said.probability,
        stratum="",
        queue_id=None,
        stale=any(one.stale for one in votes),
        guideline_old=is_old(said.guideline, facts.guidelines),
    )


def counts(label: Label | None, strictness: Strictness) -> bool | None:
    """Whether a gold label makes a claim unsupported; none without a label, and for what nobody could read."""
    return None if label in (None, Label.INACCESSIBLE) else label in UNSUPPORTED[strictness]


def _sealed(claims: list[GoldClaim], **facts: object) -> GoldSet:
    """Put the claims in their canonical order and name the content."""
    ordered = sorted(claims, key=lambda one: one.claim_uid)
    nine = all(one.coarse is None for one in claims)
    values = {**facts, "n": len(claims), "nine_labels": nine}
    content = {name: value for name, value in values.items() if name != "title"}
    sha256 = digest([content, [one.model_dump(mode="json") for one in ordered]])
    return GoldSet.model_validate({**values, "claims": tuple(ordered), "sha256": sha256})
