"""How often each comparer raises a false alarm, and how often it misses a difference, on minimal pairs of ours.

``data/gold/minimal_pairs/KIND.jsonl`` holds pairs for the comparer ``core/qualifiers/KIND.py``, one JSON object a line:
``id, kind, claim, evidence, agrees, note, split``. ``agrees`` is what a person says of the one thing that the pair is
about: the same, different, or (none) nothing settles it. ``split`` is ``tuned`` for pairs that were at hand while the
comparer was written, ``held_out`` for those written after it and never used to change it.

Run ``python -m core.minimal_pairs`` for the table.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import click
from pydantic import ValidationError

from core import plugins, qualifiers
from core.errors import CitedeskError
from core.metrics import Estimate, wilson
from core.models import Record
from core.settings import data_path

Split = Literal["tuned", "held_out"]


class MinimalPair(Record):
    """A claim and an evidence text that differ in one thing, or do not."""

    id: str
    kind: str
    """The comparer's name."""
    claim: str
    evidence: str
    agrees: bool | None
    """Whether the thing is the same; none when the evidence does not settle it."""
    note: str = ""
    split: Split = "tuned"


class Rates(Record):
    """How one comparer does on one split of its pairs."""

    kind: str
    split: Split
    false_alarms: Estimate
    """The share of pairs without a difference of which it says that they differ."""
    misses: Estimate
    """The share of pairs with a difference of which it does not say so."""
    confirmed: Estimate
    """The share of agreeing pairs of which it says that they agree."""
    wrong: tuple[str, ...]
    """The ids of the false alarms and misses, in the order of the file."""


def folder() -> Path:
    """Where the pairs lie in a checkout; a wheel does not carry them."""
    return data_path("gold", "minimal_pairs")


def read(place: Path) -> list[MinimalPair]:
    """Read every ``*.jsonl`` of a folder, in the order of their names.

    Raises:
        CitedeskError: No such folder, a line that is no pair, or one under another kind than its file.
    """
    if not place.is_dir():
        raise CitedeskError(f"There are no minimal pairs in {place}", "run this in a checkout of the source")
    pairs: list[MinimalPair] = []
    for path in sorted(place.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                pair = MinimalPair.model_validate_json(line)
            except ValidationError as error:
                raise CitedeskError(f"{path.name}, line {number} is no minimal pair", str(error)) from error
            if pair.kind != path.stem:
                raise CitedeskError(f"{path.name}, line {number} is of the kind {pair.kind!r}", "move it to its file")
            pairs.append(pair)
    return pairs


def says_differs(pair: MinimalPair) -> bool:
    """Whether the pair's comparer disagrees anywhere; it alone is asked, not the others.

    Raises:
        CitedeskError: There is no comparer of that kind.
    """
    return any(one.agrees is False for one in plugins.load(qualifiers, pair.kind).compare(pair.claim, pair.evidence))


def says_agrees(pair: MinimalPair) -> bool:
    """Whether the pair's comparer agrees somewhere and disagrees nowhere."""
    found = [one.agrees for one in plugins.load(qualifiers, pair.kind).compare(pair.claim, pair.evidence)]
    return True in found and False not in found


def rates(pairs: Sequence[MinimalPair]) -> list[Rates]:
    """Rate every comparer on every split that has pairs, by kind, ``tuned`` first; intervals are Wilson's, 95 %.

    Raises:
        CitedeskError: A pair's kind has no comparer.
    """
    groups: dict[tuple[str, Split], list[MinimalPair]] = {}
    for pair in pairs:
        groups.setdefault((pair.kind, pair.split), []).append(pair)
    order = sorted(groups, key=lambda group: (group[0], group[1] == "held_out"))
    return [_rate(kind, split, groups[kind, split]) for kind, split in order]


def _rate(kind: str, split: Split, pairs: Sequence[MinimalPair]) -> Rates:
    same = [pair for pair in pairs if pair.agrees is not False]
    agreeing = [pair for pair in pairs if pair.agrees]
    different = [pair for pair in pairs if pair.agrees is False]
    alarms = [pair.id for pair in same if says_differs(pair)]
    misses = [pair.id for pair in different if not says_differs(pair)]
    wrong = {*alarms, *misses}
    return Rates(
        kind=kind,
        split=split,
        false_alarms=wilson.interval(len(alarms), len(same)),
        misses=wilson.interval(len(misses), len(different)),
        confirmed=wilson.interval(sum(map(says_agrees, agreeing)), len(agreeing)),
        wrong=tuple(pair.id for pair in pairs if pair.id in wrong),
    )


def table(found: Sequence[Rates]) -> str:
    """Lay the rates out in Markdown, a row a kind and split."""
    head = "| comparer | pairs | false alarms | misses | confirmed |\n|---|---|---|---|---|\n"
    rows = (
        f"| {one.kind} | {one.split} | {_cell(one.false_alarms)} | {_cell(one.misses)} | {_cell(one.confirmed)} |\n"
        for one in found
    )
    return head + "".join(rows)


def _cell(share: Estimate) -> str:
    if share.estimate is None or share.low is None or share.high is None:
        return "no pairs"
    return f"{share.estimate:.1%} ({share.low:.1%}–{share.high:.1%}, n = {share.n})"


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one object a kind and split instead of the table.")
@click.option("--wrong", "show_wrong", is_flag=True, help="Name the pairs that it gets wrong as well.")
def main(as_json: bool, show_wrong: bool) -> None:
    """Print false-alarm and miss rates of every comparer on our minimal pairs."""
    found = rates(read(folder()))
    if as_json:
        click.echo("\n".join(json.dumps(one.model_dump(mode="json"), ensure_ascii=False) for one in found))
        return
    click.echo(table(found), nl=False)
    for one in found if show_wrong else ():
        click.echo(f"{one.kind} {one.split}: {', '.join(one.wrong) or 'none'}")


if __name__ == "__main__":
    main()
