"""Many references at once: politely, resumably, one finding each; and nobody asked who may not be."""

from __future__ import annotations

import os
import stat
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import plugins, resolvers
from core.errors import InputError
from core.models import Resolve
from core.reference_policy import Also, Credential, Limits, ReferencePolicy
from core.references import NOT_CHECKED, Exists, Reason, Reference
from core.resolving import resolve, route
from tests.core.resolvers.conftest import policy
from tests.fakes.web_server import Answer, Web

RATE = 40
TICK = 0.01
"""Seconds by which a loop may wake too early."""
BODY = Answer("The bank lent the town four million crowns in 2020.", 200, {"content-type": "text/plain"})
KINDS = ["https://a.example/x", "10.5555/abc", "arXiv:2101.00001", ""]


@pytest.mark.long
def test_a_thousand_references_over_fifty_hosts(web: Web, tmp_path: Path) -> None:
    """No host is asked faster than the policy says, and what is fresh is not asked for again."""
    references = [Reference(text=f"http://h{number % 50}.example/{number // 50}") for number in range(1000)]
    rules = policy(limits=Limits(per_second=RATE, seconds=30), robots=False)
    web.fallback = lambda url: BODY
    told: list[int] = []
    began = time.monotonic()

    found = list(resolve(references, rules, told.append, tmp_path / "cache.sqlite", web.network()))

    assert {one.reference for one in found} == set(references)
    assert len(found) == 1000
    assert all(one.reason is Reason.OK and one.read for one in found)
    assert told == list(range(1, 1001))
    arrived = defaultdict(list)
    for one in web.requests:
        arrived[one.url.split("/")[2]].append(one.at - began)
    assert {len(times) for times in arrived.values()} == {20}
    for times in arrived.values():
        assert all(at >= number / RATE - TICK for number, at in enumerate(sorted(times)))

    again = list(resolve(references, rules, None, tmp_path / "cache.sqlite", web.network()))

    assert len(web.requests) == 1000
    assert {one.reference: one.read for one in again} == {one.reference: one.read for one in found}
    assert all(receipt.kept for one in again for receipt in one.receipts)


@pytest.mark.long
def test_a_run_holds_no_more_than_what_is_on_its_way(web: Web, tmp_path: Path) -> None:
    """However many pages are read: who takes the findings one by one needs memory for a few of them only."""
    page = "The bank lent the town four million crowns in 2020. " * 8_000
    references = [Reference(text=f"http://h{number % 50}.example/{number // 50}") for number in range(500)]
    rules = policy(limits=Limits(per_second=1000, seconds=60, concurrent=8), robots=False)
    web.fallback = lambda url: Answer(page, 200, {"content-type": "text/plain"})
    read = 0
    tracemalloc.start()
    try:
        for one in resolve(references, rules, None, tmp_path / "cache.sqlite", web.network()):
            read += len(one.read.text) if one.read else 0
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert read > 500 * 400_000
    assert peak < read / 4


def test_a_run_that_was_stopped_goes_on(web: Web, tmp_path: Path) -> None:
    """What was answered before is not asked again, and nothing runs on behind one's back."""
    references = [Reference(text=f"http://h{number}.example/") for number in range(30)]
    web.fallback = lambda url: BODY
    run = resolve(references, policy(robots=False), None, tmp_path / "cache.sqlite", web.network())
    first = [next(run) for _ in range(5)]
    run.close()
    before = len(web.requests)

    found = list(resolve(references, policy(robots=False), None, tmp_path / "cache.sqlite", web.network()))

    assert len(first) == 5
    assert len(found) == 30
    assert before >= 5
    assert max(web.asked(f"http://h{number}.example/") for number in range(30)) <= 2
    answered = {one.reference.text for one in first}
    assert all(web.asked(url) == 1 for url in answered)


def test_who_stops_taking_findings_ends_a_run_that_has_no_room(web: Web) -> None:
    """However many findings wait to be taken, and however many references there are."""
    taken = 0

    def endless() -> Iterator[Reference]:
        nonlocal taken
        while True:
            taken += 1
            yield Reference(text="10.5555/abc")

    run = resolve(endless(), ReferencePolicy(), network=web.network())
    next(run)
    run.close()

    assert taken < 10_000


def test_the_same_reference_twice_is_asked_for_once(web: Web, tmp_path: Path) -> None:
    """And has two findings."""
    web.fallback = lambda url: BODY
    references = [Reference(text="http://a.example/x"), Reference(text="HTTP://A.example/x#here", title="Loan")]

    found = list(resolve(references, policy(robots=False), None, tmp_path / "cache.sqlite", web.network()))

    assert {one.reference for one in found} == set(references)
    assert web.asked("http://a.example/x") == 1


def test_a_host_that_asks_for_a_pause_ends_no_run(web: Web) -> None:
    """Who is behind it is passed over and told so; other hosts go on."""
    web.put("http://a.example/1", "", 429, headers={"retry-after": "3600"})
    web.fallback = lambda url: BODY
    references = [Reference(text=f"http://{host}.example/{number}") for host in "ab" for number in (1, 2, 3)]

    found = {one.reference.text: one for one in resolve(references, policy(robots=False), network=web.network())}

    assert [found[f"http://b.example/{number}"].reason for number in (1, 2, 3)] == [Reason.OK] * 3
    assert {found[f"http://a.example/{number}"].reason for number in (1, 2, 3)} == {Reason.RATE_LIMITED}
    assert found["http://a.example/3"].said == "Not opened: a.example has asked to be left alone."
    assert sum(one.url.startswith("http://a.") for one in web.requests) == 1


@pytest.mark.parametrize(
    ("rules", "reasons"),
    [
        (ReferencePolicy(), {Reason.NOT_ALLOWED}),
        (policy(offline=True), {Reason.OFFLINE}),
        (policy(also=frozenset({Also.IDENTIFIERS}), contact=None), {Reason.NOT_ALLOWED, Reason.NO_CONTACT}),
    ],
)
def test_nobody_is_asked_who_may_not_be(web: Web, rules: ReferencePolicy, reasons: set[Reason]) -> None:
    """Offline, by default and without a contact every finding is not checked, and no name is looked up."""
    references = [Reference(text=text, title="The loan") for text in KINDS]

    found = list(resolve(references, rules, network=web.network()))

    assert {one.reason for one in found} == reasons <= NOT_CHECKED
    assert {one.resolve for one in found} == {Resolve.NOT_CHECKED}
    assert {one.label for one in found} == {None}
    assert {one.exists for one in found} == {Exists.UNKNOWN}
    assert all(one.said.startswith("Not checked: ") and one.at is None for one in found)
    assert (web.requests, web.lookups, web.connected) == ([], [], [])


def test_what_names_nothing_is_said_to(web: Web) -> None:
    """Neither link, identifier nor title: still one finding."""
    (found,) = resolve([Reference(text="Smith, personal communication")], policy(), network=web.network())

    assert (found.kind, found.reason, found.resolve) == ("none", Reason.MALFORMED, Resolve.NOT_CHECKED)


def test_no_references_no_findings(web: Web) -> None:
    """And no error."""
    assert list(resolve([], policy(), network=web.network())) == []


def test_trouble_with_the_references_reaches_who_reads_the_findings(web: Web) -> None:
    """An error of the iterable is raised where the findings are taken."""

    def broken() -> Iterator[Reference]:
        yield Reference(text="http://a.example/x")
        raise InputError("line 2 is broken", "mend it")

    with pytest.raises(InputError, match="line 2 is broken"):
        list(resolve(broken(), policy(), network=web.network()))


def test_a_credential_that_is_not_there_stops_before_anybody_is_asked(web: Web) -> None:
    """The message names the place."""
    rules = policy(credentials=(Credential(host="a.example", env="NO_SUCH_VARIABLE"),))

    with pytest.raises(InputError, match="NO_SUCH_VARIABLE"):
        list(resolve([Reference(text="http://a.example/")], rules, network=web.network()))
    assert web.requests == []


@pytest.mark.parametrize("name", plugins.names(resolvers))
def test_contract(name: str) -> None:
    """Every file in core/resolvers says what it is, what it needs and what it reads."""
    member = plugins.load(resolvers, name)

    assert member.__doc__
    assert isinstance(member.NEEDS, Also)
    assert member.reads(Reference()) is None
    assert callable(member.look)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("https://a.example/x", "url"), ("www.a.example", "url"), ("a.example/x", "url"), ("javascript:alert()", "url"),
        ("10.5555/abc", "doi"), ("https://doi.org/10.5555/abc", "doi"), ("10.48550/arXiv.2101.00001", "doi"),
        ("2101.00001", "arxiv"), ("https://arxiv.org/abs/2101.00001", "arxiv"), ("", "title"), ("Smith 2020", "title"),
    ],
)  # fmt: skip
def test_one_member_reads_a_reference(text: str, kind: str) -> None:
    """However many members there are."""
    reference = Reference(text=text, title="The loan")
    readers = [name for name in plugins.names(resolvers) if plugins.load(resolvers, name).reads(reference)]

    assert readers == [kind]
    assert route(reference, policy()).kind == kind


def test_the_cache_is_for_its_owner_and_may_be_broken(
    web: Web, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Another program's file is left as it is; the run goes on without it."""
    path = tmp_path / "cache.sqlite"
    web.fallback = lambda url: BODY
    list(resolve([Reference(text="http://a.example/")], policy(robots=False), cache=path, network=web.network()))
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_bytes(b"something else entirely, and longer than a header of a database")

    (found,) = resolve([Reference(text="http://a.example/")], policy(robots=False), cache=path, network=web.network())

    assert found.reason is Reason.OK
    assert "is not used" in caplog.text
    assert path.read_bytes().startswith(b"something else")
