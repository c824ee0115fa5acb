"""What every test shares: no network, no verdicts of earlier runs, and how hard the property tests look."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from core.store import connection

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ["CITEDESK_VERIFIER"] = "lexical"  # stores and pages are tested with the judge that costs nothing
os.environ["CITEDESK_CACHE"] = ""  # code that changed must not be tested by what it said yesterday

# Shared machines stall now and then; a deadline would test the machine, not the code.
settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile(
    "fuzz", deadline=None, max_examples=10_000, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session", autouse=True)
def new_stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], None]]:
    """A new store is a copy of one that was made once: its schema takes a third of a second, and tests make hundreds.

    Gives the way in which the product makes one; ``made_anew`` puts it back.
    """
    make = connection._create
    template = tmp_path_factory.mktemp("template") / "new.duckdb"
    make(template)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "_create", partial(_copied, template, make))
        yield make


@pytest.fixture
def made_anew(new_stores: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores of this test are made as the product makes them, step by step."""
    monkeypatch.setattr(connection, "_create", new_stores)


def _copied(template: Path, make: Callable[[Path], None], path: Path) -> None:
    """Put the copy where a new store is wanted; where that cannot be done, the product has to say why."""
    try:
        with path.open("xb") as file:
            try:
                file.write(template.read_bytes())
                file.flush()
            except OSError:
                path.unlink()
                raise
    except (OSError, ValueError):
        make(path)
