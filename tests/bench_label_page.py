"""Speed of the label page: from a key to the next claim on the screen and to the word that the label is stored.

Five people label at the same time: one in a real Chromium, four over the websocket as the page does.
"""

from __future__ import annotations

import os
import statistics
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.store.queue_records import EVERYTHING
from tests.browser.conftest import Desktop, chromium
from tests.browser.labelling import FRAME, shown
from tests.fakes.label_client import Tab

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PRESSES, OTHERS, PAUSE = 60, 4, 1.0
"""Presses to time; people who label meanwhile, and the seconds that each of them reads a claim."""

Times = list[tuple[float, float]]
"""Milliseconds from a key to the next claim painted, and to the label acknowledged."""

_WATCH = f"""() => {{
  const frame = {FRAME};
  [window.times, window.work, window.long] = [[], [], []];
  new PerformanceObserver((list) => window.long.push(...list.getEntries().map((task) => task.duration)))
    .observe({{type: 'longtask'}});
  let one = null, began = 0;
  addEventListener('keydown', (event) => {{
    one = {{at: event.timeStamp, key: frame.dataset.key}};
    began = performance.now();
  }}, true);
  addEventListener('keydown', () => window.work.push(performance.now() - began));
  new MutationObserver(() => {{
    if (!one) return;
    const took = performance.now() - one.at;
    const {{key, painted, unsent}} = frame.dataset;
    if (!one.painted && painted === key && key !== one.key) one.painted = took;
    if (!one.painted || unsent !== '0') return;
    window.times.push([one.painted, took]);
    one = null;
  }}).observe(frame, {{attributes: true}});
}}"""
# What any page needs: one text is replaced, laid out and painted.
_BARE = """() => {
  document.body.innerHTML = '<p>0</p>';
  window.times = [];
  addEventListener('keydown', (event) => {
    document.body.firstChild.textContent = `The gate is open, says line ${event.timeStamp}.`;
    document.body.getBoundingClientRect();
    requestAnimationFrame(() => setTimeout(() => window.times.push([performance.now() - event.timeStamp, 0]), 0));
  });
}"""


def measured(path: Path, labeller: str, presses: int = PRESSES) -> tuple[Times, Times, tuple[list[float], list[float]]]:
    """Times of the page on a store, of a bare page in the same browser at the same load, and of the page's own work.

    The last are the milliseconds of every key's work before the browser paints, and of all tasks over 50 ms.

    Raises:
        LookupError: There is no Chromium here.
    """
    desktop = Desktop(path, path.parent)
    desktop.start()
    try:
        with chromium() as browser, labelling(desktop):
            page = _page(browser)
            page.goto(f"{desktop.url}/label?labeller={labeller}&queue={EVERYTHING}")
            page.wait_for_selector(".queue[data-painted]")
            times = timed(page, presses)
            assert all(acknowledged >= painted for painted, acknowledged in times)
            work, long = page.evaluate("[window.work, window.long]")
            return times, bare_times(browser, presses), (work, long)
    finally:
        desktop.stop()


def timed(page: Page, presses: int) -> Times:
    """Times of an open queue."""
    page.evaluate(_WATCH)
    return _presses(page, presses)


def bare_times(browser: Browser, presses: int) -> Times:
    """Times of a page that replaces one text, the second of each pair nought."""
    page = _page(browser)
    page.evaluate(_BARE)
    return _presses(page, presses)


def row(what: str, times: list[float], floor: list[float]) -> tuple[str, str, str, str]:
    """Median and 95th percentile beside the floor's median, with the load of the machine."""
    middle, least = statistics.median(times), statistics.median(floor)
    slow = sorted(times)[int(len(times) * 0.95)]
    return (
        f"{what}, n={len(times)}, load {os.getloadavg()[0]:.0f}",
        f"p50 {middle:.0f}, p95 {slow:.0f} ms",
        f"bare repaint p50 {least:.0f}, p95 {sorted(floor)[int(len(floor) * 0.95)]:.0f} ms",
        f"{middle / least:.1f}×",
    )


def rows(path: Path, labeller: str, about: str) -> Iterator[tuple[str, str, str, str]]:
    """What the page of a store costs; says so where there is no browser."""
    try:
        times, bare, (work, long) = measured(path, labeller)
    except LookupError as error:
        yield "key to the next claim painted", str(error), "", ""
        return
    floor = [painted for painted, _ in bare]
    yield row(f"key to the next claim painted, {about}", [painted for painted, _ in times], floor)
    yield row(f"key to label acknowledged, {about}", [stored for _, stored in times], floor)
    yield row(f"a key's own work before that, {about}", work, floor)
    most = f"{len(long)} in {len(work)} keys, longest {max(long, default=0):.0f} ms"
    yield f"tasks of the page over 50 ms, {about}", most, "", ""


@contextmanager
def labelling(desktop: Desktop) -> Iterator[None]:
    """Let others label until the block ends."""
    done = threading.Event()
    tabs = [Tab(desktop.port, f"p{number}", EVERYTHING) for number in range(1, OTHERS + 1)]
    for tab in tabs:
        tab.open()
    threads = [threading.Thread(target=_label, args=(tab, done)) for tab in tabs]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()
        for tab in tabs:
            tab.close()
    assert all(tab.acknowledged and not tab.refused for tab in tabs)


def _label(tab: Tab, done: threading.Event) -> None:
    while not done.wait(PAUSE):
        tab.press("supported")
        tab.send()


def _page(browser: Browser) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.set_default_timeout(120_000)
    return page


def _presses(page: Page, count: int) -> Times:
    for number in range(count):
        if page.url != "about:blank":
            shown(page)
        page.keyboard.press("1")
        page.wait_for_function("(done) => window.times.length > done", arg=number)
    return [(painted, stored) for painted, stored in page.evaluate("window.times")]
