"""The verifier of the guide is one: the file on the page keeps the contract that every verifier keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core import plugins, verifiers
from core.models import Label, Pair
from core.settings import Settings
from tests.core.verifiers import test_contract as contract
from tests.docs.pages import ROOT, blocks
from tests.docs.shell import Shell, dropped_in

GUIDE = ROOT / "docs" / "guides" / "add-a-verifier-in-one-file.md"


@pytest.fixture
def _added(tmp_path: Path) -> Iterator[None]:
    """The file lies in a folder that ``core.verifiers`` has for the length of the test."""
    shell = Shell(tmp_path, tmp_path / "verdicts.sqlite")
    for block in blocks(GUIDE):
        shell.provide(block)
    with dropped_in(tmp_path):
        yield


@pytest.mark.usefixtures("_added")
def test_the_file_of_the_page_is_a_verifier() -> None:
    """It is found by its name and held to the contract; nothing was registered anywhere."""
    assert "near" in plugins.names(verifiers)
    contract.test_it_says_what_it_is("near")
    contract.test_every_pair_gets_one_judgement_of_its_own("near")
    contract.test_nothing_to_read_is_never_a_score("near")


@pytest.mark.usefixtures("_added")
def test_it_judges_as_the_page_says() -> None:
    """What stands there is supported, with its place; what does not is irrelevant."""
    verifier = contract.build("near")
    evidence = "On Saturdays it closes at 4 pm. It is closed on Sundays."
    there, not_there = verifier.judge([Pair(claim="It is closed on Sundays.", evidence=evidence), contract.PAIRS[1]])

    assert there.label is Label.SUPPORTED
    assert evidence[there.start : there.end] == "It is closed on Sundays."
    assert there.scores == {"likeness": 1.0}
    assert not_there.label is Label.IRRELEVANT
    module = plugins.load(verifiers, "near")
    assert module.build(Settings(thresholds={"supported": 0.9})).protocol != verifier.protocol


def test_afterwards_it_is_gone() -> None:
    """The page's file is nobody else's."""
    assert "near" not in plugins.names(verifiers)
