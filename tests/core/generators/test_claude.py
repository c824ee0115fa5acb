"""The prompt of the generator ``claude``, and the schema that lets a citation be nothing but an id it was given."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.asking import Trouble
from core.errors import VerifierUnavailable
from core.generators.claude import MAX_EVIDENCE, PROMPT, ClaudeGenerator, build, prompt, schema
from core.models import Evidence, Failure, GivenClaim
from core.prompting import prompt_file
from core.settings import AskSettings, Settings
from tests.core.claude_env import environment, hasty, leading_to

EVIDENCE = (
    Evidence(id="E1", text='The "toll" is 3.\n}', title="Toll", source_version="v1"),
    Evidence(id="E2", text="b"),
)
VALID = {"answer": "a", "claims": [{"text": "t", "citation_ids": ["E1"], "quote": None}]}


def test_the_prompt_is_the_numbered_file() -> None:
    """One that was changed is another prompt: a new file with the next number."""
    assert (
        prompt_file("core.generators", PROMPT).sha256
        == "b0f94613d66410976e79e97386ed1225d001920fb8c7aa2883744010f4396ca6"
    )


def test_the_schema_lets_only_given_ids_pass() -> None:
    """Enumerated, all fields required, none added."""
    only = schema(["E1", "E2"])
    jsonschema.validate(VALID, only)
    for broken in (
        {"answer": "a", "claims": [{"text": "t", "citation_ids": ["E3"], "quote": None}]},
        {"answer": "a", "claims": [{"text": "t", "citation_ids": ["E1"]}]},
        {"answer": "a"},
        VALID | {"more": 1},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, only)


@given(st.text(), st.text())
def test_what_others_wrote_cannot_leave_its_block(query: str, text: str) -> None:
    """Passages and question are JSON whose strings give back what was put in, lone surrogates replaced."""
    found = prompt(query, [Evidence(id="E1", text=text)])
    passages, question, task = found.user

    assert len(json.loads(passages)["passages"][0]["text"]) == len(text)
    assert len(json.loads(question)["question"]) == len(query)
    assert (found.system, task) == (prompt("q", EVIDENCE).system, prompt("q", EVIDENCE).user[2])
    assert (found.cached, found.turns) == (1, ())


def test_a_repair_shows_its_own_claims_and_fixed_words() -> None:
    """As the turns that follow the same beginning; without claims as one block more."""
    claim = GivenClaim(text="The toll is 3.", citation_ids=("E9",), quotes=("toll",))
    first = prompt("q", EVIDENCE)
    again = prompt("q", EVIDENCE, ["claims[0].citation_ids contains an unknown id"], [claim])
    shapeless = prompt("q", EVIDENCE, ["claims is not a list"])

    assert (again.system, again.user) == (first.system, first.user)
    said = {"text": "The toll is 3.", "citation_ids": ["E9"], "quote": "toll"}
    assert json.loads(again.turns[0]) == {"claims": [said]}
    remark = prompt_file("core.generators", PROMPT).sections["repair"]
    assert again.turns[1] == f"{remark}\n- claims[0].citation_ids contains an unknown id"
    assert shapeless.user[:3] == first.user
    assert shapeless.user[3].endswith("- claims is not a list")


def test_too_much_is_not_sent() -> None:
    """For nothing of a passage may be left out."""
    with environment(leading_to("http://127.0.0.1:9")):
        generator = ClaudeGenerator(hasty())
    found = generator.generate("q", [Evidence(id="E1", text="x" * (MAX_EVIDENCE + 1))], lambda event: None)

    assert isinstance(found, Trouble)
    assert found.failure is Failure.TOO_LONG
    assert generator.spent() == []


def test_a_model_is_chosen_by_name() -> None:
    """After a colon; a blank name and a missing key are said."""
    with environment(leading_to("http://127.0.0.1:9")):
        assert build(Settings(ask=AskSettings(generator="claude:claude-opus-5-5"))).name.model == "claude-opus-5-5"
        with pytest.raises(VerifierUnavailable, match="No model is named"):
            build(Settings(ask=AskSettings(generator="claude: ")))
    with environment({}), pytest.raises(VerifierUnavailable, match="key"):
        build(Settings(ask=AskSettings(generator="claude")))
