"""What finds sentence ends in a stretch of prose without markers, one library a file.

A member is a module with ``VERSION: int``, raised by a person when its cuts change, and ``build() -> Detector``. Which
one cuts an answer stands in the claim protocol, for other cuts make other claims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Detector = Callable[[str], Iterable[int]]
"""The indexes at which a next sentence begins, in order; the length of the text may be among them."""

DEFAULT = "yasbd"
"""What cuts best on the texts of ``docs/reading.md``; evidence is always cut by it."""
