"""Works outside in a real browser: nothing is fetched, receipts unfold, a recheck is asked for, a passage is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from core.reference_policy import Also
from core.store.records import ClaimFilter
from tests.browser.conftest import Desktop, Witness
from tests.core import reference_desk
from tests.core.reference_desk import OPEN, PASSAGE, SHUT, opened
from tests.core.resolvers.conftest import PROSE
from tests.fakes import web_server

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def desktop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desktop, dict[str, str]]]:
    """A desk over answers whose links were looked up while it was made; it is offline by default when it serves."""
    folder = tmp_path_factory.mktemp("references")
    with web_server.running() as web:
        desk = opened(web, folder, Also.URLS)
        desk.import_file(reference_desk.log(folder))
        protocol = desk.store.protocols()[0].name
        items = desk.store.claim_page(ClaimFilter(protocol=protocol)).items
        uids = {item.request_id: item.claim_uid for item in items}
        desk.close()
    served = Desktop(folder / "desk.duckdb", folder)
    served.start()
    yield served, uids
    served.stop()


def test_the_inspector_shows_who_was_asked_and_fetches_nothing(
    desktop: tuple[Desktop, dict[str, str]], page: Page, witness: Witness
) -> None:
    """The host is a link that opens by a click only; receipts unfold; both colours."""
    desk, uids = desktop
    page.goto(f"{desk.url}/review?claim={uids['r1']}")
    work = page.locator(".inspector .work")
    work.wait_for()
    link = work.locator("a")
    assert (link.inner_text(), link.get_attribute("href")) == ("open.example", OPEN)
    assert link.get_attribute("rel") == "noopener noreferrer"
    work.locator("summary").first.click()
    assert work.locator("li").first.inner_text().startswith("open.example, 30 November 2026, 09:00 UTC")
    assert "".join(page.locator(".inspector .passage .k-support").all_inner_texts()) in PROSE
    assert work.locator(".recheck").is_enabled()
    witness.assert_quiet()


def test_a_passage_is_pasted_with_the_keyboard(
    desktop: tuple[Desktop, dict[str, str]], page: Page, witness: Witness
) -> None:
    """It is kept and listed, and judging again is offered."""
    desk, _ = desktop
    page.goto(f"{desk.url}/references")
    page.get_by_label("Passage").wait_for()
    assert page.get_by_role("link", name="Open at shut.example").get_attribute("href") == SHUT
    page.get_by_label("Passage").fill(PASSAGE)
    page.get_by_role("button", name="Keep the passage").click()
    page.get_by_text("The passage is kept.").wait_for()
    page.get_by_role("button", name="Judge again with the passages").wait_for()
    witness.assert_quiet()
