"""Data in a real browser: bring a file, leave while it is taken in, come back, undo it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import Desktop, Witness
from tests.core.test_cli import GOOD

if TYPE_CHECKING:
    from playwright.sync_api import Page

ODD = "<img src=x onerror=alert(1)> $x$ **b** ![i](http://outside.example/i.png)"


@pytest.fixture
def desk(serve: Callable[..., Desktop]) -> Iterator[Desktop]:
    """A desk of this test alone, on an empty store."""
    desktop = serve()
    yield desktop
    desktop.stop()


def log(folder: Path, name: str, *answers: Any) -> Path:
    """A log of answers in a file."""
    path = folder / name
    path.write_text("".join(f"{json.dumps(answer)}\n" for answer in answers), encoding="utf-8")
    return path


def bring(page: Page, desk: Desktop, file: Path) -> None:
    """Upload a file and wait for its preview."""
    page.goto(f"{desk.url}/data")
    page.wait_for_selector("input[type=file]", state="attached")
    page.set_input_files("input[type=file]", str(file))
    page.get_by_role("heading", name="Is this how to read it?").wait_for()


def take_in(page: Page) -> None:
    """Take in what is shown."""
    page.get_by_role("button", name="Take the answers in").click()


def test_from_a_file_to_a_claim_and_back_out(page: Page, desk: Desktop, witness: Witness, tmp_path: Path) -> None:
    """Home leads to the page; the file is seen, taken in, reviewed, undone and brought back; nothing is fetched."""
    page.goto(desk.url)
    page.get_by_role("button", name="Choose a file").click()
    page.get_by_role("heading", name="Bring your answers").wait_for()
    page.set_input_files("input[type=file]", str(log(tmp_path, "a.jsonl", GOOD, {"request_id": "x"})))
    page.get_by_text("1 row of the first 10 would be refused").wait_for()
    take_in(page)
    page.get_by_role("heading", name="a.jsonl brought 1 answer.").wait_for()

    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the refused rows").click()
    with Path(waiting.value.path()).open(encoding="utf-8-sig", newline="") as file:
        (refused,) = csv.DictReader(file)
    assert refused == {
        "file": "a.jsonl",
        "line": "2",
        "field": "answer",
        "reason": "neither an answer nor claims, so there is nothing to check",
    }

    page.get_by_role("button", name="Undo", exact=True).click()
    page.get_by_role("button", name="Bring back").wait_for()
    page.get_by_text("0 claims").wait_for()
    page.get_by_role("button", name="Bring back").click()
    page.get_by_role("button", name="Undo", exact=True).wait_for()
    page.get_by_role("button", name="See the worst claims").click()
    page.wait_for_selector(".inspector[data-uid]")
    assert page.locator(".rows .row").count() == 1
    witness.assert_quiet()


def test_it_goes_on_when_its_page_is_left(page: Page, desk: Desktop, witness: Witness, tmp_path: Path) -> None:
    """Another page, a reload, and back: the same import, further on, to its end; nothing is taken twice."""
    many = 6_000
    bring(page, desk, log(tmp_path, "long.jsonl", *[GOOD | {"request_id": f"r{n}"} for n in range(many)]))
    take_in(page)
    page.get_by_role("heading", name="Taking in long.jsonl").wait_for()
    page.get_by_text("rows judged").wait_for()
    assert "job=" in page.url

    page.get_by_role("link", name="Trends").click()
    page.wait_for_url("**/trends*")
    page.get_by_role("link", name="Data").click()
    page.get_by_text("of 6,000 rows judged").wait_for()
    page.go_back()
    page.go_back()
    page.reload()
    page.get_by_role("heading", name="long.jsonl brought 6,000 answers.").wait_for(timeout=120_000)
    assert "There already\n0" in page.locator("[data-testid=stMetric]").nth(1).inner_text().replace("\n\n", "\n")
    witness.assert_quiet()


def test_stop_keeps_what_is_in(page: Page, desk: Desktop, witness: Witness, tmp_path: Path) -> None:
    """The list says that it was not read to its end; a path of this machine brings the rest."""
    file = log(tmp_path, "long.jsonl", *[GOOD | {"request_id": f"r{n}"} for n in range(4_000)])
    bring(page, desk, file)
    take_in(page)
    page.get_by_text("of 4,000 rows judged").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("heading", name="Stopped before the end.").wait_for()

    page.get_by_role("button", name="Bring another file").click()
    page.get_by_label("On the machine where the desk runs").fill(str(file))
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("heading", name="Is this how to read it?").wait_for()
    take_in(page)
    page.get_by_role("heading", name="long.jsonl brought 4,000 answers.").wait_for(timeout=120_000)
    assert page.get_by_role("button", name="Undo", exact=True).count() == 1
    witness.assert_quiet()


def test_names_and_texts_stay_texts(page: Page, desk: Desktop, witness: Witness, tmp_path: Path) -> None:
    """A file name, column names and cells that a careless page would run or fetch."""
    file = tmp_path / "<img src=x onerror=alert(1)> $x$ **b**.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([["answer", ODD, "query"], [f"It weighs 40 grams. {ODD}", ODD, ODD], ["", ODD, ODD]])
    bring(page, desk, file)
    take_in(page)
    page.get_by_role("heading", name="brought 1 answer.").wait_for()

    assert page.locator("[data-testid=stMainBlockContainer] img").count() == 0
    assert "_x_ __b__.csv brought 1 answer." in page.locator("h1").inner_text()
    witness.assert_quiet()
