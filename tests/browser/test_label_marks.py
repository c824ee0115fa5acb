"""Better evidence marked in Chromium, with real drags and with the keyboard: exact code points in every script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core import queues
from core.models import Label
from core.store import open_store
from core.store.queue_records import QueueSpec
from tests.browser.conftest import Desktop, fill
from tests.browser.labelling import Serve, answer, open_queue, press, shown, stored

if TYPE_CHECKING:
    from playwright.sync_api import Page

TEXTS = {
    "family emoji": ("Before 👩‍👩‍👧 comes the family 👨‍👩‍👧‍👦 after", "the family 👨‍👩‍👧‍👦"),
    "combining marks": ("Zoe\u0308 and cafe\u0301 stand near the re\u0301sume\u0301 here", "cafe\u0301 stand near"),
    "Chinese and Japanese": ("日本の首都は東京です。東京都の人口は約1400万人です。", "東京都の人口"),
    "right to left": ("אחת שתיים שלוש ארבע חמש", "שתיים שלוש"),
    "line ends": ("one\r\ntwo\r\n\r\nthree four\r\nfive", "three four"),
    "no-break spaces": ("ten\u00a0km and 5\u202f% of all", "and 5\u202f%"),
    "tabs and blanks": ("a\t\tb  c   word  here", "word  here"),
    "script": ("see <script>alert(1)</script> here & there", "<script>alert(1)</script>"),
    "dollars": ("costs $5$ and $x^2$ in all", "$5$ and $x^2$"),
    "Markdown": ("**bold** _it_ [a](b) `code` and # more", "[a](b) `code`"),
    "flags": ("🇫🇷🇩🇪 then 🏳️‍🌈 then end", "then 🏳️‍🌈"),
}

WORDS = {
    "family emoji": (2, 3, "comes the family 👨‍👩‍👧‍👦"),
    "combining marks": (1, 2, "and cafe\u0301 stand"),
    "right to left": (1, 1, "שתיים שלוש"),
    "line ends": (1, 2, "two\r\n\r\nthree four"),
    "no-break spaces": (0, 1, "ten\u00a0km"),
    "tabs and blanks": (2, 1, "c   word"),
}
"""Words to step over, words to widen by, and what is then marked."""

BOX = """([start, end]) => {
  const root = document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot;
  const node = root.querySelector('.passage .text').firstChild;
  const rect = (from, to) => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    const boxes = range.getClientRects();
    return [boxes[0], boxes[boxes.length - 1]];
  };
  const [first, last] = rect(start, end);
  const rtl = /^[\\u0590-\\u08ff]/.test(node.data);
  const from = rtl ? first.right : first.left;
  const to = rtl ? last.left : last.right;
  const inward = rtl ? -1 : 1;
  return [from + inward, first.top + first.height / 2, to - inward, last.top + last.height / 2];
}"""
"""Where a hand would press and let go to select a stretch given in UTF-16 units."""


def units(text: str) -> int:
    """How long a text is for the browser."""
    return len(text.encode("utf-16-le")) // 2


@pytest.fixture(scope="module")
def scripts(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> Desktop:
    """A desk with one claim per text, and a queue for each test."""
    path = tmp_path_factory.mktemp("scripts") / "desk.duckdb"
    texts = enumerate(TEXTS.items())
    fill(path, [answer([f"This is about {name}."], text) | {"request_id": f"r{n}"} for n, (name, (text, _)) in texts])
    with open_store(path) as store:
        made = [queues.make(store, QueueSpec(name="Scripts", overlap=9), "me").queue.queue_id for _ in range(3)]
    desktop = serve(store=path)
    desktop.queues.extend(made)
    return desktop


def test_drags_are_exact_in_every_script(page: Page, scripts: Desktop) -> None:
    """What the mouse selected is what Enter keeps and the store holds, from code point to code point."""
    name = open_queue(page, scripts)
    expected = {}
    for _ in TEXTS:
        shown(page)
        title = page.locator(".claim").inner_text().removeprefix("This is about ").removesuffix(".")
        text, wanted = TEXTS[title]
        start = text.index(wanted)
        place = units(text[:start])
        x, y, to_x, to_y = page.evaluate(BOX, [place, place + units(wanted)])
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(to_x, to_y, steps=4)
        page.mouse.up()
        page.locator(".marking", has_text="keep").wait_for()
        page.keyboard.press("Enter")
        assert page.locator(".text mark.better").all_inner_texts() != []
        expected[title] = [(start, start + len(wanted), wanted)]
        press(page, "1")
    events = stored(page, scripts, name)
    spans = {uid_title(scripts, one.claim_uid): [(m.start, m.end, m.text) for m in one.better] for one in events}

    assert spans == expected


def uid_title(desktop: Desktop, claim_uid: str) -> str:
    """Which text a claim is about."""
    with open_store(desktop.folder / "copy.duckdb") as store:
        span = store.labels.span(claim_uid, "C1")
    assert span is not None
    return span.claim.removeprefix("This is about ").removesuffix(".")


def test_the_keyboard_marks_words(page: Page, scripts: Desktop) -> None:
    """m, arrows by word, Shift to widen, Enter; in text from right to left the left arrow goes on."""
    name = open_queue(page, scripts)
    expected = {}
    for _ in TEXTS:
        shown(page)
        title = page.locator(".claim").inner_text().removeprefix("This is about ").removesuffix(".")
        if title in WORDS:
            steps, wider, wanted = WORDS[title]
            forward = "ArrowLeft" if title == "right to left" else "ArrowRight"
            page.keyboard.press("m")
            for _step in range(steps):
                page.keyboard.press(forward)
            for _step in range(wider):
                page.keyboard.press(f"Shift+{forward}")
            page.keyboard.press("Enter")
            start = TEXTS[title][0].index(wanted)
            expected[title] = [(start, start + len(wanted), wanted)]
        press(page, "1")
    events = stored(page, scripts, name)
    marked = [one for one in events if one.better]
    spans = {uid_title(scripts, one.claim_uid): [(m.start, m.end, m.text) for m in one.better] for one in marked}

    assert spans == expected


def test_several_marks_and_taking_one_away(page: Page, scripts: Desktop) -> None:
    """Marks show in the passage and below it; a digit while marking labels nothing; Esc leaves."""
    name = open_queue(page, scripts)
    key = shown(page)
    for steps in (0, 1, 1):
        page.keyboard.press("m")
        for _ in range(steps):
            page.keyboard.press("End")
        page.keyboard.press("Enter")
    page.keyboard.press("m")
    page.keyboard.press("1")
    said = page.locator(".strip").inner_text()
    page.keyboard.press("Escape")
    both = page.locator(".marking .pill").count()
    page.locator(".marking .pill").first.click()
    kept = page.locator(".text mark.better").all_inner_texts()
    press(page, "2")
    (event,) = stored(page, scripts, name)

    assert shown(page) != key
    assert "Enter keeps the marked words" in said
    assert both == 2
    assert [one.text for one in event.better] == kept
    assert event.label is Label.PARTIAL
