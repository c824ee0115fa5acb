"""Who may read what claims cite: the access groups of their sources, found for many claims at once, never per press.

It says what ``core.sources.hiding`` says of groups alone. A source that is withheld from everyone, because it was taken
out of use or is past its time, has the readers that it would have otherwise.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from core.models import utc_now
from core.store.connection import Session
from core.store.encoding import in_utc
from core.store.queue_claims import Item, QueueClaims
from core.store.withheld import GROUPED
from core.withholding import EVERYONE, Readers, may_read

if TYPE_CHECKING:
    from numpy.typing import NDArray

Groups = Collection[str] | None

_SAYING = frozenset({"sources", "source_events", ""})
"""The tables that say whose a source is; the last stands for one that nobody named."""

_KEPT = 64
"""Combinations of groups of which it is kept which claims they may read."""

_NEXT_END = "select min(retain_until) from source_states where retain_until > ?"
_DOCUMENTS = """
with places as (
  select corpus, doc_id, groups, deactivated or coalesce(retain_until <= ?, false) as gone from current_sources
), documents_of as (
  select corpus, doc_id, if(min(len(groups)) = 0, [], list_sort(list_distinct(flatten(list(groups))))) as groups
  from (select * from places qualify not gone or bool_and(gone) over (partition by corpus, doc_id)) group by 1, 2
)
"""
_RIGHTS = f"{_DOCUMENTS} select corpus, doc_id, groups from documents_of where ? or len(groups) > 0 order by all"
_NEEDED = f"""
{_DOCUMENTS}, asked as (
  select claim_no, request_no from claims where claim_no in ({{claims}})
), entries as (
  select e.request_no, e.cite, e.groups, json_extract_string(e.meta, '$.corpus') as corpus,
    split_part(json_extract_string(e.meta, '$.chunk_id'), ':', 1) as doc_id
  from registry_entries e semi join asked using (request_no)
  where e.groups <> '[]' or contains(e.meta, 'chunk_id')
), needed as (
  select request_no, cite, coalesce(d.groups, list_sort(list_distinct(from_json(e.groups, '["VARCHAR"]')))) as groups
  from entries e left join documents_of d using (corpus, doc_id)
)
"""
_READERS = f"""
{_NEEDED}
select groups, list(claim_no) from (
  select a.claim_no, list_sort(list_distinct(list(n.groups))) as groups
  from asked a join spans s using (claim_no) join needed n on n.request_no = a.request_no and n.cite = s.cite
  where len(n.groups) > 0 group by 1
) group by 1
"""
_OF_ANSWERS = f"""
{_NEEDED}
select request_no, list_sort(list_distinct(list(groups))) from needed where len(groups) > 0 group by 1
"""
_OF_QUEUE = "select claim_no from queue_items where queue_no = ?"
_OF_NUMBERS = "select unnest(?::integer[])"


class Age(NamedTuple):
    """Under what something was read that depends on sources; it is true as long as this holds."""

    change: int
    """The last write that may have changed it."""
    end: datetime | None
    """When the next source may not be kept any longer; none when none has an end."""

    def holds(self, change: int, now: datetime) -> bool:
        """Whether it still does."""
        return change == self.change and (self.end is None or now < self.end)


def says(table: str) -> bool:
    """Whether a table says whose a source is."""
    return table in _SAYING


def age(session: Session, tables: Callable[[str], bool] = says) -> Age:
    """How things stand now, for what is read from some tables."""
    return Age(session.change(tables), in_utc(session.value(_NEXT_END, [utc_now()])))


def readers(session: Session, claim_nos: Collection[int]) -> dict[int, Readers]:
    """Who may read some claims; those that everyone may read are left out."""
    found = _read(session, _rights(session), _OF_NUMBERS, list(claim_nos))
    return {number: who for who, numbers in found.items() for number in numbers}


def of_answers(session: Session, claim_nos: Collection[int]) -> dict[int, Readers]:
    """By request, who may read all that the answer of some claims could be made of; those for everyone are left out."""
    if not any(_rights(session)):
        return {}
    found = session.all(_OF_ANSWERS.format(claims=_OF_NUMBERS), [utc_now(), list(claim_nos)])
    return {number: frozenset(frozenset(one) for one in groups) for number, groups in found}


def barred(session: Session, claim_uids: Collection[str], groups: Groups) -> set[str]:
    """Those of some claims that somebody in these groups may not read."""
    if groups is None or not claim_uids:
        return set()
    numbers = session.pairs(
        "select claim_no, claim_uid from claims where claim_uid in (select unnest(?::varchar[]))", [list(claim_uids)]
    )
    return {numbers[number] for number, who in readers(session, list(numbers)).items() if not may_read(who, groups)}


def _rights(session: Session) -> Rights:
    logs_name_groups = bool(session.value(GROUPED))
    found = session.all(_RIGHTS, [utc_now(), logs_name_groups])
    return logs_name_groups, [(corpus, doc_id, tuple(groups)) for corpus, doc_id, groups in found]


def _read(session: Session, rights: Rights, claims: str, param: object) -> dict[Readers, list[int]]:
    """Claims by their readers, but for those that everyone may read."""
    if not any(rights):
        return {}
    found = session.all(_READERS.format(claims=claims), [utc_now(), param])
    return {frozenset(frozenset(one) for one in groups): numbers for groups, numbers in found}


Rights = tuple[bool, list[tuple[str, str, tuple[str, ...]]]]
"""Whether any log names groups, and by corpus and document who may read it: of those for everyone only if so."""


class View(NamedTuple):
    """What of a queue somebody in some groups may read."""

    places: Sequence[int]
    """The places of the claims that they may, in order."""
    closed: NDArray[Any] | None
    """By place, whether they may not; none when they may read all."""
    barred: frozenset[int]
    """The numbers of the claims that they may not."""

    def bars(self, item: Item) -> bool:
        """Whether a claim is withheld from them."""
        return item.claim_no in self.barred

    def first(self, place: int) -> int:
        """Where in ``places`` those from a place on begin."""
        return bisect_left(self.places, place)


class QueueAccess:
    """Who may read which claim of one queue."""

    def __init__(self, claims: QueueClaims, found: Mapping[Readers, Sequence[int]], rights: Rights, age: Age) -> None:
        """Begin.

        Args:
            claims: Of the queue.
            found: Numbers of claims by who may read them; everyone may read the others.
            rights: What that comes from.
            age: Under what that was read.
        """
        import numpy as np

        self._claims, self.rights, self.age = claims, rights, age
        self._kinds: list[Readers] = [EVERYONE, *found]
        self._kind = np.zeros(len(claims), np.int32)
        """By place, which of these may read it."""
        for number, who in enumerate(found, 1):
            self._kind[np.isin(claims.claim_no, np.asarray(found[who], claims.claim_no.dtype))] = number
        self._views: dict[frozenset[str] | None, View] = {}

    @property
    def is_open(self) -> bool:
        """Whether everyone may read all of it."""
        return len(self._kinds) == 1

    @property
    def restricted(self) -> NDArray[Any]:
        """By place, whether only some may read a claim."""
        return self._kind > 0

    def to(self, groups: Groups) -> View:
        """What somebody in these groups may read: the same object as long as that is the same."""
        key = None if groups is None or self.is_open else frozenset(groups)
        if key not in self._views:
            if len(self._views) >= _KEPT:
                self._views.clear()
            self._views[key] = self._view(key)
        return self._views[key]

    def _view(self, groups: frozenset[str] | None) -> View:
        import numpy as np

        kinds = np.array([not may_read(one, groups) for one in self._kinds])
        if not kinds.any():
            return View(range(len(self._claims)), None, frozenset())
        closed = kinds[self._kind]
        barred = self._claims.claim_no[closed]
        return View(np.flatnonzero(~closed).tolist(), closed, frozenset(barred.tolist()))


def of_queue(session: Session, claims: QueueClaims, queue_no: int, before: QueueAccess | None = None) -> QueueAccess:
    """Who may read the claims of a queue.

    Args:
        session: Where it is read.
        claims: Of the queue.
        queue_no: Which queue.
        before: What was read of these claims before; given back when rights are the same, as after most new sources.
    """
    now, rights = age(session), _rights(session)
    if before and before.rights == rights:
        before.age = now
        return before
    return QueueAccess(claims, _read(session, rights, _OF_QUEUE, queue_no), rights, now)
