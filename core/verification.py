"""Verify files without a store: their claims, rows of JSON, or a summary for a person."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from core import importers, pipeline, spend, verifiers
from core.cited_works import Works
from core.importers import BadLine
from core.models import Answer, CheckedAnswer, JudgedClaim
from core.protocol import ClaimProtocol
from core.reference_lookup import Lookup
from core.scorecard import Scorecard, scorecard
from core.settings import Settings
from core.spend import CostLine
from core.verdict_cache import SpanJudge

Progress = Callable[[int, int], None]
"""Called with how many answers are done and how many there are (0 when unknown)."""


class Verification:
    """One pass over some files; the counts are complete once the rows have been read to their end.

    Args:
        files: Answer logs; all are looked at before the first is judged.
        format: An importer's name, or ``auto``.
        settings: Who judges, and how.
        progress: Told how far the work is.

    Raises:
        ImportFormatError: One of the files cannot be read at all.
        VerifierUnavailable: The verifier of the settings cannot be had.
    """

    def __init__(self, files: Sequence[Path], format: str, settings: Settings, progress: Progress) -> None:
        """Look at the files and build the judge; nothing is judged yet."""
        self.files = files
        self.format = format
        self.total = sum(importers.count_rows(file, format) for file in files)
        self.judge, self.protocol = pipeline.build(settings)
        self.works = Lookup(settings.references, settings.references_cache) if settings.references.also else None
        self.progress = progress
        self.answers = 0
        self.bad_lines: list[BadLine] = []
        self.notes: list[str] = []
        self.labels: Counter[str] = Counter()

    def claims(self) -> Iterator[JudgedClaim]:
        """Judge everything, in the order of files, answers and claims; refused lines are kept in ``bad_lines``."""
        for file in self.files:
            for one in checked(file, self.format, self.judge, self.protocol, self.works):
                if isinstance(one, BadLine):
                    self.bad_lines.append(one)
                    continue
                self.answers += 1
                self.notes.extend(f"{one.answer.request_id}: {note}" for note in one.answer.notes)
                self.labels.update(row.label or "no label" for row in one.rows)
                self.progress(self.answers + len(self.bad_lines), self.total)
                yield from (JudgedClaim(row=row, answer=one.answer) for row in one.rows)

    def spent(self) -> list[CostLine]:
        """What a paid judge has cost since this was asked last."""
        return spend.totals(verifiers.spent(self.judge))


def checked(
    file: Path, format: str, judge: SpanJudge, protocol: ClaimProtocol, works: Works | None
) -> Iterator[CheckedAnswer | BadLine]:
    """Judge one file, in its order; a refused line stands where it stood.

    Args:
        file: The log.
        format: An importer's name, or ``auto``.
        judge: Who judges support.
        protocol: Under which everything is recorded.
        works: Who finds out about works outside the registries; none: nobody does.

    Raises:
        ImportFormatError: The file cannot be read at all.
    """
    for group in pipeline.batches(importers.read(file, format), pipeline.at_once(judge)):
        answers = (row for row in group if isinstance(row, Answer))
        good = pipeline.check(answers, judge, protocol, works)
        for row in group:
            yield row if isinstance(row, BadLine) else next(good)


def printed(claims: Iterable[JudgedClaim]) -> Iterator[JudgedClaim]:
    """Print each claim's row as a line of JSON on standard output as it passes."""
    for claim in claims:
        sys.stdout.write(claim.row.model_dump_json() + "\n")
        yield claim


def summary(verification: Verification, claims: Iterable[JudgedClaim]) -> str:
    """Read the claims to their end and say what was found: labels with counts, then the six metrics."""
    card = scorecard(claim.row for claim in claims)
    judged_by = f"{sum(verification.labels.values())} claims in {verification.answers} answers"
    lines = [f"{judged_by}, judged by {verification.protocol}", ""]
    lines += [f"  {label:<15} {count:>7}" for label, count in verification.labels.most_common()]
    return "\n".join([*lines, "", *metric_lines(card), ""])


def metric_lines(card: Scorecard) -> list[str]:
    """One line a metric: share, interval, and what it is a share of."""
    return [f"  {line}" for line in card.lines()]
