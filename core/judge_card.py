"""The record card of a judge, as Markdown: what it is, what it was measured on, how it does, and what that leaves open.

Every text that is not ours is escaped, so that a card says the same wherever Markdown is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from core.calibration import Calibration
from core.figures import Figure
from core.models import utc_now

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&-])")
_LISTED = 20
"""Disagreements that are listed."""


def card(calibration: Calibration, at: datetime | None = None) -> str:
    """The card of a calibration.

    Args:
        calibration: What was measured.
        at: The date on it; none: now.
    """
    return "\n".join([*_head(calibration, at or utc_now()), *_figures(calibration), *_rest(calibration)]) + "\n"


def escaped(text: str) -> str:
    """A text that Markdown reads as these characters, on one line."""
    return _ACTIVE.sub(r"\\\1", " ".join(text.split()))


def _head(one: Calibration, at: datetime) -> Iterator[str]:
    verifier, gold = one.configuration.verifier, one.gold
    yield f"# Judge {escaped(one.protocol)}"
    yield ""
    yield f"Measured {at:%Y-%m-%d} (UTC) on {one.judged:,} of {one.n:,} claims that people labelled."
    yield ""
    yield "## Configuration"
    yield ""
    configuration = {
        "verifier": f"{verifier.verifier}, number {verifier.version}",
        "model": verifier.model,
        "weights sha256": verifier.weights,
        "prompt sha256": verifier.prompt_sha256,
        "thresholds": ", ".join(f"{name} {value:g}" for name, value in verifier.thresholds.items()),
        "windowing": verifier.windowing,
        "qualifiers": ", ".join(verifier.qualifiers),
        "quotations": verifier.quote_policy,
        "rules": str(verifier.rules),
        "citations of one claim merged by": str(one.configuration.merge),
        "claims found by": f"{one.configuration.splitter}, {one.configuration.materiality}",
        "protocol sha256": one.configuration.sha256,
    }
    yield from (f"- {name}: {escaped(value)}" for name, value in configuration.items() if value)
    yield ""
    yield "## Data"
    yield ""
    yield f"- gold set: {escaped(gold.title)} ({escaped(gold.gold_id)})"
    yield f"- sha256: {one.gold_sha256}"
    yield f"- drawn: {escaped(gold.design)}; guideline {escaped(gold.guideline)}; {gold.n:,} claims with gold"
    yield f"- seed: {one.seed}"
    yield ""


def _figures(one: Calibration) -> Iterator[str]:
    yield "## How far it agrees with people"
    yield ""
    yield from _table(one.figures)
    yield ""
    yield "| people say | judge says | claims |"
    yield "| --- | --- | ---: |"
    for cell in one.labels.cells if one.labels else one.cells:
        yield f"| {escaped(cell.gold)} | {escaped(cell.said)} | {cell.n:,} |"
    yield ""
    if one.labels is None:
        yield f"{one.labels_why_not}"
        yield ""
    if one.scores is not None:
        yield "## Its score"
        yield ""
        yield one.scores.merged
        yield ""
        yield from _table(one.scores.figures)
        yield ""
    yield "## The rate"
    yield ""
    yield one.rate.sentence
    if one.rate.corrected is not None:
        yield f"Method: {one.rate.corrected.method}; {one.rate.corrected.because}."
    yield ""
    yield f"Silent on {one.silence.total:,} claims: {_silence(one)}."
    yield ""


def _rest(one: Calibration) -> Iterator[str]:
    yield "## Disagreements, the judge's surest first"
    yield ""
    for each in one.disagreements[:_LISTED]:
        score = "no score" if each.score is None else f"score {each.score:.2f}"
        said = f"judge {each.said or 'none'}, people {each.gold}"
        yield f"- {escaped(each.claim_uid)}: {escaped(said)}, {score}"
    if len(one.disagreements) > _LISTED:
        yield f"- and {len(one.disagreements) - _LISTED:,} more"
    yield ""
    yield "## Limits"
    yield ""
    people = one.people
    if people is None or people.raw.estimate is None:
        yield f"- {escaped(one.people_why_not) or 'How far people agree is not known.'}"
    else:
        yield f"- People agree with one another on {people.raw.estimate:.0%} of {people.claims:,} claims: the ceiling."
    yield "- These figures are of these claims; on others, or with another configuration, the judge may do otherwise."
    yield from (f"- {escaped(note)}" for note in (*one.notes, *one.rate.notes))
    if one.rate.corrected is None:
        yield f"- {escaped(one.rate.why_not)}"


def _table(figures: Sequence[Figure]) -> Iterator[str]:
    yield "| figure | value | 95 % | claims | what it means |"
    yield "| --- | ---: | --- | ---: | --- |"
    for one in figures:
        value = "none" if one.estimate is None else f"{one.estimate:.3f}"
        interval = "" if one.low is None or one.high is None else f"{one.low:.3f} to {one.high:.3f}"
        yield f"| {escaped(one.title)} | {value} | {interval} | {one.n:,} | {escaped(one.sentence)} |"


def _silence(one: Calibration) -> str:
    kinds = {
        "never asked": one.silence.never_seen,
        "abstained": one.silence.abstained,
        "truncated": one.silence.truncated,
        "inaccessible": one.silence.inaccessible,
    }
    failed = {f"failed ({kind})": count for kind, count in one.silence.failed.items()}
    return ", ".join(f"{name} {count:,}" for name, count in (kinds | failed).items() if count) or "none"
