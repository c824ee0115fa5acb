"""Citation notations, one per file: where the markers are in a text and which ids they name.

A member is a module with ``find(text) -> list[Marker]`` (markers in order of position, never overlapping, none in code
or mathematics, offsets in code points of ``text``), ``EXAMPLE: str``, one marker in its notation, and ``SIGNS``:
strings of which every text with such a marker has at least one. A notation whose signs are brackets only must know its
markers by what stands inside them: it is asked only where a text has a bracket that alone is such a marker.
"""

from __future__ import annotations

from typing import NamedTuple


class Marker(NamedTuple):
    """One citation marker in a text.

    It never leaves the process, and an answer has many: a tuple costs a tenth of a record that is checked.
    """

    start: int
    end: int
    ids: tuple[str, ...]
    """The ids it names, as written, in order; empty for a marker that names nothing readable."""
    leaked: bool = False
    """A raw marker or placeholder that should have been replaced before a person saw it."""
    locator: str | None = None
    """Where in the last of these sources, as written: ``p. 3–4``."""
    keeps: tuple[int, int] | None = None
    """The stretch of the marker that is part of the sentence, such as the title of a link in running text."""
    covers: tuple[int, int] | None = None
    """The stretch that it cites, where the notation says so; else it cites the sentence that it stands in or behind."""
    opening: bool = False
    """It stands before what it cites, so that it belongs to the sentence after it."""

    @property
    def holes(self) -> tuple[tuple[int, int], ...]:
        """What goes when the marker is taken out of its text: everything but ``keeps``."""
        if self.keeps is None:
            return ((self.start, self.end),)
        pieces = ((self.start, self.keeps[0]), (self.keeps[1], self.end))
        return tuple(piece for piece in pieces if piece[0] < piece[1])
