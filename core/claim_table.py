"""The claim table: what the stages found becomes one label, one action and one row a claim.

Every span keeps its own label; ``core.merge`` says how they become the claim's.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from core import orders, text
from core.merge import gated, merge
from core.models import (
    ACTION_OF,
    Action,
    Answer,
    Claim,
    ClaimRow,
    Judgement,
    Label,
    MergePolicy,
    QuoteState,
    Record,
    Resolution,
    Resolve,
    SpanRow,
    Stage,
    StageVerdict,
    Status,
    Structural,
)
from core.protocol import ClaimProtocol
from core.quotes import QuoteFinding
from core.semantic import JOINT_GAP
from core.structural import Structure

WORST_RESOLVE = (
    Resolve.NOT_IN_REGISTRY,
    Resolve.DUPLICATE_ID,
    Resolve.NOT_RETRIEVED,
    Resolve.NOT_IN_CONTEXT,
    Resolve.INACTIVE,
    Resolve.INACCESSIBLE,
    Resolve.NOT_CHECKED,
    Resolve.OK,
)
"""A row shows the first of these that any of its citations has."""

_NOT_VERBATIM = frozenset({QuoteState.NEAR_MISS, QuoteState.NOT_FOUND})


class CheckedClaim(Record):
    """One claim with what each stage said of it."""

    claim: Claim
    structure: Structure
    resolutions: tuple[Resolution, ...]
    """One a citation, in citation order."""
    quotes: QuoteFinding
    judgements: dict[str, Judgement] = Field(default_factory=dict)
    """By cited id, for the citations that resolve."""
    joint: Judgement | None = None
    """Under ``joint``: of the resolving texts in citation order, ``core.semantic.JOINT_GAP`` between them."""


def build_row(answer: Answer, checked: CheckedClaim, protocol: ClaimProtocol, notes: Sequence[str] = ()) -> ClaimRow:
    """Make the final row of one claim.

    Args:
        answer: Where the claim comes from.
        checked: What the stages said.
        protocol: Under which everything was judged.
        notes: Remarks to print after those of the claim itself.
    """
    claim, policy = checked.claim, protocol.merge
    spans = tuple(_span_row(checked, resolution) for resolution in checked.resolutions)
    label = _claim_label(checked, spans, policy)
    cite, judgement = _deciding(checked, spans, label)
    source = _source(checked, cite)
    place = _excerpt_place(source, judgement)
    return ClaimRow(
        request_id=answer.request_id,
        claim_id=claim.claim_id,
        claim=claim.text,
        start=claim.start,
        end=claim.end,
        fragments=claim.fragments,
        answer_match=claim.answer_match,
        material=claim.material,
        flags=claim.flags,
        cites=claim.cites,
        structural=checked.structure.structural,
        resolve=_worst_resolve(checked.resolutions),
        quote=checked.quotes.state,
        quotes=checked.quotes.rows,
        semantic=_semantic(checked, policy),
        label=label,
        action=_action(label),
        location=_location(source, cite),
        excerpt=source.evidence.text[slice(*place)] if source and source.evidence and place else None,
        excerpt_start=place[0] if place else None,
        excerpt_end=place[1] if place else None,
        qualifiers=judgement.qualifiers if judgement else (),
        spans=spans,
        verifier=protocol.verifier.verifier,
        protocol=str(protocol),
        notes=(*claim.notes, *_leak_notes(checked), *orders.notes(checked.resolutions), *notes),
    )


def stage_verdicts(checked: CheckedClaim) -> tuple[StageVerdict, ...]:
    """What each stage concluded: four verdicts a citation, or four with ``cite`` none for a claim without citations.

    After a stage that failed the later ones are ``skipped`` with the outcome "none". A raw marker left in the text has
    a structural verdict of its own, before those of the citations.
    """
    claim, structure = checked.claim, checked.structure
    first = _verdict(claim, None, Stage.STRUCTURAL, Status.JUDGED, structure.structural, structure.reason)
    if not checked.resolutions:
        later = (Stage.RESOLVABILITY, Stage.QUOTE, Stage.SUPPORT)
        return (first, *(_verdict(claim, None, stage, Status.SKIPPED, "none", "No citation") for stage in later))
    verdicts = [verdict for resolution in checked.resolutions for verdict in _cite_verdicts(checked, resolution)]
    return (first, *verdicts) if claim.leaked else tuple(verdicts)


def _cite_verdicts(checked: CheckedClaim, resolution: Resolution) -> list[StageVerdict]:
    claim, cite = checked.claim, resolution.cite
    malformed = cite in checked.structure.malformed
    shape = Structural.MALFORMED if malformed else Structural.OK
    why = resolution.reason if malformed else ""
    verdicts = [_verdict(claim, cite, Stage.STRUCTURAL, Status.JUDGED, shape, why)]
    looked_up = Status.SKIPPED if resolution.resolve is Resolve.NOT_CHECKED else Status.JUDGED
    verdicts.append(_verdict(claim, cite, Stage.RESOLVABILITY, looked_up, resolution.resolve, resolution.reason))
    if resolution.resolve is not Resolve.OK:
        later = (Stage.QUOTE, Stage.SUPPORT)
        return verdicts + [_verdict(claim, cite, stage, Status.SKIPPED, "none", resolution.reason) for stage in later]
    state = checked.quotes.by_cite.get(cite, QuoteState.NOT_GIVEN)
    quoted = Status.SKIPPED if state is QuoteState.NOT_GIVEN else Status.JUDGED
    verdicts.append(_verdict(claim, cite, Stage.QUOTE, quoted, state, ""))
    judgement = checked.judgements.get(cite, _NOT_REACHED)
    outcome = judgement.label or "none"
    return [*verdicts, _verdict(claim, cite, Stage.SUPPORT, judgement.status, outcome, judgement.why)]


_NOT_REACHED = Judgement(status=Status.SKIPPED, reason="The judge did not get to this citation")


def _verdict(claim: Claim, cite: str | None, stage: Stage, status: Status, outcome: str, reason: str) -> StageVerdict:
    return StageVerdict(
        claim_id=claim.claim_id, cite=cite, stage=stage, status=status, outcome=str(outcome), reason=reason
    )


def _span_row(checked: CheckedClaim, resolution: Resolution) -> SpanRow:
    """One citation judged on its own; one that does not resolve is not judged and has no scores."""
    if resolution.resolve is not Resolve.OK or resolution.evidence is None:
        inaccessible = resolution.resolve is Resolve.INACCESSIBLE
        label: Label | None = Label.INACCESSIBLE if inaccessible else Label.UNRESOLVABLE
        label = None if resolution.unasked else label
        judgement = Judgement(status=Status.SKIPPED, reason=resolution.reason)
    else:
        judgement = checked.judgements.get(resolution.cite, _NOT_REACHED)
        label = judgement.label
    reason = judgement.why
    if checked.quotes.by_cite.get(resolution.cite) in _NOT_VERBATIM and judgement.status is Status.JUDGED:
        label, reason = gated(label), f"A quotation of the claim is not verbatim in this text. {reason}".rstrip()
    place = _excerpt_place(resolution, judgement)
    return SpanRow(
        cite=resolution.cite,
        label=label,
        action=_action(label),
        scores=judgement.scores,
        excerpt=resolution.evidence.text[slice(*place)] if resolution.evidence and place else None,
        start=judgement.start,
        end=judgement.end,
        tokens_seen=judgement.tokens_seen,
        tokens_total=judgement.tokens_total,
        status=judgement.status,
        reason=reason,
    )


def _claim_label(checked: CheckedClaim, spans: Sequence[SpanRow], policy: MergePolicy) -> Label | None:
    if checked.structure.structural is Structural.UNCITED:
        return Label.UNCITED
    labels = [span.label for span in spans]
    if checked.claim.leaked and not any(one.resolve is Resolve.OK for one in checked.resolutions):
        labels.append(Label.UNRESOLVABLE)
    joint = checked.joint.label if checked.joint else None
    if checked.quotes.state in _NOT_VERBATIM:
        joint = gated(joint)
    return merge(labels, policy, joint)


def _semantic(checked: CheckedClaim, policy: MergePolicy) -> str:
    """The verifier's own labels merged, before quote gate and resolvability have their say."""
    judged = [checked.judgements.get(one.cite) for one in checked.resolutions if one.resolve is Resolve.OK]
    asked = [judgement for judgement in judged if judgement is not None]
    if not asked:
        return Status.SKIPPED.value
    merged = merge([judgement.label for judgement in asked], policy, checked.joint.label if checked.joint else None)
    return merged.value if merged is not None else Status.FAILED.value


def _deciding(
    checked: CheckedClaim, spans: Sequence[SpanRow], label: Label | None
) -> tuple[str | None, Judgement | None]:
    """The citation that made the claim's label, with its judgement in offsets of that citation's text."""
    if checked.joint is not None and checked.joint.start is not None and label not in (None, *_UNREAD):
        return _place_joint(checked, checked.joint)
    if not spans:
        return None, None
    cite = next((span.cite for span in spans if span.label == label), spans[0].cite)
    return cite, checked.judgements.get(cite)


_UNREAD = (Label.UNRESOLVABLE, Label.INACCESSIBLE)


def _place_joint(checked: CheckedClaim, joint: Judgement) -> tuple[str | None, Judgement | None]:
    """Find the text in which a stretch of the joined texts begins, and cut the stretch to it."""
    at = 0
    assert joint.start is not None
    assert joint.end is not None
    for one in checked.resolutions:
        if one.resolve is not Resolve.OK or one.evidence is None:
            continue
        length = len(one.evidence.text)
        if joint.start < at + length:
            start, end = max(joint.start - at, 0), min(joint.end - at, length)
            return one.cite, joint.model_copy(update={"start": start, "end": end})
        at += length + len(JOINT_GAP)
    return None, joint


def _source(checked: CheckedClaim, cite: str | None) -> Resolution | None:
    return next((one for one in checked.resolutions if one.cite == cite), None)


def _location(source: Resolution | None, cite: str | None) -> str | None:
    """Where the deciding citation points: its locator, else its title, else the id as cited."""
    evidence = source.evidence if source else None
    return (evidence.locator or evidence.title or cite) if evidence else cite


def _excerpt_place(source: Resolution | None, judgement: Judgement | None) -> tuple[int, int] | None:
    if source is None or source.evidence is None or judgement is None:
        return None
    if judgement.start is None or judgement.end is None:
        return None
    start, end = text.excerpt(source.evidence.text, judgement.start, judgement.end)
    return (start, end) if end > start else None


def _worst_resolve(resolutions: Sequence[Resolution]) -> Resolve:
    found = {one.resolve for one in resolutions} or {Resolve.NOT_CHECKED}
    return next(resolve for resolve in WORST_RESOLVE if resolve in found)


def _action(label: Label | None) -> Action:
    return ACTION_OF[label] if label is not None else Action.NONE


def _leak_notes(checked: CheckedClaim) -> list[str]:
    return [f"A raw citation marker was left in the text: {marker!r}" for marker in checked.claim.leaked]
