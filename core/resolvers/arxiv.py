"""arXiv ids, old and new, with and without a version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.identifiers import identify
from core.reference_policy import Also
from core.references import Exists, Reference, ReferenceFinding
from core.resolvers._registered import Testimony, ask_arxiv, ask_datacite, conclude, of_another_version, open_page

if TYPE_CHECKING:
    from core.outside import Outside

NEEDS = Also.IDENTIFIERS

_PAGES = "https://arxiv.org/abs/"


def reads(reference: Reference) -> str | None:
    """The id without its version."""
    found = identify(reference.text)
    return found.id if found and found.kind == "arxiv" else None


async def look(reference: Reference, identifier: str, outside: Outside) -> ReferenceFinding:
    """Ask arXiv, which keeps its own list, and where it says another work, DataCite as well."""
    paper = identify(reference.text)
    assert paper is not None
    told = Testimony(reference)
    if await ask_arxiv(told, paper, outside):
        told.exists = Exists.NO
    elif not told.works or told.needs_another:
        await ask_datacite(told, f"10.48550/arxiv.{identifier}", outside)
    page = None
    if Also.URLS in outside.policy.also and told.exists is not Exists.NO:
        version = f"v{paper.version}" if paper.version else ""
        page = await open_page(outside, f"{_PAGES}{identifier}{version}")
    found = conclude("arxiv", identifier, told, page)
    latest = next((work.version for work in told.works if work.version), None)
    return of_another_version(found, paper.version, latest)
