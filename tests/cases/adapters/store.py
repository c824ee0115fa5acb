"""What the store makes of labels, of sources, and of registries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.label_copies import COPIED
from tests.cases import stored

LATER: Mapping[str, str] = {}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in the store after the case's rows, operations or events."""
    if "rows" in given:
        items = stored.copied(given["rows"])
        return {"flags": [COPIED] if items else [], "suspicious_items": items}
    with stored.empty_store() as store:
        if "events" in given:
            stored.label(store, given["events"])
            return stored.exported(store)
        if isinstance(given["ops"][0], str):
            return dict(stored.add_sources(store, given["ops"]))
        return {"registry": stored.add_entries(store, [op["add"] for op in given["ops"]])}
