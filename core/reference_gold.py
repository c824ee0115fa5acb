"""A labelled set of references against what registries say, and how often our rules accuse wrongly on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.bibliography import Work
from core.models import Record
from core.references import Field, Matches, Reference
from core.resolvers import _atom, _crossref, _datacite
from core.resolvers._registered import Testimony
from core.web_reply import Reply


class LabelledReference(Record):
    """One reference as an answer writes it, what registries say, and what a person says of the two."""

    id: str
    kind: str
    language: str
    said: Reference
    works: tuple[Work, ...]
    verdict: Matches
    differs: frozenset[Field]
    why: str


class ReferenceRates(Record):
    """How the rules do on a labelled set; each pair is a count and what it is of."""

    rows: int
    right: int
    """With the same verdict as the person."""
    accused: tuple[int, int]
    """Works that are the ones that are meant, or of which nothing can be said, and that differ or are others by us."""
    called_other: tuple[int, int]
    """Works that are not two registries' other work, and are called so by us."""
    passed: tuple[int, int]
    """Works that differ or are others, and match by us."""
    wrong: tuple[str, ...]
    """Ids of the rows with another verdict than the person's."""


def read(path: Path) -> list[LabelledReference]:
    """Read a file of labelled references, one JSON object a line."""
    return [_row(json.loads(line)) for line in path.read_text(encoding="utf-8").split("\n") if line]


def _row(data: Mapping[str, Any]) -> LabelledReference:
    said = data["said"]
    return LabelledReference(
        id=data["id"],
        kind=data["class"],
        language=data["language"],
        said=Reference(title=said["title"], authors=tuple(said["authors"]), year=said["year"]),
        works=tuple(_work(one["shape"], one["data"]) for one in data["records"]),
        verdict=Matches(data["verdict"]),
        differs=frozenset(map(Field, data["differs"])),
        why=data["why"],
    )


def _work(shape: str, data: Any) -> Work:
    if shape == "arxiv":
        work = _atom.work(data.encode())
        assert work is not None
        return work
    shapes: dict[str, Callable[[Mapping[str, Any]], Work]] = {
        "crossref": _crossref.work, "datacite": _datacite.work, "openalex": _crossref.of_openalex
    }  # fmt: skip
    return shapes[shape](data)


def verdict(row: LabelledReference) -> tuple[Matches, frozenset[Field]]:
    """What our rules say of a row, and in which fields it differs."""
    told = Testimony(row.said)
    reply = Reply(url="", at=datetime(1970, 1, 1, tzinfo=UTC))
    for work in row.works:
        told.hear(work, reply)
    matches, differs = told.verdict()
    return matches, frozenset(differs)


def rates(rows: Sequence[LabelledReference]) -> ReferenceRates:
    """Compare our verdicts with the labels."""
    said = [(row, verdict(row)[0]) for row in rows]
    fine = [one for row, one in said if row.verdict in (Matches.YES, Matches.UNKNOWN)]
    not_other = [one for row, one in said if row.verdict is not Matches.OTHER_WORK]
    faulty = [one for row, one in said if row.verdict in (Matches.DIFFERS, Matches.OTHER_WORK)]
    return ReferenceRates(
        rows=len(said),
        right=sum(row.verdict is one for row, one in said),
        accused=(sum(one in (Matches.DIFFERS, Matches.OTHER_WORK) for one in fine), len(fine)),
        called_other=(sum(one is Matches.OTHER_WORK for one in not_other), len(not_other)),
        passed=(sum(one is Matches.YES for one in faulty), len(faulty)),
        wrong=tuple(row.id for row, one in said if row.verdict is not one),
    )
