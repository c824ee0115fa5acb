"""Making labelling queues: which claims a queue gets under its design, and what is known of each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from core import gold, sampling
from core.errors import InputError
from core.models import Label, Record
from core.sampling import Unit
from core.store import Store
from core.store.queue_records import (
    EVERYTHING,
    Candidate,
    Design,
    Draw,
    DrawnClaim,
    Population,
    Queue,
    QueueSpec,
    Stratum,
)

_EVERY_CLAIM = QueueSpec(name="Every claim", blind=False)
_ALL = "all"
_LEAST = 0.1
"""Size of a claim of which a judge is as sure as can be; the others get this and how unsure it is, up to 1."""

_FAULT = 5.0
"""How much more probably a claim is drawn in which a judge finds fault, or over which two differ."""


class Made(Record):
    """A new queue and what was drawn for it."""

    queue: Queue
    draw: Draw


def everything(store: Store) -> Queue:
    """The standing queue of every claim, made at the first call and filled up with what came since the last one.

    A draw reads the whole store, so one caller draws at a time: who comes meanwhile waits for a queue that is not there
    yet, and else is given it as it stands.
    """
    there = store.queues.find(EVERYTHING)
    if there is not None and not store.queues.has_grown(EVERYTHING):
        return there
    if not store.queues.drawing.acquire(blocking=there is None):
        return store.queues.get(EVERYTHING)
    try:
        queue = store.queues.find(EVERYTHING)
        if queue is None:
            draw = _draw(_EVERY_CLAIM, store.queues.population(_EVERY_CLAIM), None)
            return store.queues.create(_EVERY_CLAIM, draw, "the desk", EVERYTHING)
        if store.queues.has_grown(EVERYTHING):
            population = store.queues.population(queue.spec, EVERYTHING)
            store.queues.draw(EVERYTHING, _draw(queue.spec, population, None), "the desk")
        return store.queues.get(EVERYTHING)
    finally:
        store.queues.drawing.release()


def preview(store: Store, spec: QueueSpec) -> Draw:
    """What a queue would be made of; the same as what it is made of, as long as the store stands.

    Raises:
        InputError: The spec contradicts itself, or its filter holds nothing.
    """
    spec = cleaned(spec)
    _check(spec, [info.name for info in store.protocols()])
    population = store.queues.population(spec)
    if not population.candidates:
        raise InputError(
            "No claim that counts is left under this filter, so there is nothing to label", "widen the filter"
        )
    draw = _draw(spec, population, spec.size)
    checks = _checks(store, spec, {item.claim_uid for item in draw.items})
    missing = spec.checks - len(checks)
    remarks = (f"Only {len(checks)} of {spec.checks} check items: no more claims have gold.",) if missing else ()
    return draw.model_copy(update={"items": (*draw.items, *checks), "remarks": (*draw.remarks, *remarks)})


def make(store: Store, spec: QueueSpec, who: str) -> Made:
    """Make a queue; see ``preview`` for what it raises."""
    draw = preview(store, spec)
    return Made(queue=store.queues.create(cleaned(spec), draw, who), draw=draw)


def top_up(store: Store, queue_id: str, more: int, who: str) -> Draw:
    """Draw more claims into a queue; those that came into the store since have their chance too.

    Claims drawn before stay, and every probability is stated anew, so that all of them together are one sample.

    Args:
        store: Where the queue is.
        queue_id: Which.
        more: Claims to add, at least 1; of no meaning for a census, which takes everything new.
        who: Asks for it.

    Raises:
        InputError: There is no such queue, it is closed, or nothing is left to draw.
    """
    queue = store.queues.get(queue_id)
    if queue.closed:
        raise InputError(f"The queue {queue.name} is closed", "open it first")
    if more < 1 and queue.spec.design is not Design.CENSUS:
        raise InputError(f"{more} claims cannot be added", "ask for 1 or more")
    before = {item.claim_uid for item in store.queues.items(queue_id) if item.check_label is None}
    draw = _draw(queue.spec, store.queues.population(queue.spec, queue_id), len(before) + more, before)
    if not {item.claim_uid for item in draw.items} - before:
        raise InputError(f"The queue {queue.name} has every claim that its filter holds", "widen it in a new queue")
    store.queues.draw(queue_id, draw, who)
    return draw


def margin(draw: Draw) -> float | None:
    """Half the width of the 95 % interval of a share of one half, when all of a draw is labelled; in [0, 1]."""
    chances = [item.probability for item in draw.items if item.check_label is None]
    return sampling.margin(chances, draw.population)


def cleaned(spec: QueueSpec) -> QueueSpec:
    """A spec as it is kept: its filter is nobody's, so that the same claims are drawn whoever makes the queue."""
    filter = spec.filter and spec.filter.model_copy(update={"reader": None, "concealed": False})
    labellers = tuple(dict.fromkeys(name for one in spec.labellers if (name := " ".join(one.split()))))
    return spec.model_copy(update={"filter": filter, "labellers": labellers, "name": " ".join(spec.name.split())})


def _check(spec: QueueSpec, protocols: Sequence[str]) -> None:
    """Refuse a spec that cannot be meant."""
    for is_wrong, what, advice in _faults(spec, protocols):
        if is_wrong:
            raise InputError(what, advice)


def _faults(spec: QueueSpec, protocols: Sequence[str]) -> Iterable[tuple[bool, str, str]]:
    looks = spec.design in (Design.STRATIFIED, Design.UNCERTAINTY, Design.ERROR_SEEKING)
    most = spec.overlap + (spec.double_share > 0)
    judges = [name for name in (spec.filter and spec.filter.protocol, spec.other_protocol) if name]
    unknown = [name for name in judges if name not in protocols]
    yield not spec.name.strip(), "The queue has no name", "give it one that its labellers understand"
    yield (
        (spec.size is None) != (spec.design is Design.CENSUS),
        "A census takes every claim, and every other design needs the number of claims wanted",
        "give a size, or choose the census without one",
    )
    yield (
        (spec.stratum is None) == (spec.design is Design.STRATIFIED),
        "The stratified design, and it alone, needs to know what strata are made of",
        f"choose one of: {', '.join(Stratum)}",
    )
    yield (
        looks and spec.filter is None,
        f"The design {spec.design} looks at verdicts, and no judge is named",
        "name the judge whose verdicts count",
    )
    yield (
        spec.stratum is Stratum.DISAGREEMENT and not spec.other_protocol,
        "Strata by disagreement need a second judge",
        "name the judge to compare with",
    )
    yield bool(unknown), f"No judge called {next(iter(unknown), '')} has verdicts in this store", "choose another"
    yield (
        0 < len(spec.labellers) < most,
        f"{most} people shall label the same claim, and only {len(spec.labellers)} may",
        "name more labellers, or want fewer",
    )


def _draw(spec: QueueSpec, population: Population, size: int | None, before: Iterable[str] = ()) -> Draw:
    """What a design takes from a population when so many are wanted in all; all of them without a size."""
    stratum = _STRATA[spec.stratum] if spec.stratum else _whole
    weight = _SIZES.get(spec.design, _equal)
    units = [Unit(one.claim_uid, stratum(one), weight(one), one.wave) for one in population.candidates]
    by_uid = {unit.claim_uid: unit for unit in units}
    wanted = len(units) if size is None or spec.design is Design.CENSUS else size
    earlier = frozenset(before)
    chances = sampling.draw(units, wanted, spec.seed, drawn=earlier, equal_strata=spec.design is Design.STRATIFIED)
    return Draw(
        items=tuple(_item(spec, by_uid[uid], chance) for uid, chance in chances.items()),
        population=len(units),
        newest=population.newest,
        strata=sampling.strata_of(units, chances),
        remarks=tuple(_remarks(spec, wanted, len(units), len(chances), len(earlier - by_uid.keys()))),
    )


def _item(spec: QueueSpec, unit: Unit, chance: float) -> DrawnClaim:
    uid = unit.claim_uid
    return DrawnClaim(
        claim_uid=uid,
        place=sampling.place(spec.seed, uid),
        probability=chance,
        stratum=unit.stratum,
        wanted=spec.overlap + sampling.is_double(spec.seed, uid, spec.double_share),
    )


def _remarks(spec: QueueSpec, wanted: int, there: int, taken: int, gone: int) -> Iterable[str]:
    if wanted > there:
        yield f"The filter holds {there:,} claims, not {wanted:,}: all are taken, each with probability 1."
    if taken > min(wanted, there):
        yield f"{taken:,} claims are taken, for at least one of every stratum has to be, and what was drawn stays."
    if gone:
        yield f"{gone:,} claims drawn earlier are no longer under the filter; they stay in the queue as they were."
    if not spec.feeds_rates:
        yield "For exploration only: its labels never become part of a rate."


def _checks(store: Store, spec: QueueSpec, drawn: set[str]) -> tuple[DrawnClaim, ...]:
    """Check items: claims outside the sample with gold that is not stale, those with the smallest numbers."""
    if not spec.checks:
        return ()
    known = {
        claim.claim_uid: dict(zip(claim.cites or ("",), claim.labels, strict=True))
        for claim in gold.of(store, spec.guideline).claims()
        if claim.claim_uid not in drawn
    }
    chosen = sorted(known, key=lambda uid: sampling.number(spec.seed, uid, "check"))[: spec.checks]
    return tuple(
        DrawnClaim(
            claim_uid=uid,
            place=sampling.place(spec.seed, uid),
            probability=1.0,
            stratum="check",
            wanted=spec.overlap,
            check_label=known[uid],
        )
        for uid in chosen
    )


def _whole(one: Candidate) -> str:
    return _ALL


def _equal(one: Candidate) -> float:
    return 1.0


def _verdict(one: Candidate) -> str:
    if one.label in (None, Label.INACCESSIBLE):
        return "not judged"
    return "unsupported" if one.unsupported else "supported"


def _disagreement(one: Candidate) -> str:
    if one.label is None or one.other_label is None:
        return "not judged twice"
    return "judges agree" if one.label is one.other_label else "judges differ"


_STRATA: Mapping[Stratum, Callable[[Candidate], str]] = {
    Stratum.VERDICT: _verdict,
    Stratum.LABEL: lambda one: one.label or "none",
    Stratum.DISAGREEMENT: _disagreement,
    Stratum.FLAG: lambda one: next(iter(one.flags), "no flag"),
}


def _unsureness(one: Candidate) -> float:
    """Of a claim without a label nothing is known; a label without scores came of a rule, which does not waver."""
    return _LEAST + (1.0 if one.label is None else 1.0 - (1.0 if one.sureness is None else one.sureness))


def _suspicion(one: Candidate) -> float:
    differs = one.other_label is not None and one.other_label is not one.label
    return _FAULT if one.unsupported or one.label is None or differs else 1.0


_SIZES: Mapping[Design, Callable[[Candidate], float]] = {
    Design.UNCERTAINTY: _unsureness,
    Design.ERROR_SEEKING: _suspicion,
}
