"""Printed pages in a real browser: themselves alone, whole, dark on light, from a light and from a dark screen."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pypdfium2
import pytest

from tests.browser.conftest import Desktop, Witness
from tests.browser.screenshots import settle

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = {
    "review": ".inspector[data-uid]",
    "trends": "[data-testid=stPlotlyChart] .main-svg",
    "failures": "[data-testid=stBidiComponentIsolated]",
    "calibrate": "[data-testid=stPlotlyChart] .main-svg",
}
"""Pages that people print, and what stands on each once it is whole."""

CONTROLS = ("Sidebar", "Selectbox", "Button", "ButtonGroup", "DownloadButton", "Popover")
SEEN = """(names) => names.flatMap((name) => [...document.querySelectorAll(`[data-testid=st${name}]`)])
  .filter((one) => one.checkVisibility()).length"""
GROUND = "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"
INK = "() => getComputedStyle(document.querySelector('[data-testid=stMainBlockContainer] h1')).color"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_on_paper(sample_desk: Desktop, page: Page, witness: Witness, name: str, scheme: str) -> None:
    """No navigation and no control; dark text on white; the first sheet is white at its edge and has ink on it."""
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_default_timeout(120_000)
    page.goto(f"{sample_desk.url}/{name}")
    page.locator(PAGES[name]).first.wait_for()
    settle(page)
    pdf = page.pdf(format="A4", print_background=True)
    page.emulate_media(media="print")

    assert page.evaluate(SEEN, list(CONTROLS)) == 0
    assert page.evaluate(GROUND) == "rgb(255, 255, 255)"
    assert page.evaluate(INK) == "rgb(28, 27, 25)"
    sheet = pypdfium2.PdfDocument(io.BytesIO(pdf))[0].render(scale=0.5).to_pil().convert("L")
    levels = sheet.histogram()
    light, dark = sum(levels[200:]), sum(levels[:100])
    assert sheet.getpixel((3, sheet.height // 2)) == 255
    assert light > 0.75 * sheet.width * sheet.height
    assert 0 < dark < 0.15 * sheet.width * sheet.height
    witness.assert_quiet()
