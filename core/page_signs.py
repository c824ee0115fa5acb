"""What an answer of the web means: read, missing, or standing behind a door; every reading with its reason.

Only the server's own 404 or 410 says that a page is missing. Whatever may be about who asks, or about now, closes a
door and says nothing of what is behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from core import page_words as words
from core.models import Record
from core.page_text import HTML, Page
from core.references import Reason
from core.web_reply import Reply, Trouble, host_in

SHORT = 1500
"""Characters of a page below which words about a door are what the page is about."""
SCANT = 200
"""Characters below which a page full of scripts has shown nothing."""

_OF_TROUBLE: Mapping[Trouble, Reason] = {
    Trouble.REFUSED: Reason.BLOCKED_BY_POLICY,
    Trouble.DENIED: Reason.BLOCKED_BY_POLICY,
    Trouble.ROBOTS: Reason.ROBOTS,
    Trouble.NO_SUCH_HOST: Reason.MISSING_ONCE,
    Trouble.NO_NAMES: Reason.NO_CONNECTION,
    Trouble.NO_CONNECTION: Reason.NO_CONNECTION,
    Trouble.UNTRUSTED: Reason.UNTRUSTED,
    Trouble.TIMED_OUT: Reason.TIMED_OUT,
    Trouble.TOO_LARGE: Reason.TOO_LARGE,
    Trouble.TOO_MANY_REDIRECTS: Reason.REDIRECTS,
    Trouble.CIRCLE: Reason.REDIRECTS,
    Trouble.ENCODING: Reason.UNREADABLE,
    Trouble.BROKEN: Reason.NO_CONNECTION,
    Trouble.HELD: Reason.RATE_LIMITED,
}
_OF_STATUS: Mapping[int, Reason] = {
    401: Reason.NEEDS_LOGIN,
    402: Reason.PAYWALL,
    404: Reason.MISSING_ONCE,
    407: Reason.NEEDS_LOGIN,
    408: Reason.TIMED_OUT,
    410: Reason.MISSING_ONCE,
    425: Reason.RATE_LIMITED,
    429: Reason.RATE_LIMITED,
    451: Reason.LEGAL,
    504: Reason.TIMED_OUT,
    511: Reason.NEEDS_LOGIN,
}


class Sign(Record):
    """What an answer means."""

    reason: Reason
    said: str
    """One sentence."""
    absent: int = 0
    """Signs of a page that says in the shape of a page that there is none."""
    partial: bool = False
    """Some of the text was shown before a door."""


def of_failure(reply: Reply) -> Sign:
    """What an answer means that is no page: of trouble, or of a status that is no success."""
    if reply.trouble is not None:
        reason = _OF_TROUBLE[reply.trouble]
        return Sign(reason=reason, said=f"Not opened: {reply.detail}.")
    status = reply.status or 0
    reason = _OF_STATUS.get(status) or (Reason.SERVER_ERROR if status >= 500 else Reason.FORBIDDEN)
    if _is_challenge(reply) and status not in (404, 410, 451):
        return Sign(
            reason=Reason.BOT_WALL, said=f"The server answered {status} and a test for robots; nothing was read."
        )
    if 300 <= status < 400:
        return Sign(reason=Reason.REDIRECTS, said=f"The server answered {status} without saying where to go.")
    if reason is Reason.MISSING_ONCE:
        return Sign(reason=reason, said=f"The server answered {status}: it has no such page.")
    return Sign(reason=reason, said=f"The server answered {status}; the page could not be read here.")


def of_page(reply: Reply, page: Page) -> Sign:
    """What an answer of success means."""
    if not page.readable:
        kind = reply.content_type or "an unknown kind"
        return Sign(reason=Reason.UNREADABLE, said=f"It is there, as {kind[:60]}, which is not read here.")
    door = _door(reply, page)
    if door:
        return door
    if not page.text.strip():
        return Sign(reason=Reason.UNREADABLE, said="It is there, but has no text that could be read.")
    signs = _absence(reply, page)
    if _has_moved(reply):
        return Sign(reason=Reason.MOVED, said=f"Read at {host_in(reply.final_url)}, where it has moved.", absent=signs)
    return Sign(reason=Reason.OK, said="Read.", absent=signs)


def _is_challenge(reply: Reply) -> bool:
    if "challenge" in reply.headers.get("cf-mitigated", "").lower() or reply.headers.get("x-amzn-waf-action"):
        return True
    if reply.content_type not in ("", *HTML) or len(reply.body) > 20 * SHORT:
        return False
    return bool(words.BOT.search(reply.body.decode("utf-8", "replace")))


def _door(reply: Reply, page: Page) -> Sign | None:
    """The door that a page is instead of the text, or that the text ends at."""
    if _is_test(reply, page):
        return Sign(reason=Reason.BOT_WALL, said="A test for robots came instead of the page; nothing was read.")
    if _is_consent(reply, page):
        return Sign(reason=Reason.CONSENT, said="A form for consent came instead of the page; nothing was read.")
    if _is_login(reply, page):
        return Sign(reason=Reason.NEEDS_LOGIN, said="A form to sign in came instead of the page; nothing was read.")
    if page.free is False or _ends_at_wall(page):
        said = "Only the beginning is open; the rest stands behind a wall."
        return Sign(reason=Reason.PAYWALL, said=said, partial=True)
    if page.html and len(page.text) < SCANT and _needs_scripts(page):
        said = "The page is made by scripts, which are not run here; nothing was read."
        return Sign(reason=Reason.UNREADABLE, said=said)
    return None


def _is_short(page: Page) -> bool:
    return len(page.shown) < SHORT


def _is_test(reply: Reply, page: Page) -> bool:
    by_header = reply.headers.get("cf-mitigated") or reply.headers.get("x-amzn-waf-action")
    return bool(by_header or (_is_short(page) and words.BOT.search(f"{page.title}\n{page.shown}")))


def _is_consent(reply: Reply, page: Page) -> bool:
    named = any(words.CONSENT.search(name) for name in (page.title, page.heading))
    if _led_to(reply, words.CONSENT_PLACE):
        return named or _is_short(page)
    return named and _is_short(page)


def _is_login(reply: Reply, page: Page) -> bool:
    named = [bool(words.LOGIN.search(name.strip())) for name in (page.title, page.heading) if name]
    asks = bool(words.PASSWORD.search(page.html)) and any(named)
    return _is_short(page) and (_led_to(reply, words.LOGIN_PLACE) or asks or (bool(named) and all(named)))


def _ends_at_wall(page: Page) -> bool:
    """Words of a wall in the last part of the text, or in a short one, or with the shape of one."""
    end = page.text[-400:]
    if words.WALL.search(end):
        return True
    outside = page.shown if len(page.shown) < 2 * SHORT else ""
    return bool(words.WALL_SHAPE.search(page.html) and (words.WALL.search(outside) or len(page.text) < SHORT))


def _needs_scripts(page: Page) -> bool:
    scripts = len(words.SCRIPT.findall(page.html))
    heavy = scripts >= 3 or (scripts and len(page.html) > 20 * max(len(page.text), 50))
    return bool(heavy or (scripts and words.NEEDS_SCRIPTS.search(page.html)))


def _led_to(reply: Reply, place: re.Pattern[str]) -> bool:
    """Whether redirects led to such a place, and the address that was cited is none."""
    if not reply.hops:
        return False
    return bool(_place_of(reply.final_url, place) and not _place_of(reply.url, place))


def _place_of(url: str, place: re.Pattern[str]) -> bool:
    parts = urlsplit(url)
    return bool(place.search(parts.path) or place.search(parts.hostname or ""))


def _absence(reply: Reply, page: Page) -> int:
    """How many signs there are of a page that says that there is none (after Tomkins; a sibling may give another)."""
    names = [page.title, page.heading, *([page.shown] if len(page.shown) < 300 else [])]
    says = any(words.ABSENT.search(name) for name in names)
    return int(says) + int(_led_home(reply))


def _led_home(reply: Reply) -> bool:
    """Whether a deep address led to the first page of a site."""
    if not reply.hops:
        return False
    deep = [part for part in urlsplit(reply.url).path.split("/") if part]
    end = urlsplit(reply.final_url)
    return bool(deep) and end.path in ("", "/") and not end.query


def _has_moved(reply: Reply) -> bool:
    """Whether the page was read at another address, beyond another scheme, ``www.`` or a slash."""
    return bool(reply.hops) and _bare(reply.url) != _bare(reply.final_url)


def _bare(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url)
    return (parts.hostname or "").removeprefix("www."), parts.path.rstrip("/"), parts.query
