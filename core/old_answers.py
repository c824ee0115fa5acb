"""Every way in which answers of before leave the store for somebody's eyes: as they may be shown now.

The rule is ``core.withholding``'s. ``groups`` is always those of the caller; none stands for whoever keeps the desk.
What no source is hidden from passes unchanged, and fast.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TypeVar

from core import corpora, withholding
from core.gold import PersonLabel, SpanGold
from core.models import Answer, CheckedAnswer, ClaimRow, Evidence, JudgedClaim, utc_now
from core.pipeline import batches
from core.sources import Withheld
from core.store import Store
from core.store.cards import RetrievalCard
from core.store.label_records import BetterEvidence, StoredLabel
from core.store.queries import BlockedDraft
from core.store.records import ClaimDetail, ClaimFilter, ClaimItem, ClaimPage, StoredVerdict
from core.withholding import Hidden

Groups = Collection[str] | None

_AT_ONCE = 500
"""Rows whose requests are looked up together."""

_Row = TypeVar("_Row", ClaimItem, StoredVerdict, SpanGold, PersonLabel)


def detail(store: Store, found: ClaimDetail, groups: Groups, now: datetime | None = None) -> ClaimDetail:
    """Everything about a claim, as a caller may see it now.

    Args:
        store: Where the corpora are.
        found: As it was recorded.
        groups: Those of the caller.
        now: The present moment.

    Returns:
        The same with an empty text, and the reason in ``meta``, for each source that is hidden, and without its words
        in titles, excerpts, qualifiers and reasons; labels and claims stay. What changed since is named in ``meta``.
    """
    hidden = store.corpora.hidden(found.answer.evidence, groups, now or utc_now())
    changed = {label: one.version for label, one in corpora.changed_since(store, found.answer.evidence).items()}
    if not hidden and not changed:
        return found
    return found.model_copy(
        update={
            "row": withholding.row(found.row, hidden),
            "answer": withholding.answer(found.answer, hidden, changed),
            "stages": tuple(withholding.stage(one, hidden) for one in found.stages),
            "rows": tuple((uid, withholding.row(row, hidden)) for uid, row in found.rows),
            "labels": tuple(_event(one, hidden) for one in found.labels),
        }
    )


def answer(store: Store, found: Answer, groups: Groups) -> Answer:
    """An answer with its registry."""
    hidden = store.corpora.hidden(found.evidence, groups, utc_now())
    return withholding.answer(found, hidden) if hidden else found


def checked(store: Store, found: CheckedAnswer, groups: Groups) -> CheckedAnswer:
    """An answer after all stages."""
    hidden = store.corpora.hidden(found.answer.evidence, groups, utc_now())
    if not hidden:
        return found
    return found.model_copy(
        update={
            "answer": withholding.answer(found.answer, hidden),
            "rows": tuple(withholding.row(row, hidden) for row in found.rows),
            "stages": tuple(withholding.stage(one, hidden) for one in found.stages),
        }
    )


def judged(
    store: Store, claims: Iterable[JudgedClaim], groups: Groups, now: datetime | None = None
) -> Iterator[JudgedClaim]:
    """Claims, each with its answer, on their way into a file."""
    last: Answer | None = None
    hidden: Hidden = {}
    for claim in claims:
        if claim.answer is not last:
            last, hidden = claim.answer, store.corpora.hidden(claim.answer.evidence, groups, now or utc_now())
        if hidden:
            row, whole = withholding.row(claim.row, hidden), withholding.answer(claim.answer, hidden)
            claim = JudgedClaim(row=row, answer=whole)
        yield claim


def rows(store: Store, wanted: ClaimFilter, groups: Groups = None) -> Iterator[ClaimRow]:
    """The rows of the review list; see ``Store.rows``."""
    if not store.corpora.any_hidden(groups, utc_now()):
        return store.rows(wanted)
    return (claim.row for claim in judged(store, store.judged_claims(wanted), groups))


def page(store: Store, wanted: ClaimFilter, limit: int = 50, offset: int = 0, groups: Groups = None) -> ClaimPage:
    """A page of the review list; see ``Store.claim_page``. Of a claim that cites a hidden source no reason is told."""
    found = store.claim_page(wanted, limit, offset)
    return found.model_copy(update={"items": tuple(_each(store, found.items, groups, _item))})


def verdicts(store: Store, wanted: ClaimFilter, groups: Groups = None) -> Iterator[StoredVerdict]:
    """What each stage said of the claims of the review list; see ``Store.verdicts``."""
    return _each(store, store.verdicts(wanted), groups, _verdict)


def gold(store: Store, spans: Iterable[SpanGold], groups: Groups = None) -> Iterator[SpanGold]:
    """Spans with gold, without the cited text of those whose source is hidden; the labels stay."""
    return _each(store, spans, groups, lambda one, hidden: _unquoted(one) if one.cite in hidden else one)


def people(store: Store, labels: Iterable[PersonLabel], groups: Groups = None) -> Iterator[PersonLabel]:
    """The same for what each person said, without the stretches of hidden sources that they marked."""
    return _each(store, labels, groups, _label)


def events(store: Store, stored: Iterable[StoredLabel], groups: Groups = None) -> Iterator[StoredLabel]:
    """Labelling events, each without the stretches of hidden sources that it marks as better evidence."""
    now = utc_now()
    if not store.corpora.any_hidden(groups, now):
        yield from stored
        return
    for group in batches(stored, _AT_ONCE):
        hidden = store.corpora.hidden_of_claims({one.event.claim_uid for one in group}, groups, now)
        yield from (_event(one, hidden.get(one.event.claim_uid, {})) for one in group)


def drafts(store: Store, groups: Groups = None, limit: int = 200) -> list[BlockedDraft]:
    """What was not served and is still kept; see ``QueryLog.drafts``."""
    return [_draft(store, one, groups) for one in store.queries.drafts(groups, limit)]


def draft(store: Store, draft_id: str, groups: Groups = None) -> BlockedDraft | None:
    """One of them; see ``QueryLog.draft``."""
    found = store.queries.draft(draft_id, groups)
    return found and _draft(store, found, groups)


def card(store: Store, request_id: str, groups: Groups = None) -> RetrievalCard | None:
    """What was retrieved for a question; see ``QueryLog.card``. Of hidden sources neither title nor section is told."""
    found = store.queries.card(request_id)
    if found is None or not (hidden := _hidden_of_card(store, found, groups)):
        return found
    nothing = {"title": None, "locator": None}
    passages = (one.model_copy(update=nothing) if one.chunk_id in hidden else one for one in found.passages)
    return found.model_copy(update={"passages": tuple(passages)})


def is_card_open(store: Store, request_id: str, groups: Groups) -> bool:
    """Whether a caller is in the groups of every passage that was looked at for a question; false of one unknown."""
    found = store.queries.card(request_id)
    return found is not None and withholding.SAID[Withheld.GROUPS] not in _hidden_of_card(store, found, groups).values()


def _hidden_of_card(store: Store, found: RetrievalCard, groups: Groups) -> Hidden:
    meta = [{"corpus": found.corpus, "chunk_id": one.chunk_id} for one in found.passages]
    entries = [Evidence(id=one["chunk_id"], text="", meta=dict(one)) for one in meta]
    return store.corpora.hidden(entries, groups, utc_now())


def _draft(store: Store, found: BlockedDraft, groups: Groups) -> BlockedDraft:
    hidden = store.corpora.hidden(found.answer.evidence, groups, utc_now())
    if not hidden:
        return found
    shown = tuple(withholding.row(row, hidden) for row in found.rows)
    return found.model_copy(update={"answer": withholding.answer(found.answer, hidden), "rows": shown})


def _each(store: Store, found: Iterable[_Row], groups: Groups, shown: Callable[[_Row, Hidden], _Row]) -> Iterator[_Row]:
    """Rows that name their claim, each as it may be shown."""
    now = utc_now()
    if not store.corpora.any_hidden(groups, now):
        yield from found
        return
    for group in batches(found, _AT_ONCE):
        hidden: Mapping[str, Hidden] = store.corpora.hidden_of_claims({one.claim_uid for one in group}, groups, now)
        yield from (shown(one, hidden.get(one.claim_uid, {})) for one in group)


def _item(found: ClaimItem, hidden: Hidden) -> ClaimItem:
    # A line of the list does not say which citation its words are from, so those of the whole request go.
    return found.model_copy(update={"why": next(iter(hidden.values())), "source": ""}) if hidden else found


def _verdict(found: StoredVerdict, hidden: Hidden) -> StoredVerdict:
    return found.model_copy(update={"reason": withholding.reason(found.reason, found.cite, hidden)})


def _label(found: PersonLabel, hidden: Hidden) -> PersonLabel:
    shown = _unquoted(found) if found.cite in hidden else found
    return shown.model_copy(update={"better": _better(found.better, hidden)}) if hidden else shown


def _event(found: StoredLabel, hidden: Hidden) -> StoredLabel:
    kept = _better(found.event.better, hidden)
    return found.model_copy(update={"event": found.event.model_copy(update={"better": kept})})


def _better(found: tuple[BetterEvidence, ...], hidden: Hidden) -> tuple[BetterEvidence, ...]:
    return tuple(one for one in found if one.cite not in hidden)


def _unquoted(found: _Row) -> _Row:
    return found.model_copy(update={"evidence": None})
