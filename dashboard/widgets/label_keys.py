"""The keys of the label page: one table for the handler, the sheet on ``?``, and the check that no two clash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.models import Label
from core.presses import SUB_REASONS
from core.store.label_records import LabelKind, SubReason
from dashboard.widgets import look

RESERVED = frozenset("cr")
"""Streamlit's own: clear the cache, run again."""


class Key(NamedTuple):
    """One key and what it does."""

    key: str
    """As ``KeyboardEvent.key`` has it, in lower case."""
    act: str
    """The name that the handler knows it by."""
    name: str
    meaning: str


ACTS: Sequence[Key] = (
    Key("z", "undo", "Undo", "take the last one back; again for the one before"),
    Key("b", "back", "Back", "look at the one before and change nothing; Esc returns"),
    Key("s", "skip", "Skip", "with a reason; it comes back after all the others"),
    Key("f", "flag", "Flag", "with a reason, for a reviewer; the claim stays to be labelled"),
    Key("n", "note", "Note", "Esc or Ctrl+Enter leaves the box, and the note goes with the label"),
    Key("h", "sure", "How sure", "guessing, fairly, certain, or not said"),
    Key("m", "mark", "Mark", "better evidence: arrows go by word, Shift widens, Enter keeps, Delete drops, Esc leaves"),
    Key("a", "answer", "Answer", "show the claim in its answer"),
    Key("g", "guideline", "Guideline", "with its examples, for the label under the pointer or the last one"),
    Key("v", "reveal", "Judge", "what the judge said of the claim you labelled last"),
    Key("?", "sheet", "Keys", "open and close this sheet"),
)

SUB_REASON_KEYS: Mapping[SubReason, str] = {
    SubReason.OVERSTATED: "o",
    SubReason.MISSING_PART: "p",
    SubReason.INDIRECT: "i",
    SubReason.QUOTE_DIFFERS: "q",
    SubReason.OTHER_VALUE: "d",
    SubReason.OTHER_POPULATION: "w",
    SubReason.OTHER_TIME: "t",
    SubReason.OTHER_UNIT: "u",
    SubReason.CAUSE_FOR_ASSOCIATION: "k",
}
"""Before the label, for the claim on the screen; with Shift, after it, for the last one."""

SUB_REASON_NAMES: Mapping[SubReason, str] = {
    SubReason.OVERSTATED: "overstated",
    SubReason.MISSING_PART: "part missing",
    SubReason.INDIRECT: "indirect",
    SubReason.QUOTE_DIFFERS: "quote differs",
    SubReason.OTHER_VALUE: "different value",
    SubReason.OTHER_POPULATION: "who differs",
    SubReason.OTHER_TIME: "time differs",
    SubReason.OTHER_UNIT: "unit differs",
    SubReason.CAUSE_FOR_ASSOCIATION: "cause for association",
}

NOT_A_CLAIM = "Not a checkable claim"


def labels() -> list[dict[str, str]]:
    """The ten decisions in the order of their keys, 1 to 9 and 0."""
    nine = [
        {"key": str(key), "value": str(label), "name": shown.name, "shape": shown.shape, "meaning": look.MEANING[label]}
        for key, (label, shown) in enumerate(look.LABELS.items(), 1)
    ]
    tenth = {"key": "0", "value": str(LabelKind.NOT_A_CLAIM), "name": NOT_A_CLAIM, "shape": look.NO_LABEL.shape}
    return [*nine, tenth | {"meaning": "a source could neither support nor deny it; settles the whole claim"}]


def sub_reasons() -> list[dict[str, object]]:
    """The finer reasons with their letters, and the labels that each goes with."""
    return [
        {
            "value": str(one),
            "key": key,
            "name": SUB_REASON_NAMES[one],
            "labels": [str(label) for label in Label if one in SUB_REASONS.get(label, ())],
        }
        for one, key in SUB_REASON_KEYS.items()
    ]


def check(keys: Sequence[str]) -> None:
    """Refuse keys that cannot all work.

    Raises:
        ValueError: Two things have one key, a key is not one character in lower case, or Streamlit has it for itself.
    """
    doubled = [key for key, times in Counter(keys).items() if times > 1]
    odd = [key for key in keys if len(key) != 1 or key != key.lower()]
    taken = [key for key in keys if key in RESERVED]
    for what, found in (("stand for two things", doubled), ("are no keys", odd), ("are Streamlit's own", taken)):
        if found:
            raise ValueError(f"keys of the label page that {what}: {', '.join(found)}")


check([*(one["key"] for one in labels()), *(one.key for one in ACTS), *SUB_REASON_KEYS.values()])
