"""Figures of judges as CSV: a line each, with verifier, protocol and caption, for lines are cut out and pasted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core.calibration import Calibration
from core.comparison import Pairing
from core.failures import ChangedLabel, Overview
from core.figures import Figure
from core.metrics import Estimate
from core.slices import Slice
from dashboard.widgets import many
from dashboard.widgets.chart_files import table

Line = dict[str, Any]


def calibration_caption(found: Calibration) -> str:
    """What stands under every chart of a calibration: whose verdicts, whose labels, how many, which method."""
    return (
        f"Judge {found.protocol} against {found.gold.title} (sha256 {found.gold_sha256[:12]}): n = "
        f"{many(found.judged, 'claim')} judged of {found.n:,} with gold. 95 % intervals, resampled by answer."
    )


def agreement(found: Calibration) -> bytes:
    """How far judge and people agree, and people among themselves."""
    lines = []
    people_of = {"raw_agreement": found.people.raw, "ac1": found.people.ac1} if found.people else {}
    for one in found.figures:
        people = people_of.get(one.key)
        lines.append(
            {"figure": one.title, **_range(one), "n": one.n, "method": one.method, **_range(people, "people_")}
        )
    return _of_judge(found, lines)


def scores(found: Calibration) -> bytes:
    """The bins of the reliability diagram, then those of the histogram."""
    if found.scores is None:
        return _of_judge(found, [])
    lines = [
        {"what": "bin", "score": one.confidence, **_range(one.observed), "n": one.observed.n}
        | {"method": one.observed.method, "from": None, "to": None, "supported": None, "unsupported": None}
        for one in found.scores.bins
    ]
    lines += [
        {**dict.fromkeys(lines[0] if lines else ()), "what": "histogram", "n": one.supported + one.unsupported}
        | {"from": one.low, "to": one.high, "supported": one.supported, "unsupported": one.unsupported}
        for one in found.scores.histogram
    ]
    return _of_judge(found, lines)


def thresholds(found: Calibration) -> bytes:
    """Both errors at each threshold."""
    return _of_judge(
        found,
        [
            {"threshold": one.threshold, "own": one.own, "flagged": one.flagged}
            | {**_range(one.false_pass, "false_pass_"), "n_unsupported": one.false_pass.n}
            | {**_range(one.false_strip, "false_strip_"), "n_supported": one.false_strip.n}
            | {"method": one.false_pass.method}
            for one in found.thresholds
        ],
    )


def matrix(found: Calibration) -> bytes:
    """What people say against what the judge says."""
    cells = found.labels.cells if found.labels else found.cells
    return _of_judge(found, [{"people": one.gold, "judge": one.said, "n": one.n} for one in cells])


def changes(pair: Pairing) -> bytes:
    """What one judge says against what the other says of the same claims."""
    caption = f"{pair.first} and {pair.second} on the same {many(pair.n, 'claim')}; a count is of claims, no estimate."
    return table(
        [
            {"first": pair.first, "second": pair.second, "first_label": one.first, "second_label": one.second}
            | {"n": one.n, "changed": one.changed, "caption": caption}
            for one in pair.changes
        ]
    )


def reasons(found: Overview, protocol: str, caption: str) -> bytes:
    """Why claims fail."""
    lines = [
        {"reason": one.code, "words": one.words, "claims": one.claims, "share_of_failing": one.claims / found.failed}
        for one in found.reasons
    ]
    return table(list(_signed(lines, protocol, f"{caption}; n = {found.judged:,} judged, {found.failed:,} fail")))


def slices(found: Sequence[Slice], protocol: str, caption: str) -> bytes:
    """Where claims fail more often."""
    lines = [
        {"dimension": one.dimension, "value": one.value, "failed": one.failed, "n": one.judged, **_range(one.rate)}
        | {
            **_range(one.lift, "times_elsewhere_"),
            "too_many": one.excess,
            "q": one.q,
            "more_than_chance": one.stands_out,
        }
        | {"method": one.rate.method}
        for one in found
    ]
    return table(list(_signed(lines, protocol, caption)))


def moves(found: Sequence[ChangedLabel], before: str, protocol: str) -> bytes:
    """How labels changed from one judge to another."""
    caption = f"{before} and {protocol} on the claims that both judged; a count is of claims, no estimate."
    lines = [{"before": one.before or "none", "after": one.after or "none", "n": one.claims} for one in found]
    return table(list(_signed(lines, protocol, caption)))


def _of_judge(found: Calibration, lines: Sequence[Line]) -> bytes:
    return table(list(_signed(lines, found.protocol, calibration_caption(found))))


def _signed(lines: Sequence[Line], protocol: str, caption: str) -> Iterator[Line]:
    for one in lines:
        yield {"verifier": protocol.partition("@")[0], "protocol": protocol, **one, "caption": caption}


def _range(one: Estimate | Figure | None, before: str = "") -> Line:
    names = {"estimate": f"{before}estimate", "low": f"{before}low", "high": f"{before}high"}
    return {name: getattr(one, key, None) for key, name in names.items()}
