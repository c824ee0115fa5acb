"""What a case says of the outside, set up as a small web and asked through the product."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.sax.saxutils import escape

from core.identifiers import Identifier, identify
from core.models import Evidence, Resolve
from core.reference_policy import Also, Limits, Lives, ReferencePolicy
from core.references import Exists, Reason, Reference, ReferenceFinding
from core.registry import Registry
from core.resolving import resolve
from core.web_reply import host_in
from tests.fakes.web_server import Answer, Web, running

_ARXIV = "https://export.arxiv.org/api/query?max_results=1&id_list="
_AGENCIES = {"crossref": "https://api.crossref.org/works/", "datacite": "https://api.datacite.org/dois/"}
WORDS = {Resolve.OK: "resolved", Resolve.INACCESSIBLE: "inaccessible", Resolve.NOT_CHECKED: "not_checked"}


def look(given: Mapping[str, Any]) -> list[ReferenceFinding]:
    """The findings on what a case cites, as they stand when nothing changes for two days."""
    wanted = references(given)
    answers = [dict(one) for one in given.get("simulated") or ()]
    also = {Also.IDENTIFIERS, *([Also.URLS] if any("index" not in one for one in answers) else [])}
    silent = any("timeout" in str(one.get("error", "")) for one in answers)
    policy = ReferencePolicy(
        also=frozenset(also),
        contact="desk@citedesk.example",
        limits=Limits(per_second=1000, seconds=1 if silent else 60, patience=0),
        lives=Lives(read_days=0, missing_days=0, refused_hours=0),
    )
    with running() as web, TemporaryDirectory() as folder:
        first = {host_in(one["url"]): one["url"] for one in reversed(answers) if "url" in one}
        unknown = Answer("", 503)
        web.fallback = lambda url: web.pages.get(first.get(host_in(url), ""), unknown)
        for one in answers:
            _set_up(web, one, wanted[0])
        _set_up_registry(web, given, wanted[0])
        found: list[ReferenceFinding] = []
        for _ in range(2):
            found = list(resolve(wanted, policy, cache=Path(folder, "cache"), network=web.network()))
            web.later(48)
    order = {reference: number for number, reference in enumerate(wanted)}
    return sorted(found, key=lambda one: order[one.reference])


def opened(given: Mapping[str, Any]) -> dict[str, Any]:
    """What comes of links, on a web whose names change their addresses as a case says, and where connections went."""
    links = given.get("urls") or [given["url"]]
    policy = ReferencePolicy(also=frozenset({Also.URLS}), robots=False, limits=Limits(per_second=1000, patience=0))
    with running() as web:
        web.fallback = lambda url: Answer("A page of some words.", 200, {"content-type": "text/plain"})
        web.dns |= {host: [[ip] for ip in ips] for host, ips in given.get("dns_sequence", {}).items()}
        for one in given.get("simulated") or ():
            _set_up(web, one, Reference(text=links[0]))
        each = [_told(one) for one in resolve([Reference(text=link) for link in links], policy, network=web.network())]
        said = {"connected_to": [ip for ip, _ in web.connected], "second_lookup_used": len(web.lookups) > len(links)}
    return {**each[0], "each": each, **said}


def references(given: Mapping[str, Any]) -> list[Reference]:
    """What a case cites: citations, or the addresses that its web begins with."""
    citation = given.get("citation")
    cited = given.get("citations") or ([citation] if citation else [])
    if not cited:
        answers = given.get("simulated") or ()
        targets = {one.get("location") for one in answers}
        cited = [one["url"] for one in answers if one["url"] not in targets]
    return [_reference(one) for one in cited]


def _reference(one: str | Mapping[str, Any]) -> Reference:
    if isinstance(one, str):
        return Reference(text=one)
    authors = one.get("authors") or ([one["author"]] if "author" in one else [])
    text = one.get("doi") or one.get("arxiv") or one.get("url") or ""
    known = {name: one.get(name) for name in ("title", "year", "venue")}
    return Reference(text=text, authors=tuple(authors), **known)


def _set_up(web: Web, one: Mapping[str, Any], first: Reference) -> None:
    """One answer of a case's web; what a case does not say of a host, it answers as it does to what the case says."""
    if "index" in one:
        _set_up_agency(web, one, first)
        return
    url, error = one.get("url", first.text), str(one.get("error", ""))
    if re.search("dns|nxdomain|resolve|notfound", error, re.I):
        web.dns[host_in(url)] = [[]]
    headers = dict(one.get("headers") or {}) | ({"location": one["location"]} if "location" in one else {})
    kind = "silent" if "timeout" in error else "cut" if error else "ok"
    web.put(url, one.get("body", ""), one.get("status") or 200, headers=headers, kind=kind, seconds=3)


def _set_up_agency(web: Web, one: Mapping[str, Any], first: Reference) -> None:
    found = identify(first.text)
    name = found.id if found else first.text
    if one["index"] == "arxiv":
        web.put(f"{_ARXIV}{name}", _feed(name, one), one.get("status", 200))
        return
    tail = "?mailto=desk%40citedesk.example" if one["index"] == "crossref" else ""
    url = f"{_AGENCIES.get(one['index'], 'https://other.example/')}{name.replace('/', '%2F')}{tail}"
    web.put_json(url, _message(one, one["index"]), one.get("status", 200))


def _feed(name: str, one: Mapping[str, Any]) -> str:
    authors = "".join(f"<author><name>{escape(author)}</name></author>" for author in one.get("authors") or ())
    known = f"<title>{escape(one.get('title', ''))}</title><published>{one.get('year', '')}</published>{authors}"
    entry = f"<entry><id>http://arxiv.org/abs/{name}v{one.get('version', 1)}</id>{known}</entry>"
    return f'<feed xmlns="http://www.w3.org/2005/Atom">{entry if "title" in one else ""}</feed>'


def _message(one: Mapping[str, Any], agency: str) -> dict[str, Any]:
    authors = [{"name": name, "family": name.split()[-1]} for name in one.get("authors") or ()]
    if agency == "datacite":
        said = {"doi": one.get("doi"), "titles": [{"title": one.get("title", "")}], "creators": authors}
        return {"data": {"attributes": said | {"publicationYear": one.get("year")}}}
    return {"message": _crossref(one, authors)}


def _crossref(one: Mapping[str, Any], authors: Sequence[Mapping[str, str]] = ()) -> dict[str, Any]:
    known = {"DOI": one.get("doi"), "title": [one.get("title", "")], "author": list(authors)}
    known |= {"container-title": [one["venue"]]} if "venue" in one else {}
    known |= {"issued": {"date-parts": [[one["year"]]]}} if "year" in one else {}
    updates = next((one[name] for name in ("updated-by", "updated_by", "update-to", "updates") if name in one), None)
    known |= {"updated-by": updates} if isinstance(updates, list) else {}
    known |= {"updated-by": [{"type": "retraction"}]} if one.get("retracted") else {}
    return known


def _set_up_registry(web: Web, given: Mapping[str, Any], first: Reference) -> None:
    if "simulated_search" in given:
        found = given["simulated_search"]
        status = found.get("status", 200) if isinstance(found, dict) else 200
        items = [
            _crossref(one, [{"name": name} for name in one.get("authors") or ()]) for one in found if status == 200
        ]
        crossref = json.dumps({"message": {"items": items}})
        kind = {"content-type": "application/json"}
        web.fallback = lambda url: (
            Answer(crossref, status, kind) if "crossref" in url else Answer('{"data": []}', 200, kind)
        )
    if "simulated_metadata" in given:
        known = identify(first.text)
        agency = "arxiv" if known and known.kind == "arxiv" else "crossref"
        _set_up_agency(web, {"index": agency, **given["simulated_metadata"]}, first)


def told(given: Mapping[str, Any]) -> dict[str, Any]:
    """The findings as the cases call them."""
    found = look(given)
    each = [_told(one) for one in found]
    return {
        **each[0],
        "each": each,
        "label": [one["label"] for one in each],
        "retry_after_seconds": {one.reference.text: one.retry_after for one in found if one.retry_after},
    }


def _told(one: ReferenceFinding) -> dict[str, Any]:
    status = WORDS.get(one.resolve, "unresolvable")
    if one.reason is Reason.BLOCKED_BY_POLICY:
        status = "blocked_address"
    return {
        "status": status,
        "reason": one.said,
        "label": one.label,
        "exists": str(one.exists),
        "matches": str(one.matches),
        "reachable": str(one.reachable),
        "differs": [str(field) for field in one.differs],
        "fetched": one.read is not None,
        "flags": [*one.flags, str(one.reason)],
        "final_url": one.final_url,
        "blocked_hop": one.final_url,
        "partial_text": one.read is not None and not one.read.is_whole,
        "doi_exists": {Exists.YES: True, Exists.NO: False}.get(one.exists),
        "resolved_by": (one.resolved_by or "").lower(),
    }


def registered(given: Mapping[str, Any]) -> tuple[Registry, dict[Identifier | None, str]]:
    """The registry of a case's request, and its ids by the DOI of their source."""
    entries = given["registry"] if "registry" in given else [given["source"]]
    entries = entries[given["request_id"]] if isinstance(entries, dict) else entries
    evidence = [
        Evidence(id=one["id"], text="", uri=one.get("url"), accessible="read_error" not in one) for one in entries
    ]
    return Registry.build(evidence), {identify(one["doi"]): one["id"] for one in entries if "doi" in one}
