"""The unsupported rate from people's labels alone: the design-weighted share, whatever the judge says.

The share is Hájek's: each label stands for 1 / its inclusion probability claims. The interval is Wilson's at the
effective number of labels, which makes share · (1 − share) / (n − 1) the variance with whole requests as drawn; never
more than there are labels. Where no label varies, it is the number of equal requests that would weigh like these.
Source: E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998) 193–201; J. Hájek in Foundations of Statistical
Inference (1971) 236. No correction for the share of the window that was labelled: the interval is about claims like
these, and a little wide for the window itself.
"""

from __future__ import annotations

from core.metrics import Measure, Undefined, labelled, undefined, wilson
from core.metrics.labelled import Labelled

METHOD = "human labels only"


def estimate(labels: Labelled) -> Measure:
    """The rate in [0, 1] with its 95 % interval."""
    n = len(labels.human)
    if not n:
        reason = Undefined.NO_PROBABILITY if labels.left_out else Undefined.NO_DATA
        return undefined(reason, 0, METHOD)
    influence = labels.weight / labels.weight.sum()
    share = float(influence @ labels.human)
    share = min(max(share, 0.0), 1.0)  # weights that do not quite add up to 1 may leave the range by a rounding
    effective = _effective(labels, share)
    low, high = wilson.bounds(share, effective)
    return Measure(
        estimate=share,
        low=low,
        high=high,
        n=n,
        method=f"{METHOD}, Wilson 95%, {labels.clusters} clusters, effective n {effective:.0f}",
        warnings=labelled.warnings(labels),
    )


def _effective(labels: Labelled, share: float) -> float:
    influence = labels.weight / labels.weight.sum()
    ceiling = labelled.effective_clusters(influence, labels)
    varies = labels.human.min() != labels.human.max()
    if not varies or labels.clusters < 2:
        return ceiling
    spread = labelled.variance(influence * (labels.human - share), labels)
    if spread <= 0:
        return ceiling
    n = len(labels.human)
    return min(n, n / (n - 1) * share * (1 - share) / spread) / labelled.few_clusters(labels)
