"""Adopting what a calibration found: a new protocol with another threshold, under which claims can be judged again.

Nothing that was judged changes: verdicts of the old protocol stay its own, and charts never join the two.
"""

from __future__ import annotations

from typing import Any

from core import pipeline, support_scores
from core.calibration import Calibration
from core.errors import InputError
from core.protocol import ClaimProtocol, VerifierProtocol, differences
from core.reference_lookup import kinds_of
from core.settings import Settings
from core.store import Store
from core.store.adoptions import AdoptedProtocol as AdoptedProtocol
from core.store.adoptions import NewAdoption


def adopt(
    store: Store, calibration: Calibration, threshold: float, who: str, name: str | None = None
) -> AdoptedProtocol:
    """Make a new protocol of a threshold.

    Args:
        store: Where it is kept.
        calibration: What it was chosen on.
        threshold: The least support score of "supported", in [0, 1].
        who: Adopts it.
        name: What people ask for it by; none: the verifier and the threshold.

    Raises:
        InputError: The judge has no such threshold, it has this one already, or the number is outside [0, 1].
        StoreConflict: Another adopted protocol has the name.
    """
    protocol = with_threshold(calibration.configuration, threshold)
    return store.adoptions.add(
        NewAdoption(
            name=(name or "").strip() or f"{protocol.verifier.verifier}-{threshold:g}",
            protocol=protocol,
            base=calibration.protocol,
            threshold=threshold,
            gold_id=calibration.gold.gold_id,
            gold_sha256=calibration.gold_sha256,
            said=_said(calibration, threshold),
            who=who,
        )
    )


def with_threshold(protocol: ClaimProtocol, threshold: float) -> ClaimProtocol:
    """The same protocol with another threshold of "supported"; that of "partial" never stays above it.

    Raises:
        InputError: As ``adopt`` says.
    """
    own = support_scores.own_threshold(protocol)
    if own is None:
        raise InputError(f"{protocol} has no threshold to set", "choose a judge that scores: nli, lexical or hub:MODEL")
    if not 0 <= threshold <= 1:
        raise InputError(f"{threshold:g} is no threshold", "give a number from 0 to 1")
    if threshold == own:
        raise InputError(f"{threshold:g} is the threshold of {protocol} already", "choose another one")
    changed = protocol.verifier.thresholds | {"supported": threshold}
    if "partial" in changed:
        changed["partial"] = min(changed["partial"], threshold)
    # Built afresh: copying a record would carry over the hash it has cached.
    verifier = VerifierProtocol(**protocol.verifier.model_dump() | {"thresholds": changed})
    return ClaimProtocol(**protocol.model_dump() | {"verifier": verifier})


def named(store: Store, name: str) -> AdoptedProtocol:
    """An adopted protocol by its name, or by the protocol as printed.

    Raises:
        InputError: There is none.
    """
    every = store.adoptions.all()
    for one in every:
        if name in (one.name, str(one.protocol)):
            return one
    known = ", ".join(one.name for one in every) or "none yet: citedesk calibrate --adopt"
    raise InputError(f"No adopted protocol is called {name!r}", f"choose one of: {known}")


def over(settings: Settings, adopted: AdoptedProtocol) -> Settings:
    """The settings that judge as an adopted protocol says."""
    protocol = adopted.protocol
    chosen: dict[str, Any] = {"verifier": protocol.verifier.verifier, "merge": protocol.merge}
    chosen["references"] = settings.references.model_copy(
        update={"also": kinds_of(protocol.references), "chosen": True}
    )
    return settings.model_copy(update=chosen | {"thresholds": dict(protocol.verifier.thresholds)})


def checked(settings: Settings, adopted: AdoptedProtocol) -> Settings:
    """The same, once it is sure that this Citedesk still judges so.

    Raises:
        InputError: Something else than the threshold has changed since it was adopted.
        VerifierUnavailable: The judge cannot be had here.
    """
    chosen = over(settings, adopted)
    _, now = pipeline.build(chosen)
    if changed := differences(adopted.protocol, now):
        listed = "; ".join(map(str, changed))
        raise InputError(
            f"{adopted.name} cannot judge any more, for the judge has changed since ({listed})",
            "calibrate and adopt anew",
        )
    return chosen


def _said(calibration: Calibration, threshold: float) -> str:
    best = calibration.best
    if best is not None and best.threshold == threshold:
        return best.sentence
    point = next((one for one in calibration.thresholds if one.threshold == threshold), None)
    if point is None or point.false_pass.estimate is None or point.false_strip.estimate is None:
        return "Nothing was measured at this threshold."
    return (
        f"On {calibration.judged:,} claims it would have let {point.false_pass.estimate:.0%} of the unsupported ones "
        f"pass and stripped {point.false_strip.estimate:.0%} of the supported ones; chosen by hand, and measured on "
        "the claims that it was chosen on."
    )
