"""The pages there are: every file of ``views/``, with what it says of itself, read without running it.

A page is one file. Its docstring begins with its title and a colon, and it names its place::

    NAVIGATION = {"section": "Measure", "place": 10, "role": "reviewer"}

``role`` is the least one that may open it; ``by_name`` is true for a page that stores or shows something under a name
that anybody may choose.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.people import Role

VIEWS = Path(__file__).with_name("views")
SECTIONS = ("", "Check answers", "Label", "Measure judges", "Bring and set up")
"""In their order; the first has no heading."""


class Entry(NamedTuple):
    """One page."""

    name: str
    """The file's, and the address."""
    title: str
    section: str
    place: int
    """Within its section, low first."""
    role: Role
    by_name: bool = False


@cache
def entries() -> tuple[Entry, ...]:
    """Every page, in the order of the navigation.

    Raises:
        ValueError: A file does not say what it must; the message names it.
    """
    found = [_entry(path) for path in VIEWS.glob("[!_]*.py")]
    return tuple(sorted(found, key=lambda one: (SECTIONS.index(one.section), one.place, one.name)))


def _entry(path: Path) -> Entry:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    title, colon, _ = (ast.get_docstring(tree) or "").partition(":")
    said = next(
        (
            ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "NAVIGATION"
        ),
        None,
    )
    if not colon or not isinstance(said, dict) or said.get("section") not in SECTIONS:
        raise ValueError(f"views/{path.name} has no title or no NAVIGATION with one of the sections {SECTIONS}")
    return Entry(
        path.stem, title, said["section"], int(said["place"]), Role(said["role"]), bool(said.get("by_name", False))
    )
