"""Calibrate and Compare in a real browser: a count is a button, arrows move, a threshold is adopted once asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.store import open_store
from tests.browser.conftest import Desktop, Witness
from tests.core.gold_store import C, Case, I, P, S, judge, made
from tests.core.store.build import PROTOCOL, protocol

if TYPE_CHECKING:
    from playwright.sync_api import Page

CASES = [
    Case("supported", S, 0.95),
    Case("supported", S, 0.9),
    Case("supported", P, 0.6),
    Case("partial", S, 0.8),
    Case("partial", S, 0.75),
    Case("contradicted", C, 0.1),
    Case("irrelevant", I, 0.2),
]
FIRST_MS = 90_000
"""The first page of a server reads the libraries of statistics and charts."""

OTHER = [case._replace(said=P if case.said is S else case.said) for case in CASES]


@pytest.fixture(scope="module")
def judged(serve: Callable[..., Desktop], tmp_path_factory: pytest.TempPathFactory) -> Desktop:
    """A desk on seven claims with gold, judged twice."""
    path: Path = tmp_path_factory.mktemp("gold") / "desk.duckdb"
    with made(path, CASES) as store:
        judge(store, OTHER, protocol(0.8))
    return serve(store=path)


def test_a_count_opens_its_claims(judged: Desktop, page: Page, witness: Witness) -> None:
    """With the mouse or the keyboard; the list says as many as the button, and the arrows move through it."""
    page.goto(f"{judged.url}/calibrate?protocols={str(PROTOCOL).replace('+', '%2B')}")
    cell = page.locator("[data-cell='partial/supported']")
    cell.wait_for(timeout=FIRST_MS)
    cell.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**cell=partial*")
    page.get_by_text("1–2 of 2").wait_for()
    assert cell.get_attribute("aria-pressed") == "true"
    first = page.locator(".row.on").get_attribute("data-uid")
    page.locator(".rows").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**claim=*")
    assert page.locator(".row.on").get_attribute("data-uid") != first
    page.get_by_role("button", name="Open these 2 claims in Review").click()
    page.wait_for_url("**/review*only=*")
    page.locator(".range", has_text="of 2").wait_for()
    witness.assert_quiet()


def test_a_change_opens_one_claim_with_both_verdicts(judged: Desktop, page: Page, witness: Witness) -> None:
    """The largest change is open; another count opens another."""
    page.goto(f"{judged.url}/compare")
    page.get_by_text("1–4 of 4").wait_for(timeout=FIRST_MS)
    assert page.locator(".detail .side").count() == 2
    page.locator("[data-cell='contradicted/contradicted']").click()
    page.get_by_text("1–1 of 1").wait_for()
    witness.assert_quiet()


def test_a_threshold_is_adopted(judged: Desktop, page: Page, witness: Witness) -> None:
    """After a dialog that says what will happen; the page then says how to judge with it. Nothing else changes."""
    page.goto(f"{judged.url}/calibrate?protocols={str(PROTOCOL).replace('+', '%2B')}")
    page.get_by_role("button", name="as a new protocol").click(timeout=FIRST_MS)
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("stay as they are").wait_for()
    dialog.get_by_label("Name").fill("careful")
    dialog.get_by_label("Name").press("Enter")
    dialog.get_by_role("button", name="Adopt it").click()
    page.get_by_text("careful is adopted").wait_for()
    page.get_by_text("citedesk verify --adopted careful").wait_for()
    witness.assert_quiet()
    judged.stop()
    with open_store(judged.store) as store:
        assert [(one.name, one.base) for one in store.adoptions.all()] == [("careful", str(PROTOCOL))]
        assert len(store.protocols()) == 2
    judged.start()
