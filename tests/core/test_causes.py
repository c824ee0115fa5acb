"""Why a claim is not supported: each cause from a judge that says what the test tells it to."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.causes import Cause, Passage, Why, explain
from core.models import Evidence, Label
from core.semantic import Judge
from tests.fakes.scripted import ScriptedVerifier

YES, NO, OFF = "It is 3.", "It is 9.", "Dogs bark."
LABELS = {YES: Label.SUPPORTED, NO: Label.CONTRADICTED, OFF: Label.IRRELEVANT}
UNREADABLE = "Nobody can judge this."


def cause(packed: Sequence[str], deep: Sequence[str] = (), cited: Sequence[str] = ("E1",), unseen: str = "") -> Cause:
    """The cause for a claim that cites these labels, E1 being the first passage."""
    evidence = [Evidence(id=f"E{number}", text=text) for number, text in enumerate(packed, 1)]
    evidence += [Evidence(id="E99", text=unseen, in_context=False)] if unseen else []
    passages = [Passage(name=f"d:{number}", text=text) for number, text in enumerate(deep)]
    return explain("It costs 3.", cited, evidence, lambda: passages, Judge(ScriptedVerifier(LABELS), []))


@pytest.mark.parametrize(
    ("packed", "deep", "why", "supporting", "contradicting"),
    [
        ([NO, YES], [], Why.SOURCES_CONFLICT, ("E2",), ("E1",)),
        ([YES, NO], [], Why.SOURCES_CONFLICT, ("E1",), ("E2",)),
        ([OFF, YES], [], Why.MODEL_IGNORED_EVIDENCE, ("E2",), ()),
        ([OFF], [OFF, YES], Why.NOT_RETRIEVED, ("d:1",), ()),
        ([NO], [YES], Why.NOT_RETRIEVED, ("d:0",), ("E1",)),
        ([OFF], [], Why.NOT_IN_CORPUS, (), ()),
        ([NO], [OFF + " "], Why.UNKNOWN, (), ("E1",)),
        ([UNREADABLE], [], Why.UNKNOWN, (), ()),
        ([OFF], [UNREADABLE], Why.UNKNOWN, (), ()),
        ([], [], Why.UNKNOWN, (), ()),
        ([YES], [], Why.UNKNOWN, ("E1",), ()),
    ],
)
def test_each_cause(
    packed: list[str], deep: list[str], why: Why, supporting: tuple[str, ...], contradicting: tuple[str, ...]
) -> None:
    """With the passages that show it; a passage that could not be judged leaves it open."""
    found = cause(packed, deep)

    assert (found.why, found.supporting, found.contradicting) == (why, supporting, contradicting)


def test_a_cause_is_a_sentence() -> None:
    """It says what to do something about, and names the passages that show it."""
    assert cause([OFF], deep=[OFF + " ", YES]).sentence.startswith(
        "It is in the corpus, but the search did not bring it"
    )
    assert cause([NO, YES]).sentence == (
        "The sources disagree: one passage that was used supports it, another says otherwise. "
        "2 passages were looked at; supports it: E2; says otherwise: E1."
    )
    assert cause([OFF]).sentence.endswith("finds no passage that supports it. 1 passage was looked at.")


def test_what_was_not_packed_was_not_ignored() -> None:
    """A passage that was found and cut counts only when the deep search brings it."""
    assert cause([OFF], unseen=YES).why is Why.NOT_IN_CORPUS
    assert cause([OFF], deep=[YES], unseen=YES).why is Why.NOT_RETRIEVED


def test_without_a_corpus_nothing_is_said_of_it() -> None:
    """An imported answer has none that could be searched."""
    judge = Judge(ScriptedVerifier(LABELS), [])

    assert explain("It costs 3.", ["E1"], [Evidence(id="E1", text=OFF)], lambda: None, judge).why is Why.UNKNOWN


def test_a_deep_search_is_asked_for_only_where_it_matters() -> None:
    """Not when a packed passage decides."""

    def never() -> Sequence[Passage]:
        raise AssertionError("a search was asked for")

    judge = Judge(ScriptedVerifier(LABELS), [])
    evidence = [Evidence(id="E1", text=OFF), Evidence(id="E2", text=YES)]
    assert explain("It costs 3.", ["E1"], evidence, never, judge).why is Why.MODEL_IGNORED_EVIDENCE
