"""A verification into a run folder: cut the input, leave out what is done, let an engine judge the rest, add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol, cast

from core import engines, pipeline, plugins, spend
from core.engines import Plan
from core.errors import InputError
from core.importers import BadLine
from core.input_blocks import Block, cut, settled, shown
from core.run_folder import BlockReport, Judged, RunFolder
from core.verification import Progress

BLOCK_MIB = 16.0
"""How large a block is where nothing else is said: some thousand answers, minutes of work that a kill can cost."""


class Total(Judged):
    """What a run folder holds of an input once all of it is judged."""

    blocks: int
    resumed: int
    """Blocks that were finished before."""


class _Engine(Protocol):
    def run(self, blocks: Sequence[Block], plan: Plan) -> Iterator[BlockReport]: ...


def verify(inputs: Sequence[str], engine: str, plan: Plan, progress: Progress, block_mib: float = BLOCK_MIB) -> Total:
    """Judge inputs into a run folder, going on where an earlier run stopped.

    A finished block of which a file is missing or damaged is judged again.

    Args:
        inputs: Files, folders, or addresses of either.
        engine: A member of ``core.engines``.
        plan: Who judges, and into which folder.
        progress: Told how many blocks are done of how many.
        block_mib: How large a block is; the same on going on.

    Raises:
        InputError: No such engine, an input cannot be read or has changed since it was judged, or the folder was
            begun otherwise.
        VerifierUnavailable: The verifier of the settings cannot be had.
    """
    member = cast("_Engine", plugins.load(engines, engine, InputError))
    block_bytes = int(block_mib * 2**20)
    plan = plan.model_copy(update={"where": settled(plan.where)})  # an actor elsewhere works in another folder
    blocks = cut([settled(one) for one in inputs], block_bytes, plan.format)
    folder = RunFolder(plan.where)
    _, protocol = pipeline.build(plan.settings)
    folder.begin(protocol, block_bytes)
    sizes = folder.sizes()
    before = {one.block.name: one for one in folder.done(str(protocol)) if one.is_whole(sizes)}
    named = {block.name: block for block in blocks}
    done = {name: _unchanged(before[name], block) for name, block in named.items() if name in before}
    left = [block for name, block in named.items() if name not in done]
    progress(len(done), len(named))
    new: list[BlockReport] = []
    for report in member.run(left, plan) if left else ():
        done[report.block.name] = report
        new.append(report)
        progress(len(done), len(named))
    return _total(str(protocol), [done[name] for name in named], new)


def _named(block: Block) -> Block:
    """A block by the address that a report may show."""
    return block.model_copy(update={"input": shown(block.input)})


def _unchanged(report: BlockReport, block: Block) -> BlockReport:
    if report.block != _named(block):
        raise InputError(f"{shown(block.input)} has changed since it was judged", "judge it into a new folder")
    return report


def _total(protocol: str, reports: Sequence[BlockReport], new: Sequence[BlockReport]) -> Total:
    labels: Counter[str] = Counter()
    for one in reports:
        labels.update(one.labels)
    return Total(
        protocol=protocol,
        blocks=len(reports),
        resumed=len(reports) - len(new),
        answers=sum(one.answers for one in reports),
        claims=sum(one.claims for one in reports),
        labels=dict(labels.most_common()),
        bad_lines=tuple(_in_files(reports)),
        notes=tuple(note for one in reports for note in one.notes),
        spent=tuple(spend.merged(line for one in new for line in one.spent)),
    )


def _in_files(reports: Sequence[BlockReport]) -> Iterator[BadLine]:
    """Refused lines with their numbers in the file; a block counts its lines from 1."""
    before: Counter[str] = Counter()
    for one in reports:
        for bad in one.bad_lines:
            yield bad.model_copy(update={"line": bad.line + before[bad.file]})
        before[one.block.input] += one.lines
