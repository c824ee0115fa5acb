"""Two raters of the same items, and confidences beside what turned out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.metrics import cohen_kappa, confidence, correlation, ece, ratings, raw_agreement

LATER: Mapping[str, str] = {}


def observe(given: Mapping[str, Any]) -> dict[str, Any]:
    """Agreement of the raters, or calibration of the confidences."""
    if "confidence" in given:
        scored = confidence.scored(given["confidence"], given["correct"])
        error = ece.estimate(scored, given.get("bins", 10), given.get("binning", "equal_width"))
        related = correlation.estimate(scored)
        return {
            "ece": error.estimate,
            "ece_reason": error.reason,
            "correlation": related.estimate,
            "correlation_reason": related.reason,
            "n": error.n,
            "bins": [one.model_dump() for one in error.bins],
        }
    numbered = ({str(at): label for at, label in enumerate(given[name])} for name in "ab")
    a, b = numbered if isinstance(given["a"], list) else (given["a"], given["b"])
    kappa = cohen_kappa.estimate(a, b)
    raw = raw_agreement.estimate([rated for _, rated in ratings.pairs(a, b)])
    return {
        "kappa": kappa.estimate,
        "kappa_reason": kappa.reason,
        "raw_agreement": raw.estimate,
        "n": kappa.n,
        "items_used": list(kappa.items),
        "flags": list(kappa.flags),
    }
