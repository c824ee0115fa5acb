"""The first stage: does a claim cite at all, and do its citations have a shape that can mean something?

An id is an opaque string. Only ``DocID:ChunkID`` references have a shape to hold: two halves, both non-empty, neither
with a colon or white space.
"""

from __future__ import annotations

import re
from collections.abc import Set

from core.models import Claim, Record, Structural

_PAIR = re.compile(r"[^:\s]+:[^:\s]+")
_LINK = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


class Structure(Record):
    """What the shape of a claim's citations says; no evidence is opened for it."""

    structural: Structural
    malformed: tuple[str, ...] = ()
    """The claim's citations whose shape cannot mean anything in this request, in order."""
    reason: str = ""


def is_pair(id_: str) -> bool:
    """Whether an id reads ``DocID:ChunkID``; a link with ``://`` does not."""
    return _PAIR.fullmatch(id_) is not None and not _LINK.match(id_)


def is_malformed(cite: str, ids: Set[str]) -> bool:
    """Whether a citation has a shape that no reference of this request can have.

    Args:
        cite: The id as written.
        ids: Every id that may be cited; an id among them is well-formed whatever it looks like.
    """
    if cite in ids or is_pair(cite):
        return False
    return (":" in cite and not _LINK.match(cite)) or (bool(ids) and all(is_pair(id_) for id_ in ids))


def check(claim: Claim, ids: Set[str]) -> Structure:
    """Judge the shape of one claim's citations against the ids of its request.

    A claim without citations is ``uncited`` when it is material, and fine otherwise. A vendor's raw marker left in the
    text outweighs a malformed id; both are listed.
    """
    malformed = tuple(cite for cite in claim.cites if is_malformed(cite, ids))
    if claim.leaked:
        reason = f"A raw citation marker was left in the text and names no evidence: {_listed(claim.leaked)}"
        return Structure(structural=Structural.LEAKED_MARKER, malformed=malformed, reason=reason)
    if malformed:
        reason = f"Not a well-formed reference of this request: {_listed(malformed)}"
        return Structure(structural=Structural.MALFORMED, malformed=malformed, reason=reason)
    if claim.material and not claim.cites:
        return Structure(structural=Structural.UNCITED, reason="A material claim without a citation")
    return Structure(structural=Structural.OK)


def _listed(ids: tuple[str, ...]) -> str:
    return ", ".join(repr(id_) for id_ in ids)
