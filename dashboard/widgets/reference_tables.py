"""Works outside as tables: what could not be opened, what was found, what was supplied, and which claims wait."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.cited_works import SuppliedPassage
from core.store.reference_records import Citing, ClosedWork, StoredFinding
from dashboard.widgets import reference_view, showable

PREVIEW = 300
"""Characters of a passage in a table."""


def works(found: Sequence[ClosedWork]) -> pd.DataFrame:
    """The list, in its order."""
    return _table(
        ["Source", "Citations", "Passages", "Why"],
        [(one.reference.title or one.identifier, len(one.citing), one.passages, one.reason) for one in found],
    )


def history(found: Sequence[StoredFinding]) -> pd.DataFrame:
    """One line a question that was asked, the latest finding first."""
    lines = [
        (reference_view.when(receipt.at), receipt.who, receipt.said, one.who or "a run")
        for one in found
        for receipt in one.finding.receipts
    ]
    return _table(["When", "Who was asked", "What came back", "For"], lines)


def passages(found: Sequence[SuppliedPassage]) -> pd.DataFrame:
    """What people supplied, oldest first."""
    lines = [
        (
            one.locator,
            one.who,
            reference_view.when(one.at),
            "whole text" if one.is_whole else "a part",
            one.text[:PREVIEW],
        )
        for one in found
    ]
    return _table(["Where", "Supplied by", "When", "How much", "Passage"], lines)


def citing(found: Sequence[Citing]) -> pd.DataFrame:
    """The claims that cite a work."""
    return _table(["Claim", "Cited as"], [(one.claim, one.cite) for one in found])


def _table(columns: list[str], rows: Sequence[tuple[object, ...]]) -> pd.DataFrame:
    shown = [tuple(showable(one) if isinstance(one, str) else one for one in row) for row in rows]
    return pd.DataFrame(shown, columns=columns)
