"""Citation notations, one per file: where the markers are in a text and which ids they name.

A member is a module with ``find(text) -> list[Marker]`` (markers in order of position, never overlapping, none in code,
offsets in code points of ``text``) and ``EXAMPLE: str``, one marker in its notation.
"""

from __future__ import annotations

from core.models import Record


class Marker(Record):
    """One citation marker in a text."""

    start: int
    end: int
    ids: tuple[str, ...]
    """The ids it names, as written, in order; empty for a marker that names nothing readable."""
    leaked: bool = False
    """A vendor's raw marker that should have been replaced before a person saw it."""
