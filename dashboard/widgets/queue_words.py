"""The words for queues: designs, strata, why nothing is left; each a sentence of ours. No Streamlit here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.store.queue_records import Design, Draw, Pace, Queue, QueueState, Stratum, Unread
from dashboard.widgets import many

DESIGNS: Mapping[Design, tuple[str, str]] = {
    Design.RANDOM: ("Random", "Every claim has the same chance: the plain choice for a rate."),
    Design.CENSUS: ("Every claim", "All of them, in an order that says nothing of the claim; new ones can be added."),
    Design.STRATIFIED: ("Stratified", "As many from each kind of claim, so that rare kinds are seen too."),
    Design.UNCERTAINTY: ("Unsure first", "More probably claims of which the judge was unsure; all have a chance."),
    Design.ERROR_SEEKING: ("Error seeking", "More probably claims with a fault, or over which judges differ."),
}

STRATA: Mapping[Stratum, str] = {
    Stratum.VERDICT: "Verdict: supported, unsupported, not judged",
    Stratum.LABEL: "Label: each of the nine, and none",
    Stratum.DISAGREEMENT: "Whether two judges differ",
    Stratum.FLAG: "What the claim holds: number, date, quotation …",
}

NOTHING_CHANGES = "The chance of each claim is kept, so that a rate from this queue still speaks of all claims."


def how(queue: Queue) -> str:
    """How a queue was made, in one line."""
    spec = queue.spec
    title = DESIGNS[spec.design][0]
    stratum = f" by {spec.stratum}" if spec.stratum else ""
    people = "1 labeller a claim" if spec.overlap == 1 else f"{spec.overlap} labellers a claim"
    double = f", one more for {spec.double_share:.0%}" if spec.double_share else ""
    who = f"for {', '.join(spec.labellers)}" if spec.labellers else "for everybody"
    return f"{title}{stratum} · {people}{double} · {who} · guideline {spec.guideline}"


def drawn(queue: Queue) -> str:
    """What it stands for."""
    if not queue.spec.feeds_rates:
        return f"{queue.claims:,} of {queue.population:,} claims; for exploration only, never part of a rate."
    if queue.claims == queue.population:
        return f"All {queue.population:,} claims that it was made of."
    return f"{queue.claims:,} drawn from {queue.population:,} claims; {NOTHING_CHANGES[0].lower()}{NOTHING_CHANGES[1:]}"


def complete(state: QueueState) -> str:
    """Beside the bar."""
    return f"{state.complete:,} of {state.claims:,} claims complete"


def remains(state: QueueState, paces: Sequence[Pace]) -> str:
    """What is still to do, and how long that is at the pace of the last hour."""
    left = state.judgements_wanted - state.judgements
    if not left:
        return "Every claim has the labels that were wanted."
    lately = sum(one.last_hour for one in paces)
    rest = (
        f"at the pace of the last hour about {_hours(left / lately)}" if lately else "nobody labelled in the last hour"
    )
    return f"{many(left, 'judgement')} still wanted; {rest}."


def withheld(state: QueueState, unread: Unread) -> Iterator[str]:
    """What is kept from whoever reads this, and what may never get its labels; sources and groups are not named."""
    if state.withheld:
        cites = "claim of this queue cites" if state.withheld == 1 else "claims of this queue cite"
        left = _it(state.withheld, "it is", "they are")
        yield f"{state.withheld:,} {cites} sources that you may not read; {left} left to others."
    if unread.nobody:
        yield (
            f"{many(unread.nobody, 'claim')} {_has(unread.nobody)} nobody among the labellers who may read what "
            f"{_it(unread.nobody, 'it', 'they')} {'cites' if unread.nobody == 1 else 'cite'}: without a reader "
            f"{_it(unread.nobody, 'it stays', 'they stay')} without labels, and a rate from this queue lacks "
            f"{_it(unread.nobody)}."
        )
    if unread.too_few:
        yield f"{many(unread.too_few, 'claim')} {_has(unread.too_few)} fewer such readers than labels still wanted."


def _it(number: int, one: str = "it", more: str = "them") -> str:
    return one if number == 1 else more


def _has(number: int) -> str:
    return _it(number, "has", "have")


def people(paces: Sequence[Pace]) -> str:
    """Who labelled how much."""
    if not paces:
        return "Nobody has labelled here yet."
    said = [f"{one.labeller} {one.claims:,}" + (f" ({one.last_hour} lately)" if one.last_hour else "") for one in paces]
    return f"Claims labelled by each, and in the last hour: {', '.join(said)}."


def preview(draw: Draw) -> Iterator[tuple[str, int, int, str]]:
    """Per stratum: its name, claims in it, claims drawn, and the chance of each."""
    for name, (there, taken) in draw.strata.items():
        chances = [one.probability for one in draw.items if one.stratum == name and one.check_label is None]
        low, high = min(chances, default=0.0), max(chances, default=0.0)
        chance = _percent(high) if high - low < 0.0005 else f"{_percent(low)} to {_percent(high)}"
        yield "all claims" if name == "all" else name.replace("_", " "), there, taken, chance


def precision(margin: float | None) -> str:
    """How good a rate from a draw will be."""
    if margin is None:
        return "Nothing is drawn."
    if not margin:
        return "Every claim is in it, so a rate has no sampling error."
    return f"A rate will be good to about ±{margin * 100:.1f} points at 95 %, at worst, once all of it is labelled."


def _percent(chance: float) -> str:
    return f"{chance:.0%}" if chance in (0.0, 1.0) else f"{chance:.1%}"


def _hours(hours: float) -> str:
    return many(round(hours), "hour") if hours >= 1.5 else many(max(1, round(hours * 60)), "minute")
