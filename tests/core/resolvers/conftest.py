"""A small web for each test, and the policy of somebody who wants everything looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.reference_policy import Also, Limits, Lives, ReferencePolicy
from core.references import Reference, ReferenceFinding
from core.resolving import resolve
from tests.fakes import web_server
from tests.fakes.web_server import Web

Look = Callable[..., ReferenceFinding]

PROSE = "The bank lent the town four million crowns in 2020, and all of it was paid back within two years. " * 3


def page(title: str = "The loan", text: str = PROSE, head: str = "") -> str:
    """A page with a title and a text."""
    body = f"<h1>{title}</h1><article><p>{text}</p></article>"
    return f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def policy(**more: Any) -> ReferencePolicy:
    """Everything is looked up, quickly."""
    given: dict[str, Any] = {
        "also": frozenset(Also),
        "contact": "desk@citedesk.example",
        "limits": Limits(per_second=1000, seconds=60, patience=0),
    }
    return ReferencePolicy(**(given | more))


EAGER = Lives(read_days=0, missing_days=0, refused_hours=0)
"""Ask always."""


@pytest.fixture(scope="session")
def servers() -> Iterator[Web]:
    """Both servers, started once."""
    with web_server.running() as web:
        yield web


@pytest.fixture
def web(servers: Web) -> Web:
    """An empty web."""
    servers.reset()
    return servers


@pytest.fixture
def look(web: Web, tmp_path: Path) -> Look:
    """Look at one reference through the product; what was asked is kept from look to look."""

    def one(text: str = "", rules: ReferencePolicy | None = None, **said: Any) -> ReferenceFinding:
        reference = Reference(text=text, **said)
        (found,) = resolve([reference], rules or policy(), cache=tmp_path / "cache.sqlite", network=web.network())
        return found

    return one
