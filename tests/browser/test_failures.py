"""The failures page in a real browser: rows by keyboard, from a number to its claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.conftest import Desktop, Witness

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_from_a_reason_to_its_claims_by_keyboard(sample_desk: Desktop, page: Page, witness: Witness) -> None:
    """Enter opens a reason, its number opens as many claims in Review, and the address says all of it."""
    page.goto(f"{sample_desk.url}/failures")
    row = page.locator("button.line").first
    row.wait_for()
    number = row.locator(".right").first.inner_text()
    row.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**reason=*")
    page.get_by_role("button", name=f"Show these {number} claims").click()

    page.wait_for_url("**/review?**")
    page.locator(".foot .range", has_text=f"of {number}").wait_for()
    assert "reason=" in page.url
    witness.assert_quiet()
