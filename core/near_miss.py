"""Near misses: the stretch of a source that resembles a quotation without being it, and what differs.

A near miss stays a miss; it tells a reviewer why nothing was verbatim. The search is built to stay quick on a source of
a megabyte: a loose folding at C speed first, then windows around the quotation's rarest words.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from functools import cached_property
from itertools import accumulate

from core.text import WHITE, Span, fold_white

NEAR = 0.75
"""The least similarity (difflib's ratio, in [0, 1]) of something that still counts as near."""

_ANCHORS = 4
_WINDOWS = 25
_LONG = 600
_LONG_WORD = 60
_MOST_WORDS = 10_000
_GAP = 400
_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
_TOKEN = re.compile(f"[{_CJK}]|[^\\W{_CJK}]+")
_PUNCTUATION = str.maketrans(
    dict.fromkeys("‘’‚‛′´`ʼ", "'")
    | dict.fromkeys("“”„‟″«»「」『』", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | {"…": "...", "·": "."}
)
_ELLIPSIS = re.compile(r"\s*[\[(]?\s*(?:\.(?:\s?\.){2,}|…)\s*[\])]?\s*")

Token = tuple[str, int, int]
"""A word in lower case, or one CJK character, with its span."""


def _invisible(char: str) -> bool:
    return unicodedata.category(char) == "Cf" or "\ufe00" <= char <= "\ufe0f" or char == "\u034f"


def _drop_invisible(text: str) -> str:
    return "".join(char for char in text if not _invisible(char))


_Fold = tuple[str, Callable[[str], str]]
_FOLDS: tuple[_Fold, ...] = (
    ("invisible character", _drop_invisible),
    ("hyphen at a line break", lambda text: re.sub(f"(?<=\\w)[-‐\u00ad][{WHITE}]+(?=\\w)", "", text)),
    ("curly quotes or punctuation", lambda text: text.translate(_PUNCTUATION)),
    ("letter case", str.lower),
    ("white space inserted", lambda text: re.sub(f"[{WHITE}]+", "", text)),
)
_COMPOSED: _Fold = ("accents composed differently", lambda text: unicodedata.normalize("NFC", text))
_COMPATIBLE: _Fold = ("ligature or compatibility form", lambda text: unicodedata.normalize("NFKC", text))


def nearest_quote(source: str, quote: str) -> tuple[int, int, str] | None:
    """Find the stretch of ``source`` that comes nearest to a quotation which is not verbatim in it.

    Returns:
        Start and end in ``source`` and what differs, in words; none when nothing reaches a similarity of ``NEAR``.
    """
    quote = fold_white(quote).text
    if not _TOKEN.search(quote) or not source.strip():
        return None
    loose = _Loose(source)
    span = next(loose.find(quote), None) or _elliptic(loose, quote)
    if span:
        differs = _folding_difference(source[slice(*span)], quote) or "ellipsis that drops words"
        return (*span, differs)
    span = _similar(source, quote)
    if span is None:
        return None
    place = source[slice(*span)]
    return (*span, _folding_difference(place, quote) or _word_difference(place, quote))


class _Loose:
    """A source without white space, case, accents' composition, ligatures and invisible characters."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.table = {ord(char): _loosen(char) for char in set(source)}
        self.text = source.translate(self.table)

    @cached_property
    def _ends(self) -> list[int]:
        """For each character of the source where its loosened form ends; costly, so only once something is found."""
        return list(accumulate(len(self.table[ord(char)]) for char in self.source))

    def _original(self, at: int) -> int:
        return bisect_right(self._ends, at)

    def find(self, quote: str, at: int = 0, until: int | None = None) -> Iterator[Span]:
        """Places of the loosened quotation that begin and end where words do, as spans of the source."""
        wanted = "".join(map(_loosen, quote))
        found = self.text.find(wanted, at, until) if wanted else -1
        while found >= 0:
            start, end = self._original(found), self._original(found + len(wanted) - 1) + 1
            if not (_inside_word(self.source, start) or _inside_word(self.source, end)):
                yield start, end
            found = self.text.find(wanted, found + 1, until)

    def index(self, at: int) -> int:
        """The index in the loosened text of an index of the source."""
        return self._ends[at - 1] if at else 0


def _loosen(char: str) -> str:
    plain = unicodedata.normalize("NFKD", char.translate(_PUNCTUATION)).casefold()
    return "".join(part for part in plain if not (part.isspace() or _invisible(part)))


def _inside_word(text: str, at: int) -> bool:
    if not 0 < at < len(text) or re.match(f"[{_CJK}]", text[at]):
        return False
    return text[at - 1].isalnum() and text[at].isalnum()


def _elliptic(loose: _Loose, quote: str) -> Span | None:
    """The hull of the parts around the quotation's ellipses, when they follow each other closely."""
    parts = [part for part in _ELLIPSIS.split(quote) if _TOKEN.search(part)]
    if not parts or not _ELLIPSIS.search(quote):
        return None
    for count, (start, end) in enumerate(loose.find(parts[0])):
        if count == _WINDOWS:
            break
        for part in parts[1:]:
            at = loose.index(end)
            following = next(loose.find(part, at, at + _GAP + len(part)), None)
            if following is None:
                break
            end = following[1]
        else:
            return start, end
    return None


def _lower(text: str) -> str:
    """Lower case that keeps every offset."""
    return text.translate({ord(char): low for char in set(text) if len(low := char.lower()) == 1})


def _tokens(lowered: str, start: int = 0, end: int | None = None) -> list[Token]:
    return [
        (found.group(), *found.span())
        for found in _TOKEN.finditer(lowered, start, len(lowered) if end is None else end)
    ]


def _similar(source: str, quote: str) -> Span | None:
    """The window around a rare word of the quotation that is most similar to it."""
    lowered, wanted = _lower(source), _tokens(_lower(quote))
    words = [token[0] for token in wanted]
    places = set(_places(lowered, wanted, len(quote)))
    ranked = sorted((-_ratio_of_words(words, lowered, place), place) for place in places)[:5]
    best: tuple[float, Span] | None = None
    folded = quote.lower()
    for rough, (start, end) in ranked:
        start, end = _with_punctuation(source, start, end, quote, wanted)
        alike = fold_white(source[start:end]).text.lower()
        ratio = -rough if len(folded) > _LONG else SequenceMatcher(None, alike, folded, autojunk=False).ratio()
        if ratio >= NEAR and (best is None or ratio > best[0]):
            best = ratio, (start, end)
    return best and best[1]


def _places(lowered: str, wanted: list[Token], width: int) -> Iterator[Span]:
    """Guesses at where a quotation of ``width`` characters stands: around occurrences of its rarest words."""
    counts = {word: lowered.count(word) for word, _, _ in wanted}
    anchors = sorted((count, -len(word), word) for word, count in counts.items() if count)[:_ANCHORS]
    slack = width // 4 + 20
    words = [token[0] for token in wanted]
    for _, _, word in anchors:
        index = words.index(word)
        offset = wanted[index][1]
        at = lowered.find(word)
        for _ in range(max(1, min(_WINDOWS, _MOST_WORDS // len(words)))):
            if at < 0:
                break
            start, end = _whole_words(lowered, max(0, at - offset - slack), at - offset + width + slack)
            yield from _align(words, _tokens(lowered, start, end), index, at)
            at = lowered.find(word, at + 1)


def _whole_words(text: str, start: int, end: int) -> Span:
    """Widen a stretch to the borders of its outermost words, as far as words are of a sensible length."""
    end = min(end, len(text))
    for _ in range(_LONG_WORD):
        start -= _inside_word(text, start)
        end += _inside_word(text, end)
    return start, end


def _align(words: list[str], window: list[Token], index: int, at: int) -> Iterator[Span]:
    """Where the words may stand in a window: by all matching blocks, by the longest, and by the anchor at ``at``."""
    matcher = SequenceMatcher(None, words, [token[0] for token in window], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    anchor = next((number for number, token in enumerate(window) if token[1] <= at < token[2]), index)
    guesses = [(anchor - index, anchor - index)]
    if blocks:
        longest = max(blocks, key=lambda block: block.size)
        guesses += [
            (blocks[0].b - blocks[0].a, blocks[-1].b - blocks[-1].a),
            (longest.b - longest.a, longest.b - longest.a),
        ]
    for before, after in guesses:
        left, right = max(0, before), min(len(window), after + len(words))
        if left < right:
            yield window[left][1], window[right - 1][2]


def _ratio_of_words(words: list[str], lowered: str, place: Span) -> float:
    other = [token[0] for token in _tokens(lowered, *place)]
    return SequenceMatcher(None, words, other, autojunk=False).ratio()


def _with_punctuation(source: str, start: int, end: int, quote: str, wanted: list[Token]) -> Span:
    """Widen a place by the marks that surround the quotation's words too."""
    head, tail = wanted[0][1], len(quote) - wanted[-1][2]
    while head and start and not (source[start - 1].isalnum() or source[start - 1].isspace()):
        start, head = start - 1, head - 1
    while tail and end < len(source) and not (source[end].isalnum() or source[end].isspace()):
        end, tail = end + 1, tail - 1
    return start, end


def _folding_difference(place: str, quote: str) -> str | None:
    """Which foldings, beyond white space, make the two equal; none when words differ."""
    left, right = fold_white(place).text, fold_white(quote).text
    for form in (_COMPOSED, _COMPATIBLE):
        folds = (*_FOLDS, form)
        if _apply(folds, left) == _apply(folds, right):
            needed = [
                fold[0]
                for fold in folds
                if _apply([f for f in folds if f is not fold], left)
                != _apply([f for f in folds if f is not fold], right)
            ]
            return ", ".join(needed) or form[0]
    return None


def _apply(folds: list[_Fold] | tuple[_Fold, ...], text: str) -> str:
    for _, fold in folds:
        text = fold(text)
    return text


def _word_difference(place: str, quote: str) -> str:
    """Say which words were left out, added or changed, and whether a number is another one."""
    left = [token[0] for token in _tokens(_lower(place))]
    right = [token[0] for token in _tokens(_lower(quote))]
    found: dict[str, None] = {}
    for kind, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        numbers = any(word[0].isdigit() for word in left[a:b]) and any(word[0].isdigit() for word in right[c:d])
        if kind == "replace":
            found["another number" if numbers else "words changed"] = None
        elif kind == "delete":
            found[f"words left out ({' '.join(left[a:b])[:60]})"] = None
        elif kind == "insert":
            found[f"words added ({' '.join(right[c:d])[:60]})"] = None
    return ", ".join(found) or "punctuation"
