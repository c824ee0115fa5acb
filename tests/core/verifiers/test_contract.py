"""What every verifier must be able to do, also those not yet written."""

from __future__ import annotations

from inspect import signature

import pytest

from core import plugins, verifiers
from core.errors import VerifierUnavailable
from core.models import Judgement, Pair, Status
from core.settings import Settings
from core.verifiers import Verifier

PAIRS = [
    Pair(claim="The toll is 3 crowns.", evidence="The toll is 3 crowns."),
    Pair(claim="The toll is 3 crowns.", evidence="Parking is free on Sundays. 😀 The café shuts at 17:00.\r\n\r\nEnd."),
    Pair(claim="駅は閉鎖された。", evidence="駅は2019年に閉鎖された。跡地は公園になった。"),
    Pair(claim="The toll is 3 crowns.", evidence="```\ntoll = 3\n```\n\nReferences:\n[1] A. Adeyemi, Tolls, 2019."),
    Pair(claim="It is so.", evidence="…"),
]


def build(name: str) -> Verifier:
    """Build a verifier with its defaults; one that needs what this machine lacks is skipped with its own words."""
    module = plugins.load(verifiers, name)
    try:
        verifier: Verifier = module.build(Settings(verifier=name))
    except VerifierUnavailable as trouble:
        pytest.skip(str(trouble))
    return verifier


@pytest.mark.parametrize("name", plugins.names(verifiers))
def test_it_says_what_it_is(name: str) -> None:
    """A docstring, a version, a build function that takes the settings, and a protocol that carries them."""
    module = plugins.load(verifiers, name)

    assert module.__doc__
    assert list(signature(module.build).parameters) == ["settings"]
    protocol = build(name).protocol
    assert protocol.verifier.partition(":")[0] == name
    assert protocol.version == module.VERSION
    assert protocol.windowing
    assert protocol.qualifiers == ()


@pytest.mark.parametrize("name", plugins.names(verifiers))
def test_every_pair_gets_one_judgement_of_its_own(name: str) -> None:
    """In order, the same alone as in company, sound in every field."""
    verifier = build(name)
    together = verifier.judge(PAIRS)

    assert len(together) == len(PAIRS)
    assert verifier.judge([]) == []
    for pair, one in zip(PAIRS, together, strict=True):
        assert _is_sound(one, pair)
        assert verifier.judge([pair])[0].label == one.label


@pytest.mark.parametrize("name", plugins.names(verifiers))
def test_nothing_to_read_is_never_a_score(name: str) -> None:
    """An empty text on either side may fail; it may not be judged."""
    for pair in (Pair(claim="The toll is 3 crowns.", evidence=""), Pair(claim="", evidence="The toll is 3 crowns.")):
        (found,) = build(name).judge([pair])

        assert found.status is not Status.JUDGED
        assert found.label is None
        assert found.scores == {}
        assert found.reason


def _is_sound(one: Judgement, pair: Pair) -> bool:
    """A label only when judged and everything was read; scores in range; the stretch inside the evidence."""
    stretch = one.start is None or (one.end is not None and 0 <= one.start < one.end <= len(pair.evidence))
    judged = one.status is Status.JUDGED
    read = one.tokens_seen == one.tokens_total > 0 if judged else True
    in_range = all(0 <= score <= 1 for score in one.scores.values())
    return bool(one.reason) and stretch and read and in_range and judged == (one.label is not None)
