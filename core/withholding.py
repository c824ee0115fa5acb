"""The one rule for the words of sources that may not be shown any more, wherever an answer of before leaves the desk.

What is hidden is said by ``hidden``; the other functions take the words of hidden sources out of each kind of record.
Claims, labels and ids stay: they are what was said and decided. A record is never left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from core.models import Answer, ClaimRow, Evidence, QuoteRow, SpanRow, StageVerdict
from core.sources import Source, Withheld, hiding, origin_of

HIDDEN = "hidden"
"""In the meta of a registry entry: why its text is not shown, in a sentence."""
CHANGED = "changed_since"
"""In the meta of a registry entry: the version that stands at its place now."""

SAID = {
    Withheld.DEACTIVATED: "This source was taken out of use",
    Withheld.EXPIRED: "This source may not be kept any longer",
    Withheld.GROUPS: "You may not see this source",
    Withheld.NO_TEXT: "This source has no text",
    Withheld.SUPERSEDED: "A newer version of this source is in use",
}
"""Why a source is withheld, for a person."""

Hidden = Mapping[str, str]
"""Of one request: label of each entry whose source is hidden → why, in a sentence."""

Origins = Mapping[tuple[str, str], Sequence[Source]]
"""Corpus and document → every source there that holds it."""

Readers = frozenset[frozenset[str]]
"""Who may read what a claim cites: whoever is in one group of each of these sets; everyone when there is none."""

EVERYONE: Readers = frozenset()


def may_read(readers: Iterable[Iterable[str]], groups: Collection[str] | None) -> bool:
    """Whether somebody in these groups is among some readers; see ``Readers``. None stands for who keeps the desk."""
    return groups is None or all(not set(one).isdisjoint(groups) for one in readers)


def origins(entries: Iterable[Evidence]) -> set[tuple[str, str]]:
    """The corpora and documents that entries came from; those that came from none are left out."""
    return {origin for entry in entries if (origin := origin_of(entry)) is not None}


def hidden(entries: Iterable[Evidence], sources: Origins, groups: Collection[str] | None, now: datetime) -> Hidden:
    """Which entries of an old request must not be shown, by label.

    A source that was taken out of use or is past its retention is hidden from everyone. Of an entry that came from no
    corpus of this desk nothing is known but the groups that its log names: it is for these.

    Args:
        entries: Of one request.
        sources: Of all their origins.
        groups: Those of the caller; none stands for whoever keeps the desk.
        now: The present moment.
    """
    found = {}
    for entry in entries:
        origin = origin_of(entry)
        places = sources.get(origin, ()) if origin is not None else ()
        if reason := hiding(places, groups, now) if places else _unknown(entry, groups):
            found[entry.id] = SAID[reason]
    return found


def _unknown(entry: Evidence, groups: Collection[str] | None) -> Withheld | None:
    return Withheld.GROUPS if entry.groups and not may_read([entry.groups], groups) else None


def answer(found: Answer, hidden: Hidden, changed: Mapping[str, str] | None = None) -> Answer:
    """An answer whose registry has no text of hidden sources; ``changed`` names versions that came since, by label."""
    return found.model_copy(update={"evidence": tuple(entry(one, hidden, changed or {}) for one in found.evidence)})


def entry(found: Evidence, hidden: Hidden, changed: Mapping[str, str] | None = None) -> Evidence:
    """A registry entry without the text of a hidden source, with the reason in its meta."""
    meta = found.meta | ({CHANGED: changed[found.id]} if changed and found.id in changed else {})
    if found.id in hidden:
        # A title or a section may be the very words of the source; its address and its chunk's id say what it was.
        nothing = {"text": "", "title": None, "locator": None}
        return found.model_copy(update=nothing | {"meta": meta | {HIDDEN: hidden[found.id]}})
    return found.model_copy(update={"meta": meta})


def row(found: ClaimRow, hidden: Hidden) -> ClaimRow:
    """A row without the words of hidden sources; what was merged from several cannot be told apart and goes too."""
    if not hidden.keys() & {*found.cites, *(quote.nearest.cite for quote in found.quotes if quote.nearest)}:
        return found
    nowhere = {"location": None, "excerpt": None, "excerpt_start": None, "excerpt_end": None}
    spans = tuple(_span(span, hidden) for span in found.spans)
    quotes = tuple(_quote(quote, hidden) for quote in found.quotes)
    return found.model_copy(update={"spans": spans, "quotes": quotes, "qualifiers": (), **nowhere})


def stage(found: StageVerdict, hidden: Hidden) -> StageVerdict:
    """A stage's conclusion without a reason that speaks of a hidden source."""
    said = reason(found.reason, found.cite, hidden)
    return found if said == found.reason else found.model_copy(update={"reason": said})


def reason(found: str, cite: str | None, hidden: Hidden) -> str:
    """What a stage said of one citation, or why it is not shown."""
    return hidden.get(cite or "", found)


def _span(span: SpanRow, hidden: Hidden) -> SpanRow:
    if span.cite not in hidden:
        return span
    return span.model_copy(update={"excerpt": None, "start": None, "end": None, "reason": hidden[span.cite]})


def _quote(quote: QuoteRow, hidden: Hidden) -> QuoteRow:
    near = quote.nearest
    return quote.model_copy(update={"nearest": None}) if near and near.cite in hidden else quote
