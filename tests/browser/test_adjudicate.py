"""Adjudication with the keyboard alone, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.models import Label
from core.store import open_store
from tests.browser.conftest import Desktop, Witness
from tests.core.store import build
from tests.core.test_adjudication import CHECKED, FIRST, SECOND, label

if TYPE_CHECKING:
    from playwright.sync_api import Page

BENCH = (
    "[...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]"
    ".map((one) => one.shadowRoot?.querySelector('.bench')).find(Boolean)"
)
"""The case on the screen, in the browser."""


def test_keys_decide_and_take_back(page: Page, serve: Callable[..., Desktop], witness: Witness, tmp_path: Path) -> None:
    """A label alone is not enough; with a reason it is stored, the next case comes, and z brings the first one back."""
    path = tmp_path / "desk.duckdb"
    with open_store(path) as store:
        store.record(build.batch(CHECKED))
        store.labels.add(
            [
                label(f"{who}{uid}", uid, who, said)
                for uid in (FIRST, SECOND)
                for who, said in (("ann", Label.SUPPORTED), ("bob", Label.PARTIAL))
            ]
        )
    desktop = serve(store=path)
    page.goto(f"{desktop.url}/adjudicate?labeller=cyd")
    page.wait_for_selector(".bench")
    first = page.locator(".bench").get_attribute("data-case")
    assert {one.split("\n")[0] for one in page.locator(".card").all_inner_texts()} == {"A", "B"}

    page.keyboard.press("8")
    page.keyboard.press("Enter")
    assert "needs a reason" in page.locator(".said").inner_text()
    page.keyboard.type("Another year 1 2 3.")
    page.keyboard.press("Enter")
    page.wait_for_function(f"(first) => {BENCH} && {BENCH}.dataset.case !== first", arg=first)
    page.get_by_text("saved: Wrong scope").wait_for()
    page.keyboard.press("z")
    page.wait_for_function(f"(first) => {BENCH} && {BENCH}.dataset.case === first", arg=first)
    page.keyboard.press("0")
    page.keyboard.press("n")
    page.keyboard.type("No claim at all.")
    page.keyboard.press("Enter")
    page.wait_for_function(f"(first) => {BENCH} && {BENCH}.dataset.case !== first", arg=first)
    page.get_by_text("saved: Not a claim").wait_for()
    witness.assert_quiet()
    desktop.stop()

    with open_store(path) as store:
        (stood,) = store.adjudications.standing()
        assert (stood.label, stood.rationale, stood.adjudicator) == (None, "No claim at all.", "cyd")
        assert len(stood.labels_seen) == 2
