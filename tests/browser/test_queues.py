"""The Queues page in a real browser: from a filter on Review to a queue that somebody labels in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.browser.conftest import Desktop, Witness

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_a_queue_is_made_of_what_review_shows_and_labelled(server: Desktop, page: Page, witness: Witness) -> None:
    """Review → preview → queue → its Label page, without a fault on the way."""
    page.goto(f"{server.url}/review?labels=contradicted")
    page.get_by_role("button", name="Label these…").click()
    page.get_by_role("heading", name="What would be drawn").wait_for()
    page.get_by_text("As on Review: judged by").first.wait_for()
    assert "labels=contradicted" in page.url
    page.get_by_label("Name").fill("Contradicted")
    page.get_by_label("Name").press("Enter")
    page.get_by_role("button", name="Make the queue").click()
    page.get_by_text(re.compile("Contradicted is made: [0-9]+ of [0-9]+ claims")).wait_for()
    page.get_by_role("heading", name="Contradicted").wait_for()
    assert "make=" not in page.url
    page.get_by_role("button", name="Label", exact=True).last.click()
    page.wait_for_url(re.compile(r"/label\?.*queue=[0-9a-f]{16}"))

    witness.assert_quiet()
