"""The corrected draft of a whole answer, what stays open in it, and when not answering is the better advice.

Nothing is written here: a draft only keeps, removes and marks. Every word of it stands in the answer or its claims, or
in the excerpt that a marked insertion comes from; the only other words are the fixed notes of ``GAP_NOTES``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from core.markers import Marker
from core.markers._all import find_all
from core.metrics import unsupported_rate
from core.models import Answer, ClaimRow, Label, QuoteState, Record
from core.text import Span
from core.words import words

Kind = Literal["keep", "remove", "insert", "gap"]

GAP_NOTES: Mapping[Label | None, str] = {
    Label.PARTIAL: "[removed: the cited source does not say all of this]",
    Label.CONTRADICTED: "[removed: the cited source says otherwise]",
    Label.IRRELEVANT: "[removed: the cited source does not address this]",
    Label.UNCITED: "[removed: no source was cited]",
    Label.UNRESOLVABLE: "[removed: the citation leads to no evidence]",
    Label.WRONG_SCOPE: "[removed: the cited source speaks of something else]",
    Label.INACCESSIBLE: "[not checked: the source cannot be read here]",
    None: "[not checked: no verdict was reached]",
}
"""What a draft says where something was taken out or could not be checked."""

QUOTE_NOTE = "[removed: the quotation is not word for word in the cited source]"
"""The same, where a claim fails by its quotation alone; with these notes end the words of our own."""

RISKY_FLAGS = frozenset({"number", "quotation", "legal", "medical"})
"""When a material claim with one of these fails, abstention is advised."""

_KEPT = frozenset({Label.SUPPORTED, Label.SECONDARY_ONLY})
_BROKEN = frozenset({QuoteState.NEAR_MISS, QuoteState.NOT_FOUND})
_ONLY_NOTED = frozenset({Label.INACCESSIBLE, None})
_CLAUSE_BORDER = re.compile(r"\s*[,;:—–]\s+|\s+(?=(?:and|but|while|whereas|because|which|although|or)\s)")
_NARROWS = re.compile(r"\b(?:except|excluding|unless|if|only|when|provided|without|other than|not)\b", re.IGNORECASE)
"""A clause with one of these cannot be dropped: what is left would claim more."""


class DraftSegment(Record):
    """A piece of a draft."""

    kind: Kind
    """``keep`` and ``remove`` joined are the answer as it was; all but ``remove`` joined are the draft."""
    text: str


class Draft(Record):
    """A whole answer, corrected as far as claims and excerpts allow."""

    segments: tuple[DraftSegment, ...]
    gaps: tuple[str, ...]
    """One line a claim that the draft could not keep or check: the claim as it was, and why."""

    @property
    def text(self) -> str:
        """The draft as it would read."""
        return "".join(segment.text for segment in self.segments if segment.kind != "remove")


class Advice(Record):
    """The advice not to answer."""

    claim_ids: tuple[str, ...]
    """The failing claims that give rise to it."""
    reason: str


class _Edit(Record):
    """What becomes of one stretch of the prose."""

    start: int
    end: int
    segments: tuple[DraftSegment, ...]


class _Piece(NamedTuple):
    """A stretch of the prose that a claim occupies."""

    start: int
    end: int
    end_with_markers: int
    """Where the markers that follow it end, with the full stop after them; never beyond the next claim."""

    @classmethod
    def of(cls, prose: str, span: Span, starts: Sequence[int], markers: Sequence[Marker]) -> _Piece:
        start, end = span
        limit = next((other for other in starts if other >= end), len(prose))
        reach = end
        for start_of, end_of in (hole for marker in markers for hole in marker.holes):
            if reach <= start_of and end_of <= limit and not prose[reach:start_of].strip():
                reach = end_of
        stopped = prose[start:end].rstrip().endswith((".", "!", "?"))
        if reach > end and not stopped and prose[reach:limit].startswith((".", "!", "?")):
            reach += 1
        return cls(start, end, reach)


def corrected_draft(answer: Answer, rows: Sequence[ClaimRow]) -> Draft:
    """Correct an answer by the labels of its claims (DESIGN §2).

    Supported claims stay. ``partial`` keeps the leading clauses that the cited stretch has word for word in any order;
    ``wrong_scope`` gets the evidence's qualifier from the excerpt; where neither is possible, and for every other
    failure, the claim is taken out with its markers and a gap note stands in its place. Claims that could not be
    checked stay, with a note. Without prose, the claims in order, a line each, are the answer.
    """
    prose, places = _prose(answer, rows)
    edits: list[_Edit] = []
    starts = sorted(start for pieces in places for start, _ in pieces)
    markers = find_all(prose, frozenset(entry.id for entry in answer.evidence))
    for row, pieces in sorted(zip(rows, places, strict=True), key=lambda one: _rank(one[0])):
        spared, gone = _shared(row, pieces, rows, places)
        cut = [_Piece.of(prose, piece, starts, markers) for piece in gone]
        for edit in _around(prose, row, gone, spared, markers) if spared else _edits(answer, prose, row, cut):
            if all(edit.end <= other.start or other.end <= edit.start for other in edits):
                edits.append(edit)
    gaps = tuple(f"“{row.claim}” — {_note(row).strip('[]')}" for row in rows if not _is_kept(row))
    return Draft(segments=tuple(_assemble(prose, edits)), gaps=gaps)


def abstain(rows: Sequence[ClaimRow]) -> Advice | None:
    """Advise abstention when a material claim with a number, quotation, legal or medical flag fails.

    A claim fails when it counts as unsupported in the lenient sense: a partly entailed one can be cut to what is
    entailed, and one that was not judged has not failed.
    """
    failing = [
        row
        for row in rows
        if row.material and RISKY_FLAGS & set(row.flags) and unsupported_rate.counts(row.label, row.quote, "lenient")
    ]
    if not failing:
        return None
    flags = sorted(RISKY_FLAGS & {flag for row in failing for flag in row.flags})
    what = "A claim" if len(failing) == 1 else f"{len(failing)} claims"
    reason = f"{what} with a flag that matters ({', '.join(flags)}) failed: better no answer than this one"
    return Advice(claim_ids=tuple(row.claim_id for row in failing), reason=reason)


def _is_kept(row: ClaimRow) -> bool:
    return row.label in _KEPT or (row.label is None and not row.material)


def _note(row: ClaimRow) -> str:
    failed_by_quote = row.label is Label.PARTIAL and row.quote in _BROKEN
    return QUOTE_NOTE if failed_by_quote else GAP_NOTES[row.label]


def _rank(row: ClaimRow) -> int:
    """Which edit wins where claims overlap in the prose: taking out, then cutting, then noting."""
    if row.label in _ONLY_NOTED:
        return 2
    return 1 if row.label in (Label.PARTIAL, Label.WRONG_SCOPE) else 0


def _prose(answer: Answer, rows: Sequence[ClaimRow]) -> tuple[str, list[tuple[Span, ...]]]:
    """The text to correct, and where in it each row's claim stands."""
    if answer.answer and answer.answer.strip():
        hulls = [((row.start, row.end),) if row.start is not None and row.end is not None else () for row in rows]
        return answer.answer, [row.fragments or hull for row, hull in zip(rows, hulls, strict=True)]
    places: list[tuple[Span, ...]] = []
    at = 0
    for row in rows:
        places.append(((at, at + len(row.claim)),))
        at += len(row.claim) + 1
    return "\n".join(row.claim for row in rows), places


def _edits(answer: Answer, prose: str, row: ClaimRow, pieces: Sequence[_Piece]) -> Iterator[_Edit]:
    if _is_kept(row) or not pieces:
        return
    note = DraftSegment(kind="gap", text=_note(row))
    last = pieces[-1]
    if row.label in _ONLY_NOTED:
        spaced = DraftSegment(kind="gap", text=f" {note.text}")
        yield _Edit(start=last.end_with_markers, end=last.end_with_markers, segments=(spaced,))
        return
    mended = _mended(answer, prose, row, last) if len(pieces) == 1 else None
    if mended is not None:
        yield mended
        return
    for piece in pieces:
        gone = DraftSegment(kind="remove", text=prose[piece.start : piece.end_with_markers])
        segments = (gone, note) if piece is last else (gone,)
        yield _Edit(start=piece.start, end=piece.end_with_markers, segments=segments)


def _shared(
    row: ClaimRow, pieces: Sequence[Span], rows: Sequence[ClaimRow], places: Sequence[Sequence[Span]]
) -> tuple[list[Span], Sequence[Span]]:
    """What must stay when a failed claim goes, and what goes, where one sentence makes two claims.

    The words of a claim that stays are spared, also where both claims use them; where none stays the sentence goes.
    """
    if _stays(row) or len(pieces) < 2:
        return [], pieces
    twins = [
        (other, shared)
        for other, shared in zip(rows, places, strict=True)
        if other is not row and len(shared) > 1 and shared[0] == pieces[0]
    ]
    if not twins:
        return [], pieces
    spared = [span for other, shared in twins if _stays(other) for span in shared]
    return spared, pieces if spared else [(pieces[0][0], max(pieces[-1][1], *(shared[-1][1] for _, shared in twins)))]


def _stays(row: ClaimRow) -> bool:
    return _is_kept(row) or row.label in _ONLY_NOTED


def _around(
    prose: str, row: ClaimRow, pieces: Sequence[Span], spared: Sequence[Span], markers: Sequence[Marker]
) -> Iterator[_Edit]:
    """Take out what stands between the spared words and markers of one sentence, and note it at its end."""
    end = max(pieces[-1][1], spared[-1][1])
    stays = sorted([*spared, *((one.start, one.end) for one in markers if pieces[0][0] <= one.start < end)])
    for (_, left), (right, _) in pairwise(stays):
        if prose[left:right].strip():
            if not prose[left - 1].isspace():  # else the blank before is the one that stays
                right -= len(prose[left:right]) - len(prose[left:right].rstrip())
            gone = DraftSegment(kind="remove", text=prose[left:right])
            yield _Edit(start=left, end=right, segments=(gone,))
    yield _Edit(start=end, end=end, segments=(DraftSegment(kind="gap", text=f" {_note(row)}"),))


def _mended(answer: Answer, prose: str, row: ClaimRow, piece: _Piece) -> _Edit | None:
    """Cut a partly entailed claim, or narrow one of the wrong scope; none when that is not possible."""
    if row.label is Label.PARTIAL:
        return _cut(answer, prose, row, piece)
    return _narrowed(prose, row, piece) if row.label is Label.WRONG_SCOPE else None


def _cut(answer: Answer, prose: str, row: ClaimRow, piece: _Piece) -> _Edit | None:
    claim = prose[piece.start : piece.end]
    stop = len(claim.rstrip()) - (1 if claim.rstrip().endswith((".", "!", "?", "。")) else 0)
    keep = _entailed_length(claim[:stop], _carrying(answer, row))
    if keep == 0 or _NARROWS.search(claim[keep:stop]) or any(quote in claim[:keep] for quote in _broken_quotes(row)):
        return None
    start, end = piece.start + keep, piece.start + stop
    return _Edit(start=start, end=end, segments=(DraftSegment(kind="remove", text=prose[start:end]),))


def _entailed_length(claim: str, carrying: str) -> int:
    """How much of a claim, up to a clause border, has all its words and numbers in the carrying stretch."""
    there = words(carrying)
    borders = [(border.start(), border.end()) for border in _CLAUSE_BORDER.finditer(claim)]
    kept = 0
    for (_, start), (end, _) in pairwise([(0, 0), *borders, (len(claim), len(claim))]):
        clause = words(claim[start:end])
        if not (clause.content or clause.numbers) or not (
            clause.content <= there.content and clause.numbers <= there.numbers
        ):
            return kept
        kept = end
    return 0


def _carrying(answer: Answer, row: ClaimRow) -> str:
    """The stretch that a partly entailed claim leans on."""
    span = next((span for span in row.spans if span.label is Label.PARTIAL and span.start is not None), None)
    texts = {entry.id: entry.text for entry in answer.evidence}
    return texts.get(span.cite, "")[span.start : span.end] if span else ""


def _broken_quotes(row: ClaimRow) -> list[str]:
    return [quote.text for quote in row.quotes if quote.match in _BROKEN]


def _narrowed(prose: str, row: ClaimRow, piece: _Piece) -> _Edit | None:
    """Put the excerpt's qualifier where the claim has another one, marked as inserted."""
    claim = prose[piece.start : piece.end]
    for qualifier in row.qualifiers:
        at = claim.find(qualifier.claim)
        if qualifier.agrees is False and at >= 0 and qualifier.evidence and qualifier.evidence in (row.excerpt or ""):
            start = piece.start + at
            gone = DraftSegment(kind="remove", text=qualifier.claim)
            new = DraftSegment(kind="insert", text=qualifier.evidence)
            return _Edit(start=start, end=start + len(qualifier.claim), segments=(gone, new))
    return None


def _assemble(prose: str, edits: Sequence[_Edit]) -> Iterator[DraftSegment]:
    """Lay the edits over the prose, in order."""
    at = 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        if edit.start > at:
            yield DraftSegment(kind="keep", text=prose[at : edit.start])
        yield from edit.segments
        at = edit.end
    if at < len(prose):
        yield DraftSegment(kind="keep", text=prose[at:])
