"""What a site asks programs to leave alone (RFC 9309)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from core.addresses import Target
from core.reference_policy import PROGRAM
from core.web_reply import Reply

PATH = "/robots.txt"

LONGEST_DELAY = 30.0
"""Seconds between two requests beyond which a site's wish is cut: it names days as well."""
_LARGEST = 500 * 1024
"""Bytes of which the rules must be taken into account, by the RFC; the rest is not read."""


class Robots:
    """The rules of the sites of one run, each asked for once.

    Args:
        ask: What an address answers, whatever the rules say.
        slow_down: Takes a host and the seconds that it wants between two requests.
    """

    def __init__(self, ask: Callable[[str], Awaitable[Reply]], slow_down: Callable[[str, float], None]) -> None:
        """Nobody has been asked yet."""
        self._ask, self._slow_down = ask, slow_down
        self._rules: dict[str, asyncio.Task[tuple[Any, Reply]]] = {}

    async def reply_against(self, place: Target) -> Reply | None:
        """The answer for ``/robots.txt`` that keeps us from an address; none when nothing does.

        By the RFC a site without rules allows all, and one whose rules cannot be had allows nothing for the time being.
        """
        if place.origin not in self._rules:
            self._rules[place.origin] = asyncio.create_task(self._read(place))
        rules, reply = await asyncio.shield(self._rules[place.origin])
        if rules is not None:
            return None if rules.can_fetch(place.url, PROGRAM) else reply
        status = reply.status or 0
        is_allowed = reply.trouble is None and 400 <= status < 500 and status != 429
        return None if is_allowed else reply

    async def _read(self, place: Target) -> tuple[Any, Reply]:
        from protego import Protego

        reply = await self._ask(f"{place.origin}{PATH}")
        if not reply.is_read:
            return None, reply
        rules = Protego.parse(reply.body[:_LARGEST].decode("utf-8", "replace"))
        if delay := rules.crawl_delay(PROGRAM):
            self._slow_down(place.host, min(delay, LONGEST_DELAY))
        return rules, reply
