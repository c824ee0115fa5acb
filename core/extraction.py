"""Answer → claims: the ones a log gives, and the ones its prose makes.

Given claims are never split again; what material prose they miss is added after them. Every place is checked against
the answer before a claim leaves this module.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from core import plugins, segmenters
from core.antecedents import hints
from core.attribution import attach, settle
from core.blocks import Kind, Unit
from core.coordination import facts_in
from core.flags import ORDER, flags_of
from core.markers import Marker
from core.markers._all import find_all
from core.materiality import is_material
from core.models import Annotation, Answer, AnswerMatch, Claim, GivenClaim
from core.placement import AnswerText, Placed
from core.quotations import quotations_in
from core.segmenters import DEFAULT
from core.sentences import detector, sentences, units
from core.text import Span, fold_white
from core.words import Words, words

__all__ = ["FROM_PROSE", "MATERIALITY", "SPLITTER", "claims", "flags_of", "is_material", "quotations_in", "sentences"]

SPLITTER = "sentences@2"
"""Name and number of the rules that find claims in prose; see ``splitter``."""

MATERIALITY = "rules@2"
"""Name and number of the rules that say which claims are material."""

FROM_PROSE = "from_prose"
"""The flag of a claim that stands in the prose and that the given claims miss."""

_EMPTY = Claim(claim_id="", text="")
_AND = "+"
_MISSED_SHARE = 0.4
_MISSED_WORDS = 3


def splitter(segmenter: str = DEFAULT) -> str:
    """What a claim protocol calls the rules with a segmenter; the default one is a part of ``SPLITTER``.

    Raises:
        VerifierUnavailable: There is no such segmenter, or it is not installed.
    """
    detector(segmenter)
    if segmenter == DEFAULT:
        return SPLITTER
    return f"{SPLITTER}{_AND}{segmenter}@{plugins.load(segmenters, segmenter).VERSION}"


def segmenter_of(named: str) -> str:
    """The segmenter in the name that ``splitter`` gave."""
    return named.partition(_AND)[2].partition("@")[0] or DEFAULT


def claims(answer: Answer, segmenter: str = DEFAULT) -> tuple[Claim, ...]:
    """The claims of an answer, in order: given ones first, then sentences of the prose.

    Without given claims every sentence becomes one, also those that are not material; beside given claims only material
    sentences that none of them covers, flagged ``from_prose``. ``segmenter`` finds where sentences end.

    Returns:
        Claims with ids that are unique in the answer (``c1``, ``c2``, … by position unless given).
    """
    text = answer.answer or ""
    known = frozenset(entry.id for entry in answer.evidence)
    addresses = _addresses(answer)
    markers, annotations = settle(text, find_all(text, known, addresses), answer.annotations)
    prose = AnswerText(text, markers)
    given = _given(answer, prose, addresses, annotations)
    found = [claim for claim, _ in given]
    coverage = _Coverage.of(given)
    pieces = units(text, markers, detector(segmenter), prose.holes)
    attached = attach([unit[:2] for unit in pieces], annotations)
    for before, unit, cites in zip([None, *pieces], pieces, attached, strict=False):
        # Nothing is given, so its place is its id already; to copy every claim for it costs more than to find it.
        claim_id = f"c{len(found) + 1}" if answer.claims is None else ""
        whole = _from_prose(unit, prose, answer.query, cites, before, claim_id)
        for claim in _facts(whole, prose) if whole else ():
            if answer.claims is None:
                found.append(claim)
            elif claim.material and coverage.misses(claim, prose):
                found.append(claim.model_copy(update={"flags": (*claim.flags, FROM_PROSE)}))
    for claim in found:
        assert _stands(claim, prose), f"{claim.text!r} does not stand where it is said to"
    return _with_ids(found)


def _addresses(answer: Answer) -> dict[str, str]:
    """The evidence ids by the address of their source; an address with several ids names none of them."""
    ids: dict[str, set[str]] = {}
    for entry in answer.evidence:
        if entry.uri:
            ids.setdefault(entry.uri, set()).add(entry.id)
    return {uri: found.pop() for uri, found in ids.items() if len(found) == 1}


def _given(
    answer: Answer, prose: AnswerText, addresses: Mapping[str, str], annotations: Sequence[Annotation]
) -> list[tuple[Claim, Placed]]:
    """The given claims with their places, each sought after the one before it.

    One that names no citation itself has those that the answer attaches to its place.
    """
    known = frozenset(entry.id for entry in answer.evidence)
    found = []
    after = 0
    for given in answer.claims or ():
        placed = prose.place(given.text, after)
        if placed.fragments:
            after = placed.fragments[-1][1]
        claim = _from_given(given, placed, find_all(given.text, known, addresses), answer.query)
        if annotations and placed.fragments and not claim.cites:
            place = (placed.fragments[0][0], after)
            touching = [one for one in annotations if one.start < place[1] and place[0] < max(one.end, one.start + 1)]
            claim = claim.model_copy(update={"cites": attach([place], touching)[0]})
        found.append((claim, placed))
    return found


def _from_given(given: GivenClaim, placed: Placed, markers: Sequence[Marker], query: str | None) -> Claim:
    cites = [cite for cite in given.citation_ids if cite.strip()]
    notes = list(given.notes)
    if len(cites) < len(given.citation_ids):
        notes.append(f"Blank citation ids dropped: {len(given.citation_ids) - len(cites)}")
    if not cites and (cites := _ids(markers)):
        notes.append("The citations were read from the claim's own text")
    if placed.match is AnswerMatch.NEAR:
        notes.append(f"Only nearly in the answer: {placed.differs}")
    own = AnswerText(given.text, markers)
    plain = own.read(own.without_markers(0, len(given.text)))
    quotes = _distinct([*given.quotes, *quotations_in(plain)])
    return Claim(
        claim_id=(given.claim_id or "").strip(),
        text=given.text,
        answer_match=placed.match,
        **_place(placed.fragments),
        cites=tuple(dict.fromkeys(cites)),
        leaked=_leaked(given.text, markers),
        quotes=quotes,
        flags=_flags(plain, quotes),
        material=is_material(plain, query) if given.material is None else given.material,
        notes=tuple(notes),
    )


def _from_prose(
    unit: Unit, prose: AnswerText, query: str | None, cites: Sequence[str], before: Unit | None, claim_id: str
) -> Claim | None:
    """The claim that a unit of the answer makes; none for headings, sources and what has no words.

    ``cites`` are those attached to it beside its markers; ``before`` is the unit that it follows.
    """
    if unit.kind not in (Kind.SENTENCE, Kind.ROW):
        return None
    fragments = prose.without_markers(unit.start, unit.end)
    text = prose.read(fragments)
    if not any(map(str.isalnum, text)):
        return None
    inside = prose.markers_of(unit.start, unit.end)
    return _made(
        claim_id=claim_id,
        text=text,
        answer_match=AnswerMatch.EXACT,
        **_place(fragments),
        cites=tuple(dict.fromkeys([*_ids(inside), *cites])) if inside or cites else (),
        leaked=_leaked(prose.text, inside),
        quotes=_distinct(quotations_in(text)),
        flags=flags_of(text),
        material=is_material(text, query),
        notes=hints(prose.text, before[:2], unit[:2]) if before and before.kind is Kind.SENTENCE else (),
    )


def _made(**fields: object) -> Claim:
    """A claim of values that are right by the way they were made: to check each again takes a third of the time."""
    return _EMPTY.model_copy(update=fields)


def _facts(claim: Claim, prose: AnswerText) -> Iterator[Claim]:
    """The claims of a sentence that says two things of one subject, each with all its citations; else the claim."""
    facts = facts_in(claim.text) if claim.material and not claim.quotes else ()
    places = [prose.within(claim.fragments, fact) for fact in facts]
    if not places or not all(places):
        yield claim
        return
    for fragments in places:
        text = prose.read(fragments)
        update = {"claim_id": "", "text": text, "flags": _flags(text, ()), **_place(fragments)}
        yield claim.model_copy(update=update)


def _place(fragments: tuple[Span, ...]) -> dict[str, object]:
    if not fragments:
        return {}
    return {"start": fragments[0][0], "end": fragments[-1][1], "fragments": fragments}


def _ids(markers: Iterable[Marker]) -> list[str]:
    return list(dict.fromkeys([cite for marker in markers if not marker.leaked for cite in marker.ids]))


def _leaked(text: str, markers: Iterable[Marker]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([text[marker.start : marker.end] for marker in markers if marker.leaked]))


def _distinct(quotes: Sequence[str]) -> tuple[str, ...]:
    """The quotations in order, without blank ones and without those that differ from an earlier one in white space."""
    if not quotes:
        return ()
    folded: dict[str, str] = {}
    for quote in quotes:
        folded.setdefault(fold_white(quote).text, quote)
    return tuple(quote for key, quote in folded.items() if key)


def _flags(text: str, quotes: Sequence[str]) -> tuple[str, ...]:
    found = {*flags_of(text), *(["quotation"] if quotes else [])}
    return tuple(flag for flag in ORDER if flag in found)


class _Coverage(NamedTuple):
    """What of an answer its given claims cover: their places, and the words of those without one."""

    spans: list[Span]
    """In order, none overlapping."""
    unplaced: list[Words]

    @classmethod
    def of(cls, given: Sequence[tuple[Claim, Placed]]) -> _Coverage:
        spans: list[Span] = []
        places = [span for _, placed in given for span in placed.fragments or ([placed.near] if placed.near else [])]
        for start, end in sorted(places):
            if spans and start <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
            else:
                spans.append((start, end))
        return cls(spans, [words(claim.text) for claim, placed in given if placed.match is AnswerMatch.NONE])

    def misses(self, claim: Claim, prose: AnswerText) -> bool:
        """Whether the given claims leave out a sentence of the prose, or enough of it to matter.

        A given claim without a place covers the words it shares with a sentence that has at least half of its own.
        """
        rest = words(" ".join(prose.text[start:end] for span in claim.fragments for start, end in self._outside(span)))
        whole = words(claim.text)
        content, numbers = rest.content, rest.numbers
        for own in self.unplaced:
            if 2 * len(own.content & whole.content) >= len(own.content):
                content, numbers = content - own.content, numbers - own.numbers
        if numbers or (content and content == whole.content):
            return True
        return len(content) >= max(_MISSED_WORDS, _MISSED_SHARE * len(whole.content))

    def _outside(self, span: Span) -> Iterator[Span]:
        """The parts of a span that no place covers."""
        left, until = span
        for start, end in self.spans[max(0, bisect_left(self.spans, span) - 1) :]:
            if start >= until:
                break
            if left < start:
                yield left, start
            left = max(left, end)
        if left < until:
            yield left, until


def _stands(claim: Claim, prose: AnswerText) -> bool:
    if not claim.fragments:
        return claim.start is None and claim.end is None
    if (claim.fragments[0][0], claim.fragments[-1][1]) != (claim.start, claim.end):
        return False
    read = prose.read(claim.fragments)
    return read == claim.text or fold_white(read).text == fold_white(claim.text).text


def _with_ids(found: Sequence[Claim]) -> tuple[Claim, ...]:
    """Give every claim an id of its own; a given id that returns gets a suffix and a note."""
    if all(claim.claim_id == f"c{position}" for position, claim in enumerate(found, 1)):
        return tuple(found)
    taken = {claim.claim_id for claim in found if claim.claim_id}
    used: set[str] = set()
    named = []
    for position, claim in enumerate(found, 1):
        wanted = claim.claim_id or f"c{position}"
        clash = wanted in used or (not claim.claim_id and wanted in taken)
        unique, count = wanted, 1
        while clash and (unique in used or unique in taken):
            count += 1
            unique = f"{wanted}-{count}"
        notes = claim.notes
        if claim.claim_id and clash:
            notes = (*notes, f"The claim id {wanted!r} was given before")
        used.add(unique)
        changed = unique != claim.claim_id or notes != claim.notes
        named.append(claim.model_copy(update={"claim_id": unique, "notes": notes}) if changed else claim)
    return tuple(named)
