"""A store of its own for every test."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from core.models import Label, QuoteState
from core.store import Store, open_store
from tests.core.store import build


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an empty store; copying it is faster than making one."""
    path = tmp_path_factory.mktemp("empty") / "desk.duckdb"
    open_store(path).close()
    return path


@pytest.fixture
def store(tmp_path: Path, empty: Path) -> Iterator[Store]:
    """An empty store."""
    with open_store(Path(shutil.copy(empty, tmp_path / "desk.duckdb"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two hundred claims in forty answers, drawn from a seed, for tests that only read."""
    drawn = random.Random(7)
    answers = []
    for number in range(40):
        about = [
            build.claim(
                index,
                flags=tuple(drawn.sample(["number", "date", "name"], drawn.randrange(3))),
                material=drawn.random() < 0.8,
                cites=drawn.choice([("C1",), ("C1", "C2"), ()]),
            )
            for index in range(1, 6)
        ]
        asked_at = build.STARTED + timedelta(minutes=drawn.randrange(60 * 24 * 70)) if number % 8 else None
        model = {"model": drawn.choice(["m-1", "m-2"])}
        of = build.answer(f"r{number}", asked_at=asked_at, generator=model)
        labels = [drawn.choice([*Label, None]) for _ in about]
        quote = drawn.choice(list(QuoteState))
        answers.append(build.checked(of, labels, about, quote=quote))
    with open_store(tmp_path_factory.mktemp("shared") / "desk.duckdb") as opened:
        opened.record(build.batch(*answers))
        opened.record(build.batch(*answers[::2], under=build.protocol(0.9)))
        yield opened
