"""DOIs: registered or not, which work, and what was published about it since.

A DOI that one agency does not know may be another agency's: only the registrar's own answer says that it is not
registered.
"""

from __future__ import annotations

from urllib.parse import quote

from core.identifiers import arxiv_of, identify
from core.outside import Look, Outside, json_of
from core.reference_policy import Also
from core.references import Exists, Reference, ReferenceFinding
from core.resolvers import _crossref
from core.resolvers._registered import Testimony, ask_arxiv, ask_datacite, conclude, of_another_version, open_page
from core.web_reply import host_in

NEEDS = Also.IDENTIFIERS

_NO_SUCH_HANDLE = 100
"""``responseCode`` of the handle system beside its 404; a 404 without it may be of anything on the way."""


def reads(reference: Reference) -> str | None:
    """The DOI in lower case, without what is written around it."""
    found = identify(reference.text)
    return found.id if found and found.kind == "doi" else None


async def look(reference: Reference, identifier: str, outside: Outside) -> ReferenceFinding:
    """Ask the agencies, then the registrar, then, where the policy says so, open the page that the DOI leads to."""
    told = Testimony(reference)
    paper = arxiv_of(identifier)
    agencies = (ask_datacite, _ask_crossref) if paper else (_ask_crossref, ask_datacite)
    for ask in agencies:
        if not told.works:
            await ask(told, identifier, outside)
    if not told.works:
        await _ask_registrar(told, identifier, outside)
    if told.needs_another:
        await _ask_another(told, identifier, outside)
    page = None
    if Also.URLS in outside.policy.also and told.exists is not Exists.NO:
        page = await _open(told, identifier, outside)
    found = conclude("doi", identifier, told, page)
    return of_another_version(found, paper.version, told.works[0].version) if paper and told.works else found


async def _ask_crossref(told: Testimony, doi: str, outside: Outside) -> None:
    path = f"works/{quote(doi, safe='')}?mailto={quote(outside.policy.contact or '')}"
    reply, data, receipt = await outside.ask_json(outside.policy.endpoints.crossref, path, "Crossref")
    told.receipts.append(receipt)
    if isinstance(data, dict) and isinstance(data.get("message"), dict):
        told.hear(_crossref.work(data["message"]), reply)


async def _ask_registrar(told: Testimony, doi: str, outside: Outside) -> None:
    """Whether the handle system knows the DOI, whichever agency it is of."""
    reply, _, receipt = await outside.ask_json(
        outside.policy.endpoints.doi, f"api/handles/{quote(doi, safe='/')}", "doi.org"
    )
    data = json_of(reply)
    code = data.get("responseCode") if isinstance(data, dict) else None
    told.receipts.append(receipt)
    if code == 1:
        told.exists = Exists.YES
    elif code == _NO_SUCH_HANDLE:
        told.exists = Exists.NO


async def _ask_another(told: Testimony, doi: str, outside: Outside) -> None:
    """Ask a second registry before anything is called another work."""
    endpoints = outside.policy.endpoints
    if paper := arxiv_of(doi):
        await ask_arxiv(told, paper, outside)
    elif endpoints.openalex:
        reply, data, receipt = await outside.ask_json(
            endpoints.openalex, f"works/doi:{quote(doi, safe='')}", "OpenAlex"
        )
        told.receipts.append(receipt)
        if isinstance(data, dict):
            told.hear(_crossref.of_openalex(data), reply)


async def _open(told: Testimony, doi: str, outside: Outside) -> Look:
    """Open the page; the registrar's own redirect says that the DOI exists, its own 404 that it does not."""
    registrar = outside.policy.endpoints.doi
    url = f"{registrar.url}/{quote(doi, safe='/:;()<>')}"
    page = await open_page(outside, url.replace("<", "%3C").replace(">", "%3E"), registrar)
    home = host_in(registrar.url)
    left = any(host_in(hop.url) == home for hop in page.reply.hops)
    if left and host_in(page.reply.final_url) != home and told.exists is Exists.UNKNOWN:
        told.exists = Exists.YES
    elif page.reply.is_missing and not page.reply.hops and page.reply.trouble is None and not told.works:
        told.exists = Exists.NO
    return page
