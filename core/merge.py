"""How the labels of a claim's spans become the claim's one label (DESIGN §2)."""

from __future__ import annotations

from collections.abc import Sequence

from core.models import Label, MergePolicy

_ALL_FIRST = (Label.UNRESOLVABLE, Label.CONTRADICTED, Label.WRONG_SCOPE, Label.IRRELEVANT, Label.PARTIAL)
_ANY_FIRST = (
    Label.SUPPORTED,
    Label.SECONDARY_ONLY,
    Label.PARTIAL,
    Label.WRONG_SCOPE,
    Label.IRRELEVANT,
    Label.CONTRADICTED,
    Label.INACCESSIBLE,
    Label.UNRESOLVABLE,
)
_BY_PRESENCE = frozenset({Label.SUPPORTED, Label.SECONDARY_ONLY, Label.CONTRADICTED, Label.WRONG_SCOPE})


def merge(labels: Sequence[Label | None], policy: MergePolicy, joint: Label | None = None) -> Label | None:
    """Make one label of a claim's spans; none means "no label".

    ``all``: the worst that any span has; a failed judgement leaves no label unless something worse is known.
    ``any``: the best that any span has.
    ``joint``: what the concatenated texts were judged to be. While some texts could not be joined in, only what was
    found in the others stands; "partial" and "irrelevant" would judge by their absence.

    Args:
        labels: One a span, in any order; none for a judgement that failed, was truncated or was not reached.
        policy: Which rule.
        joint: Under ``joint``, the label of the concatenated texts.
    """
    if policy is MergePolicy.ANY:
        return next((label for label in _ANY_FIRST if label in labels), None)
    if policy is MergePolicy.JOINT:
        missing = next((label for label in (Label.UNRESOLVABLE, Label.INACCESSIBLE) if label in labels), None)
        return joint if missing is None or joint in _BY_PRESENCE else missing
    bad = next((label for label in _ALL_FIRST if label in labels), None)
    if bad is not None:
        return bad
    if Label.INACCESSIBLE in labels:
        return Label.INACCESSIBLE
    if None in labels:
        return None
    return next((label for label in (Label.SECONDARY_ONLY, Label.SUPPORTED) if label in labels), None)


def gated(label: Label | None) -> Label | None:
    """The worse of ``partial`` and a verifier's label, for a span in which a quotation is not verbatim.

    A failed judge stays without a label: what it would have found may be worse.
    """
    return Label.PARTIAL if label in (Label.SUPPORTED, Label.SECONDARY_ONLY) else label
