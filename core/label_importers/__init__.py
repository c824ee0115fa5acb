"""Label importers, one labelling tool per file: what people said there → ``GivenLabel``, a row each.

A member is a module with

- ``sniff(path, head) -> bool``: may this be mine, from the first 64 KiB as they are;
- ``read(path) -> Iterator[GivenLabel | BadLine]``: in file order, every decision ends as exactly one of the two; a file
  that cannot be read as a whole is refused at once.

What the words mean and which claim is meant is not a member's business; see ``core.label_intake``.
"""

from __future__ import annotations

from core.label_importers._given import ClaimNamed, GivenLabel

__all__ = ["ClaimNamed", "GivenLabel"]
