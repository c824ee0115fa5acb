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

    def told(self) -> list[list[str]]:
        """Everything counted as plain lists, so that one process can tell it to another: area, and why not (or "")."""
        passed = [[area, ""] for area in self._passed.elements()]
        return passed + [[area, why] for area, reasons in self._why_not.items() for why in reasons.elements()]

    def add(self, told: list[list[str]]) -> None:
        """Count what another process counted."""
        for area, why in told:
            self._total[area] += 1
            if why:
                self._why_not.setdefault(area, Counter())[why] += 1
            else:
                self._passed[area] += 1

    def lines(self) -> list[str]:
        """One line an area, in the order of the case file: name, passed, total, and why the others did not pass."""
        return [
            f"{area:<11} {self._passed[area]:>4} {total:>4}  {self._reasons(area)}".rstrip()
            for area, total in self._total.items()
        ]

    def _reasons(self, area: str) -> str:
        reasons = self._why_not.get(area, Counter())
        return "; ".join(f"{count} {reason}" for reason, count in reasons.most_common())
