"""Citations that a vendor attached by position → the sentences and the markers they belong to.

A citation over a stretch belongs to every sentence it touches, one at a point to the sentence before it. One that lies
exactly on a marker says what that marker names, whatever the marker looks like.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from core.markers import Marker
from core.models import Annotation
from core.text import Span

_LINK = r"!?\[[^\[\]\n]{0,300}\]\([^()\s]{1,2000}\)"
_RENDERED = re.compile(rf"\(?\s*{_LINK}(?:[\s,;]*{_LINK})*\s*\)?|【[^【】\n]{{1,300}}】")


def settle(
    text: str, markers: Sequence[Marker], annotations: Sequence[Annotation]
) -> tuple[list[Marker], list[Annotation]]:
    """Let annotations say what the markers they lie on name.

    Args:
        text: The answer.
        markers: Those found in it, in order.
        annotations: Of that answer, in any order.

    Returns:
        All markers in order, none overlapping, and the annotations that lie on none, by position and trimmed of white
        space.
    """
    if not annotations:
        return list(markers), []
    spans: dict[Span, list[str]] = defaultdict(list)
    free: list[Annotation] = []
    starts = [marker.start for marker in markers]

    def markers_within(span: Span) -> Sequence[Marker]:
        return markers[bisect_left(starts, span[0]) : bisect_left(starts, span[1])]

    until = 0
    for one in sorted((_trimmed(text, each) for each in annotations), key=lambda each: (each.start, each.end)):
        span = (one.start, one.end)
        if span in spans or (one.start >= until and _is_marker(text, span, markers_within(span))):
            spans[span].append(one.cite)
            until = one.end
        else:
            free.append(one)
    if not spans:
        return list(markers), free
    ends = sorted(spans)
    own = [marker for marker in markers if not _overlaps(ends, marker)]
    bounded = [_named(span, cites, markers_within(span)) for span, cites in spans.items()]
    return sorted([*own, *bounded], key=lambda marker: marker.start), free


def attach(spans: Sequence[Span], annotations: Sequence[Annotation]) -> list[tuple[str, ...]]:
    """The cites that annotations add to each stretch of an answer.

    Args:
        spans: In order, none overlapping.
        annotations: By position.

    Returns:
        For each span its cites in the order of the annotations, each once. An annotation that touches no span belongs
        to the one before it; where there is none it belongs to none.
    """
    if not annotations:
        return [()] * len(spans)
    cites: list[dict[str, None]] = [{} for _ in spans]
    starts = [start for start, _ in spans]
    for one in annotations:
        before = bisect_left(starts, one.start + (one.start < one.end)) - 1
        touched = [
            index
            for index in range(max(before, 0), bisect_left(starts, one.end))
            if spans[index][0] < one.end and one.start < spans[index][1]
        ]
        for index in touched or ([before] if before >= 0 else []):
            cites[index][one.cite] = None
    return [tuple(each) for each in cites]


def _trimmed(text: str, one: Annotation) -> Annotation:
    """Without white space at its ends; a blank one is a point."""
    stretch = text[one.start : one.end]
    start = one.start + len(stretch) - len(stretch.lstrip())
    end = one.start + len(stretch.rstrip())
    if (start, end) == (one.start, one.end):
        return one
    return one.model_copy(update={"start": start, "end": end} if start < end else {"end": one.start})


def _is_marker(text: str, span: Span, inside: Sequence[Marker]) -> bool:
    """Whether a stretch is nothing but markers, as found or as vendors render them."""
    if _RENDERED.fullmatch(text, *span):
        return True
    if not inside or inside[-1].end > span[1]:
        return False
    rest = text[span[0] : inside[0].start]
    for marker, following in zip(inside, [*(each.start for each in inside[1:]), span[1]], strict=True):
        rest += text[marker.end : following]
    return not any(char.isalnum() for char in rest)


def _named(span: Span, cites: Sequence[str], inside: Sequence[Marker]) -> Marker:
    """The marker that an annotation bounds; what of it belongs to the sentence still does."""
    keeps = inside[0].keeps if len(inside) == 1 else None
    return Marker(start=span[0], end=span[1], ids=tuple(dict.fromkeys(cites)), keeps=keeps)


def _overlaps(spans: Sequence[Span], marker: Marker) -> bool:
    """Whether a marker shares a character with one of some spans, which are in order and do not overlap."""
    last = bisect_right(spans, (marker.end - 1, marker.end)) - 1
    return any(start < marker.end and marker.start < end for start, end in spans[max(0, last - 1) : last + 2])
