"""DataCite's way of writing works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.bibliography import Author, Work
from core.resolvers._shapes import record, records, text, texts, year

_DATES = frozenset({"Issued", "Available", "Submitted"})


def work(data: Mapping[str, Any]) -> Work:
    """A work from the answer for one DOI (``{"data": {"attributes": …}}``) or from its attributes alone."""
    said = record(record(data.get("data")).get("attributes")) if "data" in data else data
    titles = [one for one in records(said.get("titles")) if text(one.get("title"))]
    main = next((one for one in titles if not one.get("titleType")), titles[0] if titles else {})
    rest = [one for one in titles if one is not main]
    subtitles = [text(one["title"]) for one in rest if one.get("titleType") == "Subtitle"]
    return Work(
        registry="DataCite",
        id=text(said.get("doi")).lower(),
        title=text(main.get("title")),
        subtitle=next(iter(subtitles), ""),
        other_titles=tuple(text(one["title"]) for one in rest if one.get("titleType") != "Subtitle"),
        authors=tuple(_authors(said.get("creators"))),
        years=tuple(dict.fromkeys(_years(said))),
        venue=text(record(said.get("container")).get("title")),
        kind=text(record(said.get("types")).get("resourceTypeGeneral")),
        abstract=next(_abstracts(said), ""),
    )


def _authors(people: object) -> Iterator[Author]:
    for one in records(people):
        family, given = text(one.get("familyName")), text(one.get("givenName"))
        yield Author(family=family, given=given, literal=text(one.get("name")))


def _years(said: Mapping[str, Any]) -> Iterator[int]:
    dates = [one.get("date") for one in records(said.get("dates")) if one.get("dateType") in _DATES]
    for date in (said.get("publicationYear"), *dates):
        if (found := year(date)) is not None:
            yield found


def _abstracts(said: Mapping[str, Any]) -> Iterator[str]:
    for one in records(said.get("descriptions")):
        if one.get("descriptionType") == "Abstract":
            yield from texts(one.get("description"))
