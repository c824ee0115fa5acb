"""The second stage: what does the request's registry say of each cited id?"""

from __future__ import annotations

from core.models import Claim, Resolution, Resolve
from core.registry import Registry
from core.structural import Structure


def check(claim: Claim, structure: Structure, registry: Registry) -> tuple[Resolution, ...]:
    """Resolve every citation of a claim, in citation order; a malformed one is not looked up."""
    return tuple(
        Resolution(cite=cite, resolve=Resolve.NOT_CHECKED, reason=f"{cite!r} is not a well-formed reference")
        if cite in structure.malformed
        else registry.resolve(cite)
        for cite in claim.cites
    )
