"""The rate of a window that nobody labelled, from how the judge erred on claims that people labelled elsewhere.

It holds only while the judge errs here as it did there, so it never stands in the place of a corrected rate: it is
named borrowed, and shown apart. Labels serve whose claims were all drawn with the same chance; of others, drawn by what
the judge said, its errors cannot be read off a count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.gold_sets import GoldSet
from core.gold_window import GoldWindow
from core.metrics import Measure, rogan_gladen
from core.metrics.clustered_share import Counted, Spread
from core.metrics.unsupported_rate import Strictness
from core.models import Record
from core.store import Store
from core.store.judged_gold import Tally
from core.store.records import ClaimFilter


class JudgeErrors(Record):
    """How one judge erred on labelled claims that it concluded on."""

    protocol: str
    gold_id: str
    title: str
    bad: int
    """Claims that people call unsupported."""
    caught: int
    """Of these, how many the judge does."""
    good: int
    passed: int
    """Of ``good``, how many the judge calls supported."""
    spread_bad: Spread
    """How the bad and the caught lie in answers."""
    spread_good: Spread


class Borrowed(Record):
    """A rate by borrowed calibration."""

    rate: Measure
    errors: JudgeErrors
    sentence: str
    """What it means, for a reader who knows no statistics."""


class Elsewhere:
    """The errors of judges on all labelled claims of a store, looked up once a judge."""

    def __init__(self, store: Store, strictness: Strictness, sets: Sequence[GoldSet]) -> None:
        """Nothing is looked up yet.

        Args:
            store: Where verdicts and gold are.
            strictness: Which rule makes a claim unsupported.
            sets: Gold sets that may serve.
        """
        self._store, self._strictness = store, strictness
        self._sets = [one for one in sets if one.feeds_rates]
        self._known: dict[str, JudgeErrors | None] = {}

    def errors(self, protocol: str) -> JudgeErrors | None:
        """Of the set with most labels that serve; none where no set has any."""
        if protocol not in self._known:
            found = [self._errors(protocol, one) for one in self._sets]
            told = [one for one in found if one is not None and one.bad and one.good]
            self._known[protocol] = max(told, key=lambda one: one.bad + one.good, default=None)
        return self._known[protocol]

    def rate(self, protocol: str, window: Tally) -> Borrowed | None:
        """The rate of a window with these counts; none without errors to borrow."""
        errors = self.errors(protocol)
        if errors is None or not window.judged:
            return None
        rate = rogan_gladen.estimate(
            Counted(window.unsupported(self._strictness), window.judged, window.spread(self._strictness)),
            Counted(errors.caught, errors.bad, errors.spread_bad),
            Counted(errors.passed, errors.good, errors.spread_good),
        )
        return Borrowed(rate=rate, errors=errors, sentence=_sentence(rate, errors))

    def _errors(self, protocol: str, gold: GoldSet) -> JudgeErrors | None:
        window = ClaimFilter(protocol=protocol, attempted_only=True)
        labels = GoldWindow(self._store, window, self._strictness, gold).usable
        if len({one.gold.probability for one in labels}) != 1:
            return None
        bad, good = Counter[str](), Counter[str]()
        caught, passed = Counter[str](), Counter[str]()
        for one in labels:
            if one.said is not None:
                of, right = (bad, caught) if one.bad else (good, passed)
                of[one.gold.request_uid] += 1
                right[one.gold.request_uid] += one.said == bool(one.bad)
        return JudgeErrors(
            protocol=protocol,
            gold_id=gold.gold_id,
            title=gold.title,
            bad=bad.total(),
            caught=caught.total(),
            good=good.total(),
            passed=passed.total(),
            spread_bad=Spread.of((caught[answer], count) for answer, count in bad.items()),
            spread_good=Spread.of((passed[answer], count) for answer, count in good.items()),
        )


def _sentence(rate: Measure, errors: JudgeErrors) -> str:
    on = f"{errors.bad + errors.good:,} labelled claims elsewhere (“{errors.title}”)"
    if rate.estimate is None or rate.low is None or rate.high is None:
        return f"Nothing can be borrowed from {on}: {'; '.join(rate.warnings)}."
    low, high = round(100 * rate.low), round(100 * rate.high)
    span = f"between {low} and {high}" if low != high else f"about {low}"
    return (
        f"If the judge errs here as it did on {on}, {span} of 100 claims are unsupported; nobody labelled these here."
    )
