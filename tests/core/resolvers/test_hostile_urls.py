"""No hostile address is ever connected to, whatever it hides behind."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.addresses import Refused, target, why_refused
from core.references import Exists, Reachable, Reason, Reference
from core.resolving import resolve
from tests.core.resolvers.conftest import page, policy
from tests.fakes.web_server import PUBLIC, Web

LINES = Path(__file__).with_name("hostile_urls.txt").read_text("utf-8").split("\n")
HOSTILE = [line for line in LINES if line and not line.startswith("# ")]
PLAIN = "http://a.example#@127.0.0.1:8080/"
"""Looks hostile and is a public page with an odd fragment, which is never sent."""

_INSIDE = {
    "inside.example": ["127.0.0.1"],
    "inside6.example": ["::1"],
    "mapped.example": ["::ffff:10.0.0.1"],
    "metadata.example": ["169.254.169.254"],
    "twofaced.example": [PUBLIC, "10.0.0.1"],
    "cgnat.example": ["100.64.0.1"],
    "zero.example": ["0.0.0.0"],
    "notanip.example": ["a.example"],
}
_REDIRECTS = {
    "loopback": "http://127.0.0.1/",
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "decimal": "http://2130706433/",
    "ipv6": "http://[::ffff:127.0.0.1]/",
    "name": "http://inside.example/",
    "file": "file:///etc/passwd",
    "userinfo": "http://a:b@a.example/",
    "twice": "https://redirects.example/loopback",
    "port": "http://a.example:6379/",
    "schemeless": "//127.0.0.1/",
}


@pytest.fixture
def canary() -> Iterator[list[object]]:
    """A listener on this machine's own address that notes whoever comes."""
    came: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def listen() -> None:
            try:
                while True:
                    came.append(server.accept()[1])
            except OSError:  # closed at the end of the test
                return

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        came_to = server.getsockname()[1]
        came.append(came_to)
        yield came
        server.shutdown(socket.SHUT_RDWR)
    thread.join()


@pytest.fixture
def hostile_web(web: Web) -> Web:
    """Names and redirects that lead inside; the public pages of the same hosts would answer."""
    web.dns |= {host: [addresses] for host, addresses in _INSIDE.items()}
    web.put("http://a.example/", page())
    for name, to in _REDIRECTS.items():
        web.redirect(f"https://redirects.example/{name}", to)
    return web


def test_the_corpus_is_large() -> None:
    """At least sixty different addresses."""
    assert len(set(HOSTILE)) == len(HOSTILE) >= 60


def test_none_reaches_a_refused_address(hostile_web: Web, canary: list[object]) -> None:
    """Every connection went to a public address, none to this machine, and every address is called blocked."""
    (port,) = canary
    rules = policy(ports=(80, 443, port), robots=False)
    mine = [f"http://127.0.0.1:{port}/", f"http://[::1]:{port}/", f"http://inside.example:{port}/"]
    references = [Reference(text=url) for url in [*HOSTILE, *mine]]

    found = list(resolve(references, rules, network=hostile_web.network()))

    assert len(found) == len(references)
    assert {ip for ip, _ in hostile_web.connected} <= {PUBLIC}
    assert all(why_refused(ipaddress.ip_address(ip)) is None for ip, _ in hostile_web.connected)
    assert canary == [port]
    read = [one.reference.text for one in found if one.read is not None]
    assert read == [PLAIN]
    opened = {one.url for one in hostile_web.requests}
    assert opened <= {"http://a.example/", *(f"https://redirects.example/{name}" for name in _REDIRECTS)}


def test_each_is_blocked_and_says_so(hostile_web: Web) -> None:
    """It is refused, or names nothing that can be looked up; never is it called missing."""
    references = [Reference(text=url) for url in HOSTILE if url != PLAIN]

    for found in resolve(references, policy(robots=False), network=hostile_web.network()):
        url = found.reference.text
        assert found.reason in (Reason.BLOCKED_BY_POLICY, Reason.MALFORMED), url
        assert (found.exists, found.reachable) == (Exists.UNKNOWN, Reachable.UNKNOWN), url
        assert found.label in (None, "inaccessible"), url
        assert "secret" not in found.model_dump_json(exclude={"reference"}), url


@pytest.mark.parametrize(
    "ip", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001:80e::200e", "8.8.8.8", "172.32.0.1"]
)
def test_public_addresses_pass(ip: str) -> None:
    """What is on the public internet may be opened."""
    assert why_refused(ipaddress.ip_address(ip)) is None


def test_a_plain_address_is_normalised() -> None:
    """Scheme and host in lower case and ASCII, no fragment, the default port left out."""
    assert target("HTTPS://Bücher.Example:443/A?b=C#d").url == "https://xn--bcher-kva.example/A?b=C"
    assert target("http://[2606:4700:0::1111]/x").url == "http://[2606:4700::1111]/x"


def test_ports_are_a_matter_of_policy() -> None:
    """Only the ports that the policy names."""
    with pytest.raises(Refused, match="port 8080 is not one of 80, 443"):
        target("http://a.example:8080/")

    assert target("http://a.example:8080/", (80, 8080)).port == 8080
