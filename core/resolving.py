"""References → findings: many at once, a few a host, each remembered; the one way to the outside.

Everything runs on an event loop of its own in one thread, so that a slow reader of findings makes nobody time out.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from core import plugins, resolvers
from core.reference_policy import Also, ReferencePolicy
from core.references import Reason, Reference, ReferenceFinding

if TYPE_CHECKING:
    from core.guarded_network import Network
    from core.outside import Outside

Progress = Callable[[int], None]
"""Told how many references have been looked at so far; from another thread."""

_AHEAD = 2048
"""References that are taken before the first of them is done: enough for all hosts to have work."""
_WAITING = 256
"""Findings that wait to be taken; then nobody is asked until some are."""
_GLANCE = 0.02
"""Seconds between two looks at whether somebody still takes findings, or has made room for some."""

_WHY = {
    Reason.OFFLINE: "Not checked: {who} works offline.",
    Reason.NOT_ALLOWED: "Not checked: the policy does not allow to look up {kind}.",
    Reason.NO_CONTACT: "Not checked: registries want to know whom to write to, and no contact address is set.",
    Reason.MALFORMED: "Not checked: it is no link, no DOI, no arXiv id, and has no title.",
}


def resolve(
    references: Iterable[Reference],
    policy: ReferencePolicy,
    progress: Progress | None = None,
    cache: Path | None = None,
    network: Network | None = None,
) -> Generator[ReferenceFinding, None, None]:
    """Find out about references; exactly one finding for each, as they are done. Closing it ends the run.

    Args:
        references: Taken as they are needed.
        policy: What may be asked; by default nobody is.
        progress: Told after each finding.
        cache: A file that answers are kept in, so that a run goes on where an earlier one was stopped; without it
            nothing is ever found to be gone, which takes two looks a day apart.
        network: How connections are made; given by tests.

    Raises:
        InputError: A credential that the policy names cannot be read; nobody was asked.
    """
    for credential in policy.credentials if policy.also and not policy.offline else ():
        credential.secret()
    sink = _Sink(progress)
    thread = threading.Thread(target=_run, args=(iter(references), policy, cache, network, sink), daemon=True)
    thread.start()
    try:
        yield from sink.findings()
    finally:
        sink.stop()
        thread.join()


@dataclass(frozen=True, slots=True)
class Route:
    """What is to be done about a reference."""

    kind: str
    identifier: str
    member: ModuleType | None = None
    why_not: Reason | None = None


def route(reference: Reference, policy: ReferencePolicy) -> Route:
    """Who looks at a reference, or why nobody does."""
    for member in _members():
        if identifier := member.reads(reference):
            kind = member.__name__.rpartition(".")[2]
            why_not = _why_not(member.NEEDS, policy)
            return Route(kind, identifier, None if why_not else member, why_not)
    why_not = Reason.OFFLINE if policy.offline else Reason.MALFORMED
    return Route("none", reference.text, why_not=why_not)


@once
def _members() -> tuple[ModuleType, ...]:
    """The folder is read once, since every reference needs it."""
    return tuple(plugins.load_all(resolvers))


def _why_not(needs: Also, policy: ReferencePolicy) -> Reason | None:
    if policy.offline:
        return Reason.OFFLINE
    if needs not in policy.also:
        return Reason.NOT_ALLOWED
    if needs is Also.IDENTIFIERS and policy.contact is None:
        return Reason.NO_CONTACT
    return None


class _Sink:
    """Where findings wait for who takes them, from one thread to another."""

    def __init__(self, progress: Progress | None) -> None:
        self._queue: queue.Queue[ReferenceFinding | BaseException | None] = queue.Queue(_WAITING)
        self._progress = progress
        self._done = 0
        self.stopped = threading.Event()

    def put(self, one: ReferenceFinding | BaseException | None) -> bool:
        """Hand over, when there is room; gives whether there was."""
        try:
            self._queue.put_nowait(one)
        except queue.Full:
            return False
        if self._progress and isinstance(one, ReferenceFinding):
            self._done += 1
            self._progress(self._done)
        return True

    def findings(self) -> Iterator[ReferenceFinding]:
        """Take what is handed over until it ends."""
        while (one := self._queue.get()) is not None:
            if isinstance(one, BaseException):
                raise one
            yield one

    def stop(self) -> None:
        """Say that nobody takes any more."""
        self.stopped.set()


def _run(
    references: Iterator[Reference],
    policy: ReferencePolicy,
    cache: Path | None,
    network: Network | None,
    sink: _Sink,
) -> None:
    end: BaseException | None = None
    try:
        asyncio.run(_all(references, policy, cache, network, sink))
    except BaseException as error:  # told to who takes the findings, in whose thread it is raised
        end = error
    while isinstance(end, BaseExceptionGroup) and len(end.exceptions) == 1:
        end = end.exceptions[0]
    while not sink.stopped.is_set() and not sink.put(end):
        sink.stopped.wait(_GLANCE)


async def _all(
    references: Iterator[Reference],
    policy: ReferencePolicy,
    cache: Path | None,
    network: Network | None,
    sink: _Sink,
) -> None:
    """Look at everything, at most ``_AHEAD`` at a time."""
    from core.fetch_cache import FetchCache
    from core.fetching import Fetcher
    from core.guarded_network import Network as Outer
    from core.outside import Outside

    kept = FetchCache(cache)
    shared: dict[tuple[str, str], asyncio.Lock] = {}
    tasks: set[asyncio.Task[None]] = set()
    try:
        async with Fetcher(policy, network or Outer(), kept) as fetcher, asyncio.TaskGroup() as group:
            outside = Outside(fetcher)
            for reference in references:
                await asyncio.sleep(0)  # what is on its way goes on while references are taken
                await _until(lambda: len(tasks) < _AHEAD or sink.stopped.is_set())
                if sink.stopped.is_set():
                    break
                way = route(reference, policy)
                lock = shared.setdefault((way.kind, way.identifier), asyncio.Lock())
                task = group.create_task(_one(reference, way, outside, lock, sink))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            await _until(lambda: not tasks or sink.stopped.is_set())
            for task in tasks:
                task.cancel()
    finally:
        kept.close()


async def _until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(_GLANCE)


async def _one(reference: Reference, way: Route, outside: Outside, lock: asyncio.Lock, sink: _Sink) -> None:
    """Look at one reference; the same one twice is asked for once, for the second finds it kept."""
    if way.member is None:
        assert way.why_not is not None
        kind = "links" if way.kind == "url" else "identifiers and titles"
        said = _WHY[way.why_not].format(kind=kind, who=outside.policy.works_offline)
        found = ReferenceFinding(
            reference=reference, kind=way.kind, identifier=way.identifier, reason=way.why_not, said=said
        )
    else:
        async with lock:
            found = await way.member.look(reference, way.identifier, outside)
    await _until(lambda: sink.put(found) or sink.stopped.is_set())
