"""This process, one block after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.block_judging import BlockJudge
from core.engines import Plan
from core.input_blocks import Block
from core.run_folder import BlockReport


def run(blocks: Sequence[Block], plan: Plan) -> Iterator[BlockReport]:
    """Judge them in order; the model is loaded once."""
    judge = BlockJudge(plan.settings, plan.where)
    for block in blocks:
        yield judge.run(block, plan.format)
