"""Who a benchmark asks: the judge that is measured and the baselines, in groups, with word of how far it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.errors import VerifierUnavailable
from core.models import Judgement, Label, Pair
from core.probes import Ask
from core.semantic import Judge
from core.settings import Settings

BASELINES = ("lexical", "cosine")
"""What every verifier is measured beside."""

AT_ONCE = 512
"""Pairs handed over together: enough for even batches, little enough to show progress."""

WARM_UP = Pair(claim="The gate is open.", evidence="The gate is open at night.")
"""Asked before anything is timed."""

Progress = Callable[[int, int], None]
"""Called with how many pairs are judged and how many there are."""


class Said(NamedTuple):
    """All that is kept of a judgement: a set may have a hundred thousand."""

    label: Label | None
    trouble: str | None
    """The word of the failure; none when there is a label."""

    @classmethod
    def of(cls, judgement: Judgement) -> Said:
        """Keep the label, or else why there is none."""
        if judgement.label is not None:
            return cls(judgement.label, None)
        return cls(None, str(judgement.failure or judgement.status))


class Judges(NamedTuple):
    """The judge that is measured, and those it is measured beside."""

    main: Judge
    baselines: Mapping[str, Judge]
    absent: Mapping[str, str]

    @classmethod
    def build(cls, settings: Settings, baselines: Sequence[str] = BASELINES) -> Judges:
        """Build the judge of the settings and the baselines, leaving out the one that it is itself.

        Raises:
            VerifierUnavailable: The judge that is measured cannot be had; a baseline that cannot is put down.
        """
        main = Judge.build(settings)
        found, absent = {}, {}
        for name in baselines:
            if name == settings.verifier:
                continue
            try:
                found[name] = Judge.build(settings.model_copy(update={"verifier": name, "thresholds": {}}))
            except VerifierUnavailable as trouble:
                absent[name] = str(trouble)
        return cls(main, found, absent)


class Asking:
    """Asks judges in groups, and says how far it is.

    Args:
        progress: Told after every group.
        planned: Pairs that will be asked about, as far as known; grows when more come.
    """

    def __init__(self, progress: Progress, planned: int) -> None:
        """Start at nothing done."""
        self._progress = progress
        self._planned = planned
        self._done = 0

    def judge(self, judge: Judge, pairs: Sequence[Pair]) -> list[Said]:
        """Judge pairs, in order."""
        found: list[Said] = []
        for start in range(0, len(pairs), AT_ONCE):
            found += map(Said.of, judge.judge(pairs[start : start + AT_ONCE]))
            self._done += len(pairs[start : start + AT_ONCE])
            self._progress(self._done, max(self._done, self._planned))
        return found

    def labels(self, judge: Judge) -> Ask:
        """Ask one judge for labels only."""

        def ask(pairs: Sequence[Pair]) -> list[Label | None]:
            self._planned = max(self._planned, self._done + len(pairs))
            return [one.label for one in self.judge(judge, pairs)]

        return ask
