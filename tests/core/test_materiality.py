"""Which sentences state something that evidence could bear out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.materiality import is_material


@pytest.mark.parametrize(
    "sentence",
    [
        "Hello!",
        "Welcome, and thank you for asking.",
        "Great question!",
        "I could not find any result for children in the sources I was given.",
        "No statement on the deposit appears in the material I was given.",
        "The provided context does not contain information about fees.",
        "None of the sources mentions a refund.",
        "Unfortunately, I don't have enough information to answer that.",
        "I’m sorry, but I cannot answer this question.",
        "What is the fee?",
        "料金はいくらですか？",
        "Let me know if you need anything else.",
        "If you need more details, feel free to ask.",
        "## Fees in 2011",
        "**Key points**",
        "Opening hours",
        "The following rules apply:",
        "Here is what the support policy says.",
        "In summary:",
        "As an AI, I cannot give medical advice.",
        "I will summarise the sources below.",
        "This answer is based on two sources.",
        "You asked about the fee of 9 euros.",
        "Thanks for the detailed background!",
        "However, this could not be verified from the sources.",
        "The exact number is not specified in the retrieved documents.",
        "Insufficient evidence is provided to confirm this claim.",
        "If you share the contract, I can check clause 4 for you.",
        "Great, let's look at the numbers.",
        "There are several factors at play.",
        "As mentioned above.",
        "I would recommend checking the official website.",
        "This is not legal advice.",
        "Step 3",
        "Key findings from the 2020 survey",
        "Leider enthalten die vorliegenden Quellen dazu keine Angaben.",
        "Les documents fournis ne précisent pas la date.",
        "…",
        "",
    ],
)
def test_what_states_nothing(sentence: str) -> None:
    """Refusals, questions, greetings, offers, headings, lead-ins and talk about the answer."""
    assert not is_material(sentence, "What does it cost?")


@pytest.mark.parametrize(
    "sentence",
    [
        "The tunnel is 57 km long.",
        "The desk opens at 9",
        "Keep a copy.",
        "| Bolt | 12 g |",
        "駅は2019年に閉鎖された。",
        "Yes, the fee is 9 euros.",
        "No participants under eighteen were enrolled.",
        "None of the three publishes figures on its own availability.",
        "No side effects were found in the trial.",
        "There is no evidence that tea cures colds.",
        "There is no mention of it in the context of naval warfare.",
        "The study is observational and does not allow conclusions about cause.",
        "This evidence does not support a causal link.",
        "Based on the sources, the fee is 9 euros.",
        "I could not find a fee for children, but adults pay 9 euros.",
        "Please contact the desk before noon.",
        "In summary, the fee is 9 euros.",
        "The right to privacy is not mentioned in the text of the constitution.",
        "There are several species of swan in Norway.",
        "You should consult a doctor if the rash lasts more than 3 days.",
        "If you miss the deadline, the deposit is forfeited.",
        "Step 3: Tighten the valve by a quarter turn.",
        "Absolutely – the bridge opened in 1932.",
        "Founded in 1893",
        "Population: 12,400",
    ],
)
def test_what_states_something(sentence: str) -> None:
    """Also denials about the world, answers that begin with yes or no, and refusals that turn to a statement."""
    assert is_material(sentence, "What does it cost?")


def test_the_askers_premise_is_no_claim() -> None:
    """What the asker told comes back as no claim; what they asked, asserted, is the answer; denying it is one too."""
    query = "We are on the Basic plan. Is the tunnel 57 km long?"

    assert not is_material("You are on the Basic plan.", query)
    assert not is_material(
        "You run a bakery with 12 people in Graz.", "I run a bakery in Graz and employ 12 people. Ok?"
    )
    assert is_material("You owe 900 euros.", query)
    assert is_material("You are not on the Basic plan.", query)
    assert is_material("The tunnel is 57 km long.", query)


@given(st.text(max_size=60), st.none() | st.text(max_size=30))
def test_any_text_has_an_answer(sentence: str, query: str | None) -> None:
    """Nothing raises, and a text without a letter or digit states nothing."""
    assert not is_material(sentence, query) or any(char.isalnum() for char in sentence)
