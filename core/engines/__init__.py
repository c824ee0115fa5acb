"""Engines, one way of spreading work per file: blocks of input → their reports.

A member is a module with ``run(blocks, plan) -> Iterator[BlockReport]``, in any order, each as soon as its block is
done. What judges a block is ``core.block_judging`` for all of them; an engine only says where it runs.
"""

from __future__ import annotations

from core.models import Record
from core.settings import Settings


class Plan(Record):
    """How blocks are judged, and on how much."""

    settings: Settings
    where: str
    """The run folder."""
    format: str
    """An importer's name, or ``auto``."""
    actors: int | None = None
    """Judges at work at the same time; none: as many as there are processors, or GPUs where each has one."""
    gpus: float = 0
    """What each of them needs of a GPU."""
