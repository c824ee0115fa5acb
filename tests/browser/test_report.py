"""The HTML report in a real browser: it runs nothing, fetches nothing, and is light or dark as its reader is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.exporters import html
from core.models import Evidence
from tests.browser.conftest import Witness
from tests.core.judged import judged
from tests.core.rows import claim_row, span_row

if TYPE_CHECKING:
    from playwright.sync_api import Page

ATTACK = (
    '"><img src=http://evil.example/1.png onerror=alert(1)><script>alert(1)</script>'
    "<style>@import 'http://evil.example/x.css'</style>"
)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A report on a claim, a source and a question that attack it."""
    out = tmp_path / "report.html"
    row = claim_row(
        request_id=ATTACK, claim=ATTACK, notes=(ATTACK,), spans=(span_row(excerpt=ATTACK, start=None, reason=ATTACK),)
    )
    evidence = Evidence(id="C1", text=ATTACK, title=ATTACK, uri="javascript:alert(1)")
    html.write([judged(), judged(row, query=ATTACK, evidence=(evidence,))], out)
    return out


@pytest.mark.parametrize(("scheme", "back"), [("light", "rgb(251, 250, 247)"), ("dark", "rgb(23, 24, 26)")])
def test_a_hostile_report_stays_quiet(scheme: str, back: str, report: Path, page: Page, witness: Witness) -> None:
    """The attack is there to read, and nothing of it happened; the style was applied."""
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(report.as_uri())

    assert page.locator("article").count() == 2
    assert "<script>alert(1)</script>" in page.locator("article").nth(1).inner_text()
    assert page.locator("a").all_inner_texts() == ["gate.example"]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == back
    assert witness.errors == witness.dialogs == []
    assert {url.split(":")[0] for url in witness.external} <= {"file"}


def test_a_narrow_window_scrolls_only_the_table(report: Path, page: Page) -> None:
    """At 400 pixels the page itself is no wider than the window."""
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto(report.as_uri())

    assert page.evaluate("document.documentElement.scrollWidth") == 400
