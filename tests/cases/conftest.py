"""Which cases are run, and the table at the end: one line an area, with its name, passed and total."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cases.tally import Tally

_TALLY = pytest.StashKey[Tally]()


def case_files() -> list[Path]:
    """The file that ``CITEDESK_CASES`` names, else every case file of this folder."""
    named = os.environ.get("CITEDESK_CASES")
    return [Path(named)] if named else sorted(Path(__file__).parent.glob("*.jsonl"))


def pytest_configure(config: pytest.Config) -> None:
    """Begin to count."""
    config.stash[_TALLY] = Tally()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test a line of the case files."""
    if "case" in metafunc.fixturenames:
        lines = [line for file in case_files() for line in file.read_text("utf-8").split("\n") if line.strip()]
        cases: list[dict[str, Any]] = [json.loads(line) for line in lines]
        metafunc.parametrize("case", cases, ids=[case["id"] for case in cases])


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """Where a case says how it went."""
    return request.config.stash[_TALLY]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where the tests run in several processes, tell the one that prints."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["cases"] = session.config.stash[_TALLY].told()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what a process that ends has counted; one that died has told nothing."""
    node.config.stash[_TALLY].add(getattr(node, "workeroutput", {}).get("cases", []))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> Iterator[None]:
    """Print the table after everything else that is printed about the cases."""
    yield
    if lines := config.stash[_TALLY].lines():
        terminalreporter.section("cases, by area")
        terminalreporter.write("\n".join([*lines, ""]))
