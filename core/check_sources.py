"""What a check is made of: a store with verdicts, or a file of answers that is judged now, each with its gold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from core import claim_label_files, rates_corrected
from core.check import Checked, CheckOutcome, check
from core.claim_label_files import Drawing
from core.errors import InputError
from core.importers import BadLine
from core.importers._records import records
from core.metrics import corrected_rate, labelled, unsupported_rate
from core.metrics.corrected_rate import CorrectedRate
from core.metrics.labelled import Population
from core.metrics.unsupported_rate import Strictness
from core.models import ClaimRow, Label, Record
from core.settings import Settings
from core.spend import CostLine
from core.store import Store
from core.store.comparisons import Said
from core.store.gold_records import NOT_SUPPORTED
from core.store.records import ClaimFilter
from core.verification import Progress, Verification


class Limits(Record):
    """What answers are held against."""

    limit: float
    """The highest unsupported rate that passes, in [0, 1]."""
    margin: float = 0.0
    strictness: Strictness = "strict"
    seed: int = 0


def of_store(
    store: Store, protocol: str, limits: Limits, gold_id: str | None = None, baseline: str | None = None
) -> CheckOutcome:
    """Check every claim that one protocol judged in a store.

    Args:
        store: Where they are.
        protocol: Who judged, as printed.
        limits: What they are held against.
        gold_id: The gold set that corrects the rate; none: the raw rate is checked.
        baseline: A protocol that judged the same claims.

    Raises:
        InputError: There is no such protocol or gold set, or the gold cannot correct a rate.
    """
    for name in filter(None, (protocol, baseline)):
        rates_corrected.protocol_of(store, name)
    wanted = ClaimFilter(protocol=protocol, attempted_only=True)
    claims = store.comparisons.same_claims([protocol], wanted)
    corrected = None
    if gold_id is not None:
        found = rates_corrected.corrected(store, protocol, None, limits.strictness, [gold_id], limits.seed)
        if found.corrected is None:
            raise InputError(f"The gold set {gold_id!r} cannot correct the rate: {found.why_not.rstrip('.')}", "")
        corrected = found.corrected
    before = None
    if baseline is not None:
        theirs = store.comparisons.same_claims([baseline], wanted.model_copy(update={"protocol": baseline}))
        before = {one.claim_uid: _side(one.said[0], limits.strictness) for one in theirs}
    return check(
        [Checked(one.claim_uid, one.request_uid, _side(one.said[0], limits.strictness)) for one in claims],
        protocol,
        limits.limit,
        corrected,
        before,
        baseline or "",
        limits.margin,
        strictness=limits.strictness,
        seed=limits.seed,
    )


class FileCheck:
    """A file of answers that is judged, without a store, and checked.

    Args:
        path: The answers.
        format: An importer's name, or ``auto``.
        settings: Who judges, and how.
        progress: Told how far the judging is.

    Raises:
        ImportFormatError: The file cannot be read at all.
        VerifierUnavailable: The judge cannot be had.
    """

    def __init__(self, path: Path, format: str, settings: Settings, progress: Progress) -> None:
        """Look at the file and build the judge; nothing is judged yet."""
        self._path = path
        self._run = Verification([path], format, settings, progress)

    @property
    def bad_lines(self) -> Sequence[BadLine]:
        """What could not be read, once the file was checked."""
        return self._run.bad_lines

    def spent(self) -> list[CostLine]:
        """What a paid judge has cost since this was asked last."""
        return self._run.spent()

    def check(
        self, limits: Limits, labels: Path | None = None, drawn: Drawing | None = None, baseline: Path | None = None
    ) -> CheckOutcome:
        """Judge the file and check its claims.

        Args:
            limits: What they are held against.
            labels: Labels of whole claims (``core.claim_label_files``), which correct the rate.
            drawn: How these were drawn; where every claim has one they are a census.
            baseline: What ``citedesk verify --json`` printed of the same answers before.

        Raises:
            InputError: The file holds no claim that counts, or labels or baseline do not fit it.
        """
        claims, rows = self._claims(limits.strictness)
        corrected = None if labels is None else _corrected(claims, rows, labels, drawn or Drawing(), limits)
        return check(
            claims,
            str(self._run.protocol),
            limits.limit,
            corrected,
            None if baseline is None else _baseline(baseline, rows, limits.strictness),
            baseline.name if baseline else "",
            limits.margin,
            len(self.bad_lines),
            limits.strictness,
            limits.seed,
        )

    def _claims(self, strictness: Strictness) -> tuple[list[Checked], list[ClaimRow]]:
        rows = [claim.row for claim in self._run.claims() if claim.row.material or claim.row.cites]
        if not rows:
            refused = f"; {self.bad_lines[0]}" if self.bad_lines else ""
            raise InputError(f"{self._path.name} holds no claim to check{refused}", "give answers with claims")
        claims = [Checked(_key(row), row.request_id, _of_row(row, strictness)) for row in rows]
        if len({one.key for one in claims}) < len(claims):
            raise InputError(f"{self._path.name} names two claims alike", "give every answer its own request_id")
        return claims, rows


def _corrected(
    claims: Sequence[Checked], rows: Sequence[ClaimRow], path: Path, drawn: Drawing, limits: Limits
) -> CorrectedRate:
    golds = _labels(path)
    found = [(claim, golds[_key(row)]) for claim, row in zip(claims, rows, strict=True) if _key(row) in golds]
    probability = drawn.probability if len(found) < len(claims) else 1.0
    if probability is None:
        raise InputError(
            f"{path.name} labels {len(found):,} of {len(claims):,} claims, and nobody says how they were drawn",
            "say --design random --probability P, or label every claim",
        )
    kept = [(claim, gold) for claim, gold in found if _gold_side(gold, limits.strictness, path) is not None]
    made = labelled.of(
        [bool(_gold_side(gold, limits.strictness, path)) for _, gold in kept],
        [claim.unsupported for claim, _ in kept],
        [probability] * len(kept),
        [claim.cluster for claim, _ in kept],
    )
    said = [claim.unsupported for claim in claims]
    population = Population(said.count(True), said.count(False), said.count(None))
    return corrected_rate.estimate(made, population, limits.seed)


def _labels(path: Path) -> dict[str, str]:
    """What people say of each claim of a label file; a line that cannot be used is no label, and stops the check."""
    found: dict[str, str] = {}
    for number, value in records(path):
        if isinstance(value, BadLine):
            raise InputError(f"{path.name}, line {number}: {value.reason}", "correct the line")
        if not claim_label_files.is_mine(value) or value["label"] not in claim_label_files.NAMES:
            raise InputError(
                f"{path.name}, line {number} is no label of a claim",
                "a line has request_id, claim_id, label and labeller",
            )
        key = json.dumps([value["request_id"], value["claim_id"]])
        if found.setdefault(key, value["label"]) != value["label"]:
            raise InputError(f"{path.name}, line {number}: labellers differ on this claim", "settle it, then check")
    return found


def _baseline(path: Path, rows: Sequence[ClaimRow], strictness: Strictness) -> Mapping[str, bool | None]:
    texts = {_key(row): row.claim for row in rows}
    found: dict[str, bool | None] = {}
    for number, value in records(path):
        if isinstance(value, BadLine):
            raise InputError(f"{path.name}, line {number}: {value.reason}", "correct the line")
        try:
            row = ClaimRow.model_validate(value)
        except ValidationError as error:
            raise InputError(
                f"{path.name}, line {number} is no judged claim", "make it with: citedesk verify FILE --json"
            ) from error
        if texts.get(_key(row)) == row.claim:
            found[_key(row)] = _of_row(row, strictness)
    if not found:
        raise InputError(
            f"{path.name} has no claim of these answers", "make it of the same answers: citedesk verify FILE --json"
        )
    return found


def _gold_side(label: str, strictness: Strictness, path: Path) -> bool | None:
    if label == NOT_SUPPORTED:
        if strictness == "lenient":
            raise InputError(
                f"{path.name} says {NOT_SUPPORTED}, which may be partial", "the lenient rate needs all nine labels"
            )
        return True
    if label == Label.INACCESSIBLE:
        return None
    return Label(label) in unsupported_rate.UNSUPPORTED[strictness]


def _of_row(row: ClaimRow, strictness: Strictness) -> bool | None:
    if row.label is None or row.label is Label.INACCESSIBLE:
        return None
    return unsupported_rate.counts(row.label, row.quote, strictness)


def _side(said: Said, strictness: Strictness) -> bool | None:
    return said.strict if strictness == "strict" else said.lenient


def _key(row: ClaimRow) -> str:
    return json.dumps([row.request_id, row.claim_id])
