"""A provider for the verifiers that ask one: a local server, so that the contract holds them and nothing is paid."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.core.claude_env import environment, leading_to
from tests.fakes.anthropic_server import running


@pytest.fixture(scope="package", autouse=True)
def provider() -> Iterator[None]:
    """One server for all tests of this folder, and an environment that leads to it and to no other."""
    with running() as server, environment(leading_to(server.url)):
        yield
