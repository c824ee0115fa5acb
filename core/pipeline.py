"""Run the stages over answers, in their order; nothing here asks where an answer came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from core import extraction, outside_judging, quotes, resolvability, structural, verifiers
from core.cited_works import LookedAnswer, Works
from core.claim_table import CheckedClaim, build_row, stage_verdicts
from core.models import Answer, CheckedAnswer, Claim, Judgement, MergePolicy, Pair, Resolution, Resolve
from core.protocol import ClaimProtocol
from core.reference_lookup import protocol_name
from core.registry import Registry
from core.semantic import JOINT_GAP, Judge
from core.settings import Settings
from core.verdict_cache import RememberingJudge, SpanJudge, VerdictCache

AT_ONCE = 64
"""Answers whose pairs are judged together: enough to share batches and duplicates, little enough to show progress."""

FIRST_FLAGS = frozenset({"number", "legal", "medical"})
"""Material claims with these flags are judged right after quotations (DESIGN §3, order of work)."""

Item = TypeVar("Item")


def build(settings: Settings) -> tuple[SpanJudge, ClaimProtocol]:
    """Build the judge that the settings name, and the protocol under which its claims are recorded.

    The judge remembers what it judged in earlier runs, unless the settings name no cache.

    Raises:
        VerifierUnavailable: No such verifier or segmenter, or it cannot run here.
    """
    judge: SpanJudge = Judge.build(settings)
    if settings.cache is not None:
        judge = RememberingJudge(judge, VerdictCache(settings.cache))
    protocol = ClaimProtocol(
        verifier=judge.protocol,
        merge=settings.merge,
        splitter=extraction.splitter(settings.segmenter),
        materiality=extraction.MATERIALITY,
        references=protocol_name(settings.references),
    )
    return judge, protocol


def check(
    answers: Iterable[Answer], judge: SpanJudge, protocol: ClaimProtocol, works: Works | None = None
) -> Iterator[CheckedAnswer]:
    """Check answers one after another, in order, in constant memory.

    Args:
        answers: What to check.
        judge: Who judges support.
        protocol: Under which everything is recorded.
        works: Who finds out about works outside the registries; none: nobody does.
    """
    for group in batches(answers, at_once(judge)):
        yield from _check_group(group, judge, protocol, works)


def at_once(judge: SpanJudge) -> int:
    """How many answers' pairs a judge gets together."""
    return verifiers.answers_at_once(judge) or AT_ONCE


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Cut a stream into lists of ``size``, the last one shorter."""
    stream = iter(items)
    while group := list(islice(stream, size)):
        yield group


def _check_group(
    answers: Sequence[Answer], judge: SpanJudge, protocol: ClaimProtocol, works: Works | None
) -> Iterator[CheckedAnswer]:
    registries = [Registry.build(answer.evidence) for answer in answers]
    prepared = [_prepare(answer, registry, protocol) for answer, registry in zip(answers, registries, strict=True)]
    asked = [outside_judging.wanted(one) for claims in prepared for claim in claims for one in claim.resolutions]
    found = works.find([one for one in asked if one is not None]) if works else {}
    looked = [outside_judging.looked(claims, found) if found else () for claims in prepared]
    if found:
        prepared = [
            [outside_judging.looked_at(claim, registry, found, protocol.merge) for claim in claims]
            for registry, claims in zip(registries, prepared, strict=True)
        ]
    pairs = [pair for claims in prepared for pair in _pairs(claims, protocol.merge)]
    judged = dict(zip(pairs, judge.judge(pairs), strict=True))
    for answer, registry, claims, works_of in zip(answers, registries, prepared, looked, strict=True):
        checked = [_with_judgements(claim, judged, protocol.merge) for claim in claims]
        checked = [outside_judging.settled(claim, registry, protocol.merge) for claim in checked] if found else checked
        by_cite = {one.cite: one for one in works_of}
        noted = [(*registry.notes_on(one.claim.cites), *outside_judging.notes(one, by_cite)) for one in checked]
        done = CheckedAnswer(
            answer=answer,
            claims=tuple(one.claim for one in checked),
            rows=tuple(build_row(answer, one, protocol, told) for one, told in zip(checked, noted, strict=True)),
            stages=tuple(verdict for one in checked for verdict in stage_verdicts(one)),
        )
        yield LookedAnswer(**dict(done), looked=works_of) if works_of else done


def _prepare(answer: Answer, registry: Registry, protocol: ClaimProtocol) -> list[CheckedClaim]:
    """Everything that needs no verifier: claims, structure, resolution, quotes."""
    prepared = []
    for claim in extraction.claims(answer, extraction.segmenter_of(protocol.splitter)):
        structure = structural.check(claim, registry.ids)
        resolutions = resolvability.check(claim, structure, registry)
        finding = quotes.check(claim, resolutions, registry, protocol.merge)
        prepared.append(CheckedClaim(claim=claim, structure=structure, resolutions=resolutions, quotes=finding))
    return prepared


def _pairs(claims: Sequence[CheckedClaim], policy: MergePolicy) -> Iterator[Pair]:
    """The pairs of one answer that a verifier must see: quotations first, then what matters most, then the rest."""
    for checked in sorted(claims, key=lambda one: _urgency(one.claim)):
        readable = _readable(checked)
        yield from (_pair(checked.claim, resolution) for resolution in readable)
        if policy is MergePolicy.JOINT and readable:
            yield _joint_pair(checked.claim, _joined(readable))


def _urgency(claim: Claim) -> int:
    if claim.quotes or "quotation" in claim.flags:
        return 0
    return 1 if claim.material and FIRST_FLAGS & set(claim.flags) else 2


def _readable(checked: CheckedClaim) -> list[Resolution]:
    return [one for one in checked.resolutions if one.resolve is Resolve.OK and one.evidence is not None]


def _joined(readable: Sequence[Resolution]) -> Sequence[Resolution]:
    """The texts that are judged as one: parts of works are left out, unless there are only such."""
    return [one for one in readable if one.keeps is None] or readable


def _pair(claim: Claim, resolution: Resolution) -> Pair:
    text = resolution.evidence.text if resolution.evidence else ""
    return Pair(claim=claim.text, evidence=text)


def _joint_pair(claim: Claim, readable: Sequence[Resolution]) -> Pair:
    """The spans of a claim as one text, in citation order."""
    return Pair(claim=claim.text, evidence=JOINT_GAP.join(_pair(claim, one).evidence for one in readable))


def _with_judgements(checked: CheckedClaim, judged: dict[Pair, Judgement], policy: MergePolicy) -> CheckedClaim:
    readable = _readable(checked)
    joint = policy is MergePolicy.JOINT and bool(readable)
    return checked.model_copy(
        update={
            "judgements": {one.cite: judged[_pair(checked.claim, one)] for one in readable},
            "joint": judged[_joint_pair(checked.claim, _joined(readable))] if joint else None,
        }
    )
