"""Works named by title, authors and year only: is there one, in the lists of those who keep lists?

A title alone is no identity, and many works are in no list: not finding one says nothing against it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from core.bibliography import OTHER_TITLE, SAME_TITLE, Work, compare, folded_title, title_score
from core.identifiers import identify
from core.outside import Outside, text_read
from core.reference_policy import Also
from core.references import Exists, Field, Matches, Reason, Reference, ReferenceFinding, Scope
from core.resolvers import _crossref, _datacite, url
from core.resolvers._shapes import record, records

if TYPE_CHECKING:
    from core.references import Receipt
    from core.web_reply import Reply

NEEDS = Also.IDENTIFIERS

CANDIDATES = 5
"""Works that each registry is asked for."""

Found = list[tuple[Work, "Reply"]]


def reads(reference: Reference) -> str | None:
    """The title, folded; only of a reference that names nothing which can be looked up directly."""
    if not reference.title or identify(reference.text) or url.reads(reference):
        return None
    return f"title:{folded_title(reference.title)}" if folded_title(reference.title) else None


async def look(reference: Reference, identifier: str, outside: Outside) -> ReferenceFinding:
    """Ask the registries until one has the work."""
    receipts: list[Receipt] = []
    alike: Found = []
    complete = True
    for ask in (_ask_crossref, _ask_datacite):
        candidates, receipt = await ask(reference, outside)
        receipts.append(receipt)
        complete = complete and candidates is not None
        same = [one for one in candidates or [] if (title_score(reference.title or "", one[0]) or 0) >= SAME_TITLE]
        alike += same
        for work, reply in same:
            if _is_it(reference, work):
                return _found(reference, identifier, work, reply, receipts)
    return _not_found(reference, identifier, alike, receipts, complete)


async def _ask_crossref(reference: Reference, outside: Outside) -> tuple[Found | None, Receipt]:
    words = quote(" ".join([reference.title or "", *reference.authors[:1]]), safe="")
    path = f"works?query.bibliographic={words}&rows={CANDIDATES}&mailto={quote(outside.policy.contact or '')}"
    reply, data, receipt = await outside.ask_json(outside.policy.endpoints.crossref, path, "Crossref")
    items = record(record(data).get("message")).get("items")
    return _works(items, reply, _crossref.work), receipt


async def _ask_datacite(reference: Reference, outside: Outside) -> tuple[Found | None, Receipt]:
    words = re.sub(r"[^\w ]", " ", reference.title or "")
    path = f"dois?query={quote(f'titles.title:({words})', safe='')}&page%5Bsize%5D={CANDIDATES}"
    reply, data, receipt = await outside.ask_json(outside.policy.endpoints.datacite, path, "DataCite")
    items = record(data).get("data")
    attributes = [one.get("attributes") for one in records(items)] if isinstance(items, list) else None
    return _works(attributes, reply, _datacite.work), receipt


def _works(items: object, reply: Reply, shape: Any) -> Found | None:
    """The candidates of an answer; none when it was no sound answer."""
    if not isinstance(items, list):
        return None
    return [(shape(one), reply) for one in records(items)]


def _is_it(reference: Reference, work: Work) -> bool:
    """Whether something else than the title speaks for it, and nothing against it."""
    found = compare(reference, work)
    if found.matches is not Matches.YES or len(found.compared) < 2:
        return False
    return Field.AUTHORS in found.compared or _is_venue(reference.venue, work.venue) is not False


def _is_venue(said: str | None, found: str) -> bool | None:
    """Whether two names of a journal or book may be one; none when one of them is not there."""
    from rapidfuzz import fuzz

    if not said or not found:
        return None
    return fuzz.token_set_ratio(folded_title(said), folded_title(found)) / 100 >= OTHER_TITLE


def _found(
    reference: Reference, identifier: str, work: Work, reply: Reply, receipts: list[Receipt]
) -> ReferenceFinding:
    return ReferenceFinding(
        reference=reference,
        kind="title",
        identifier=identifier,
        exists=Exists.YES,
        matches=Matches.YES,
        reason=Reason.OK,
        said=f"{work.registry} has a work of this title that fits, under {work.id}.",
        notices=work.notices,
        read=text_read(work.abstract, reply, Scope.ABSTRACT, work.title) if work.abstract else None,
        resolved_by=work.registry,
        receipts=tuple(receipts),
    )


def _not_found(
    reference: Reference, identifier: str, alike: Found, receipts: list[Receipt], complete: bool
) -> ReferenceFinding:
    if alike:
        work = alike[0][0]
        reason = Reason.AMBIGUOUS
        said = f"{work.registry} has a work of this title under {work.id}, but nothing else says that it is this one."
    elif complete:
        reason = Reason.NOT_IN_REGISTRIES
        said = "Neither Crossref nor DataCite lists such a title; many works are in neither."
    else:
        reason = Reason.COVERAGE_INCOMPLETE
        said = "Not every registry that had to be asked has answered, so nothing is known of it."
    return ReferenceFinding(
        reference=reference, kind="title", identifier=identifier, reason=reason, said=said, receipts=tuple(receipts)
    )
