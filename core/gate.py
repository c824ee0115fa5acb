"""The gate: may the claims of a checked answer be served? First failure in claim order; what is missing blocks.

Three levels, each holding all that the one before it holds. Whatever the level needs and nobody has said is a failure:
verdicts are counted against claims × citations, and a row about another text or other citations is no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from core.extraction import FROM_PROSE
from core.models import CheckedAnswer, ClaimRow, GivenClaim, Label, QuoteState, Record, Resolve, Status, Structural
from core.registry import Registry
from core.serving import verify_citations


class Level(StrEnum):
    """What must hold for an answer to be served."""

    CITATIONS = "citations"
    """Every claim cites, and only what the generator was given."""
    QUOTES = "quotes"
    """Also: every quotation is verbatim in what the claim cites."""
    SUPPORT = "support"
    """Also: a verifier has judged every citation, and none of the claims is unsupported."""


class GateReason(StrEnum):
    """Why an answer is not served; in the order in which the reasons of one claim are looked at."""

    MISSING_CITATION = "missing_citation"
    MALFORMED_CITATION = "malformed_citation"
    HALLUCINATED_CITATION = "hallucinated_citation"
    QUOTE_NOT_VERBATIM = "quote_not_verbatim"
    UNSUPPORTED_CLAIM = "unsupported_claim"


class Refusal(Record):
    """The first thing for which an answer is not served."""

    reason: GateReason
    claim_index: int
    """Which claim, counted from 0; the number of claims when prose states what no claim covers."""


SEMANTIC = frozenset({GateReason.UNSUPPORTED_CLAIM})
"""Reasons that no rewording may mend."""

_SERVED = frozenset({Label.SUPPORTED, Label.PARTIAL, Label.SECONDARY_ONLY})
"""Labels of a claim that the level ``support`` lets pass."""

_MARKER = re.compile(r"[\[【]\s*\^?\s*E\d+\b")
"""A label of a registry written into prose, where nothing checks it."""


def decide(checked: CheckedAnswer, level: Level) -> Refusal | None:
    """Give the first failure of an answer, or none when all of it may be served.

    Args:
        checked: The answer with its registry after all stages. Its given claims are the claims; an answer without any
            passes unless its prose states something.
        level: What must hold.
    """
    return next(iter(failures(checked, level)), None)


def failures(checked: CheckedAnswer, level: Level) -> list[Refusal]:
    """Every claim's first failure, in claim order; what the prose states and no claim covers comes last, once."""
    given = checked.answer.claims or ()
    usable = _in_context(checked)
    rows = {row.claim_id: row for row in checked.rows}
    found = []
    for index, claim in enumerate(given):
        reason = _first_reason(claim, rows.get(claim.claim_id or f"c{index + 1}"), usable, level)
        if reason is not None:
            found.append(Refusal(reason=reason, claim_index=index))
    said = {_folded(claim.text) for claim in given}  # said twice in the prose, a claim covers itself both times
    prose = [row for row in checked.rows if row.material and FROM_PROSE in row.flags]
    if any(_folded(row.claim) not in said for row in prose) or _unread(checked):
        found.append(Refusal(reason=GateReason.MISSING_CITATION, claim_index=len(given)))
    return found


def _folded(text: str) -> str:
    return " ".join(text.split())


def _in_context(checked: CheckedAnswer) -> frozenset[str]:
    """The ids that mean one text that the generator was given and that may still be used."""
    registry = Registry.build(checked.answer.evidence)
    return frozenset(id_ for id_ in registry.ids if registry.resolve(id_).resolve is Resolve.OK)


def _unread(checked: CheckedAnswer) -> bool:
    """Whether claims of the prose are all there is, so that nobody has compared prose and claims."""
    return checked.answer.claims is None and bool(checked.rows)


def _first_reason(claim: GivenClaim, row: ClaimRow | None, usable: frozenset[str], level: Level) -> GateReason | None:
    cited = verify_citations({"claims": [claim]}, usable)
    if cited is not None:
        return GateReason(cited.reason)
    if _MARKER.search(claim.text) or (row is not None and row.structural is Structural.LEAKED_MARKER):
        return GateReason.MALFORMED_CITATION
    known = row if row is not None and _is_about(row, claim) else None
    if level is not Level.CITATIONS and not _quotes_hold(claim, known):
        return GateReason.QUOTE_NOT_VERBATIM
    if level is Level.SUPPORT and not _support_holds(known):
        return GateReason.UNSUPPORTED_CLAIM
    return None


def _is_about(row: ClaimRow, claim: GivenClaim) -> bool:
    cites = dict.fromkeys(cite for cite in claim.citation_ids if cite.strip())
    return row.claim == claim.text and row.cites == tuple(cites)


def _quotes_hold(claim: GivenClaim, row: ClaimRow | None) -> bool:
    """Whether each quotation, given or marked in the claim's text, was looked for and is verbatim."""
    if row is None:
        return False
    if not row.quotes and not any(quote.strip() for quote in claim.quotes):
        return row.quote is QuoteState.NOT_GIVEN
    looked_for = len(row.quotes) >= len({" ".join(quote.split()) for quote in claim.quotes if quote.strip()})
    return looked_for and row.quote is QuoteState.VERBATIM and _all_verbatim(row)


def _all_verbatim(row: ClaimRow) -> bool:
    return all(quote.match is QuoteState.VERBATIM for quote in row.quotes)


def _support_holds(row: ClaimRow | None) -> bool:
    """Whether there is a judgement on every citation and the claim's label is none of the unsupported ones."""
    if row is None or row.label not in _SERVED:
        return False
    judged = [span.cite for span in row.spans if span.status is Status.JUDGED and span.label is not None]
    return sorted(judged) == sorted(row.cites)


def messages(refusals: Sequence[Refusal], claims: Sequence[GivenClaim]) -> tuple[str, ...]:
    """What a generator is told of its failures: where and which kind, in fixed words, nothing of any text.

    Args:
        refusals: As ``failures`` gives them.
        claims: The claims they are about.
    """
    return tuple(
        f"claims[{one.claim_index}]{_TOLD[one.reason]}" if one.claim_index < len(claims) else _UNCOVERED
        for one in refusals
    )


_TOLD: Mapping[GateReason, str] = {
    GateReason.MISSING_CITATION: ".citation_ids is empty",
    GateReason.MALFORMED_CITATION: ".citation_ids or its text contains a malformed id",
    GateReason.HALLUCINATED_CITATION: ".citation_ids contains an unknown id",
    GateReason.QUOTE_NOT_VERBATIM: ".quote does not stand word for word in every passage that the claim cites",
    GateReason.UNSUPPORTED_CLAIM: " is not supported by the passages that it cites",
}
_UNCOVERED = "claims are missing for factual statements of the answer"
