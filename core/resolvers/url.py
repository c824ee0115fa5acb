"""Links: is the page there, can it be read here, and is it the one that is meant?"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from urllib.parse import urlsplit, urlunsplit

from core.addresses import Refused, target
from core.bibliography import Author, Work, compare, title_score
from core.identifiers import identify, trimmed
from core.outside import Look, Outside, read_of, redacted
from core.page_signs import Sign
from core.reference_policy import Also
from core.references import (
    Exists,
    Field,
    Matches,
    Reachable,
    Reason,
    Receipt,
    Reference,
    ReferenceFinding,
)
from core.resolvers._archive import with_copy

NEEDS = Also.URLS

SAME_TEXT = 0.90
"""Likeness of two pages of one site from which they are the same page for everything that is not there."""

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{1,20}:", re.I)
_BARE = re.compile(r"(?:www\.\S+|(?:[\w-]+\.)+[a-z]{2,24}/\S*)", re.I)
_LOOKED_AT = 20_000
"""Characters of two pages that are compared."""

_REACHABLE = {
    Reason.OK: Reachable.LIVE,
    Reason.MOVED: Reachable.LIVE,
    Reason.NOT_FOUND: Reachable.GONE,
    Reason.SOFT_NOT_FOUND: Reachable.SOFT_GONE,
    Reason.MISSING_ONCE: Reachable.UNKNOWN,
    Reason.BLOCKED_BY_POLICY: Reachable.UNKNOWN,
}
"""What a reason says of the third axis; every other one is a door."""


def reads(reference: Reference) -> str | None:
    """The address, plainly written; also of links that must not be opened, so that they are told apart."""
    text = trimmed(reference.text.strip())
    if identify(text) or not (_SCHEME.match(text) or _BARE.fullmatch(text)):
        return None
    url = text if _SCHEME.match(text) else f"https://{text}"
    try:
        return target(url, range(1, 65536)).url
    except Refused:
        return url


async def look(reference: Reference, identifier: str, outside: Outside) -> ReferenceFinding:
    """Open the page and say what was found."""
    seen = await settled(await outside.open(identifier), outside)
    return await with_copy(finding("url", reference, identifier, seen), identifier, outside)


async def settled(seen: Look, outside: Outside) -> Look:
    """A look with what takes more than one of them: pages that say that there is none, and pages that are gone."""
    if seen.sign.absent == 1:
        seen = await _beside(seen, outside)
    soft = seen.sign.absent >= 2
    if not soft and seen.sign.reason is not Reason.MISSING_ONCE:
        if seen.reply.is_read:
            outside.is_there(seen)
        return seen
    if not outside.is_gone(seen):
        said = "The page says that there is none" if soft else seen.sign.said.removesuffix(".")
        sign = Sign(
            reason=Reason.MISSING_ONCE, said=f"{said}; it counts as gone when another look, a day apart, agrees."
        )
        return replace(seen, sign=sign)
    reason = Reason.SOFT_NOT_FOUND if soft else Reason.NOT_FOUND
    said = "It says itself that there is no such page" if soft else seen.sign.said.removesuffix(".")
    return replace(seen, sign=Sign(reason=reason, said=f"{said}; so it was at every look for at least a day."))


async def _beside(seen: Look, outside: Outside) -> Look:
    """Ask for a page beside it that cannot be there: the same answer is another sign (Bar-Yossef, Tomkins, 2004)."""
    from rapidfuzz import fuzz

    parts = urlsplit(seen.reply.final_url)
    folder = urlsplit(seen.reply.url).path.rpartition("/")[0]
    name = hashlib.sha256(seen.reply.url.encode()).hexdigest()[:20]
    other = await outside.open(urlunsplit((parts.scheme, parts.netloc, f"{folder}/{name}", "", "")))
    same = other.reply.is_read and (
        other.reply.final_url == seen.reply.final_url
        or fuzz.ratio(other.page.shown[:_LOOKED_AT], seen.page.shown[:_LOOKED_AT]) / 100 >= SAME_TEXT
    )
    sign = seen.sign.model_copy(update={"absent": 1 + bool(same)})
    return replace(seen, sign=sign, receipts=(*seen.receipts, *other.receipts))


def finding(
    kind: str,
    reference: Reference,
    identifier: str,
    seen: Look,
    receipts: tuple[Receipt, ...] = (),
) -> ReferenceFinding:
    """What a look at a page says of a reference."""
    reachable = _REACHABLE.get(seen.sign.reason, Reachable.BLOCKED)
    is_there = reachable is Reachable.LIVE or seen.sign.partial
    is_text = is_there and seen.sign.absent < 2
    matches, differs = page_matches(reference, seen) if is_text else (Matches.UNKNOWN, ())
    return ReferenceFinding(
        reference=reference,
        kind=kind,
        identifier=redacted(identifier),
        exists=Exists.YES if is_there else Exists.UNKNOWN,
        matches=matches,
        differs=differs,
        reachable=reachable,
        reason=seen.sign.reason,
        said=seen.sign.said,
        read=read_of(seen) if is_text else None,
        final_url=redacted(seen.reply.final_url) or None,
        retry_after=seen.reply.retry_after,
        resolved_by=seen.receipts[0].who if is_there else None,
        receipts=(*receipts, *seen.receipts),
    )


def page_matches(reference: Reference, seen: Look) -> tuple[Matches, tuple[Field, ...]]:
    """Whether a page is of the work that is meant: by what it says for machines, else only ever yes or unknown."""
    if work := work_of_page(seen):
        found = compare(reference, work)
        return (
            (Matches.DIFFERS, found.differs) if found.matches is Matches.OTHER_WORK else (found.matches, found.differs)
        )
    if reference.title is None:
        return Matches.UNKNOWN, ()
    names = [name for name in (seen.page.title, seen.page.heading) if name]
    pieces = [piece for name in names for piece in (name, *re.split(r"\s+[|–—·»-]\s+", name))]
    scores = [title_score(reference.title, Work(registry="page", id="", title=piece)) or 0 for piece in pieces]
    return (Matches.YES if max(scores, default=0) >= SAME_TEXT else Matches.UNKNOWN), ()


def work_of_page(seen: Look) -> Work | None:
    """What a publisher's page says of its work for machines; none when it says nothing."""
    page = seen.page
    if not page.work_title:
        return None
    authors = tuple(Author(literal=name) for name in page.authors)
    return Work(registry="page", id=seen.reply.final_url, title=page.work_title, authors=authors, years=page.years)
