"""The fail-closed decision: may an answer be served, judged by its citations alone?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Literal, Protocol

from core.models import Record
from core.structural import is_malformed

FailureReason = Literal["missing_citation", "malformed_citation", "hallucinated_citation"]


class CitationFailure(Record):
    """The first thing wrong with an answer's citations."""

    reason: FailureReason
    claim_index: int
    """Which claim, counted from 0."""


class HasClaims(Protocol):
    """Anything with claims, each with a ``citation_ids`` attribute or key."""

    @property
    def claims(self) -> Iterable[object] | None:
        """The claims in order; none is the same as no claims."""
        ...


def verify_citations(
    answer: HasClaims | Mapping[str, object], context_chunk_ids: Iterable[str]
) -> CitationFailure | None:
    """Walk claims in order, and the citations of each in order, and return the first failure.

    Ids are compared exactly. A claim whose citations are none, empty or all blank is ``missing_citation``; an id of
    no possible shape (``core.structural.is_malformed``), or that is no string, is ``malformed_citation``; any other id
    outside the context is ``hallucinated_citation``.

    Args:
        answer: A ``core.models.Answer``, a mapping ``{"claims": [{"text": …, "citation_ids": […]}]}``, or an object
            with ``claims``. An answer without claims passes.
        context_chunk_ids: The ids that the generator was given.

    Raises:
        TypeError: The answer has no place for claims, or ids come as one string; nothing could be checked.
    """
    if isinstance(context_chunk_ids, str):
        raise TypeError("context_chunk_ids must be several ids, not one string")
    ids = frozenset(context_chunk_ids)
    for index, claim in enumerate(_claims(answer)):
        reason = _first_failure(_field(claim, "citation_ids"), ids)
        if reason is not None:
            return CitationFailure(reason=reason, claim_index=index)
    return None


def _claims(answer: object) -> list[object]:
    if not isinstance(answer, Mapping) and not hasattr(answer, "claims"):
        raise TypeError(f"{type(answer).__name__} has no claims to verify")
    claims = _field(answer, "claims")
    if claims is None:
        return []
    if isinstance(claims, (str, Mapping)) or not isinstance(claims, Iterable):
        raise TypeError("claims must be a list")
    return list(claims)


def _first_failure(citations: object, ids: Set[str]) -> FailureReason | None:
    if citations is None:
        return "missing_citation"
    if isinstance(citations, (str, bytes, Mapping)) or not isinstance(citations, Iterable):
        return "malformed_citation"
    cites = [cite for cite in citations if not (isinstance(cite, str) and not cite.strip())]
    if not cites:
        return "missing_citation"
    for cite in cites:
        if not isinstance(cite, str) or is_malformed(cite, ids):
            return "malformed_citation"
        if cite not in ids:
            return "hallucinated_citation"
    return None


def _field(holder: object, name: str) -> object:
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)
