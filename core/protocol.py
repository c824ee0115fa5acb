"""Protocols: everything that can change a verdict while the claim stays the same.

Two frozen records: the verifier protocol (one cited span) and the claim protocol, which adds how spans are merged and
how claims were found. Both print as ``name@number+hash``; every verdict, chart and export names one.
"""

from __future__ import annotations

from functools import cached_property

from core.models import MergePolicy, Record, digest

RULES = 1
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

    @cached_property
    def sha256(self) -> str:
        """64 hex over every field, the verifier's included."""
        return digest(self.model_dump(mode="json"))

    def __str__(self) -> str:
        """Print as ``lexical@1+9c1d04aa``; the hash differs from the verifier protocol's."""
        return f"{self.verifier.verifier}@{self.verifier.version}+{self.sha256[:8]}"
