"""What a run may find out about works, outside by its policy and from what people supplied, and how that is named."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.cited_works import Found, SuppliedPassage, Work, work_of
from core.models import digest
from core.reference_policy import Also, ReferencePolicy
from core.references import Reference
from core.resolving import resolve

if TYPE_CHECKING:
    from core.guarded_network import Network

VERSION = 1
"""Raised by a person when the way from a finding to a label changes."""

_NOT_HASHED = {"also", "chosen", "contact", "credentials", "lives", "works_offline"}

Supplied = Callable[[Collection[Work]], Mapping[Work, tuple[SuppliedPassage, ...]]]
"""Gives what people supplied of some works."""


def protocol_name(policy: ReferencePolicy) -> str | None:
    """What a claim protocol says of a policy, ``urls@1+3f2a9c10``; none for the registry alone, which changes nothing.

    The hash covers whatever of the policy can change a verdict: who may be asked and how much is read, not how long
    answers are kept, nor who asks.
    """
    if not policy.also:
        return None
    what = policy.model_dump(mode="json", exclude=_NOT_HASHED)
    what["limits"] = {name: what["limits"][name] for name in ("redirects", "bytes", "decompressed_bytes", "characters")}
    what["endpoints"] = {name: one and one["url"] for name, one in what["endpoints"].items()}
    what["gone_after_hours"] = policy.lives.gone_after_hours
    what |= {"contact": policy.contact is not None, "credentials": sorted(one.host for one in policy.credentials)}
    return f"{'+'.join(sorted(policy.also))}@{VERSION}+{digest(what)[:8]}"


def kinds_of(name: str | None) -> frozenset[Also]:
    """What a protocol of this ``references`` looked up."""
    words = (name or "").partition("@")[0].split("+")
    return frozenset(one for one in Also if one in words)


class Lookup:
    """Finds out about works under one policy.

    Args:
        policy: What may be asked.
        cache: Where answers are kept from run to run.
        supplied: Where passages come from that people supplied; none where there is no store.
        network: How connections are made; given by tests.
    """

    def __init__(
        self,
        policy: ReferencePolicy,
        cache: Path | None = None,
        supplied: Supplied | None = None,
        network: Network | None = None,
    ) -> None:
        """Nobody is asked yet."""
        self._policy, self._cache, self._supplied, self._network = policy, cache, supplied, network

    def find(self, references: Sequence[Reference]) -> Mapping[Reference, Found]:
        """See ``core.cited_works.Works``; a work of which a person supplied a passage is not asked for."""
        works = {reference: work_of(reference) for reference in dict.fromkeys(references)}
        given = self._supplied(set(works.values())) if self._supplied and works else {}
        found = {
            reference: Found(kind=work[0], identifier=work[1], passages=given[work])
            for reference, work in works.items()
            if given.get(work)
        }
        asked = [one for one in works if one not in found] if self._policy.also - {Also.SUPPLIED} else []
        for one in resolve(asked, self._policy, cache=self._cache, network=self._network):
            found[one.reference] = Found(kind=one.kind, identifier=one.identifier, finding=one)
        return found
