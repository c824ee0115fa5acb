"""Answers of before, as they may be shown now: without the words of sources that were taken out of use since."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime

from core import corpora
from core.models import Answer, ClaimRow, Evidence, JudgedClaim, QuoteRow, SpanRow, StageVerdict, utc_now
from core.sources import HIDING
from core.store import Store
from core.store.records import ClaimDetail, ClaimFilter

HIDDEN = "hidden"
"""In the meta of a registry entry: why its text is not shown, in a sentence."""
CHANGED = "changed_since"
"""In the meta of a registry entry: the version that stands at its place now."""


def detail(
    store: Store, found: ClaimDetail, groups: Collection[str] | None, now: datetime | None = None
) -> ClaimDetail:
    """Everything about a claim, as a caller may see it now.

    Args:
        store: Where the corpora are.
        found: As it was recorded.
        groups: Those of the caller; none stands for whoever keeps the desk.
        now: The present moment.

    Returns:
        The same with an empty text, and the reason in ``meta``, for each source that is hidden, and without its words
        in titles, excerpts, qualifiers and reasons; labels and claims stay. What changed since is named in ``meta``.
    """
    hidden = corpora.hidden(store, found.answer.evidence, groups, now)
    changed = {label: one.version for label, one in corpora.changed_since(store, found.answer.evidence).items()}
    if not hidden and not changed:
        return found
    return found.model_copy(
        update={
            "row": _row(found.row, hidden),
            "answer": _answer(found.answer, hidden, changed),
            "stages": tuple(_stage(one, hidden) for one in found.stages),
            "rows": tuple((uid, _row(row, hidden)) for uid, row in found.rows),
        }
    )


def judged(
    store: Store, claims: Iterable[JudgedClaim], groups: Collection[str] | None, now: datetime | None = None
) -> Iterator[JudgedClaim]:
    """The same for claims on their way into a file."""
    last: Answer | None = None
    hidden: Mapping[str, str] = {}
    for claim in claims:
        if claim.answer is not last:
            last, hidden = claim.answer, corpora.hidden(store, claim.answer.evidence, groups, now)
        yield JudgedClaim(row=_row(claim.row, hidden), answer=_answer(claim.answer, hidden, {})) if hidden else claim


def rows(store: Store, wanted: ClaimFilter) -> Iterator[ClaimRow]:
    """The rows of the review list as whoever keeps the desk may see them now; see ``Store.rows``."""
    moment = utc_now()
    if not any(one.withheld(None, moment) in HIDING for one in store.corpora.sources()):
        return store.rows(wanted)
    return (claim.row for claim in judged(store, store.judged_claims(wanted), None, moment))


def _answer(answer: Answer, hidden: Mapping[str, str], changed: Mapping[str, str]) -> Answer:
    return answer.model_copy(update={"evidence": tuple(_entry(one, hidden, changed) for one in answer.evidence)})


def _entry(entry: Evidence, hidden: Mapping[str, str], changed: Mapping[str, str]) -> Evidence:
    meta = entry.meta | ({CHANGED: changed[entry.id]} if entry.id in changed else {})
    if entry.id in hidden:
        # A title or a section may be the very words of the source; its address and its chunk's id say what it was.
        nothing = {"text": "", "title": None, "locator": None}
        return entry.model_copy(update=nothing | {"meta": meta | {HIDDEN: hidden[entry.id]}})
    return entry.model_copy(update={"meta": meta})


def _row(row: ClaimRow, hidden: Mapping[str, str]) -> ClaimRow:
    """A row without the words of hidden sources; what was merged from several cannot be told apart and goes too."""
    if not hidden.keys() & {*row.cites, *(quote.nearest.cite for quote in row.quotes if quote.nearest)}:
        return row
    nowhere = {"location": None, "excerpt": None, "excerpt_start": None, "excerpt_end": None}
    spans = tuple(_span(span, hidden) for span in row.spans)
    quotes = tuple(_quote(quote, hidden) for quote in row.quotes)
    return row.model_copy(update={"spans": spans, "quotes": quotes, "qualifiers": (), **nowhere})


def _span(span: SpanRow, hidden: Mapping[str, str]) -> SpanRow:
    if span.cite not in hidden:
        return span
    return span.model_copy(update={"excerpt": None, "start": None, "end": None, "reason": hidden[span.cite]})


def _quote(quote: QuoteRow, hidden: Mapping[str, str]) -> QuoteRow:
    near = quote.nearest
    return quote.model_copy(update={"nearest": None}) if near and near.cite in hidden else quote


def _stage(verdict: StageVerdict, hidden: Mapping[str, str]) -> StageVerdict:
    reason = hidden.get(verdict.cite or "")
    return verdict.model_copy(update={"reason": reason}) if reason else verdict
