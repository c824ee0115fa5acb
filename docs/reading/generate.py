"""Write ``docs/reading.md``: how well answers are read, measured here; run as ``python -m docs.reading.generate``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from core import markers, plugins
from core.extraction import MATERIALITY, SPLITTER
from core.markers._all import find_all
from core.materiality import is_material
from core.metrics import wilson
from core.sentences import detector, units

HOME = Path(__file__).parent
PAGE = HOME.parent / "reading.md"
GOLD = HOME.parents[1] / "data" / "gold"
HALVES = {"held_out": "held out", "tuning": "tuning"}

Ends = Callable[[str], set[int]]
"""Finds where the sentences of a text end."""


def page() -> str:
    """The page, from its template beside this file and the sets in ``data/gold``."""
    return (
        (HOME / "template.md")
        .read_text(encoding="utf-8")
        .replace("{splitter}", SPLITTER)
        .replace("{rules}", MATERIALITY)
        .replace("{notations}", "\n".join(_notations()))
        .replace("{materiality}", "\n".join(_materiality(_rows("materiality"))))
        .replace("{kinds}", "\n".join(_kinds(_rows("materiality"))))
        .replace("{segmentation}", "\n".join(_segmentation(_rows("segmentation"))))
        .replace("{groups}", "\n".join(_groups(_rows("segmentation"))))
    )


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLD / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def _notations() -> Iterator[str]:
    yield "| file | an example | what it reads |"
    yield "|---|---|---|"
    for name in plugins.names(markers):
        module = plugins.load(markers, name)
        first = (module.__doc__ or "").split("\n")[0].replace("|", "\\|")
        yield f"| `{name}` | `{module.EXAMPLE}` | {first} |"


def _share(k: int, n: int) -> str:
    """``k`` of ``n`` with its Wilson interval."""
    found = wilson.interval(k, n)
    if found.estimate is None or found.low is None or found.high is None:
        return "no data"
    return f"{found.estimate:.3f} [{found.low:.3f}, {found.high:.3f}] ({k} of {n})"


def _materiality(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield "| half | sentences | precision | recall |"
    yield "|---|---|---|---|"
    for half, name in HALVES.items():
        judged = [(is_material(row["text"], row["query"]), row["material"]) for row in rows if row["half"] == half]
        hits = sum(said and gold for said, gold in judged)
        precision = _share(hits, sum(said for said, _ in judged))
        yield f"| {name} | {len(judged)} | {precision} | {_share(hits, sum(gold for _, gold in judged))} |"


def _kinds(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield "| kind | sentences held out | called material |"
    yield "|---|---|---|"
    held = [row for row in rows if row["half"] == "held_out"]
    for kind in sorted({row["kind"] for row in held}, key=lambda kind: (kind != "statement", kind)):
        own = [row for row in held if row["kind"] == kind]
        yield f"| {kind} | {len(own)} | {sum(is_material(row['text'], row['query']) for row in own)} |"


def segmenters() -> dict[str, Ends]:
    """The segmenters that are compared, by name."""
    yasbd, nupunkt = detector("yasbd"), detector("nupunkt")
    return {
        "masked yasbd (ours)": lambda text: {unit.end for unit in units(text, find_all(text))},
        "masked nupunkt": lambda text: {unit.end for unit in units(text, find_all(text), nupunkt)},
        "bare yasbd": lambda text: _ends(text, list(yasbd(text))),
        "bare nupunkt": lambda text: _ends(text, list(nupunkt(text))),
    }


def _ends(text: str, cuts: Sequence[int]) -> set[int]:
    """Where the pieces between cuts end, white space at their ends apart."""
    borders = [0, *(cut for cut in cuts if cut < len(text)), len(text)]
    pieces = [(left, text[left:right].rstrip()) for left, right in pairwise(borders)]
    return {left + len(piece) for left, piece in pieces if piece.strip()}


def _segmentation(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield "| segmenter | half | texts cut exactly | precision of inner ends | recall of inner ends |"
    yield "|---|---|---|---|---|"
    for name, ends in segmenters().items():
        for half, half_name in HALVES.items():
            own = [row for row in rows if row["half"] == half]
            exact = found = gold = both = 0
            for row in own:
                last = len(row["text"].rstrip())
                wanted, got = {end for _, end in row["sentences"]}, ends(row["text"])
                exact += wanted == got
                found, gold = found + len(got - {last}), gold + len(wanted - {last})
                both += len((got & wanted) - {last})
            yield f"| {name} | {half_name} | {_share(exact, len(own))} | {_share(both, found)} | {_share(both, gold)} |"


def _groups(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    every = segmenters()
    yield f"| held out, cut exactly | texts | {' | '.join(every)} |"
    yield f"|---|---|{'---|' * len(every)}"
    held = [row for row in rows if row["half"] == "held_out"]
    for group in dict.fromkeys(row["group"] for row in held):
        own = [row for row in held if row["group"] == group]
        exact = [
            sum(ends(row["text"]) == {end for _, end in row["sentences"]} for row in own) for ends in every.values()
        ]
        yield f"| {group} | {len(own)} | {' | '.join(map(str, exact))} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
