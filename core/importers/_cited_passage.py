"""A passage that a citation brings with it, as Anthropic and Bedrock give it: its name in the registry, its place."""

from __future__ import annotations

from typing import NamedTuple


class Where(NamedTuple):
    """Which stretch of which document or search result a citation points at; numbers as the vendor gives them."""

    source: str
    """``document`` or ``search result``."""
    number: int | None
    """Counted from 0 in the request."""
    unit: str
    """``characters``, ``pages``, ``blocks`` or ``chunks``."""
    start: int | None
    end: int | None

    @property
    def name(self) -> str:
        """An id for the registry: ``document 0, pages 3-5``."""
        return f"{self.source} {'?' if self.number is None else self.number}, {self.locator}"

    @property
    def locator(self) -> str:
        """The stretch alone: ``pages 3-5``."""
        if self.start is None and self.end is None:
            return f"unknown {self.unit}"
        return f"{self.unit} {'?' if self.start is None else self.start}-{'?' if self.end is None else self.end}"
