"""What a labelling tool says somebody decided, in the tool's own words, and how its parts are called."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

_NAMES = (
    ("request_id", "request"),
    ("claim_id",),
    ("cite", "citation", "citation_id"),
    ("claim", "claim_text", "statement"),
    ("evidence", "evidence_text", "passage", "context"),
)
"""What the fields of ``ClaimNamed`` are called in other tools, in their order."""


class ClaimNamed(NamedTuple):
    """Which claim and passage an item is about, as far as its data say."""

    request_id: str | None = None
    claim_id: str | None = None
    cite: str | None = None
    text: str | None = None
    """Of the claim, as it was shown."""
    evidence: str | None = None
    """The passage, as it was shown."""


class GivenLabel(NamedTuple):
    """One decision of one person about one item."""

    line: int
    """In the file, or the position of the record in it, from 1."""
    item: str
    """The tool's own name of what was labelled."""
    labeller: str
    word: str
    """The label, in the words that the tool showed."""
    claim: ClaimNamed = ClaimNamed()
    comment: str = ""
    at: datetime | None = None
    """When it was decided, in UTC."""
    active_ms: int | None = None


def about(data: Mapping[str, Any]) -> ClaimNamed:
    """Which claim an item's data name; only texts and numbers count."""
    return ClaimNamed(*(next(filter(None, (_text(data.get(name)) for name in names)), None) for names in _NAMES))


def moment(value: object) -> datetime | None:
    """A time as the tools write it (ISO 8601, in UTC unless it says otherwise); none when it is no time."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found and (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


def _text(value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None
