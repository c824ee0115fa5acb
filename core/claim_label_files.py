"""Labels of whole claims in a file, made elsewhere: a line is what one person says of one claim, with its passages.

A line names the claim by ``request_id`` and ``claim_id``; ``label`` is one of the nine, or coarse: ``not_supported``.
How the claims were drawn is said once for the file; where nobody says it, the labels feed no rate.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from core.errors import InputError
from core.importers import BadLine
from core.importers._records import records
from core.label_files import LabelReport
from core.models import Label, digest
from core.pipeline import batches
from core.store import Store
from core.store.gold_records import NOT_SUPPORTED, ImportedLabel

GUIDELINE = "elsewhere"
"""What such labels were given under when nobody says it: no version of ours."""

NAMES = (*Label, NOT_SUPPORTED)

_AT_ONCE = 500
_NEEDED = ("request_id", "claim_id", "label", "labeller")


class Drawing(NamedTuple):
    """How the claims of a file were drawn."""

    design: Literal["census", "random"] | None = None
    probability: float | None = None
    """Of each claim being drawn; a census has 1."""


class _Line(NamedTuple):
    number: int
    claim: tuple[str, str]
    label: str
    labeller: str


def drawing(design: str | None, probability: float | None) -> Drawing:
    """Check what somebody says of how claims were drawn.

    Raises:
        InputError: It contradicts itself, or a random sample has no probability.
    """
    if design == "census" and probability in (None, 1):
        return Drawing("census", 1.0)
    if design == "census":
        raise InputError("In a census every claim has probability 1", "leave --probability out")
    if probability is not None and not 0 < probability <= 1:
        raise InputError(f"{probability} is no probability of being drawn", "give one above 0 and at most 1")
    if design == "random" and probability is not None:
        return Drawing("random", probability)
    if design == "random" or probability is not None:
        raise InputError("A random sample has a design and a probability", "say --design random --probability P")
    return Drawing()


def is_mine(value: Mapping[str, Any]) -> bool:
    """Whether an object may be a line of such a file."""
    return all(name in value for name in _NEEDED) and "event_id" not in value


def take(store: Store, path: Path, drawn: Drawing, guideline: str, who: str) -> LabelReport:
    """Store the labels of a file; a line that names no claim, or several, is refused, the others go in.

    The same file said to be drawn alike is known the second time. Said to be drawn otherwise it is stored again, and
    what was said last counts.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
        StoreError: The store cannot be written; what was stored before stays.
    """
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    refused: list[BadLine] = []
    said: dict[tuple[str, str], str] = {}
    total = new = 0
    for group in batches(_lines(path), _AT_ONCE):
        total += len(group)
        refused += [one for one in group if isinstance(one, BadLine)]
        lines = [one for one in group if isinstance(one, _Line)]
        found = store.gold.claims_named({one.claim for one in lines})
        seen = store.gold.seen_now([uid for uids in found.values() for uid in uids])
        labels: dict[str, ImportedLabel] = {}
        for line in lines:
            uids = found.get(line.claim, [])
            before = said.setdefault((uids[0], line.labeller), line.label) if len(uids) == 1 else line.label
            if reason := _why_not(line, uids, before):
                refused.append(BadLine(file=path.name, line=line.number, field=None, reason=reason))
                continue
            one = _label(line, uids[0], seen[uids[0]], drawn, guideline, path.name, sha256)
            labels[one.event_id] = one
        new += store.gold.add(list(labels.values()), who)
    return LabelReport(
        source=path.name,
        events_read=total,
        events_new=new,
        events_known=total - new - len(refused),
        bad_lines=tuple(sorted(refused, key=lambda bad: bad.line)),
    )


def _why_not(line: _Line, uids: Sequence[str], before: str) -> str:
    request_id, claim_id = line.claim
    if not uids:
        return f"no claim {claim_id!r} of a request {request_id!r} is in the store"
    if len(uids) > 1:
        return (
            f"{len(uids)} claims are called {claim_id!r} of a request {request_id!r}, so it is not known which is meant"
        )
    if before != line.label:
        return f"{line.labeller!r} says {before} of the same claim in a line before"
    return ""


def _label(line: _Line, uid: str, seen: str, drawn: Drawing, guideline: str, origin: str, sha256: str) -> ImportedLabel:
    values = {
        "claim_uid": uid,
        "labeller": line.labeller,
        "guideline": guideline,
        "origin_sha256": sha256,
        "probability": drawn.probability,
        "design": drawn.design or "",
    }
    return ImportedLabel.model_validate(
        {**values, "event_id": digest(values)[:32], "label": line.label, "origin": origin, "seen_sha256": seen}
    )


def _lines(path: Path) -> Iterator[_Line | BadLine]:
    for number, value in records(path):
        yield value if isinstance(value, BadLine) else _line(path.name, number, value)


def _line(file: str, number: int, value: Mapping[str, Any]) -> _Line | BadLine:
    for name in _NEEDED:
        text = value.get(name)
        if not isinstance(text, str) or not text.strip():
            return BadLine(file=file, line=number, field=name, reason="is missing, or no text")
    if value["label"] not in NAMES:
        reason = f"{value['label']!r} is none of {', '.join(NAMES)}"
        return BadLine(file=file, line=number, field="label", reason=reason)
    if not value["labeller"].isprintable():
        return BadLine(file=file, line=number, field="labeller", reason="is no name of one line")
    return _Line(number, (value["request_id"], value["claim_id"]), value["label"], value["labeller"])
