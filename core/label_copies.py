"""Signs that annotations were copied from item to item instead of being made.

Whole blocks that repeat, labels with the same comment and the same time, are likely a copy error and inflate agreement.
Seen in public annotation data: multi-agent-systems-failure-taxonomy/MAST#16.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.label_importers import GivenLabel

COPIED = "possible_copied_annotations"
"""The flag; stored nowhere, shown and counted."""

_Block = tuple[tuple[str, str, str, str], ...]


def suspicious(given: Iterable[GivenLabel]) -> list[str]:
    """The items that share everybody's label, comment and time with another one, in the order of the file.

    A block without any comment or any time is never suspicious: many items are labelled alike in good faith.
    """
    blocks: dict[str, list[tuple[str, str, str, str]]] = {}
    for one in given:
        at = one.at.isoformat() if one.at else ""
        blocks.setdefault(one.item, []).append((one.labeller, one.word, one.comment.strip(), at))
    alike: dict[_Block, list[str]] = {}
    for item, block in blocks.items():
        if all(comment and at for _, _, comment, at in block):
            alike.setdefault(tuple(sorted(block)), []).append(item)
    copied = {item for items in alike.values() if len(items) > 1 for item in items}
    return [item for item in blocks if item in copied]
