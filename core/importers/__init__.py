"""Importers, one file format per file: bytes of a log → answers, and a report of every row that was refused.

A member is a module with

- ``sniff(path, head) -> bool``: may this be mine, from the first 64 KiB as they are;
- ``read(path) -> Iterator[Answer | BadLine]``: streaming, in file order, every input row ends as exactly one of the
  two; a file that cannot be read as a whole is refused at once;
- ``count(path) -> int``, unless its rows are the JSON objects of ``_records``: how many rows ``read`` gives;
- for tables ``columns(path) -> list[str]``, and ``read(path, mapping)`` with our field → the name of its column;
- ``LAST_RESORT = True`` when it only takes what no other member recognises.
"""

from __future__ import annotations

from core.importers._columns import FIELDS, guess
from core.importers._detect import Preview, count_rows, detect, preview, read
from core.importers._rows import BadLine

__all__ = ["FIELDS", "BadLine", "Preview", "count_rows", "detect", "guess", "preview", "read"]
