"""A person who has only the README: from an empty desk to labels, a calibration and a trend of their own data.

The steps are those of ``docs/guides/first-ten-minutes.md``, on its own file, with mouse and keyboard alone. Pictures of
every arrival lie in the test's folder.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import release
from tests.browser.conftest import Witness
from tests.browser.labelling import LABELS as NUMBERED
from tests.browser.labelling import press, settle, shown, strip
from tests.docs.pages import ROOT, blocks

if TYPE_CHECKING:
    from playwright.sync_api import Page

GUIDE = ROOT / "docs" / "guides" / "first-ten-minutes.md"
SLOW_MS = 300_000
"""A page that reads the libraries of statistics, or judges, on a busy machine."""

LABELS = {
    "The library is open from 9 am to 8 pm on weekdays": "1",
    "It is closed on Sundays": "1",
    "A late book costs adults 50 cents a day": "3",
    "Children pay no late fees": "2",
    "Anyone who lives in the town can have a library card": "1",
    "A card costs 12 euros a year": "6",
    "Group rooms can be booked up to two weeks ahead": "1",
    "The rooms cost nothing": "5",
    "Story time is every Wednesday at 4 pm": "1",
    "Story time makes children better readers": "2",
    "The reading room is on the third floor": "3",
    "Telephones may not be used there": "1",
}
"""What a careful reader presses at each claim."""


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """``citedesk serve`` as the guide starts it, on a store that is not there yet, with the judge that readers get."""
    home = release.environment(tmp_path, PYTHONPATH=str(ROOT), CITEDESK_STORE=str(tmp_path / "desk.duckdb"))
    with release.running([sys.executable, "-m", "core", "serve"], tmp_path, home) as (address, _process):
        yield address


@pytest.mark.timeout(900)
def test_own_labels_a_calibration_and_a_trend(
    page: Page, url: str, witness: Witness, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each step of the guide arrives where it says; all of the machine's time together is under ten minutes."""
    began = time.monotonic()
    times: list[tuple[str, float]] = []

    def arrived(step: str) -> None:
        page.screenshot(path=tmp_path / f"{len(times) + 1}-{step}.png")
        times.append((step, time.monotonic()))

    page.set_default_timeout(SLOW_MS)
    page.goto(url)
    page.get_by_role("heading", name="Do your AI answers say what their sources say?").wait_for()
    arrived("home")

    page.get_by_role("button", name="Choose a file").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_test_id("stFileUploader").get_by_role("button", name="Upload").last.click()
    chooser.value.set_files(_own_file(tmp_path))
    page.get_by_role("button", name="Take the answers in").wait_for()
    arrived("preview")

    page.get_by_role("button", name="Take the answers in").click()
    page.get_by_role("heading", name="answers.jsonl brought 6 answers.").wait_for()
    arrived("taken-in")

    page.get_by_role("link", name="Label", exact=True).click()
    page.wait_for_selector(".queue[data-painted]")
    arrived("label")
    claim = page.locator(".queue .claim")
    pressed = []
    for _ in LABELS:
        shown(page)  # while the next claims are fetched, the last one's words are still there, out of sight
        words = claim.inner_text()
        pressed.append((words.strip().rstrip("."), LABELS[words.strip().rstrip(".")]))
        press(page, pressed[-1][1])
    assert dict(pressed) == LABELS
    settle(page)
    assert "12" in strip(page)
    arrived("labelled")

    page.get_by_role("link", name="Calibrate", exact=True).click()
    cells = page.locator("[data-cell]")
    cells.first.wait_for()
    people: Counter[str] = Counter()
    for cell in cells.all():
        people[str(cell.get_attribute("data-cell")).split("/")[0]] += int(cell.inner_text())
    assert people == Counter(NUMBERED[int(number) - 1].value for number in LABELS.values())
    arrived("calibrate")

    page.get_by_role("link", name="Trends", exact=True).click()
    points = page.locator("[data-testid=stPlotlyChart] .scatterlayer .point")
    points.nth(3).wait_for()  # at least four; a chart is drawn anew when its figures come
    arrived("trends")

    page.get_by_role("link", name="Review", exact=True).click()
    page.locator(".inspector[data-uid]").get_by_text("A late book costs adults 50 cents a day").first.wait_for()
    arrived("review")

    witness.assert_quiet()
    _tell(capsys, began, times)
    assert times[-1][1] - began < 600


def _own_file(folder: Path) -> Path:
    """The file as the guide has it."""
    (block,) = (block for block in blocks(GUIDE) if block.orders.get("file") == "answers.jsonl")
    path = folder / "answers.jsonl"
    path.write_text(block.text, encoding="utf-8")
    return path


def _tell(capsys: pytest.CaptureFixture[str], began: float, times: list[tuple[str, float]]) -> None:
    """Print what each step took of the machine."""
    with capsys.disabled():
        for (step, at), before in zip(times, [began, *(at for _, at in times)], strict=False):
            sys.stdout.write(f"\n{step:<12}{at - before:6.1f} s")
        sys.stdout.write(f"\n{'together':<12}{times[-1][1] - began:6.1f} s\n")
