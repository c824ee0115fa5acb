"""Which addresses of the outside may be opened: an address is read strictly, and every IP is checked after look-up.

Parsers of addresses disagree about odd spellings, and attackers live from that: what is not written plainly is
refused, not mended. An address that is refused is never connected to, whatever named it.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

IP = ipaddress.IPv4Address | ipaddress.IPv6Address

_SCHEMES = {"http": 80, "https": 443}
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\\<>\"\u2028\u2029\u200b-\u200f\ufeff]")
_NUMERIC = re.compile(r"0x[0-9a-f]*|[0-9]+", re.I)
_PLAIN_IPV4 = re.compile(r"(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})")
_NAME = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}")
_INSIDE = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "localdomain", "home.arpa")
"""Ends of names that mean this machine or its network; RFC 6761, 6762, 8375, and what routers and clouds use."""

_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_REFUSED = tuple(
    ipaddress.ip_network(net)
    for net in (
        "0.0.0.0/8 100.64.0.0/10 168.63.129.16/32 192.0.0.0/24 192.88.99.0/24 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4 "
        "2001::/23 2001:db8::/32 2002::/16 3fff::/20 2620:4f:8000::/48"
    ).split()
)
"""Beyond what ``ipaddress`` calls private: this network, CGNAT, a cloud's inner service, protocol assignments, relays
of 6to4, tests, multicast, reserved; Teredo and ORCHID, documentation, 6to4, AS112."""
_ISATAP = 0x5EFE


@dataclass(frozen=True, slots=True)
class Target:
    """An address that may be looked up."""

    url: str
    """Normalised: scheme and host in lower case and ASCII, no fragment."""
    scheme: str
    host: str
    """A name in ASCII, or an IP without brackets."""
    port: int

    @property
    def origin(self) -> str:
        """Scheme, host and port as the beginning of an address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _SCHEMES[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


class Refused(Exception):
    """An address must not be opened; the message is a clause that says why, with no secret in it."""


def target(url: str, ports: Collection[int] = (80, 443)) -> Target:
    """Read an address strictly.

    Raises:
        Refused: It is no plain address of the public web.
    """
    url = url.strip(" \t\r\n")
    if _UNSAFE.search(url):
        raise Refused("it has characters that no address has")
    try:
        parts = urlsplit(url)
        port, name = parts.port, parts.hostname or ""
    except ValueError as error:
        raise Refused("it cannot be read") from error
    if parts.scheme not in _SCHEMES:
        raise Refused(f"only http and https are opened, not {parts.scheme[:20] or 'nothing'}")
    if "@" in parts.netloc:
        raise Refused("it has a user name or password in it")
    if not name or not url[len(parts.scheme) :].startswith("://"):
        raise Refused("it has no host")
    port = _SCHEMES[parts.scheme] if port is None else port
    if port not in ports:
        raise Refused(f"port {port} is not one of {', '.join(map(str, sorted(ports)))}")
    plain = Target(url="", scheme=parts.scheme, host=host_of(name), port=port)
    query = f"?{parts.query}" if parts.query else ""
    return Target(f"{plain.origin}{parts.path or '/'}{query}", plain.scheme, plain.host, port)


def host_of(name: str) -> str:
    """A host as it is looked up: in ASCII and lower case, without the last dot.

    Raises:
        Refused: It is an IP that is not public or not plainly written, a name inside a network, or no name.
    """
    if ":" in name:
        return _literal(name)
    if "%" in name:
        raise Refused("its host is written with percent signs")
    name = _in_ascii(name).removesuffix(".")
    last = name.rsplit(".", 1)[-1]
    if _NUMERIC.fullmatch(last):
        if not _PLAIN_IPV4.fullmatch(name):
            raise Refused("its host is a number in disguise")
        return _literal(name)
    if not _NAME.fullmatch(name):
        raise Refused("its host is no name of the public web")
    if any(name == end or name.endswith(f".{end}") for end in _INSIDE):
        raise Refused("its host is a name inside a network")
    return name


def _in_ascii(name: str) -> str:
    """By the rules of UTS 46, so that full-width digits and dots are what they look like."""
    if name.isascii():
        return name.lower()
    import idna  # tables that most addresses do not need

    try:
        return idna.encode(name, uts46=True, std3_rules=True, transitional=False).decode("ascii").lower()
    except idna.IDNAError:
        pass
    try:  # numbers in full-width digits have no label that IDNA takes, yet are to be called what they are
        return idna.uts46_remap(name, std3_rules=True).encode("ascii").decode().lower()
    except (idna.IDNAError, UnicodeError) as error:
        raise Refused("its host is no name of the public web") from error


def _literal(name: str) -> str:
    try:
        ip = ipaddress.ip_address(name)
    except ValueError as error:
        raise Refused("its host is no address that can be read") from error
    if why := why_refused(ip):
        raise Refused(why)
    return str(ip)


def why_refused(ip: IP) -> str | None:
    """Why an IP must not be connected to, as a clause; none for one of the public internet."""
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.scope_id or ip not in _GLOBAL_V6:
            return f"{ip} is no public address"  # with all that embeds IPv4: mapped, compatible, NAT64
        if (int(ip) >> 32) & 0xFDFFFFFF == _ISATAP:
            return f"{ip} leads to an inner network"
    inside = not ip.is_global or ip.is_multicast or any(ip in net for net in _REFUSED if net.version == ip.version)
    return f"{ip} is no public address" if inside else None


def checked(found: Collection[str], loopback: bool = False) -> list[str]:
    """The addresses that a look-up gave, when every one of them may be connected to.

    Args:
        found: As the look-up gave them.
        loopback: Whether addresses of this machine pass, as in a test.

    Raises:
        Refused: One of them may not: a name with two faces is not trusted with either.
    """
    plain = []
    for one in found:
        try:
            ip = ipaddress.ip_address(one)
        except ValueError as error:
            raise Refused(f"{one[:60]!r} is no address") from error
        if (why := why_refused(ip)) and not (loopback and ip.is_loopback):
            raise Refused(why)
        plain.append(str(ip))
    return plain
