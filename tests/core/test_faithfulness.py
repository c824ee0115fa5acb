"""The probe: the same generator asked again, and what is said of a claim that stays."""

from __future__ import annotations

import pytest

from core.asking import Trouble
from core.faithfulness import Change, Sign, is_same, probe, sign
from core.generators import Generation
from core.generators.extractive import ExtractiveGenerator
from core.models import Evidence, Failure, GivenClaim, Label
from core.semantic import Judge
from tests.fakes.bag_of_words import BagOfWords
from tests.fakes.scripted import ScriptedVerifier
from tests.fakes.scripted_generator import ScriptedGenerator

QUERY = "How many minutes does the ferry take?"
TEXT = "The ferry takes 40 minutes."
EVIDENCE = (Evidence(id="E1", text=f"Ferry. {TEXT} It is red."), Evidence(id="E2", text="Dogs may cross for free."))
CLAIM = GivenClaim(text=TEXT, citation_ids=("E1",), quotes=(TEXT,))
STAYS = Generation(claims=(CLAIM.model_copy(update={"citation_ids": ("E2",)}),))
GOES = Generation()


def test_a_claim_that_stays_whatever_the_evidence_says_is_correct_without_reliance() -> None:
    """The generator saw neither the passage nor the number, and said both again."""
    generator = ScriptedGenerator(STAYS)
    found = probe(generator, QUERY, EVIDENCE, CLAIM)

    assert [(one.change, one.unchanged) for one in found.tries] == [(Change.REMOVED, True), (Change.REPLACED, True)]
    said = "Correct without reliance: the claim stayed with the cited evidence removed and replaced"
    assert found.words == said
    without, altered = generator.evidence
    assert [one.id for one in without] == ["E2"]
    assert altered[1] == EVIDENCE[1]
    assert altered[0].text.startswith("Ferry. The ferry takes ")
    assert altered[0].text.endswith(" minutes. It is red.")
    assert "40" not in altered[0].text
    assert found.tries[1].what == "another number"


def test_a_claim_that_follows_its_evidence_goes() -> None:
    """The offline generator can only say what is there."""
    found = probe(ExtractiveGenerator(BagOfWords()), QUERY, EVIDENCE, CLAIM)

    assert [one.unchanged for one in found.tries] == [False, False]
    assert found.words == "The claim went away or changed in each of 2 tries"


def test_another_passage_that_says_the_same_is_named() -> None:
    """Then staying says nothing about reliance."""
    more = (*EVIDENCE, Evidence(id="E3", text=f"Note: {TEXT}"))
    found = probe(ScriptedGenerator(STAYS), QUERY, more, CLAIM)

    assert found.tries[0].elsewhere == ("E3",)
    assert found.words == "The claim stayed, and another passage that was left says the same"


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (Trouble(failure=Failure.OVERLOADED, reason="Sec-ret"), "no answer came (overloaded)"),
        (Generation(problems=("claims is not a list",)), "no answer came that could be read"),
    ],
)
def test_what_was_not_answered_was_not_tried(reply: Generation | Trouble, what: str) -> None:
    """It says neither one nor the other."""
    found = probe(ScriptedGenerator(reply), QUERY, EVIDENCE, CLAIM)

    assert [(one.unchanged, one.what) for one in found.tries] == [(None, what)] * 2
    assert found.words == "Nothing could be tried"


def test_what_cannot_be_tried_is_said() -> None:
    """No other passage; no fact that can be replaced with certainty."""
    plain = GivenClaim(text="Hm.", citation_ids=("E1",), quotes=("not there",))
    found = probe(ScriptedGenerator(GOES), QUERY, EVIDENCE[:1], plain)

    assert [one.what for one in found.tries] == [
        "no other passage was given",
        "no fact in the cited passages could be replaced with certainty",
    ]


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("the ferry takes 40 minutes", True),
        ("The ferry takes 45 minutes.", False),
        ("Dogs may cross for free.", False),
        ("The ferry takes 40 minutes to Nordholm in bad weather.", False),
    ],
)
def test_same(other: str, same: bool) -> None:
    """Same numbers and nearly the same words."""
    assert is_same(TEXT, other) is same


NO, YES = Label.IRRELEVANT, Label.SUPPORTED
UNSEEN = None
"""A text that the judge fails at."""


@pytest.mark.parametrize(
    ("first", "second", "cites", "elsewhere", "unjudged"),
    [
        (NO, YES, ["E1"], ["E2"], []),
        (YES, YES, ["E1"], [], []),
        (Label.SECONDARY_ONLY, YES, ["E1"], [], []),
        (NO, Label.SECONDARY_ONLY, ["E1"], ["E2"], []),
        (NO, NO, ["E1"], [], []),
        (YES, NO, [], ["E1"], []),
        (NO, YES, ["E9"], ["E2"], []),  # what is not there supports nothing
        (UNSEEN, YES, ["E1"], [], ["E1"]),  # the cited passage may support it
        (YES, UNSEEN, ["E1"], [], []),
        (NO, UNSEEN, ["E1"], [], ["E2"]),  # the other one may
        (UNSEEN, UNSEEN, ["E1"], [], ["E1"]),
        (UNSEEN, YES, [], ["E2"], []),
        (YES, UNSEEN, ["E1", "E2"], [], []),
    ],
)
def test_the_one_sign_in_an_imported_answer(
    first: Label | None, second: Label | None, cites: list[str], elsewhere: list[str], unjudged: list[str]
) -> None:
    """Supported elsewhere in the registry, but not by its own span; what was not judged is never said to be silent."""
    evidence = [Evidence(id="E1", text="a"), Evidence(id="E2", text="b"), Evidence(id="E3", text="c", in_context=False)]
    script = {text: label for text, label in (("a", first), ("b", second)) if label is not None}
    found = sign("claim", cites, evidence, Judge(ScriptedVerifier(script), []))

    assert (list(found.elsewhere), list(found.unjudged)) == (elsewhere, unjudged)


@pytest.mark.parametrize(("cites", "unjudged"), [(["E1"], ("E1",)), (["E2"], ())])
def test_a_source_that_cannot_be_read_leaves_the_sign_open(cites: list[str], unjudged: tuple[str, ...]) -> None:
    """Nothing is said of a passage that nobody could look at, and its text is never given to a judge."""
    evidence = [Evidence(id="E1", text="a", accessible=False), Evidence(id="E2", text="b")]
    found = sign("claim", cites, evidence, Judge(ScriptedVerifier({"a": YES, "b": YES}), []))

    assert (found.elsewhere, found.unjudged) == ((), unjudged)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Sign(), "No sign: what it cites supports it, or nothing in its registry does."),
        (Sign(elsewhere=("E2",)), "Supported by E2, which it does not cite, and by nothing that it cites."),
        (Sign(unjudged=("E1", "E3")), "Cannot be told: E1, E3 could not be judged."),
    ],
)
def test_the_sign_in_a_sentence(found: Sign, words: str) -> None:
    """Three answers, and never a silent one."""
    assert found.told == words
