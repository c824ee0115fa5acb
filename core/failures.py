"""Why claims fail: every failing claim under one stable reason, each reason with the filter that finds its claims."""

from __future__ import annotations

from collections.abc import Mapping

from core import glossary
from core.metrics import Estimate, unsupported_rate
from core.metrics.unsupported_rate import RateReport
from core.models import Label, Record
from core.store import Store
from core.store.records import ClaimFilter

_DIFFERS: Mapping[str, str] = {
    "number": "another number",
    "unit": "another unit",
    "date": "another date",
    "period": "another time",
    "sample_size": "another size of the study",
    "quantifier": "more or fewer than the source",
    "bound": "a limit became a plain value",
    "negation": "one denies what the other affirms",
    "population": "other people or places",
    "hedge": "surer than the source",
    "causality": "cause instead of coincidence",
    "name": "another name",
    "secondary": "second-hand",
}
_STAGES: Mapping[str, str] = {
    "not_in_registry": "unknown id",
    "not_retrieved": "never retrieved",
    "not_in_context": "not shown to the model",
    "inactive": "source withdrawn",
    "duplicate_id": "one id, two texts",
    "malformed": "malformed id",
    "leaked_marker": "broken marker",
    "uncited": "no citation",
    "quote_near_miss": "quotation not word for word",
    "quote_not_found": "quotation found nowhere",
}
_BARE: Mapping[str, str] = {
    "contradicted": "the passage says otherwise",
    "wrong_scope": "others, another time or another cause",
    "partial": "only part of it is said",
    "irrelevant": "about something else",
}


class FailureReason(Record):
    """One reason with its claims."""

    code: str
    """Stable: a label, and behind a stop what settled it."""
    words: str
    label: Label | None
    claims: int
    wanted: ClaimFilter
    """Exactly those claims."""


class Overview(Record):
    """What fails under one protocol, by reason."""

    failed: int
    report: RateReport
    """Their rate, with all that stands beside it."""
    reasons: tuple[FailureReason, ...]
    """Most claims first; their numbers add up to ``failed``."""

    @property
    def attempted(self) -> int:
        """Claims that count."""
        return self.report.attempted

    @property
    def judged(self) -> int:
        """Of these, those with a conclusion."""
        return self.report.judged

    @property
    def rate(self) -> Estimate:
        """Of the judged claims, in [0, 1]."""
        return self.report.estimate


def overview(store: Store, wanted: ClaimFilter, strictness: str) -> Overview:
    """Count the failing claims of a filter by reason.

    Args:
        store: Where the verdicts are.
        wanted: Which claims, under which protocol, for whose eyes; a reason in it is set aside.
        strictness: ``strict`` or ``lenient`` (DESIGN §2).
    """
    whole = wanted.model_copy(update={"reason": None})
    counted = store.slices.reasons(whole, strictness)
    totals = store.slices.totals(whole, strictness)
    bad = failing(whole, strictness)
    return Overview(
        failed=totals.failed,
        report=unsupported_rate.report(
            totals.attempted, 0, totals.attempted - totals.judged, totals.failed, totals.spread
        ),
        reasons=tuple(_reason(one.code, one.failed, bad) for one in counted if one.failed),
    )


def failing(wanted: ClaimFilter, strictness: str) -> ClaimFilter:
    """Of a filter the judged claims that this strictness counts as unsupported."""
    return wanted.model_copy(update={"judged_only": True, "unsupported": strictness})


def reason_words(code: str) -> str:
    """A reason code for people: ``Contradicted · another number``."""
    label, _, what = code.partition(".")
    name = label.replace("_", " ").capitalize()
    if label == "none":
        failure = glossary.failure_in(f"{what}: ")
        return f"Not judged · {glossary.FAILURES[failure].what}" if failure else "Not judged"
    words = _DIFFERS.get(what) or _STAGES.get(what) or (what.replace("_", " ") if what else _BARE.get(label, ""))
    return " · ".join(filter(None, (name, words)))


def sentence(found: Overview, protocol: str) -> str:
    """The overview in one sentence for somebody who knows no statistics."""
    if found.rate.estimate is None or found.rate.low is None or found.rate.high is None:
        return f"None of these claims was judged by {protocol}, so nothing can be said of them"
    low, high = round(100 * found.rate.low), round(100 * found.rate.high)
    span = f"Between {low} and {high}" if low != high else f"About {low}"
    return f"{span} of 100 such claims are unsupported: {found.failed:,} of {found.judged:,}, says the judge {protocol}"


def _reason(code: str, n: int, bad: ClaimFilter) -> FailureReason:
    label = code.partition(".")[0]
    return FailureReason(
        code=code,
        words=reason_words(code),
        label=Label(label) if label in set(Label) else None,
        claims=n,
        wanted=bad.model_copy(update={"reason": code}),
    )


class ChangedLabel(Record):
    """Claims that went from one label to another."""

    before: Label | None
    after: Label | None
    claims: int
    wanted: ClaimFilter
    """Exactly those claims, under the later protocol."""

    @property
    def is_change(self) -> bool:
        """Whether the two labels differ."""
        return self.before is not self.after


def changes(store: Store, wanted: ClaimFilter, before: str) -> list[ChangedLabel]:
    """How the claims of a filter were labelled by another protocol: changed ones first, most claims first.

    Args:
        store: Where the verdicts are.
        wanted: Which claims, under the later protocol.
        before: The other protocol; claims that it never judged are left out.
    """
    made = [
        ChangedLabel(
            before=one.before,
            after=one.after,
            claims=one.claims,
            wanted=wanted.model_copy(
                update={"labels": (one.after,), "beside": (*wanted.beside, (before, (one.before,)))}
            ),
        )
        for one in store.slices.changes(wanted, before)
    ]
    return sorted(made, key=lambda one: (not one.is_change, -one.claims, str(one.before), str(one.after)))
