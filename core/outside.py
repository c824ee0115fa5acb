"""One run's view of the outside: pages read and understood, registries asked, every question with its receipt."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from core import page_signs, page_text
from core.page_signs import Sign
from core.page_text import Page
from core.reference_policy import Endpoint, ReferencePolicy
from core.references import Read, Receipt, Scope
from core.text import sha256
from core.web_reply import Reply, host_in

if TYPE_CHECKING:
    from core.fetching import Fetcher

_USER = re.compile(r"^(\s*[a-zA-Z][\w+.-]*:[/\\]*)[^/?#]*@")


@dataclass(frozen=True, slots=True)
class Look:
    """A page, and what it means."""

    reply: Reply
    sign: Sign
    page: Page = field(default_factory=Page)
    receipts: tuple[Receipt, ...] = ()


class Outside:
    """What resolvers ask.

    Args:
        fetcher: Who asks addresses.
    """

    def __init__(self, fetcher: Fetcher) -> None:
        """Nobody has been asked yet."""
        self.fetcher = fetcher

    @property
    def policy(self) -> ReferencePolicy:
        """What may be asked."""
        return self.fetcher.policy

    async def open(self, url: str, endpoint: Endpoint | None = None) -> Look:
        """Open a page; whoever has no such page has been asked once so far.

        Args:
            url: Its address.
            endpoint: The registry that the address belongs to, when a registry leads to the page.
        """
        reply = await self.fetcher.ask(url, endpoint=endpoint)
        if not reply.is_read:
            sign = page_signs.of_failure(reply)
            return Look(reply, sign, receipts=(receipt(reply, said=sign.said),))
        page = await asyncio.to_thread(page_text.read, reply, self.policy.limits.characters)
        sign = page_signs.of_page(reply, page)
        return Look(reply, sign, page, (receipt(reply, said=sign.said),))

    async def ask_json(self, endpoint: Endpoint, path: str, who: str) -> tuple[Reply, Any, Receipt]:
        """What a registry answers to a question, as JSON; none when it has no such entry or gave no sound answer."""
        reply = await self.fetcher.ask(f"{endpoint.url}/{path}", "application/json", endpoint)
        data = json_of(reply) if reply.is_read else None
        told = "answered" if data is not None else "has no such entry" if reply.is_missing else _refusal(reply)
        return reply, data, receipt(reply, who=who, said=told)

    def is_gone(self, look: Look) -> bool:
        """Note that a page was missing at a look, and say whether it has been for long enough."""
        missing = self.fetcher.cache.missing_for(look.reply.url, look.reply.at)
        return missing >= timedelta(hours=self.policy.lives.gone_after_hours)

    def is_there(self, look: Look) -> None:
        """Note that a page is there."""
        self.fetcher.cache.is_there(look.reply.url)


def json_of(reply: Reply) -> Any:
    """The body as JSON; none when it is none."""
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        return None


def read_of(look: Look) -> Read | None:
    """The text of a page as evidence; none when there is none."""
    if not look.page.text.strip():
        return None
    scope = Scope.PARTIAL if look.sign.partial or look.page.cut else Scope.WHOLE
    return text_read(look.page.text, look.reply, scope, look.page.work_title or look.page.title or None)


def text_read(text: str, reply: Reply, scope: Scope, title: str | None) -> Read:
    """A text that came with a reply, as evidence."""
    return Read(
        text=text, sha256=sha256(text), at=reply.at, locator=redacted(reply.final_url), scope=scope, title=title
    )


def receipt(reply: Reply, said: str, who: str | None = None) -> Receipt:
    """What was asked and what came back."""
    url = redacted(reply.url)
    return Receipt(
        who=who or host_in(url) or url[:60],
        url=url,
        at=reply.at,
        said=said,
        status=reply.status,
        final_url=redacted(reply.final_url) or None,
        sha256=reply.sha256,
        kept=reply.kept,
    )


def redacted(url: str) -> str:
    """An address without user name and password, also where it cannot be read."""
    return _USER.sub(r"\1", url)


def _refusal(reply: Reply) -> str:
    if reply.trouble is not None:
        return reply.detail
    return "gave no sound answer" if reply.is_read else f"answered {reply.status}"
