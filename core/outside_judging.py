"""What becomes of a claim's citations once works outside the registry were looked at.

A text that is not the whole work can show something by what stands in it, and nothing by what does not: where it does
not show enough, the work counts as one that could not be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core import quotes
from core.cited_works import Found, Looked, reference_of, supplied_by
from core.claim_table import CheckedClaim
from core.models import MergePolicy, QuoteState, Resolution, Resolve, Status
from core.references import FETCHED_NOW, Matches, Reason, Reference, Scope
from core.registry import Registry
from core.web_reply import host_in

_NOT_VERBATIM = frozenset({QuoteState.NEAR_MISS, QuoteState.NOT_FOUND})
_SCOPES = {Scope.ABSTRACT: "only its abstract could be read", Scope.PARTIAL: "only a part of it could be read"}


def wanted(resolution: Resolution) -> Reference | None:
    """The work to look up for a citation; none when the registry has its text, or it names no work."""
    entry = resolution.evidence
    if entry is None:
        unknown = resolution.resolve is Resolve.NOT_IN_REGISTRY and resolution.hint is None
        return reference_of(resolution.cite) if unknown else None
    unread = resolution.resolve is Resolve.INACCESSIBLE
    blank = resolution.resolve is Resolve.OK and not entry.text.strip()
    return reference_of(resolution.cite, entry) if unread or blank else None


def looked_at(
    checked: CheckedClaim, registry: Registry, found: Mapping[Reference, Found], policy: MergePolicy
) -> CheckedClaim:
    """Put what was found in the place of what the registry lacks; quotations are looked for anew."""
    resolutions = tuple(_resolved(one, found) for one in checked.resolutions)
    if resolutions == checked.resolutions:
        return checked
    return _with(checked, resolutions, registry, policy)


def looked(checked: Sequence[CheckedClaim], found: Mapping[Reference, Found]) -> tuple[Looked, ...]:
    """By which works the citations of an answer are judged, each citation once; before anything took their place."""
    of: dict[str, Looked] = {}
    for resolution in (one for claim in checked for one in claim.resolutions):
        reference = wanted(resolution)
        work = found.get(reference) if reference else None
        if work is not None:
            evidence = work.evidence(resolution.cite, resolution.evidence)
            of.setdefault(resolution.cite, Looked(cite=resolution.cite, found=work, evidence=evidence))
    return tuple(of.values())


def settled(checked: CheckedClaim, registry: Registry, policy: MergePolicy) -> CheckedClaim:
    """Once judged: a text that is no whole one and does not show enough is one that could not be read."""
    limited = [one.cite for one in checked.resolutions if one.keeps is not None and one.resolve is Resolve.OK]
    dropped = {cite for cite in limited if not _shows_enough(checked, cite)}
    joint = checked.joint
    if limited and joint is not None:
        keeps = [one.keeps for one in checked.resolutions if one.cite in limited and one.keeps is not None]
        only_limited = len(limited) == sum(one.resolve is Resolve.OK for one in checked.resolutions)
        if only_limited and joint.status is Status.JUDGED and not all(joint.label in each for each in keeps):
            dropped, joint = set(limited), None
        if only_limited and dropped == set(limited):  # nothing that it was judged on counts as read
            joint = None
        joint = joint and joint.model_copy(update={"start": None, "end": None, "qualifiers": ()})
    if not dropped and joint is checked.joint:
        return checked
    left = {cite: one for cite, one in checked.judgements.items() if cite not in dropped}
    resolutions = tuple(_closed(one) if one.cite in dropped else one for one in checked.resolutions)
    return _with(checked.model_copy(update={"judgements": left, "joint": joint}), resolutions, registry, policy)


def notes(checked: CheckedClaim, works: Mapping[str, Looked]) -> Iterator[str]:
    """What a row says of the texts that it was judged on, and of works that are not what they seem."""
    for resolution in checked.resolutions:
        if one := works.get(resolution.cite):
            said = list(_said(one, resolution))
            yield from (f"{resolution.cite}: {text}" for text in said)


def _resolved(resolution: Resolution, found: Mapping[Reference, Found]) -> Resolution:
    reference = wanted(resolution)
    work = found.get(reference) if reference else None
    if work is None:
        return resolution
    entry = resolution.evidence
    given = {"cite": resolution.cite, "entry": entry}
    evidence = work.evidence(resolution.cite, entry)
    if work.supplied:
        return Resolution(**given, resolve=Resolve.OK, evidence=evidence, keeps=work.keeps)
    if work.finding is None or work.finding.reason is Reason.MALFORMED:
        return resolution
    said, resolve = work.finding.said, work.finding.resolve
    if resolve is Resolve.NOT_CHECKED:
        return Resolution(**given, resolve=resolve, reason=said, unasked=True) if entry is None else resolution
    if resolve is Resolve.OK and evidence is not None and evidence.text.strip():
        return Resolution(**given, resolve=resolve, evidence=evidence, keeps=work.keeps)
    closed = Resolve.INACCESSIBLE if resolve is Resolve.OK else resolve
    return Resolution(
        **given, resolve=closed, evidence=evidence if closed is Resolve.INACCESSIBLE else None, reason=said
    )


def _with(
    checked: CheckedClaim, resolutions: tuple[Resolution, ...], registry: Registry, policy: MergePolicy
) -> CheckedClaim:
    read = [one.evidence for one in resolutions if one.resolve is Resolve.OK and one.evidence]
    known = {entry.id: entry for entry in read}
    others = [entry for entry in registry.entries if entry.id not in known]
    whole = Registry(entries=(*others, *known.values()), conflicts=registry.conflicts, noted=registry.noted)
    finding = quotes.check(checked.claim, resolutions, whole, policy)
    return checked.model_copy(update={"resolutions": resolutions, "quotes": finding})


def _shows_enough(checked: CheckedClaim, cite: str) -> bool:
    judgement = checked.judgements.get(cite)
    if judgement is None or judgement.status is not Status.JUDGED:
        return True  # nobody judged it, which the row says
    keeps = next(one.keeps for one in checked.resolutions if one.cite == cite)
    verbatim = checked.quotes.by_cite.get(cite) not in _NOT_VERBATIM
    return verbatim and keeps is not None and judgement.label in keeps


def _closed(resolution: Resolution) -> Resolution:
    return resolution.model_copy(
        update={
            "resolve": Resolve.INACCESSIBLE,
            "reason": "Only a part of the source could be read, and it does not settle the claim: the rest may",
        }
    )


def _said(one: Looked, resolution: Resolution) -> Iterator[str]:
    finding, entry = one.found.finding, one.evidence
    if one.found.supplied:
        part = (
            "" if one.found.keeps is None else "; it is a part, so nothing is held against the claim for what it lacks"
        )
        yield f"judged on a passage {supplied_by(one.found.supplied)}, not supplied then{part}"
        return
    if finding is None:
        return
    if entry is not None and finding.read is not None:
        when = f"{finding.read.at:%d %B %Y %H:%M} UTC"
        yield f"{FETCHED_NOW}, from {host_in(finding.read.locator) or finding.read.locator} on {when}"
        if finding.read.scope in _SCOPES:
            yield f"{_SCOPES[finding.read.scope]}, so only support counts"
    elif resolution.resolve is Resolve.NOT_CHECKED:
        yield finding.said
    if finding.substitute:
        yield f"{finding.substitute.kind} was read instead of the cited source: {finding.substitute.what}"
    if finding.matches is Matches.DIFFERS:
        yield f"what the answer says of the work differs in {', '.join(finding.differs)}"
    if finding.matches is Matches.OTHER_WORK:
        yield "the registries describe another work under this identifier"
    for notice in finding.notices:
        yield f"{notice.kind.replace('_', ' ')}, says {notice.by}"
