"""Importers, one file format per file: bytes of a log → answers, and a report of every line that was refused.

A member is a module with ``sniff(path, head) -> bool`` (may this be mine, from the first 64 KiB) and
``read(path) -> Iterator[Answer | BadLine]``: streaming, in file order, every input row ends as exactly one of the two.
"""

from __future__ import annotations

from core.importers._detect import count_rows, detect, read
from core.importers._rows import BadLine

__all__ = ["BadLine", "count_rows", "detect", "read"]
