"""What a generator replied, read: one value, exact ids, fixed words for what is wrong."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import replies
from core.models import GivenClaim

ONE = (
    '{"answer": "The toll is 3 crowns.", '
    '"claims": [{"text": "The toll is 3 crowns.", "citation_ids": ["E1"], "quote": null}]}'
)
CLAIM = GivenClaim(text="The toll is 3 crowns.", citation_ids=("E1",))


@pytest.mark.parametrize(
    ("raw", "warnings"),
    [
        (ONE, []),
        (f"  {ONE}\n", []),
        (f"Here you are [list] {{of claims}}: {ONE}", ["leading_text"]),
        (f"{ONE}\n\nFill in {{name}} later.", ["trailing_text"]),
        (f"```json\n{ONE}\n```", ["leading_text", "trailing_text"]),
    ],
)
def test_the_first_whole_object_counts(raw: str, warnings: list[str]) -> None:
    """Whatever stands around it is left out, and that is said."""
    found = replies.read(raw)

    assert found.claims == (CLAIM,)
    assert found.answer == "The toll is 3 crowns."
    assert [word.partition(":")[0] for word in found.warnings] == warnings
    assert found.problems == ()


def test_a_brace_in_a_string_ends_nothing() -> None:
    """Nor does a quoted quotation mark."""
    raw = json.dumps({"claims": [{"text": 'Type } or "]" to close.', "citation_ids": ["E1"]}]})

    assert replies.read(raw).claims[0].text == 'Type } or "]" to close.'


def test_a_claim_that_is_said_twice_counts_once() -> None:
    """The same words, citations and quotes; anything else is another claim."""
    claims = [
        {"text": "It is allowed.", "citation_ids": ["E1"]},
        {"text": "It is allowed.", "citation_ids": ["E1"]},
        {"text": "It is not allowed.", "citation_ids": ["E1"]},
        {"text": "It is allowed.", "citation_ids": ["E2"]},
    ]
    found = replies.read(json.dumps({"claims": claims}))

    assert [claim.citation_ids for claim in found.claims] == [("E1",), ("E1",), ("E2",)]
    assert found.duplicates == 1
    assert found.warnings == ("duplicate_claims: 1 left out",)


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("", "the answer is not the JSON object that was asked for"),
        ("The toll is 3 crowns [E1].", "the answer is not the JSON object that was asked for"),
        ('{"claims": [{"text": "cut of', "the answer is not the JSON object that was asked for"),
        ('{"statements": []}', "the answer is not the JSON object that was asked for"),
        ('{"claims": null}', "claims is not a list"),
        ('{"claims": {"text": "a"}}', "claims is not a list"),
        ('{"claims": ["a"]}', "claims[0] is not an object"),
        ('{"claims": [{"text": " ", "citation_ids": []}]}', "claims[0].text is missing"),
        ('{"claims": [{"text": "a"}]}', "claims[0].citation_ids is not a list of ids"),
        ('{"claims": [{"text": "a", "citation_ids": "E1"}]}', "claims[0].citation_ids is not a list of ids"),
        ('{"claims": [{"text": "a", "citation_ids": [1]}]}', "claims[0].citation_ids is not a list of ids"),
        ('{"claims": [{"text": "a", "citation_ids": [], "quote": 3}]}', "claims[0].quote is not a text"),
        ('{"answer": 3, "claims": []}', "answer is not a text"),
    ],
)
def test_what_cannot_be_read_is_a_problem_in_fixed_words(raw: str, problem: str) -> None:
    """And gives no claims; nothing of the reply is repeated."""
    found = replies.read(raw)

    assert found.problems == (problem,)
    assert found.claims == ()
    assert found.answer == ""


def test_a_reply_made_to_be_slow_is_not() -> None:
    """Many openers, deep nesting, great length."""
    for raw in ("[" * 300_000, '{"a":' * 100_000, "{" * 5_000 + ONE, "x" * (replies.LONGEST + 1)):
        assert replies.read(raw).problems


IDS = st.lists(st.text(max_size=5), max_size=3)
CLAIMS = st.lists(
    st.fixed_dictionaries({"text": st.text(min_size=1).filter(str.strip), "citation_ids": IDS}), max_size=4
)


@given(CLAIMS, st.text(alphabet=st.characters(exclude_characters="{}[]"), max_size=20))
def test_ids_are_taken_as_they_are_written(claims: list[dict[str, object]], around: str) -> None:
    """Whatever they are, in their order, whatever words stand before."""
    found = replies.read(around + json.dumps({"claims": claims}, ensure_ascii=False) + around)

    distinct = dict.fromkeys((str(one["text"]).strip(), tuple(one["citation_ids"])) for one in claims)  # type: ignore[arg-type, var-annotated]
    assert [(one.text, one.citation_ids) for one in found.claims] == list(distinct)


@given(st.text())
def test_any_text_is_read_or_is_a_problem(raw: str) -> None:
    """Nothing is raised."""
    found = replies.read(raw)

    assert bool(found.problems) or isinstance(found.claims, tuple)
