"""Every file in core/loaders reads a kind of file into a document."""

from __future__ import annotations

from inspect import signature
from pathlib import Path

import pytest

from core import loaders, plugins
from core.errors import InputError


@pytest.mark.parametrize("name", plugins.names(loaders))
def test_contract(name: str, tmp_path: Path) -> None:
    """A loader names its suffixes, takes a path, and says in one sentence that a file is not there."""
    module = plugins.load(loaders, name)

    assert module.__doc__
    assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in module.SUFFIXES)
    assert list(signature(module.load).parameters) == ["path"]
    with pytest.raises(InputError, match="cannot be read"):
        module.load(tmp_path / f"missing{module.SUFFIXES[0]}")


def test_no_suffix_is_claimed_twice() -> None:
    """A file name leads to one loader."""
    suffixes = [suffix for module in plugins.load_all(loaders) for suffix in module.SUFFIXES]

    assert len(suffixes) == len(set(suffixes))
