"""Open sets: a folder into which one drops a file.

Listing a set reads file names and imports nothing; a member is imported when it is chosen.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from core.errors import CitedeskError


def names(kind: ModuleType) -> list[str]:
    """List the members of an open set by file name, sorted, importing none of them."""
    return sorted(found.name for found in iter_modules(kind.__path__) if not found.name.startswith("_"))


def load(kind: ModuleType, name: str, error: type[CitedeskError] = CitedeskError) -> ModuleType:
    """Import one member.

    Raises:
        error: No such member; the message names those that exist.
    """
    if name not in names(kind):
        word = kind.__name__.rsplit(".", 1)[-1].removesuffix("s")
        raise error(f"There is no {word} called {name!r}", f"choose one of: {', '.join(names(kind))}")
    return import_module(f"{kind.__name__}.{name}")


def load_all(kind: ModuleType) -> list[ModuleType]:
    """Import every member, in the order of their names."""
    return [load(kind, name) for name in names(kind)]
