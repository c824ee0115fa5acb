"""What every generator must be able to do, also those not yet written."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import signature

import pytest

from core import generators, plugins
from core.errors import VerifierUnavailable
from core.generators import FIRST_WORDS, Event, Generation, Generator
from core.models import Evidence
from core.settings import AskSettings, Settings
from tests.core.claude_env import environment, hasty, leading_to
from tests.fakes.anthropic_server import Reply, running

EVIDENCE = (
    Evidence(id="E1", text="The ferry takes 40 minutes to Nordholm.\n\nIt leaves every hour."),
    Evidence(id="E7", text="Dogs may cross for free. 😀 駅は閉鎖された。"),
)
OBJECT = '{"answer": "", "claims": [{"text": "The ferry takes 40 minutes.", "citation_ids": ["E1"], "quote": null}]}'


@pytest.fixture(scope="module", autouse=True)
def _provider() -> Iterator[None]:
    """A provider that gives the same object every time, for generators that need one."""
    with running() as server, environment(leading_to(server.url)):
        server.script.extend([Reply(text=OBJECT)] * 50)
        yield


def build(name: str) -> Generator:
    """Build a generator with its defaults; one that needs what this machine lacks is skipped with its own words."""
    try:
        made: Generator = plugins.load(generators, name).build(
            Settings(ask=AskSettings(generator=name), claude=hasty())
        )
    except VerifierUnavailable as trouble:
        pytest.skip(str(trouble))
    return made


@pytest.mark.parametrize("name", plugins.names(generators))
def test_it_says_what_it_is(name: str) -> None:
    """A docstring, a version, a build function that takes the settings, and a name that carries both."""
    module = plugins.load(generators, name)

    assert module.__doc__
    assert list(signature(module.build).parameters) == ["settings"]
    assert (build(name).name.name or "").startswith(f"{name}@{module.VERSION}")


@pytest.mark.parametrize("name", plugins.names(generators))
def test_it_answers_from_what_it_is_given(name: str) -> None:
    """Claims that cite ids it was given, the first words told, nothing told but that, and every call accounted for."""
    generator = build(name)
    told: list[Event] = []
    found = generator.generate("How long does the ferry take?", EVIDENCE, told.append)

    assert isinstance(found, Generation)
    assert found.claims
    assert {cite for claim in found.claims for cite in claim.citation_ids} <= {"E1", "E7"}
    assert told == [FIRST_WORDS]
    assert all(call.outcome == "ok" for call in generator.spent())
    assert generator.spent() == []


@pytest.mark.parametrize("name", plugins.names(generators))
def test_two_questions_do_not_mix(name: str) -> None:
    """The same question gives the same claims after another one, and one that pays is never shared."""
    generator = build(name)
    first = generator.generate("How long does the ferry take?", EVIDENCE, lambda event: None)
    generator.generate("May dogs cross?", EVIDENCE[1:], lambda event: None)
    again = generator.generate("How long does the ferry take?", EVIDENCE, lambda event: None)

    assert first == again
    assert not (generator.shared and generator.spent())
