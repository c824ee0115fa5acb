"""The third stage: are a claim's quotations verbatim in the texts they are said to come from?

Verbatim means equal after white-space folding (``core.text.find_quote``). A near miss is reported with its nearest
place and stays a miss. A source that cannot be read refutes no quotation: only a search of readable text can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from core.models import Claim, Evidence, MergePolicy, Place, QuoteRow, QuoteState, Record, Resolution, Resolve
from core.near_miss import nearest_quote
from core.registry import Registry
from core.text import Span, find_quote

ELSEWHERE = "stands in another source of this request, not the cited one"
"""What differs when a quotation is verbatim, but not where the claim says."""

_WORST_FIRST = (QuoteState.NOT_FOUND, QuoteState.NEAR_MISS, QuoteState.NOT_GIVEN, QuoteState.VERBATIM)


class QuoteFinding(Record):
    """What the quote gate found for one claim."""

    state: QuoteState
    """The worst of the rows; ``not_given`` without quotations, and when none could be looked for."""
    rows: tuple[QuoteRow, ...] = ()
    """One for each quotation, in the claim's order; offsets are those of the evidence text of the first cited span in
    which it is verbatim."""
    by_cite: dict[str, QuoteState] = Field(default_factory=dict)
    """The worst state in each cited span that can be read."""


def check(claim: Claim, resolutions: Sequence[Resolution], registry: Registry, policy: MergePolicy) -> QuoteFinding:
    """Look for each quotation of a claim in the spans it cites, then in the rest of the request's registry.

    Under ``all`` a quotation must be verbatim in every readable cited span, under ``any`` and ``joint`` in one. A
    quotation is ``not_found`` only when the cited sources, if any, and some text of the registry could be read; else
    nothing could be compared and it is ``not_given``.
    """
    search = _Search(resolutions, registry, policy)
    looked = [search.look(quote) for quote in claim.quotes]
    by_cite = {entry.id: _worst([states[entry.id] for _, states in looked]) for entry in search.cited if claim.quotes}
    rows = tuple(row for row, _ in looked)
    return QuoteFinding(state=_worst([row.match for row in rows]), rows=rows, by_cite=by_cite)


class _Search:
    """Where one claim's quotations may stand."""

    def __init__(self, resolutions: Sequence[Resolution], registry: Registry, policy: MergePolicy) -> None:
        self.policy = policy
        self.cited = [one.evidence for one in resolutions if one.resolve is Resolve.OK and one.evidence]
        self.unusable = {
            one.cite: one.resolve for one in resolutions if one.resolve not in (Resolve.OK, Resolve.INACCESSIBLE)
        }
        readable = [entry for entry in registry.entries if entry.accessible and entry.text.strip()]
        cites = {entry.id for entry in self.cited}
        self.others = [entry for entry in readable if entry.id not in cites]
        unread = any(one.resolve is Resolve.INACCESSIBLE or one.unasked for one in resolutions)
        blank = any(not entry.text.strip() for entry in self.cited)
        self.can_refute = bool(readable) and not unread and not blank

    def look(self, quote: str) -> tuple[QuoteRow, dict[str, QuoteState]]:
        """One quotation: its row, and its state in each readable cited span."""
        found = {entry.id: spans[0] for entry in self.cited if (spans := find_quote(entry.text, quote))}
        missing = [entry for entry in self.cited if entry.id not in found]
        start, end = next(iter(found.values()), (None, None))
        if found and (not missing or self.policy is not MergePolicy.ALL):
            nearest, match = None, QuoteState.VERBATIM
        else:
            nearest = self._nearest(quote, missing, found)
            match = QuoteState.NEAR_MISS if nearest else QuoteState.NOT_FOUND
            if match is QuoteState.NOT_FOUND and not self.can_refute:
                match = QuoteState.NOT_GIVEN
        state = QuoteState.NEAR_MISS if found else match
        states = {entry.id: QuoteState.VERBATIM if entry.id in found else state for entry in self.cited}
        return QuoteRow(text=quote, start=start, end=end, match=match, nearest=nearest), states

    def _nearest(self, quote: str, missing: Sequence[Evidence], found: Mapping[str, Span]) -> Place | None:
        """The nearest place: in a cited span, verbatim in another one, or nearly there in another source."""
        for entry in missing:
            if near := nearest_quote(entry.text, quote):
                return _place(entry, near[:2], near[2])
        for entry in self.cited:
            if entry.id in found:
                return _place(entry, found[entry.id], "stands in only some of the cited sources")
        for entry in self.others:
            if spans := find_quote(entry.text, quote):
                return _place(entry, spans[0], self._elsewhere(entry))
        for entry in self.others:
            if near := nearest_quote(entry.text, quote):
                return _place(entry, near[:2], f"{near[2]}; {self._elsewhere(entry)}")
        return None

    def _elsewhere(self, entry: Evidence) -> str:
        resolve = self.unusable.get(entry.id)
        return f"stands in the cited source, which may not be used ({resolve})" if resolve else ELSEWHERE


def _place(entry: Evidence, span: Span, differs: str) -> Place:
    return Place(cite=entry.id, start=span[0], end=span[1], text=entry.text[slice(*span)], differs=differs)


def _worst(states: Sequence[QuoteState]) -> QuoteState:
    return min(states, key=_WORST_FIRST.index, default=QuoteState.NOT_GIVEN)
