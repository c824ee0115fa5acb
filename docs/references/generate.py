"""Write ``docs/references.md``: ladders, thresholds and errors; run as ``python -m docs.references.generate``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from core.bibliography import OTHER_TITLE, SAME_TITLE, YEARS_APART
from core.metrics import wilson
from core.reference_gold import LabelledReference, rates, read
from core.reference_policy import Limits, Lives
from core.resolvers.url import SAME_TEXT

HOME = Path(__file__).parent
PAGE = HOME.parent / "references.md"
GOLD = HOME.parents[1] / "data" / "gold" / "references" / "works.jsonl"


def page() -> str:
    """The page, from its template beside this file, the rules and the labelled set."""
    rows, limits, lives = read(GOLD), Limits(), Lives()
    found = rates(rows)
    values = {
        "limits": f"{limits.redirects} redirects, {limits.bytes // 1_000_000} MB, "
        f"{limits.decompressed_bytes // 1_000_000} MB unpacked, {limits.seconds:g} seconds",
        "pace": f"one request every {1 / limits.per_second:g} seconds, {limits.per_host} at a time, "
        f"{limits.concurrent} in all",
        "lives": f"what was read {lives.read_days:g} days, what was missing {lives.missing_days:g} day, "
        f"refusals {lives.refused_hours:g} hour",
        "gone": f"{lives.gone_after_hours:g}",
        "same": f"{SAME_TITLE:.2f}",
        "other": f"{OTHER_TITLE:.2f}",
        "text": f"{SAME_TEXT:.2f}",
        "years": str(YEARS_APART),
        "rows": str(found.rows),
        "right": _share(found.right, found.rows),
        "accused": _share(*found.accused),
        "called_other": _share(*found.called_other),
        "passed": _share(*found.passed),
        "kinds": "\n".join(_kinds(rows)),
        "wrong": ", ".join(f"{row.id} ({row.why})" for row in rows if row.id in found.wrong) or "none",
    }
    text = (HOME / "template.md").read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _share(k: int, n: int) -> str:
    """``k`` of ``n`` with its Wilson interval."""
    found = wilson.interval(k, n)
    if found.estimate is None or found.low is None or found.high is None:
        return "no data"
    return f"{found.estimate:.3f} [{found.low:.3f}, {found.high:.3f}] ({k} of {n})"


def _kinds(rows: Sequence[LabelledReference]) -> Iterator[str]:
    yield "| class of document | references | false accusations |"
    yield "|---|---|---|"
    for kind in sorted({row.kind for row in rows}):
        own = [row for row in rows if row.kind == kind]
        accused, fine = rates(own).accused
        yield f"| {kind} | {len(own)} | {accused} of {fine} |"
    for language in sorted({row.language for row in rows} - {"en"}):
        own = [row for row in rows if row.language == language]
        accused, fine = rates(own).accused
        yield f"| in the language {language} | {len(own)} | {accused} of {fine} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
