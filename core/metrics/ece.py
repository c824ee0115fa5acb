"""Expected calibration error: how far a judge's confidence is from how often it is right, bin by bin.

ECE = Σ over bins of (items in it / items) · |mean confidence − share right|. Bins hold their lower edge, the last one
also its upper edge. Quantile edges that fall together are one edge, so equal confidences never part.
With few items a bin the error is too high by chance, and so is its interval.
Source: M. P. Naeini, G. F. Cooper and M. Hauskrecht, AAAI 2015, section "Calibration measures".
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.metrics import Estimate, Measure, bootstrap, clustered_share, confidence, measured
from core.metrics.bootstrap import Sums
from core.metrics.confidence import Floats, Scored
from core.models import Record

Binning = Literal["equal_width", "quantile"]


class Bin(Record):
    """One bin of a reliability diagram; bins without items are not drawn."""

    low: float
    high: float
    """Edges in [0, 1]; ``high`` belongs to the next bin, in the last one to this."""
    n: int
    confidence: float
    """Mean confidence of its items."""
    observed: Estimate
    """The share that is right."""


class CalibrationError(Measure):
    """The error in [0, 1] with the bins it is made of, lowest confidence first."""

    bins: tuple[Bin, ...]


def estimate(of: Scored, bins: int = 10, binning: Binning = "equal_width", seed: int = 0) -> CalibrationError:
    """The error with an interval over clusters, the bins held fixed; undefined without items.

    Raises:
        ValueError: There is no bin.
    """
    edges = _edges(of.confidence, bins, binning)
    place = np.searchsorted(edges[1:-1], of.confidence, side="right")
    rows = np.zeros((len(place), 3, len(edges) - 1))
    rows[np.arange(len(place)), :, place] = np.column_stack([np.ones(len(place)), of.confidence, of.correct])
    sums = bootstrap.by_cluster(rows.reshape(len(place), rows[0].size if len(rows) else 0), of.clusters)
    found = bootstrap.interval(sums, _error, len(place), [seed])
    said = (*found.warnings, *confidence.warnings(of))
    method = f"ECE, {len(edges) - 1} {binning.replace('_', ' ')} bins, {found.method}"
    made = measured(found.model_copy(update={"method": method, "warnings": said}))
    drawn = [_bin(of, place == at, edges[at], edges[at + 1]) for at in np.unique(place)]
    return CalibrationError(**made.model_dump(), bins=tuple(drawn))


def _edges(sure: Floats, bins: int, binning: Binning) -> Floats:
    if bins < 1:
        raise ValueError("a reliability diagram has one bin or more")
    if binning == "equal_width" or not len(sure):
        return np.arange(bins + 1) / bins  # not linspace: 3 / 10 must be the number that people write as 0.3
    inner = np.unique(np.quantile(sure, np.arange(1, bins) / bins))
    return np.concatenate([[sure.min()], inner[inner > sure.min()], [sure.max()]])


def _error(sums: Sums) -> NDArray[np.float64]:
    parts = sums.reshape(*sums.shape[:-1], 3, -1)
    gaps = np.abs(parts[..., 1, :] - parts[..., 2, :]).sum(axis=-1)
    return np.asarray(gaps / parts[..., 0, :].sum(axis=-1))


def _bin(of: Scored, inside: NDArray[np.bool_], low: float, high: float) -> Bin:
    names = [name for name, within in zip(of.clusters, inside, strict=True) if within]
    hits = [(bool(right), name) for right, name in zip(of.correct[inside], names, strict=True)]
    return Bin(
        low=low,
        high=high,
        n=len(names),
        confidence=float(of.confidence[inside].mean()),
        observed=clustered_share.interval(hits),
    )
