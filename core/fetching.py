"""Asking an address: redirects one by one, each checked; bytes and seconds limited while they come; answers kept.

Always with GET: servers that answer HEAD wrongly must not make a page look gone.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import TracebackType
from urllib.parse import urlsplit

import httpx

from core import robots
from core.addresses import Refused, Target, target
from core.fetch_cache import FetchCache
from core.guarded_network import GuardedTransport, NameTrouble, Network, addresses_of
from core.http_exchange import ENCODINGS, LONGEST_HEADER, REDIRECTS, Fetched, Stopped, exchange
from core.models import digest
from core.politeness import Politeness, gap_of, seconds_to_wait
from core.reference_policy import Endpoint, ReferencePolicy
from core.web_reply import Hop, Reply, Trouble

PAGES = "text/html, application/xhtml+xml, text/plain;q=0.8, application/pdf;q=0.7, */*;q=0.1"


_NOT_KEPT = frozenset({Trouble.REFUSED, Trouble.DENIED, Trouble.ROBOTS, Trouble.NO_NAMES, Trouble.HELD})
"""Nobody answered, and asking again costs nobody anything."""
_PAUSE = 10
"""Seconds that a host is left alone when it says "too many" and not for how long."""


class Fetcher:
    """Asks addresses under a policy, for one event loop; use it with ``async with``.

    Args:
        policy: What may be asked.
        network: How connections are made.
        cache: Where answers are kept.
    """

    def __init__(self, policy: ReferencePolicy, network: Network, cache: FetchCache) -> None:
        """Connect to nobody yet."""
        self.policy, self.network, self.cache = policy, network, cache
        limits = policy.limits
        self.politeness = Politeness(limits.per_host, limits.concurrent, limits.patience)
        self._client = httpx.AsyncClient(
            transport=GuardedTransport(network, limits.per_host),
            headers={"user-agent": policy.user_agent, "accept-encoding": ENCODINGS},
            follow_redirects=False,
            trust_env=False,
            timeout=limits.seconds,
        )
        self._names_work: bool | None = None
        self._realm = f"\n{digest([one.model_dump() for one in policy.credentials])}" if policy.credentials else ""
        """What was read with some credentials is not shown to those without them."""
        self._robots = robots.Robots(self._ask_rules, self.politeness.slow_down)

    async def __aenter__(self) -> Fetcher:
        """Begin."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def ask(self, url: str, accept: str = PAGES, endpoint: Endpoint | None = None, obeys: bool = True) -> Reply:
        """What an address answers, from the cache while that is fresh; it never raises for what the outside does.

        Args:
            url: The address.
            accept: Which kinds of content are wanted.
            endpoint: The registry that it belongs to: its pace holds, the lists of hosts and robots.txt do not.
            obeys: Whether robots.txt is to be read first, where the policy says so.
        """
        kept = self.cache.find(url + self._realm)
        now = self.network.clock()
        if kept and kept.at <= now < kept.at + self._life(kept) and self._may_see(kept, endpoint):
            return kept.model_copy(update={"kept": True})
        known = kept if kept and kept.is_read else None
        reply = await self._follow(url, accept, endpoint, known, obeys and self.policy.robots)
        if reply.trouble not in _NOT_KEPT:
            self.cache.keep(reply, url + self._realm)
        return reply

    def _may_see(self, kept: Reply, endpoint: Endpoint | None) -> bool:
        """Whether the policy of today would open what was opened then."""
        try:
            for url in (kept.url, kept.final_url):
                self._place(url, endpoint)
        except Stopped:
            return False
        return True

    async def _ask_rules(self, url: str) -> Reply:
        return await self.ask(url, "text/plain", obeys=False)

    def _life(self, reply: Reply) -> timedelta:
        lives = self.policy.lives
        if reply.is_read:
            rules = reply.url.endswith(robots.PATH)  # the RFC lets nobody keep them longer
            return timedelta(days=min(lives.read_days, 1) if rules else lives.read_days)
        if reply.is_missing:
            return timedelta(days=lives.missing_days)
        hours = timedelta(hours=lives.refused_hours)
        return max(hours, timedelta(seconds=reply.retry_after or 0)) if lives.refused_hours else timedelta()

    async def _follow(self, url: str, accept: str, endpoint: Endpoint | None, old: Reply | None, obeys: bool) -> Reply:
        """Ask, and go where the answers send, each time as carefully as the first."""
        at, hops, current = self.network.clock(), list[Hop](), url
        left = self.policy.limits.seconds

        def failed(trouble: Trouble, detail: str, wait: int | None = None) -> Reply:
            return Reply(
                url=url, at=at, trouble=trouble, detail=detail, final_url=current, hops=tuple(hops), retry_after=wait
            )

        while True:
            try:
                place = self._place(current, endpoint)
                current = place.url
                if obeys and not _belongs(current, endpoint):
                    await self._heed(place)
                pace = endpoint.per_second if endpoint else self.policy.limits.per_second
                async with self.politeness.turn(place.host, pace) as held:
                    if held:
                        return failed(Trouble.HELD, f"{place.host} has asked to be left alone", held)
                    began = asyncio.get_running_loop().time()
                    known = old if old and old.final_url == current else None
                    got = await self._within(left, place, accept, known)
                    left -= asyncio.get_running_loop().time() - began
            except Stopped as stopped:
                return failed(stopped.trouble, stopped.detail).model_copy(update={"at": stopped.at or at})
            if got.status == 304 and known:
                return known.model_copy(update={"at": at, "url": url, "hops": tuple(hops)})
            if got.status not in REDIRECTS or not got.headers.get("location"):
                wait = self._waits(place.host, got)
                return Reply(
                    url=url, at=at, status=got.status, final_url=current, headers=got.headers, hops=tuple(hops),
                    body=got.body, retry_after=wait,
                )  # fmt: skip
            hops.append(Hop(url=current, status=got.status))
            current = _joined(current, got.headers["location"])
            if current in {hop.url for hop in hops}:
                return failed(Trouble.CIRCLE, "its redirects go in a circle")
            if len(hops) > self.policy.limits.redirects:
                return failed(
                    Trouble.TOO_MANY_REDIRECTS, f"it redirects more than {self.policy.limits.redirects} times"
                )
            endpoint = endpoint if _belongs(current, endpoint) else None

    def _place(self, url: str, endpoint: Endpoint | None) -> Target:
        """The target of an address, when both its shape and the policy let it be opened."""
        mine = _belongs(url, endpoint)
        ports = {*self.policy.ports, *([_port_of(endpoint)] if endpoint and mine else [])}
        try:
            place = target(url, ports)
        except Refused as refused:
            raise Stopped(Trouble.REFUSED, str(refused)) from refused
        if not mine and not self.policy.permits(place.host):
            raise Stopped(Trouble.DENIED, f"the policy leaves {place.host} out")
        return place

    async def _heed(self, place: Target) -> None:
        """Stop where the site asks programs to stay away, or cannot be asked."""
        against = await self._robots.reply_against(place)
        if against is None:
            return
        if against.trouble is not None:
            raise Stopped(against.trouble, against.detail, against.at)
        said = "asks programs to stay away" if against.is_read else f"answers {against.status} when asked for its rules"
        raise Stopped(Trouble.ROBOTS, f"{place.host} {said}", against.at)

    async def _within(self, seconds: float, place: Target, accept: str, known: Reply | None) -> Fetched:
        """One request and its whole answer, within the time that is left."""
        try:
            async with asyncio.timeout(max(seconds, 0.001)):
                return await self._once(place, accept, known)
        except TimeoutError as error:
            limit = self.policy.limits.seconds
            raise Stopped(Trouble.TIMED_OUT, f"it took longer than {limit:g} seconds") from error
        except NameTrouble as error:
            unknown = error.is_unknown and await self._do_names_work()
            raise Stopped(Trouble.NO_SUCH_HOST if unknown else Trouble.NO_NAMES, str(error)) from error

    async def _do_names_work(self) -> bool:
        """Whether the registrar's own name can be looked up: a machine without a network finds no name at all."""
        if self._names_work is None:
            host = urlsplit(self.policy.endpoints.doi.url).hostname or ""
            try:
                self._names_work = bool(await addresses_of(self.network, host, 443))
            except (NameTrouble, Refused, OSError):
                self._names_work = False
        return self._names_work

    async def _once(self, place: Target, accept: str, known: Reply | None) -> Fetched:
        headers = {"accept": accept, **self._secrets(place)}
        if known and (tag := known.headers.get("etag")):
            headers["if-none-match"] = tag
        elif known and (since := known.headers.get("last-modified")):
            headers["if-modified-since"] = since
        return await exchange(self._client, place.url, headers, self.policy.limits)

    def _secrets(self, place: Target) -> dict[str, str]:
        """The headers of credentials for exactly this host; read now, sent once, kept nowhere."""
        mine = [one for one in self.policy.credentials if one.host.lower() == place.host and place.scheme == "https"]
        return {one.header: one.secret() for one in mine}

    def _waits(self, host: str, got: Fetched) -> int | None:
        """Heed what a host says of its limits; gives the seconds that it asks to wait."""
        said = got.headers.get("retry-after")
        wait = seconds_to_wait(said, self.network.clock()) if said else None
        if got.status == 429 or (got.status == 503 and wait):
            self.politeness.pause(host, wait or _PAUSE)
        if gap := gap_of(got.headers.get("x-rate-limit-limit"), got.headers.get("x-rate-limit-interval")):
            self.politeness.slow_down(host, gap)
        return wait


def _belongs(url: str, endpoint: Endpoint | None) -> bool:
    return endpoint is not None and url.startswith(f"{endpoint.url}/")


def _joined(url: str, location: str) -> str:
    try:
        return str(httpx.URL(url).join(location))
    except (httpx.InvalidURL, ValueError):
        return location[:LONGEST_HEADER]


def _port_of(endpoint: Endpoint) -> int:
    parts = urlsplit(endpoint.url)
    return parts.port or (443 if parts.scheme == "https" else 80)
