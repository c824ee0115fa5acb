"""Crossref's and citeproc's way of writing works, and OpenAlex's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.bibliography import Author, Work
from core.references import Notice
from core.resolvers._shapes import record, records, text, texts, year

_NOTICES = {
    "retraction": "retracted",
    "partial_retraction": "retracted",
    "removal": "retracted",
    "withdrawal": "withdrawn",
    "expression_of_concern": "concern",
    "correction": "corrected",
    "corrigendum": "corrected",
    "erratum": "corrected",
    "addendum": "corrected",
    "clarification": "corrected",
}
_SAYS_RETRACTED = re.compile(r"^\W*(?:retracted|withdrawn)(?:\s+article)?\W", re.I)
_DATES = ("published-print", "published-online", "published", "issued")
_JATS = re.compile(r"<[^<>]{1,200}>")


def work(message: Mapping[str, Any], registry: str = "Crossref") -> Work:
    """A work as Crossref writes it; titles may be lists or, in citeproc, plain texts."""
    titles = texts(message.get("title"))
    title = next(iter(titles), "")
    return Work(
        registry=registry,
        id=text(message.get("DOI")).lower(),
        title=title,
        subtitle=next(iter(texts(message.get("subtitle"))), ""),
        other_titles=(*titles[1:], *texts(message.get("original-title")), *texts(message.get("short-title"))),
        authors=tuple(_authors(message.get("author") or message.get("editor"))),
        years=tuple(dict.fromkeys(_years(message))),
        venue=next(iter(texts(message.get("container-title"))), ""),
        kind=text(message.get("type")),
        abstract=text(_JATS.sub(" ", text(message.get("abstract")))),
        notices=tuple(_notices(message, registry, title)),
    )


def _authors(people: object) -> Iterator[Author]:
    for one in records(people):
        yield Author(
            family=text(one.get("family")),
            given=text(one.get("given")),
            literal=text(one.get("name") or one.get("literal")),
        )


def _years(message: Mapping[str, Any]) -> Iterator[int]:
    for name in _DATES:
        if (found := year(next(iter(_parts(message.get(name))), None))) is not None:
            yield found


def _parts(date: object) -> list[Any]:
    """Year, month and day as far as a date says them."""
    parts = record(date).get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    return first if isinstance(first, list) else []


def _notices(message: Mapping[str, Any], registry: str, title: str) -> Iterator[Notice]:
    """Updates of this work (``updated-by``, Retraction Watch's among them), works that it updates, its title."""
    told = list(_updates(message.get("updated-by"), registry))
    yield from told
    for one in _updates(message.get("update-to"), registry):
        yield one.model_copy(update={"kind": f"notice_of_{one.kind}"})
    if _SAYS_RETRACTED.match(title) and not any(one.kind in ("retracted", "withdrawn") for one in told):
        yield Notice(kind="retracted", by=f"{registry} (title)")


def _updates(updates: object, registry: str) -> Iterator[Notice]:
    for one in records(updates):
        kind = text(one.get("type")).lower().replace("-", "_").replace(" ", "_")
        if kind not in _NOTICES:
            continue
        source = text(one.get("source"))
        yield Notice(
            kind=_NOTICES[kind],
            by=f"{registry} ({source})" if source else registry,
            doi=text(one.get("DOI")).lower() or None,
            on="-".join(text(part).zfill(2) for part in _parts(one.get("updated"))) or None,
        )


def of_openalex(data: Mapping[str, Any]) -> Work:
    """A work as OpenAlex writes it."""
    people = [record(one.get("author")) for one in records(data.get("authorships"))]
    published = year(data.get("publication_year"))
    return Work(
        registry="OpenAlex",
        id=text(data.get("doi")).lower().removeprefix("https://doi.org/"),
        title=text(data.get("title") or data.get("display_name")),
        authors=tuple(Author(literal=text(one.get("display_name"))) for one in people),
        years=() if published is None else (published,),
        kind=text(data.get("type")),
        notices=(Notice(kind="retracted", by="OpenAlex"),) if data.get("is_retracted") is True else (),
    )
