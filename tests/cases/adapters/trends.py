"""Runs side by side, means beside errors, and days of a time zone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from core import calendar_days
from core.metrics import paired_difference, score_mean, unsupported_rate

LATER: Mapping[str, str] = {}
_A_DAY = {"from": "2026-01-01", "to": "2026-01-01"}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is counted, and what is compared; what the input does not speak of is observed of nothing."""
    zone, dates = calendar_days.zone(given.get("timezone", "UTC")), given.get("filter", _A_DAY)
    window = calendar_days.window(date.fromisoformat(dates["from"]), date.fromisoformat(dates["to"]), zone)
    moments = {told: datetime.fromisoformat(told) for told in given.get("events", ())}
    scores, runs = given.get("scores", ()), {name: given.get(f"run_{name}", {}) for name in "ab"}
    mean = score_mean.estimate(scores, given.get("errors", [None] * len(scores)))
    found = paired_difference.estimate(runs["a"], runs["b"])
    counts = {name: [run.get(kind, 0) for kind in ("passed", "not_run", "failed")] for name, run in runs.items()}
    rates = {name: unsupported_rate.report(given.get("pool", 0), 0, *run[1:]) for name, run in counts.items()}
    days = calendar_days.counts(moments.values(), zone, given.get("bucket", "day")).items()
    return {
        "buckets": {str(day): n for day, n in days},
        "utc_window": {"start": f"{window.start:%Y-%m-%dT%XZ}", "end_exclusive": f"{window.end:%Y-%m-%dT%XZ}"},
        "included": [told for told, moment in moments.items() if moment in window],
        **{"mean": mean.estimate, "n_scored": mean.n, "n_errors": mean.errors},
        "show": mean.reason and mean.reason.sentence,
        "shared_items": list(found.shared),
        "difference_on_shared": found.estimate,
        **{"only_a": found.only_first, "only_b": found.only_second},
        "warn": "".join(found.flags),
        "rates": {name: f"{counts[name][0]}/{rate.judged}" for name, rate in rates.items()},
        "coverage": {name: f"{rate.judged}/{rate.attempted}" for name, rate in rates.items()},
        "not_run_is_failure": any(rates[name].judged > one + two for name, (one, _, two) in counts.items()),
    }
