"""Evidence → what a model with a short window can read of it: pieces, overlapping windows, and the focus on a claim.

A piece is a sentence, or a part of one that is longer than the model reads. Pieces hold every token of the text, and
windows hold every piece. The focus is the few pieces that share most with a claim; how much a piece shares depends on
the claim and that piece alone, so what stands around them does not move it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.notation import may_be_part, tokens
from core.text import Span
from core.words import LONG_WORD, Words, letters, words

if TYPE_CHECKING:
    from core.inference import Encoded, Tokens

FOCUS_PIECES = 3
FOCUS_TOKENS = 128

FOCUS_WEIGHT = 0.75
"""What the focus counts beside the window around it. Both together tell support from the rest better than either, and
than the best of all windows (docs/judges-nli.md); the more the focus counts, the less other text moves the score."""

WINDOWING = f"same sentences in any notation; else {FOCUS_WEIGHT} focus of {FOCUS_PIECES} sentences + window, by words"
"""How long evidence is read, for the protocol."""


class Piece(NamedTuple):
    """A stretch of an evidence text that is read in one go."""

    start: int
    end: int
    ids: Tokens


class EvidenceText(NamedTuple):
    """An evidence text taken apart once, however many claims cite it."""

    pieces: tuple[Piece, ...]
    """In order, none overlapping; together they hold every token."""
    words: tuple[Words, ...]
    """Of each piece."""

    @property
    def total(self) -> int:
        """Tokens in all of it."""
        return sum(len(piece.ids) for piece in self.pieces)


def with_rest(text: str, spans: Sequence[Span]) -> list[Span]:
    """Add what lies between sentences (code, lists of sources): everything is read.

    Args:
        text: The text that was split.
        spans: Its sentences, in order, none overlapping.
    """
    borders = [0, *(offset for span in spans for offset in span), len(text)]
    rest = [(start, end) for start, end in zip(borders[::2], borders[1::2], strict=True) if text[start:end].strip()]
    return sorted([*spans, *rest])


def take_apart(
    text: str,
    spans: Sequence[Span],
    encode: Callable[[Sequence[str]], Sequence[Tokens]],
    encode_with_places: Callable[[str], Encoded],
    longest: int,
) -> EvidenceText:
    """Make the pieces of a text.

    Args:
        text: The evidence.
        spans: Its sentences, in order, none overlapping.
        encode: Texts → their tokens.
        encode_with_places: A text → its tokens and where they stand in it.
        longest: Most tokens that a piece may have; a longer sentence is cut between tokens.
    """
    stretches = with_rest(text, spans)
    encoded = encode([text[start:end] for start, end in stretches])
    pieces: list[Piece] = []
    for (start, end), ids in zip(stretches, encoded, strict=True):
        if len(ids) <= longest:
            pieces.append(Piece(start, end, ids))
        else:
            pieces += _cut(start, encode_with_places(text[start:end]), longest)
    kept = tuple(piece for piece in pieces if len(piece.ids))
    return EvidenceText(kept, tuple(words(text[piece.start : piece.end]) for piece in kept))


def _cut(offset: int, encoded: Encoded, longest: int) -> list[Piece]:
    """Cut a sentence between tokens, each part but the last as long as it may be."""
    pieces = []
    for first in range(0, len(encoded.ids), longest):
        places = encoded.places[first : first + longest]
        start, end = offset + int(places[0, 0]), offset + int(places[-1, 1])
        pieces.append(Piece(start, end, encoded.ids[first : first + longest]))
    return pieces


def windows(lengths: Sequence[int], room: int) -> list[range]:
    """Cover pieces with windows that overlap by up to a third.

    Args:
        lengths: Tokens of each piece, none above ``room``.
        room: Most tokens of a window.

    Returns:
        Ranges of piece indexes in order; each piece is in at least one, and no window lies inside another.
    """
    found: list[range] = []
    first = 0
    while first < len(lengths):
        end, size = first, 0
        while end < len(lengths) and size + lengths[end] <= room:
            size += lengths[end]
            end += 1
        found.append(range(first, end))
        if end == len(lengths):
            break
        back, shared = end, 0
        while back - 1 > first and shared + lengths[back - 1] <= room // 3:
            back -= 1
            shared += lengths[back]
        # a window that the next piece does not fit into would lie inside this one
        while shared and shared + lengths[end] > room:
            shared -= lengths[back]
            back += 1
        first = back
    return found


def shared(claim: Words, piece: Words) -> float:
    """How much of a claim's words and numbers a piece has, in [0, 1]: by letters, a number like a long word."""
    most = _weight(claim.content, claim.numbers)
    return _weight(claim.content & piece.content, claim.numbers & piece.numbers) / most if most else 0.0


def _weight(content: frozenset[str], numbers: frozenset[str]) -> int:
    return letters(content) + LONG_WORD * len(numbers)


def focus(claim: Words, text: EvidenceText, pieces: int, room: int) -> list[int]:
    """The pieces that share most with a claim, each chosen for what the ones before it lack.

    Args:
        claim: The words of the claim.
        text: The evidence.
        pieces: Most pieces to choose.
        room: Most tokens they may have together.

    Returns:
        Indexes, best first; empty when no piece shares a word with the claim.
    """
    scores = [shared(claim, one) for one in text.words]
    chosen: list[int] = []
    left, room_left = claim, room
    candidates = [at for at, score in enumerate(scores) if score > 0]
    while candidates and len(chosen) < pieces:
        best = max(candidates, key=lambda at: (shared(left, text.words[at]) + scores[at], -at))
        candidates.remove(best)
        if len(text.pieces[best].ids) > room_left:
            continue
        chosen.append(best)
        room_left -= len(text.pieces[best].ids)
        left = _without(left, text.words[best])
    return chosen


class Reading(NamedTuple):
    """What a model reads of one evidence text for one claim."""

    rows: list[list[int]]
    """Lists of pieces, each in the order of the text: the focus, and the window that shares most with the claim (the
    whole text where it fits into one); one row where they are the same, or where nothing is shared."""
    place: Span | None
    """The piece that shares most with the claim, with its neighbour where that adds to it; none when nothing is
    shared."""
    window: Span
    """The stretch that the window covers."""


def choose(claim: Words, text: EvidenceText, room: int) -> Reading:
    """Choose what of a text is read for a claim.

    Args:
        claim: The words of the claim.
        text: The evidence, taken apart, not empty; no piece has more tokens than ``room``.
        room: Most tokens of evidence that the model reads beside the claim.
    """
    found = windows([len(piece.ids) for piece in text.pieces], room)
    wide = found[0]
    if len(found) > 1:
        wide = max(found, key=lambda one: shared(claim, _union([text.words[at] for at in one])))
    chosen = focus(claim, text, FOCUS_PIECES, min(FOCUS_TOKENS, room))
    rows = [list(wide)] if not chosen or sorted(chosen) == list(wide) else [sorted(chosen), list(wide)]
    window = (text.pieces[wide[0]].start, text.pieces[wide[-1]].end)
    return Reading(rows, _place(claim, text, chosen) if chosen else None, window)


def stated(claim: str, said: Words, evidence: str, text: EvidenceText) -> Span | None:
    """Where one or more whole pieces in a row state a claim word for word, whatever their notation (``core.notation``).

    Args:
        claim: The claim.
        said: Its words.
        evidence: The evidence.
        text: The evidence, taken apart.
    """
    alike = [may_be_part(one, said) for one in text.words]
    wanted = tokens(claim) if any(alike) else ()
    for first, piece in enumerate(text.pieces):
        found: tuple[str, ...] = ()
        for at in range(first, len(text.pieces)):
            if not alike[at] or found != wanted[: len(found)]:
                break
            found += tokens(evidence[text.pieces[at].start : text.pieces[at].end])
            if found and found == wanted:
                return piece.start, text.pieces[at].end
    return None


def _place(claim: Words, text: EvidenceText, chosen: Sequence[int]) -> Span:
    """The best piece, and those beside it that were chosen too and have of the claim what it lacks."""
    best = chosen[0]
    first, last = best, best
    lacking = _without(claim, text.words[best])
    for at in chosen[1:]:
        if at in (first - 1, last + 1) and shared(lacking, text.words[at]):
            first, last = min(first, at), max(last, at)
            lacking = _without(lacking, text.words[at])
    return text.pieces[first].start, text.pieces[last].end


def _without(claim: Words, piece: Words) -> Words:
    return claim._replace(content=claim.content - piece.content, numbers=claim.numbers - piece.numbers)


def _union(parts: Sequence[Words]) -> Words:
    content = frozenset[str]().union(*(part.content for part in parts))
    numbers = frozenset[str]().union(*(part.numbers for part in parts))
    return Words(content, numbers, None, 0)
