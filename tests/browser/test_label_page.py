"""What the label page shows in a real browser: every text as it is, everything in reach, and why there is nothing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from core.store import open_store
from dashboard.widgets import label_item
from tests.browser.conftest import Desktop, Witness
from tests.browser.labelling import FRAME, Serve, answer, open_queue, press, shown

if TYPE_CHECKING:
    from playwright.sync_api import Page

FITS = """([width, height]) => {
  const root = document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot;
  const inside = (node) => {
    const box = node.getBoundingClientRect();
    const at = root.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.top >= 0 && box.left >= 0 && box.bottom <= height && box.right <= width && node.contains(at);
  };
  return [...root.querySelectorAll('.btn')].map(inside).concat(inside(root.querySelector('.strip')));
}"""
"""Whether each of the ten buttons, and the strip, lies whole in the window with nothing over it."""

HARD = (
    "Family 👩‍👩‍👧 e\u0301 🇫🇷 <script>alert(1)</script> <img src=x onerror=alert(2)> $x$ **b** "
    "![i](http://evil.example/i.png) :material/home: [a](javascript:alert(3)) &amp; \u202bשלום\u202c a\u00a0b tab\there"
)


def test_untrusted_text_is_shown_as_it_is(page: Page, serve: Serve, witness: Witness) -> None:
    """Claim, question, passage and title word for word; nothing is executed, nothing is fetched."""
    evidence = f"First\r\n\r\n  {HARD} end"
    log = answer([HARD], evidence, query=HARD)
    log["evidence"][0] |= {"title": HARD, "locator": HARD, "uri": "javascript:alert(4)"}
    open_queue(page, serve([log]))
    page.keyboard.press("a")
    page.wait_for_timeout(500)

    assert page.locator(".claim").text_content() == HARD
    assert page.locator(".q").text_content() == HARD
    assert page.locator(".passage .text").text_content() == evidence
    assert HARD in (page.locator(".passage b").text_content() or "")
    assert page.locator(".answer mark").text_content() == HARD
    assert page.locator(".queue script, .queue img, .queue .claim *, .queue .text *, .queue a").count() == 0
    witness.assert_quiet()


def test_a_link_shows_its_host_and_opens_alone(page: Page, serve: Serve) -> None:
    """The visible words are the host; the new tab knows nothing of ours."""
    log = answer(["The gate is open."])
    log["evidence"][0]["uri"] = "https://sources.example/a/b?c=d"
    open_queue(page, serve([log]))
    link = page.locator(".passage a")

    assert link.text_content() == "sources.example"
    assert link.get_attribute("href") == "https://sources.example/a/b?c=d"
    assert link.get_attribute("rel") == "noopener noreferrer"


def test_a_missing_passage_is_said_in_words(page: Page, serve: Serve) -> None:
    """What the registry says is a fact that a labeller may know."""
    log = answer([f"Gate {number} was opened in 1987." for number in range(4)])
    for claim, cites in zip(log["claims"], (["C9"], [], ["C2"], ["C3"]), strict=True):
        claim["citation_ids"] = cites
    log["evidence"] += [
        {"id": "C2", "text": "", "accessible": False},
        {"id": "C3", "text": "one"},
        {"id": "C3", "text": "another"},
    ]
    open_queue(page, serve([log]))
    said = {}
    for _ in range(4):
        shown(page)
        said[page.locator(".claim").inner_text()] = page.locator(".passage .missing").inner_text()
        press(page, "6")

    assert said == {
        "Gate 0 was opened in 1987.": "This request has no evidence called 'C9'.",
        "Gate 1 was opened in 1987.": "This claim cites nothing, so there is no passage to read.",
        "Gate 2 was opened in 1987.": "The source exists but cannot be read here.",
        "Gate 3 was opened in 1987.": "'C3' means two different texts here.",
    }


def test_everything_is_in_reach_however_long_the_texts(page: Page, serve: Serve) -> None:
    """All ten buttons and the strip inside 1280×720, with a claim, a passage and quotations that fill pages."""
    long = "The gate was opened in 1987 by the mayor, who said so twice. " * 60
    log = answer(["Short.", long.strip()], "Much text. " * 2000)
    for claim in log["claims"]:
        claim["quote"] = long.strip()
    desktop = serve([log])
    open_queue(page, desktop)
    found = []
    for scheme, width, height in (("light", 1280, 720), ("dark", 1920, 1080)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": height})
        found.append(page.evaluate(FITS, [width, height]))
        press(page, "1")

    assert found == [[True] * 11, [True] * 11]


WALK = f"""([width, height, spans]) => {{
  const fits = {FITS.strip()};
  const queue = {FRAME}.getRootNode().queue;
  const bad = [];
  let seen = 0;
  for (const item of spans) {{
    queue.items = new Map([[item.key, item]]);
    queue.paint();
    seen += 1;
    if (!fits([width, height]).every(Boolean)) bad.push(item.claim);
  }}
  return [seen, bad];
}}"""
"""Shows one span after the other; gives how many, and the claims that crowd something out."""


def walk(page: Page, spans: list[dict[str, Any]]) -> tuple[int, list[str]]:
    """Show spans in the window as it is, whatever the queue would hold by itself: texts sent ahead are limited."""
    width, height = page.viewport_size["width"], page.viewport_size["height"]  # type: ignore[index]
    seen, bad = page.evaluate(WALK, [width, height, spans])
    return int(seen), list(bad)


def long_claims() -> Iterator[str]:
    """Claims of every length up to twelve hundred characters, some of one endless word, some in other scripts."""
    for number in range(1, 31):
        words = f"Claim {number} was measured in 1987 by the mayor of the town, who said so twice. "
        yield (words * (1 + number // 2))[: 40 * number].strip()
    yield "Donaudampfschifffahrtsgesellschaft" * 30
    yield "日本の首都は東京です。" * 60
    yield "אחת שתיים שלוש ארבע חמש. " * 30


def test_every_length_of_claim_leaves_the_buttons_in_reach(page: Page, serve: Serve) -> None:
    """From one line to pages, at 1280×720 and at 1920×1080."""
    desktop = serve([answer(list(long_claims()), "Much text. " * 400)])
    open_queue(page, desktop)
    spans = label_item_of_all(desktop)
    small = walk(page, spans)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.reload()
    shown(page)
    large = walk(page, spans)

    assert small[0] == large[0] == len(spans) >= 30
    assert (small[1], large[1]) == ([], [])


@pytest.mark.skipif(not os.environ.get("CITEDESK_TEST_ANSWERS"), reason="CITEDESK_TEST_ANSWERS names no answers")
def test_all_real_claims_leave_the_buttons_in_reach(page: Page, serve: Serve) -> None:
    """All ten buttons and the strip inside 1280×720 for every claim of a log of one's own."""
    lines = Path(os.environ["CITEDESK_TEST_ANSWERS"]).read_text(encoding="utf-8").splitlines()
    desktop = serve([json.loads(line) for line in lines])
    open_queue(page, desktop)
    spans = label_item_of_all(desktop)
    seen, bad = walk(page, spans)

    assert seen == len(spans)
    assert seen >= sum(len(json.loads(line)["claims"]) for line in lines)
    assert bad == []


def label_item_of_all(desktop: Desktop) -> list[dict[str, Any]]:
    """Every span of the standing queue, as the page is sent it."""
    copy = desktop.folder / "all.duckdb"
    for end in ("", ".wal"):
        if (file := desktop.store.with_name(desktop.store.name + end)).exists():
            shutil.copy(file, copy.with_name(copy.name + end))
    with open_store(copy) as store:
        return [label_item.item(one) for one in store.labels.ahead("nobody yet", "v1", 10_000)]


def test_an_empty_store_says_what_to_do(page: Page, serve: Serve, witness: Witness) -> None:
    """No claims: why, and the way to the sample."""
    desktop = serve()
    page.goto(f"{desktop.url}/label")
    page.get_by_role("heading", name="Nothing to label yet").wait_for()
    page.get_by_role("button", name="Load the sample, or bring your own answers").click()
    page.get_by_role("button", name="Load the sample", exact=True).wait_for()
    witness.assert_quiet()


def test_a_store_that_cannot_be_opened_gives_one_sentence(page: Page, serve: Serve, tmp_path: Path) -> None:
    """Title, sentence and advice instead of a traceback; the page tries again when asked."""
    path = tmp_path / "desk.duckdb"
    path.write_bytes(b"not a database" * 1000)
    desktop = serve(store=path)
    page.goto(f"{desktop.url}/label")
    page.get_by_role("heading", name="The store cannot be used").wait_for()
    words = page.locator("[data-testid=stMain]").inner_text()
    path.unlink()
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="Nothing to label yet").wait_for()

    assert "it is not a DuckDB file" in words
    assert "Traceback" not in words
