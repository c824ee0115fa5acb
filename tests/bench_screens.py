"""The pages as the peers were measured: starts, cold and repeated visits, transfer, memory, and key to next claim.

Beside each figure stands the same one of a Streamlit app of two lines in the same browser on the same machine, for the
machine's load moves both; what was measured of peers elsewhere is comparable as a multiple of that, not in seconds.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core import launch
from tests import bench_label_page
from tests.browser.conftest import Desktop, Witness, chromium, fill, free_port
from tests.browser.labelling import open_queue, settle
from tests.browser.test_label_page import label_item_of_all, walk
from tests.browser.test_review import WHOLE_ROWS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

BARE = 'import streamlit as st\nst.title("Hello")\n'
PRESSES, MOVES, FAST = 25, 22, 8
"""Label keys, moves in Review, and labels pressed without any pause, as with the peers."""

PATIENCE = 120_000
_DETAIL = """() => {
  const roots = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')].map((one) => one.shadowRoot);
  const box = roots.map((root) => root?.querySelector('.inspector')).find(Boolean);
  window.times = [];
  let at = null;
  addEventListener('keydown', (event) => { at = event.timeStamp; }, true);
  new MutationObserver(() => {
    if (at === null) return;
    window.times.push(performance.now() - at);
    at = null;
  }).observe(box, {childList: true, subtree: true, characterData: true});
}"""


class Visit(NamedTuple):
    """One page load."""

    seconds: float
    megabytes: float
    requests: int


class Figures(NamedTuple):
    """Everything measured, ours and of the bare app."""

    start: tuple[float, float]
    """Seconds until the server answers: ours, bare."""
    cold: tuple[Visit, Visit]
    repeat: tuple[float, float]
    memory: tuple[float, float]
    """Megabytes of the server after all this, and of the bare one."""
    press: list[float]
    """Milliseconds from a label key to the next claim painted."""
    repaint: list[float]
    """The same of a page that only replaces one text."""
    move: list[float]
    """Milliseconds from j in Review to the next claim's detail."""
    fast: int
    """Of ``FAST`` labels pressed at once, those on disk."""
    fits: tuple[int, int]
    """Spans of which all buttons are inside 1280×720, and all spans."""
    rows: int
    """Whole lines of Review's list at 1440×900."""
    external: int
    """Requests to other hosts."""
    load: float
    cores: int


@contextmanager
def bare() -> Iterator[tuple[str, float, int]]:
    """The app of two lines: its address, seconds until it answered, its process."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bare.py").write_text(BARE, encoding="utf-8")
        port = free_port()
        command = [sys.executable, "-m", "streamlit", "run", "bare.py", *launch.flags("127.0.0.1", port, None)]
        began = time.perf_counter()
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                yield (
                    f"http://127.0.0.1:{port}",
                    _answering(f"http://127.0.0.1:{port}/_stcore/health", began),
                    process.pid,
                )
            finally:
                process.terminate()


def measured(answers: Sequence[Mapping[str, Any]] | None) -> Figures:
    """Measure a desk on these answers, or on the sample.

    Raises:
        LookupError: There is no Chromium here.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        browser = stack.enter_context(chromium())
        fill(folder / "desk.duckdb", answers)
        desktop = Desktop(folder / "desk.duckdb", folder)
        began = time.perf_counter()
        desktop.start()
        stack.callback(desktop.stop)
        ours = time.perf_counter() - began
        url, floor, pid = stack.enter_context(bare())
        witness = Witness()
        cold, repeat = _visits(browser, desktop.url, "What are you here to do?", witness)
        bare_cold, bare_repeat = _visits(browser, url, "Hello", Witness())
        press, fast, fits = _label(browser, desktop, witness)
        move, rows = _review(browser, desktop, witness)
        assert desktop.process is not None
        return Figures(
            start=(ours, floor),
            cold=(cold, bare_cold),
            repeat=(repeat, bare_repeat),
            memory=(_megabytes(desktop.process.pid), _megabytes(pid)),
            press=press,
            repaint=[took for took, _ in bench_label_page.bare_times(browser, PRESSES)],
            move=move,
            fast=fast,
            fits=fits,
            rows=rows,
            external=len(witness.external),
            load=os.getloadavg()[0],
            cores=os.cpu_count() or 1,
        )


def _answering(url: str, began: float) -> float:
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return time.perf_counter() - began
        except OSError:
            time.sleep(0.05)


def _context(browser: Browser, width: int, height: int, witness: Witness) -> tuple[BrowserContext, Page]:
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    witness.watch(page)
    return context, page


def _visits(browser: Browser, url: str, heading: str, witness: Witness) -> tuple[Visit, float]:
    """A first visit with an empty cache, and the median of three more."""
    context, page = _context(browser, 1440, 900, witness)
    sizes: list[float] = []
    page.on("response", lambda reply: sizes.append(float(reply.headers.get("content-length", 0))))

    def visit() -> float:
        began = time.perf_counter()
        page.goto(url)
        page.get_by_role("heading", name=heading).wait_for()
        return time.perf_counter() - began

    cold = Visit(visit(), sum(sizes) / 1e6, len(sizes))
    repeat = statistics.median(visit() for _ in range(3))
    context.close()
    return cold, repeat


def _label(browser: Browser, desktop: Desktop, witness: Witness) -> tuple[list[float], int, tuple[int, int]]:
    context, page = _context(browser, 1280, 720, witness)
    open_queue(page, desktop, "timed")
    times = [painted for painted, _ in bench_label_page.timed(page, PRESSES)]
    name = open_queue(page, desktop, "fast")
    for _ in range(FAST):
        page.keyboard.press("1")
    settle(page)
    stored = len(desktop.labels(name))
    spans = label_item_of_all(desktop)
    seen, bad = walk(page, spans)
    context.close()
    return times, stored, (seen - len(bad), seen)


def _review(browser: Browser, desktop: Desktop, witness: Witness) -> tuple[list[float], int]:
    context, page = _context(browser, 1440, 900, witness)
    page.goto(f"{desktop.url}/review")
    page.locator(".rows .row.on").wait_for()
    page.locator(".inspector .verdict").wait_for()
    page.evaluate(_DETAIL)
    for number in range(MOVES):
        page.keyboard.press("j")
        page.wait_for_function("(done) => window.times.length > done", arg=number)
    found = page.evaluate("window.times"), int(page.locator(".rows").evaluate(WHOLE_ROWS))
    context.close()
    return found


def _megabytes(pid: int) -> float:
    """What a process holds in memory, as Linux counts it."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1e3


def middle_and_slow(times: Sequence[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    return f"{statistics.median(times):.0f} / {sorted(times)[int(len(times) * 0.95)]:.0f} ms (n {len(times)})"
