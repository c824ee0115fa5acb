"""What registries say of a work, put together: who knows it, whether it is the one that is meant, what was read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

from core.bibliography import Comparison, Work, compare
from core.identifiers import Identifier
from core.outside import Look, Outside, receipt, text_read
from core.references import (
    Exists,
    Field,
    Matches,
    Read,
    Reason,
    Receipt,
    Reference,
    ReferenceFinding,
    Scope,
    Substitute,
)
from core.resolvers import _atom, _datacite
from core.resolvers.url import finding, settled, work_of_page

if TYPE_CHECKING:
    from core.reference_policy import Endpoint
    from core.web_reply import Reply


@dataclass(slots=True)
class Testimony:
    """What was asked and answered so far about one identifier."""

    reference: Reference
    works: list[Work] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    """Abstracts that came with the works."""
    receipts: list[Receipt] = field(default_factory=list)
    exists: Exists = Exists.UNKNOWN

    def hear(self, work: Work, reply: Reply) -> Comparison:
        """Take down what a registry says of the work."""
        self.works.append(work)
        self.exists = Exists.YES
        if work.abstract:
            self.reads.append(text_read(work.abstract, reply, Scope.ABSTRACT, work.title or None))
        return compare(self.reference, work)

    @property
    def needs_another(self) -> bool:
        """Whether one registry says that it is another work, which takes a second one to say."""
        return [compare(self.reference, one).matches for one in self.works] == [Matches.OTHER_WORK]

    def verdict(self) -> tuple[Matches, tuple[Field, ...]]:
        """Whether it is the work that is meant: who says yes is believed, and two who say that it is another one."""
        found = [compare(self.reference, one) for one in self.works]
        if not found:
            return Matches.UNKNOWN, ()
        best = min(found, key=lambda one: _ORDER.index(one.matches))
        others = [one for one in found if one.matches is Matches.OTHER_WORK]
        if best.matches is Matches.OTHER_WORK and len(others) < 2:
            return Matches.DIFFERS, best.differs
        return best.matches, best.differs


_ORDER = (Matches.YES, Matches.DIFFERS, Matches.OTHER_WORK, Matches.UNKNOWN)


async def ask_datacite(told: Testimony, doi: str, outside: Outside) -> None:
    """What DataCite says of a DOI."""
    endpoint = outside.policy.endpoints.datacite
    reply, data, receipt = await outside.ask_json(endpoint, f"dois/{quote(doi, safe='')}", "DataCite")
    told.receipts.append(receipt)
    if isinstance(data, dict) and isinstance(data.get("data"), dict):
        told.hear(_datacite.work(data), reply)


async def ask_arxiv(told: Testimony, paper: Identifier, outside: Outside) -> bool:
    """What arXiv says of a paper; gives whether arXiv answered that it has no such paper."""
    endpoint = outside.policy.endpoints.arxiv
    url = f"{endpoint.url}/api/query?max_results=1&id_list={quote(paper.id, safe='/')}"
    reply = await outside.fetcher.ask(url, "application/atom+xml", endpoint)
    try:
        work, sound = (_atom.work(reply.body) if reply.is_read else None), reply.is_read
    except _atom.NoFeed:
        work, sound = None, False
    said = "answered" if work else "has no such paper" if sound else "gave no sound answer"
    told.receipts.append(receipt(reply, said, "arXiv"))
    if work:
        told.hear(work, reply)
    return sound and work is None


async def open_page(outside: Outside, url: str, endpoint: Endpoint | None = None) -> Look:
    """The page that an identifier leads to, with everything that takes more than one look."""
    return await settled(await outside.open(url, endpoint), outside)


def conclude(kind: str, identifier: str, told: Testimony, page: Look | None) -> ReferenceFinding:
    """The finding on a work with an identifier.

    Args:
        kind: The resolver.
        identifier: In the registry's spelling.
        told: What registries say.
        page: The page that the identifier leads to, where it was opened.
    """
    if page is not None and (work := work_of_page(page)) is not None:
        told.works.append(work)
    matches, differs = told.verdict()
    found = ReferenceFinding(
        reference=told.reference,
        kind=kind,
        identifier=identifier,
        exists=told.exists,
        matches=matches,
        differs=differs,
        notices=tuple(dict.fromkeys(one for work in told.works for one in work.notices)),
        reason=_reason(told),
        said=_said(told, matches, differs),
        read=told.reads[0] if told.reads else None,
        resolved_by=told.works[0].registry if told.works else None,
        receipts=tuple(told.receipts),
    )
    if page is None or told.exists is Exists.NO:
        return found
    seen = finding(kind, told.reference, identifier, page)
    return found.model_copy(
        update={
            "exists": Exists.YES if Exists.YES in (told.exists, seen.exists) else told.exists,
            "reachable": seen.reachable,
            "reason": seen.reason,
            "said": f"{found.said} {seen.said}",
            "read": seen.read or found.read,
            "final_url": seen.final_url,
            "retry_after": seen.retry_after,
            "resolved_by": found.resolved_by or seen.resolved_by,
            "receipts": (*found.receipts, *seen.receipts),
        }
    )


def of_another_version(found: ReferenceFinding, cited: int | None, latest: int | None) -> ReferenceFinding:
    """Say so where the text that was read is not of the version that is cited."""
    if cited is None or latest is None or cited == latest or found.read is None:
        return found
    if cited > latest:
        said = f"{found.said} The latest version is {latest}, not {cited}."
        return found.model_copy(
            update={"differs": (*found.differs, Field.VERSION), "matches": _worse(found.matches), "said": said}
        )
    other = Substitute(kind="another version", what=f"v{latest}")
    said = f"{found.said} Version {latest} was read, not {cited}."
    return found.model_copy(update={"substitute": other, "said": said})


def _worse(matches: Matches) -> Matches:
    return matches if matches is Matches.OTHER_WORK else Matches.DIFFERS


def _reason(told: Testimony) -> Reason:
    if told.exists is Exists.YES:
        return Reason.OK
    if told.exists is Exists.NO:
        return Reason.NOT_REGISTERED
    return Reason.COVERAGE_INCOMPLETE


def _said(told: Testimony, matches: Matches, differs: tuple[Field, ...]) -> str:
    if told.exists is Exists.NO:
        return "The registrar answers that this identifier is not registered."
    if told.exists is Exists.UNKNOWN:
        return "Not every registry that had to be asked has answered, so nothing is known of it."
    by = f"Registered, says {told.works[0].registry}" if told.works else "Registered"
    if matches is Matches.YES:
        return f"{by}, and it is the work that is meant."
    if matches is Matches.OTHER_WORK:
        return f"{by}, but two registries describe another work."
    if differs:
        return f"{by}, but it differs in {' and '.join(differs)} from what the answer says."
    return f"{by}."
