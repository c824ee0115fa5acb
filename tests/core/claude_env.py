"""What the tests of Claude share: an environment that leads to the local server, and settings that do not wait."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from core.settings import ClaudeSettings
from core.spend import Limits

HASTY = ClaudeSettings(attempts=3, seconds=10, attempt_seconds=5, first_wait=0.01, poll_seconds=0.01)
"""Retries at once."""


def hasty(limits: Limits | None = None, **changes: object) -> ClaudeSettings:
    """Settings that do not wait, with some of them changed."""
    return HASTY.model_copy(update={**changes, "limits": limits or Limits()})


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """Put these variables in place of everything that the machine says about Anthropic; none means no key anywhere."""
    chosen = dict(values) or dict.fromkeys(("HOME", "APPDATA"), f"{__file__}-no-such-folder")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "CITEDESK_CLAUDE"))]:
            patch.delenv(name)
        for name, value in chosen.items():
            patch.setenv(name, value)
        yield


def leading_to(url: str) -> dict[str, str]:
    """The variables that make the SDK speak to a server."""
    return {"ANTHROPIC_API_KEY": "test-key", "ANTHROPIC_BASE_URL": url, "NO_PROXY": "127.0.0.1"}
