"""Write into the documentation what its commands print now, where that is not what a page shows; part of ``make docs``.

What is shown with ``…`` stays as long as it fits; everything else is written anew, for a person to look at.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.docs.pages import ROOT, Block, Step, blocks, pages
from tests.docs.shell import Shell, matches, step


def main() -> None:
    """Do so for every page, and name those that changed and those whose commands fail."""
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for number, page in enumerate(pages()):
            folder = Path(scratch, str(number))
            folder.mkdir()
            text = page.read_text(encoding="utf-8")
            try:
                written = renewed(page, text, Shell(folder, Path(scratch, "verdicts.sqlite")))
            except AssertionError as error:
                failed += 1
                sys.stdout.write(f"{error}\n")
                continue
            if written != text:
                page.write_text(written, encoding="utf-8")
                sys.stdout.write(f"{page.relative_to(ROOT)}\n")
    sys.exit(min(failed, 1))


def renewed(page: Path, text: str, shell: Shell) -> str:
    """A page with the outputs of its commands as they are now."""
    lines = text.splitlines(keepends=True)
    for block in reversed([(one, list(_told(one, shell))) for one in blocks(page)]):
        fence, told = block
        if told:
            first = fence.line - 1
            lines[first : first + len(fence.text.splitlines())] = [f"{line}\n" for line in told]
    return "".join(lines)


def _told(block: Block, shell: Shell) -> Iterator[str]:
    """The lines of a fence of ``console``; nothing of one that shows no output, which is only run."""
    shell.provide(block)
    steps = [] if "not run" in block.orders else block.steps()
    for one in steps:
        printed = step(shell, block, one).printed
        if block.language == "console":
            yield f"$ {one.command}"
            yield from _shown(one, printed)


def _shown(one: Step, printed: str) -> list[str]:
    if one.shown is None or matches(one.shown, printed):
        return list(one.shown or ())
    return [line.rstrip() for line in printed.splitlines()]


if __name__ == "__main__":
    main()
