"""The files of a run folder in their order, each with the numbers that its claims, answers and verdicts begin at."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from core.errors import InputError
from core.input_blocks import shown
from core.run_folder import BlockReport, PartFile, RunFolder

_MOST = 2**31 - 1
"""What the numbers of a store count up to."""


def parts_of(folder: RunFolder, reports: Sequence[BlockReport]) -> list[dict[str, Any]]:
    """Every pair of files that finished blocks name, in the order of the blocks.

    Returns:
        For each where its ``claims`` and ``answers`` are, its ``protocol``, its first numbers, and whether it is the
        first with these claims.

    Raises:
        InputError: A file is missing, of another size than when it was written, named twice, or a link to another
            place, or there are too many claims.
    """
    named = shown(folder.where)
    _look(folder, reports, named)
    return _numbered(folder, reports, named)


def _look(folder: RunFolder, reports: Sequence[BlockReport], named: str) -> None:
    """Refuse a folder of which a file is missing, counts twice, or has another size than when it was written."""
    sizes = folder.sizes()
    counted = Counter(name for report in reports for part in report.files for name in part.sizes)
    for part in (part for report in reports for part in report.files):
        for name, size in part.sizes.items():
            if name not in sizes:
                raise InputError(f"{named} lacks {name}", "verify into it again: that block is judged anew")
            if counted[name] > 1:
                raise InputError(f"{named} counts {name} twice", "remove one of the files in done that name it")
            if sizes[name] != size:
                raise InputError(
                    f"{named} is damaged: {name} has {sizes[name]:,} bytes, {size:,} were written",
                    "verify into it again: that block is judged anew",
                )


def _numbered(folder: RunFolder, reports: Sequence[BlockReport], named: str) -> list[dict[str, Any]]:
    """Every part with its first numbers: the same claims get the same ones whoever judged them."""
    splitters = {str(note.protocol): note.protocol.splitter for note in folder.runs()}
    firsts: dict[tuple[object, ...], tuple[int, int]] = {}
    parts: list[dict[str, Any]] = []
    claims = requests = verdicts = 1
    for report in reports:
        if report.protocol not in splitters:
            raise InputError(f"{named} does not say who {report.protocol} is", "judge into a new folder")
        for part in report.files:
            key = (report.block, part.day, splitters[report.protocol], part.claims_rows, part.answers_rows)
            is_first = key not in firsts
            if is_first:
                firsts[key] = claims, requests
                claims, requests = claims + part.claims_rows, requests + part.answers_rows
            parts.append(_part(folder, report, part, firsts[key], verdicts, is_first))
            verdicts += part.claims_rows
    if verdicts > _MOST:
        raise InputError(
            f"{named} holds {verdicts - 1:,} claims, a desk reads {_MOST:,}", "attach folders of fewer days"
        )
    return parts


def _part(
    folder: RunFolder, report: BlockReport, part: PartFile, firsts: tuple[int, int], verdict: int, is_first: bool
) -> dict[str, Any]:
    if not all(_is_inside(folder, name) for name in part.sizes):
        raise InputError(f"{shown(folder.where)} names a file outside itself", "judge into a new folder")
    return {
        "claims": _address(folder, part.claims),
        "answers": _address(folder, part.answers),
        "protocol": report.protocol,
        "first_claim": firsts[0],
        "first_request": firsts[1],
        "first_verdict": verdict,
        "last_verdict": verdict + part.claims_rows - 1,
        "is_first": is_first,
    }


def _is_inside(folder: RunFolder, name: str) -> bool:
    """Whether a file that is listed in a folder lies there, and is no link to another place."""
    home = os.path.realpath(folder.path)
    return not folder.is_here or os.path.realpath(os.path.join(home, name)).startswith(os.path.join(home, ""))


def _address(folder: RunFolder, name: str) -> str:
    """What DuckDB calls a file: a path, or a name in the file system that is registered with it."""
    return f"{folder.path}/{name}" if folder.is_here else f"attached://{folder.path}/{name}"
