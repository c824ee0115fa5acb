"""How the cases of each area went."""

from __future__ import annotations

from collections import Counter


class Tally:
    """Counts of passed, failed and not yet adapted cases, by area."""

    def __init__(self) -> None:
        """Nothing counted yet."""
        self._total: Counter[str] = Counter()
        self._passed: Counter[str] = Counter()
        self._why_not: dict[str, Counter[str]] = {}

    def passed(self, area: str) -> None:
        """A case was run and is right."""
        self._total[area] += 1
        self._passed[area] += 1

    def failed(self, area: str) -> None:
        """A case was run and is not right."""
        self._total[area] += 1
        self._why_not.setdefault(area, Counter())["run and not right"] += 1

    def not_adapted(self, area: str, reason: str) -> None:
        """A case needs what is not built yet."""
        self._total[area] += 1
        self._why_not.setdefault(area, Counter())[reason] += 1

    def lines(self) -> list[str]:
        """One line an area, in the order of the case file: name, passed, total, and why the others did not pass."""
        return [
            f"{area:<11} {self._passed[area]:>4} {total:>4}  {self._reasons(area)}".rstrip()
            for area, total in self._total.items()
        ]

    def _reasons(self, area: str) -> str:
        reasons = self._why_not.get(area, Counter())
        return "; ".join(f"{count} {reason}" for reason, count in reasons.most_common())
