"""Sentences of the sources, word for word."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generators import Generation
from core.generators.extractive import EXCERPTS, MOST, ExtractiveGenerator, build, candidates
from core.models import Evidence
from core.settings import Settings
from core.text import find_quote
from tests.fakes.bag_of_words import BagOfWords

FERRY = "The ferry takes 40 minutes\nto Nordholm. It leaves every hour. How long does the ferry take?"


def generate(query: str, *texts: str) -> Generation:
    """Ask the generator on the fake embedder."""
    evidence = [Evidence(id=f"E{number}", text=text) for number, text in enumerate(texts, 1)]
    found = ExtractiveGenerator(BagOfWords()).generate(query, evidence, lambda event: None)
    assert isinstance(found, Generation)
    return found


def test_a_sentence_is_quoted_and_cited() -> None:
    """White space made single, its own quotation, one citation; and the note that says what it is."""
    found = generate("How many minutes does the ferry take to Nordholm?", "Dogs may cross for free.", FERRY)

    (claim,) = found.claims
    assert claim.text == "The ferry takes 40 minutes to Nordholm."
    assert claim.citation_ids == ("E2",)
    assert claim.quotes == (claim.text,)
    assert found.notes == (EXCERPTS,)


@pytest.mark.parametrize("query", ["Who painted the ceiling?", "…"])
def test_nothing_near_enough_is_no_claim(query: str) -> None:
    """An abstention, without a note about excerpts."""
    assert generate(query, FERRY) == Generation()


def test_questions_headings_and_what_holds_markers_are_no_candidates() -> None:
    """Nor is a sentence given twice, which cites the passage that came first."""
    evidence = [
        Evidence(id="E1", text="# Fares\n\nThe toll is 3 crowns, as before [E2]. How much is the toll now?"),
        Evidence(id="E2", text="A passenger pays 3 crowns.\n\nA passenger pays 3 crowns."),
        Evidence(id="E3", text="A passenger pays 3 crowns."),
    ]

    assert candidates(evidence) == [("A passenger pays 3 crowns.", "E2")]


SENTENCES = st.sampled_from(
    ["The ferry takes 40 minutes.", "The ferry costs 3 crowns.", "A dog is free.", "The ferry is red and takes cars."]
)


@given(st.lists(st.lists(SENTENCES, max_size=3).map(" ".join), min_size=1, max_size=4))
def test_every_claim_is_verbatim_in_what_it_cites(texts: Sequence[str]) -> None:
    """And there are few."""
    found = generate("How many minutes does the ferry take?", *texts)

    assert len(found.claims) <= MOST
    for claim in found.claims:
        (cite,) = claim.citation_ids
        assert find_quote(texts[int(cite[1:]) - 1], claim.text)


@given(
    st.permutations(["The ferry takes 40 minutes.", "The ferry took 40 minutes once.", "Ferry minutes are 40 long."])
)
def test_the_order_of_the_passages_chooses_no_sentence(texts: Sequence[str]) -> None:
    """The same sentences in the same order, each citing its own passage."""
    found = generate("How many minutes does the ferry take?", *texts)
    other = generate("How many minutes does the ferry take?", *sorted(texts))

    assert [claim.text for claim in found.claims] == [claim.text for claim in other.claims]
    assert all(texts[int(claim.citation_ids[0][1:]) - 1] == claim.text for claim in found.claims)


@pytest.fixture(scope="module")
def bundled() -> ExtractiveGenerator:
    """On the model that comes with Citedesk."""
    made = build(Settings())
    assert isinstance(made, ExtractiveGenerator)
    return made


PASSAGES = (
    Evidence(id="E1", text="Unused tickets are refunded within 30 days of purchase. A fee of 2 crowns is kept."),
    Evidence(id="E2", text="The ferry takes 40 minutes to Nordholm. On 24 December the last ferry leaves at 15:00."),
    Evidence(id="E3", text="The mill has four floors and was built in 1850. It is now a museum."),
)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("How long does the ferry take?", "The ferry takes 40 minutes to Nordholm."),
        ("When was the mill built?", "The mill has four floors and was built in 1850."),
        ("When does the last ferry leave on Christmas Eve?", "On 24 December the last ferry leaves at 15:00."),
        ("Within how many days are tickets refunded?", "Unused tickets are refunded within 30 days of purchase."),
        ("What is the capital of France?", None),
        ("Who won the world cup in 1998?", None),
    ],
)
def test_the_bundled_model_finds_the_sentence(bundled: ExtractiveGenerator, query: str, said: str | None) -> None:
    """First of all that it says; nothing for a question that the passages do not answer."""
    found = bundled.generate(query, PASSAGES, lambda event: None)

    assert isinstance(found, Generation)
    assert [claim.text for claim in found.claims][:1] == ([] if said is None else [said])
