"""How labelling goes: whether people agree, how each does on known claims, how fast, and what changes from day to day.

For reviewers only. Agreement is over what was said before a judge's word was seen, of the texts as they stand; skips,
flags and adjudicators are in none of it. Figures of one labeller are hints to look, never proof of carelessness.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from itertools import combinations
from statistics import median
from zoneinfo import ZoneInfo

from core.metrics import cohen_kappa, gwet_ac1, krippendorff_alpha, raw_agreement
from core.metrics.cohen_kappa import Kappa
from core.metrics.ratings import Agreement, Rated
from core.models import Label, Record
from core.polling import Poll
from core.store import Store
from core.store.gold_records import GoldFacts, Vote
from core.store.label_quality import LabelFact, QualityFacts
from core.store.label_records import LabelKind
from core.store.queue_records import CheckResult

FAST_MS = 2000
"""Below this a claim and its passage can hardly have been read."""

FEW = 10
"""Labels below which it means nothing that they are all the same."""

NO_REASON = "no reason given"

GIVEN = (LabelKind.LABEL, LabelKind.NOT_A_CLAIM)


class PairKappa(Record):
    """How far two people agree on what both labelled."""

    one: str
    other: str
    kappa: Kappa


class AgreementSoFar(Record):
    """How far people agree in one queue under one guideline."""

    queue_id: str | None
    """None: outside of any queue."""
    queue: str
    guideline: str
    labellers: tuple[str, ...]
    raw: Agreement
    alpha: Agreement
    ac1: Agreement
    pairs: tuple[PairKappa, ...]
    """Of those who labelled something in common, by name."""


class LabellerFigures(Record):
    """What one person did; counts are of events that were not taken back."""

    labeller: str
    labels: int
    """Not a claim included."""
    not_claims: int
    skips: int
    flags: int
    after_reveal: int
    """Labels given after a judge's word was shown; they make no gold."""
    timed: int
    """Labels of which it is known how long the claim was looked at."""
    fast: int
    """Of these, under two seconds."""
    median_seconds: float | None
    active_hours: float
    """Time spent looking, without idle time."""
    per_hour: float | None
    """Timed labels an hour of it."""
    only_label: str | None
    """The label that all of theirs are, when there are ten or more."""


class Share(Record):
    """How often one person gave one label on one day."""

    day: date
    labeller: str
    label: str
    count: int
    of: int
    """Labels of that person on that day."""


class Told(Record):
    """Something that labellers wrote down, with how often."""

    kind: str
    """``skip`` or ``flag``."""
    labeller: str
    words: str
    count: int


class Quality(Record):
    """Everything that the page shows."""

    agreement: tuple[AgreementSoFar, ...]
    """Only where somebody labelled what another one did."""
    labellers: tuple[LabellerFigures, ...]
    checks: tuple[CheckResult, ...]
    shares: tuple[Share, ...]
    told: tuple[Told, ...]


def quality(
    store: Store, time_zone: str, queue_id: str | None = None, groups: Collection[str] | None = None
) -> Quality:
    """How labelling goes, in one queue or everywhere.

    Args:
        store: Where labels are.
        time_zone: An IANA name; a day begins at midnight there.
        queue_id: Which queue; none means everywhere.
        groups: Those of the reader, for what labellers wrote; none stands for whoever keeps the desk.
    """
    facts = store.quality.facts(queue_id)
    barred = store.labels.barred({one.claim_uid for one in facts.events if one.note and not one.reason}, groups)
    return Quality(
        agreement=tuple(agreement(store.gold.facts(several=True), queue_id)),
        labellers=tuple(labellers(facts)),
        checks=tuple(checks(facts)),
        shares=tuple(shares(facts, ZoneInfo(time_zone))),
        told=tuple(told(facts, barred)),
    )


def agreement(facts: GoldFacts, queue_id: str | None = None) -> list[AgreementSoFar]:
    """How far people agree, by queue and guideline, where at least one span has two labels."""
    names = {one.queue_id: one.name for one in facts.queues}
    groups: dict[tuple[str | None, str], list[Vote]] = {}
    for vote in facts.votes:
        if not vote.stale and queue_id in (None, vote.queue_id):
            groups.setdefault((vote.queue_id, vote.guideline), []).append(vote)
    found = []
    for (of, guideline), votes in groups.items():
        said = _said(facts, votes, guideline)
        items = [Rated(tuple(by.values()), facts.claims[uid].request_uid) for (uid, _), by in said.items()]
        raw = raw_agreement.estimate(items)
        if raw.n:
            found.append(
                AgreementSoFar(
                    queue_id=of,
                    queue=names.get(of or "", "Outside of any queue"),
                    guideline=guideline,
                    labellers=tuple(sorted({who for by in said.values() for who in by})),
                    raw=raw,
                    alpha=krippendorff_alpha.estimate(items),
                    ac1=gwet_ac1.estimate(items),
                    pairs=tuple(_pairs(facts, said)),
                )
            )
    return found


_Said = dict[tuple[str, str | None], dict[str, str]]


def _said(facts: GoldFacts, votes: Sequence[Vote], guideline: str) -> _Said:
    """By span and person what they say, "not a claim" of every span of the claim; without adjudicators."""
    rulings = [one for one in facts.rulings if one.guideline == guideline]
    cites = {uid: one.cites for uid, one in facts.claims.items()}
    poll = Poll(votes, rulings, cites, {})
    places = [(uid, cite) for uid in dict.fromkeys(one.claim_uid for one in votes) for cite in cites[uid] or (None,)]
    said = {place: poll.votes(*place) for place in places}
    return {
        place: {who: str(vote.label or LabelKind.NOT_A_CLAIM) for who, vote in by.items()} for place, by in said.items()
    }


def _pairs(facts: GoldFacts, said: _Said) -> Iterable[PairKappa]:
    by_person: dict[str, dict[str, str | None]] = {}
    clusters: dict[str, str] = {}
    for (uid, cite), by in said.items():
        item = json.dumps([uid, cite])
        clusters[item] = facts.claims[uid].request_uid
        for who, label in by.items():
            by_person.setdefault(who, {})[item] = label
    for one, other in combinations(sorted(by_person), 2):
        if by_person[one].keys() & by_person[other].keys():
            kappa = cohen_kappa.estimate(by_person[one], by_person[other], clusters)
            yield PairKappa(one=one, other=other, kappa=kappa)


def labellers(facts: QualityFacts) -> list[LabellerFigures]:
    """What each person did, by name."""
    by: dict[str, list[LabelFact]] = {}
    for event in facts.events:
        by.setdefault(event.labeller, []).append(event)
    return [_figures(who, by[who]) for who in sorted(by)]


def _figures(who: str, events: Sequence[LabelFact]) -> LabellerFigures:
    given = [one for one in events if one.kind in GIVEN]
    times = [one.active_ms for one in given if one.active_ms is not None]
    words = {_word(one) for one in given}
    hours = sum(times) / 3_600_000
    return LabellerFigures(
        labeller=who,
        labels=len(given),
        not_claims=sum(one.kind is LabelKind.NOT_A_CLAIM for one in given),
        skips=sum(one.kind is LabelKind.SKIP for one in events),
        flags=sum(one.kind is LabelKind.FLAG for one in events),
        after_reveal=sum(one.after_reveal for one in given),
        timed=len(times),
        fast=sum(time < FAST_MS for time in times),
        median_seconds=median(times) / 1000 if times else None,
        active_hours=hours,
        per_hour=len(times) / hours if hours else None,
        only_label=words.pop() if len(words) == 1 and len(given) >= FEW else None,
    )


def checks(facts: QualityFacts) -> list[CheckResult]:
    """How each person did on check items, span by span, by name; their last blind word on each counts."""
    known = {
        (one.queue_id, one.claim_uid, cite or None): Label(label)
        for one in facts.checks
        for cite, label in json.loads(one.known).items()
    }
    last: dict[str, dict[tuple[str, str, str | None], Label]] = {}
    for event in facts.events:
        place = (event.queue_id or "", event.claim_uid, event.cite)
        if place in known and event.label is not None and not event.after_reveal:
            last.setdefault(event.labeller, {})[place] = event.label
    found = []
    for who in sorted(last):
        missed = [(place, label) for place, label in last[who].items() if label != known[place]]
        found.append(
            CheckResult(
                labeller=who,
                right=len(last[who]) - len(missed),
                wrong=len(missed),
                missed=tuple((place[1], known[place], label) for place, label in missed),
            )
        )
    return found


def shares(facts: QualityFacts, zone: ZoneInfo) -> list[Share]:
    """How often each person gave each label on each day, by day and name; days without a label are left out."""
    days: dict[tuple[date, str], Counter[str]] = {}
    for event in facts.events:
        if event.kind in GIVEN:
            day = event.recorded_at.astimezone(zone).date()
            days.setdefault((day, event.labeller), Counter())[_word(event)] += 1
    return [
        Share(day=day, labeller=who, label=word, count=count, of=counted.total())
        for (day, who), counted in sorted(days.items(), key=lambda item: item[0])
        for word, count in sorted(counted.items())
    ]


def told(facts: QualityFacts, barred: Collection[str] = ()) -> list[Told]:
    """Why people skipped, and what they wrote beside a flag; the commonest first.

    Args:
        facts: What they did.
        barred: Claims of which no note is told, for it may repeat what the reader may not read.
    """
    counted = Counter(
        (str(one.kind), one.labeller, one.reason or ("" if one.claim_uid in barred else one.note) or NO_REASON)
        for one in facts.events
        if one.kind in (LabelKind.SKIP, LabelKind.FLAG)
    )
    return [Told(kind=kind, labeller=who, words=words, count=n) for (kind, who, words), n in counted.most_common()]


def _word(event: LabelFact) -> str:
    return str(event.label or LabelKind.NOT_A_CLAIM)
