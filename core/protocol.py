"""Protocols: everything that can change a verdict while the claim stays the same.

Two frozen records: the verifier protocol (one cited span) and the claim protocol, which adds how spans are merged and
how claims were found. Both print as ``name@number+hash``; every verdict, chart and export names one.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from core.models import MergePolicy, Record, digest

RULES = 4
"""Raised by a person whenever decision code changes; a golden-verdict test fails when verdicts move without it."""


class VerifierProtocol(Record):
    """What decides a span's label."""

    verifier: str
    """The verifier's name, e.g. ``lexical`` or ``hub:cross-encoder/…``."""
    version: int
    """The number written in the verifier's file."""
    model: str | None = None
    weights: str | None = None
    """Sha256 of the weights."""
    prompt: str | None = None
    prompt_sha256: str | None = None
    thresholds: dict[str, float]
    windowing: str
    """How long evidence is cut, in words."""
    qualifiers: tuple[str, ...] = ()
    """The comparers that may veto, each as ``kind@version``, sorted."""
    quote_policy: str = "verbatim-white-space-folded"
    rules: int = RULES

    @cached_property
    def sha256(self) -> str:
        """64 hex over every field."""
        return digest(self.model_dump(mode="json"))

    def __str__(self) -> str:
        """Print as ``lexical@1+3f2a9c10``."""
        return f"{self.verifier}@{self.version}+{self.sha256[:8]}"


class ClaimProtocol(Record):
    """What decides a claim's label: a verifier protocol, the merge policy, and how claims are found."""

    verifier: VerifierProtocol
    merge: MergePolicy = MergePolicy.ALL
    splitter: str
    """Name and number of the rules that find claims in prose."""
    materiality: str
    """Name and number of the rules that say which claims are material."""
    references: str | None = None
    """What may be looked up beyond the registry, ``core.reference_lookup.protocol_name``; none: nothing."""

    @cached_property
    def sha256(self) -> str:
        """64 hex over every field, the verifier's included; without references as before there were any."""
        return digest(self.model_dump(mode="json", exclude={"references"} if self.references is None else None))

    def __str__(self) -> str:
        """Print as ``lexical@1+9c1d04aa``; the hash differs from the verifier protocol's."""
        return f"{self.verifier.verifier}@{self.verifier.version}+{self.sha256[:8]}"


class Difference(Record):
    """One thing in which two protocols differ."""

    field: str
    """In words, e.g. ``threshold supported``, ``qualifier number``, ``rules``, ``merge``."""
    before: str | int | float | None
    """None where the earlier protocol has no such thing."""
    after: str | int | float | None

    def __str__(self) -> str:
        """Print as ``threshold supported: 0.5 → 0.6``; of a hash, its first 12 hex."""
        return f"{self.field}: {_short(self.before)} → {_short(self.after)}"


def differences(before: ClaimProtocol, after: ClaimProtocol) -> list[Difference]:
    """In what two protocols differ, field by field, thresholds and qualifiers one by one; empty when they are equal."""
    old, new = _flat(before), _flat(after)
    fields = [*new, *(field for field in old if field not in new)]
    return [
        Difference(field=field, before=old.get(field), after=new.get(field))
        for field in fields
        if old.get(field) != new.get(field)
    ]


def _flat(protocol: ClaimProtocol) -> dict[str, Any]:
    """Every field of a protocol by its name in words, whatever fields there are."""
    values = protocol.model_dump(mode="json")
    flat: dict[str, Any] = {}
    for name, value in (values.pop("verifier") | values).items():
        if isinstance(value, dict):
            flat |= {f"{name.removesuffix('s')} {key}": one for key, one in value.items()}
        elif isinstance(value, list):
            flat |= {f"{name.removesuffix('s')} {one.partition('@')[0]}": one.partition("@")[2] for one in value}
        else:
            flat[name.replace("_", " ")] = value
    return flat


def _short(value: str | int | float | None) -> str:
    text = "none" if value is None else str(value)
    return text[:12] if len(text) == 64 and not text.strip("0123456789abcdef") else text
