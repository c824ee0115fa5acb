"""Repair: bounded, told in fixed words, and unable to add anything."""

from __future__ import annotations

from typing import Any

import pytest

from core.asking import Trouble, When
from core.gate import Level
from core.generators import Event, Generation
from core.models import Answer, CheckedAnswer, Failure, GivenClaim, Label
from core.rounds import Rounds, Stop, new_in, run
from core.settings import AskSettings
from tests.core.asked import DOGS, REGISTRY, TOLL, checked, given
from tests.fakes.scripted_generator import ScriptedGenerator

ASKED = Answer(request_id="q-1", query="What is the toll?", claims=(), evidence=REGISTRY)
GOOD = given("The toll is 3 crowns.", "E1", quote="The toll is 3 crowns.")
UNKNOWN = given("Dogs may cross for free.", "E9")


def rounds(
    generator: ScriptedGenerator, level: Level = Level.QUOTES, labels: dict[str, Label] | None = None, **changes: Any
) -> Rounds:
    """Run the rounds with a scripted judge."""

    def check(answer: Answer) -> CheckedAnswer:
        return checked(answer.claims or (), labels, answer.answer, answer.evidence)

    return run(ASKED, generator, check, level, AskSettings(**changes), lambda event: None)


def say(*claims: GivenClaim, prose: str = "") -> Generation:
    """A reply of these claims."""
    return Generation(answer=prose, claims=claims)


def test_what_passes_is_asked_for_once() -> None:
    """The generator sees what is in context and nothing else."""
    generator = ScriptedGenerator(say(GOOD))
    found = rounds(generator)

    assert (found.stop, found.attempts) == (Stop.PASSED, 1)
    assert [[one.id for one in seen] for seen in generator.evidence] == [["E1", "E2"]]


@pytest.mark.parametrize(
    ("repaired", "texts"),
    [
        (say(GOOD), ["The toll is 3 crowns."]),
        (say(GOOD, given("Dogs may cross for free.", "E2")), ["The toll is 3 crowns.", "Dogs may cross for free."]),
        (say(GOOD, given("Dogs may cross", "E2")), ["The toll is 3 crowns.", "Dogs may cross"]),
        (say(), []),
    ],
)
def test_a_repair_may_delete_re_point_and_narrow(repaired: Generation, texts: list[str]) -> None:
    """Over the same evidence, told which kind of failure it was."""
    generator = ScriptedGenerator(say(GOOD, UNKNOWN), repaired)
    found = rounds(generator)

    assert (found.stop, found.attempts) == (Stop.PASSED, 2)
    assert found.checked is not None
    assert [claim.text for claim in found.checked.answer.claims or ()] == texts
    assert generator.told == [(), ("claims[1].citation_ids contains an unknown id",)]
    assert [claim.text for claim in generator.previous[1]] == [GOOD.text, UNKNOWN.text]
    assert generator.evidence[0] == generator.evidence[1]


@pytest.mark.parametrize(
    "repaired",
    [
        say(GOOD, given("Dogs may always cross for free.", "E2")),
        say(GOOD, given("Dogs may cross for fre", "E2")),
        say(given("It is paid at the gate.", "E1")),
    ],
)
def test_a_repair_may_not_say_anything_new(repaired: Generation) -> None:
    """Neither another wording nor another claim, be it ever so well supported; the first refusal stands."""
    generator = ScriptedGenerator(say(GOOD, UNKNOWN), repaired)
    found = rounds(generator)

    assert (found.stop, found.reason) == (Stop.REFUSED_BY_GATE, "hallucinated_citation")
    assert found.refusal is not None
    assert found.refusal.claim_index == 1
    assert "is neither one of your last claims nor a part of one" in generator.told[2][0]


def test_what_a_judge_finds_unsupported_may_be_deleted_and_not_reworded() -> None:
    """At the level that asks the judge."""
    bad = given("Dogs pay.", "E2")
    labels = {TOLL: Label.SUPPORTED, DOGS: Label.CONTRADICTED}
    reworded = ScriptedGenerator(say(GOOD, bad), say(GOOD, given("Dogs are charged.", "E1")))
    deleted = ScriptedGenerator(say(GOOD, bad), say(GOOD))

    assert rounds(reworded, Level.SUPPORT, labels).reason == "unsupported_claim"
    assert rounds(deleted, Level.SUPPORT, labels).stop is Stop.PASSED
    assert deleted.told[1] == ("claims[1] is not supported by the passages that it cites",)


def test_prose_beside_no_claims_is_never_served() -> None:
    """A repair may make a claim of it, which must pass like any other."""
    prose = "The toll is 3 crowns."
    stubborn = ScriptedGenerator(say(prose=prose))
    repaired = ScriptedGenerator(say(prose=prose), say(GOOD, prose=prose))

    assert rounds(stubborn).reason == "missing_citation"
    assert rounds(repaired).stop is Stop.PASSED


def test_rounds_are_bounded() -> None:
    """By their number, by the time, by a generator that cannot do better, and by a round that changes nothing."""
    second = given("Dogs may cross", "E8")
    changing = ScriptedGenerator(say(GOOD, UNKNOWN), say(GOOD, second), say(UNKNOWN), say(GOOD))
    same = ScriptedGenerator(say(UNKNOWN))

    assert rounds(changing).attempts == 3
    assert rounds(ScriptedGenerator(say(UNKNOWN), say()), repair_seconds=0).attempts == 1
    assert rounds(ScriptedGenerator(say(UNKNOWN), say(), repairs=False)).attempts == 1
    assert rounds(same, attempts=5).attempts == 2


def test_a_reply_without_the_shape_is_asked_for_again() -> None:
    """Told what is wrong in the words of the reader; a second one that has it is served, else it is invalid."""
    broken = Generation(problems=("claims is not a list",))
    mended = ScriptedGenerator(broken, say(GOOD))
    hopeless = ScriptedGenerator(broken)

    assert rounds(mended).stop is Stop.PASSED
    assert mended.told[1] == ("claims is not a list",)
    found = rounds(hopeless)
    assert (found.stop, found.reason, found.checked) == (Stop.INVALID_OUTPUT, "invalid_output", None)


@pytest.mark.parametrize(
    ("failure", "when", "stop", "reason"),
    [
        (Failure.OVERLOADED, When.BEFORE, Stop.UNAVAILABLE, "overloaded"),
        (Failure.RATE_LIMITED, When.BEFORE, Stop.UNAVAILABLE, "rate_limited"),
        (Failure.CUT_OFF, When.BEFORE, Stop.UNAVAILABLE, "cut_off"),
        (Failure.BUDGET, When.BEFORE, Stop.UNAVAILABLE, "budget"),
        (Failure.CUT_OFF, When.DURING, Stop.INTERRUPTED, "interrupted"),
        (Failure.OVERLOADED, When.DURING, Stop.INTERRUPTED, "interrupted"),
        (Failure.TIMED_OUT, When.BEFORE, Stop.TIMED_OUT, "timed_out"),
        (Failure.TIMED_OUT, When.DURING, Stop.TIMED_OUT, "timed_out"),
        (Failure.CUT_OFF, When.AFTER, Stop.INVALID_OUTPUT, "max_tokens"),
        (Failure.REFUSED, When.AFTER, Stop.INVALID_OUTPUT, "refused"),
    ],
)
def test_trouble_belongs_where_it_happened(failure: Failure, when: When, stop: Stop, reason: str) -> None:
    """Before the first word, in the middle, after the last one; its own words are not passed on."""
    found = rounds(ScriptedGenerator(Trouble(failure=failure, reason="Sec-ret", when=when)))

    assert (found.stop, found.reason, found.attempts) == (stop, reason, 1)
    assert "Sec-ret" not in found.model_dump_json()


def test_trouble_during_a_repair_leaves_the_refusal() -> None:
    """What the gate said of the first reply is still what is wrong."""
    generator = ScriptedGenerator(say(UNKNOWN), Trouble(failure=Failure.OVERLOADED, reason="later"))
    found = rounds(generator)

    assert (found.stop, found.reason, found.attempts) == (Stop.REFUSED_BY_GATE, "hallucinated_citation", 2)


def test_nothing_is_new_where_there_was_nothing() -> None:
    """And a part is one from the border of a word to the border of a word."""
    assert new_in([GOOD], [], "") == ()
    assert new_in([given("toll is 3")], [GOOD], "") == ()
    assert new_in([given("oll is 3")], [GOOD], "") != ()
    assert new_in([given("The  toll\nis 3 crowns")], [GOOD], "") == ()


def test_what_is_told_on_the_way_has_no_words_of_the_answer() -> None:
    """Stages with counts."""
    told: list[Event] = []
    generator = ScriptedGenerator(say(given("Sec-ret.", "E9")), say(GOOD))
    run(
        ASKED,
        generator,
        lambda one: checked(one.claims or (), None, one.answer),
        Level.QUOTES,
        AskSettings(),
        told.append,
    )

    assert [event.stage for event in told[:5]] == ["generating", "first_words", "generated", "checking", "gate"]
    assert "Sec-ret" not in "".join(event.model_dump_json() for event in told)
