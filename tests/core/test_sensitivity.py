"""Judge sensitivity: which changes are made, and that a verdict which does not follow is seen."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from core.gold_pairs import GoldPair
from core.models import Label, Pair
from core.sensitivity import Sensitivity, changes, run
from core.words import words
from tests.core.gold_made import made, supported

NAMES = (
    "carrying sentences removed",
    "carrying sentences replaced",
    "key value changed",
    "unrelated span",
)


def reader(pairs: Sequence[Pair]) -> list[Label | None]:
    """A judge that reads: supported when every content word and number of the claim stands in the evidence."""
    found: list[Label | None] = []
    for one in pairs:
        claim, text = words(one.claim), words(one.evidence)
        inside = claim.content <= text.content and claim.numbers <= text.numbers
        found.append(Label.SUPPORTED if inside else Label.IRRELEVANT)
    return found


def shares(found: Sensitivity) -> dict[str, float | None]:
    """The share that followed, by change."""
    return {one.change: one.rate.estimate for one in found.changes}


def test_a_judge_that_reads_follows_every_change() -> None:
    """All eight pairs are supported before and none after."""
    found = run([made()], reader)

    assert (found.asked, found.supported) == (8, 8)
    assert shares(found) == dict.fromkeys(NAMES, 1.0)
    assert all(one.rate.n > 0 for one in found.changes)


def test_a_judge_that_does_not_read_is_seen() -> None:
    """It says supported whatever the evidence is."""
    found = run([made()], lambda pairs: [Label.SUPPORTED for _ in pairs])

    assert shares(found) == dict.fromkeys(NAMES, 0.0)


def test_only_what_the_judge_supported_is_changed_and_the_unjudged_are_counted() -> None:
    """Three of eight supported at first; afterwards nothing is judged."""
    asked: list[Pair] = []

    def ask(pairs: Sequence[Pair]) -> list[Label | None]:
        first = not asked
        asked.extend(pairs)
        return [*[Label.SUPPORTED] * 3, *[Label.PARTIAL] * 5] if first else [None for _ in pairs]

    found = run([made()], ask)

    assert (found.asked, found.supported) == (8, 3)
    assert all((one.rate.estimate, one.rate.n) == (None, 0) for one in found.changes)
    assert [one.unjudged for one in found.changes] == [3, 3, 3, 3]


def test_the_carrying_sentence_goes_and_the_rest_stays() -> None:
    """It is the one that shares most with the claim."""
    one = supported(0)
    found = {change.name: change.pair for change in changes(one, ["Rain fell. It was cold."], ["Turku"], Random(1))}

    removed = found["carrying sentences removed"].evidence
    assert "planted" not in removed
    assert "leaves do not fall" in removed
    replaced = found["carrying sentences replaced"].evidence
    assert replaced.startswith("Rain fell. ")
    assert "leaves do not fall" in replaced
    assert found["unrelated span"].evidence == "Rain fell. It was cold."
    assert "20 weeks" not in found["key value changed"].evidence
    assert all(pair.claim == one.claim for pair in found.values())


def test_the_sentences_that_the_set_names_go_first() -> None:
    """Even when another shares more words."""
    one = supported(0).model_copy(
        update={"carrying": ("Its oak leaves do not fall before the first oak frost comes.",)}
    )
    found = {change.name: change.pair.evidence for change in changes(one, [], [], Random(1))}

    assert "frost" not in found["carrying sentences removed"]
    assert "planted" in found["carrying sentences removed"]


def test_what_cannot_be_changed_is_left_out() -> None:
    """One sentence leaves nothing behind; no stranger, no shared value."""
    one = GoldPair(claim="It rains here.", evidence="It rains here.", label="supported")

    assert list(changes(one, ["It rains there."], [], Random(1))) == []


def test_a_name_is_changed_when_the_claim_has_no_number() -> None:
    """Everywhere in the evidence, to one that the claim does not have."""
    one = GoldPair(claim="The mayor lives in Oslo.", evidence="In Oslo lives the mayor of Oslo.", label="supported")
    (found,) = changes(one, [], ["Oslo", "Riga"], Random(1))

    assert found.pair.evidence == "In Riga lives the mayor of Riga."
