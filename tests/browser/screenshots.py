"""Take a picture of every page: light and dark, 1280 and 1920 wide, on the sample and on an empty store.

Run as ``make screenshots`` (``ARGS="--log answers.jsonl --labels labels.jsonl"`` shows your own answers instead of
the sample, and what people say of them), then look at the pictures in ``data/local/screenshots``. ``make pictures``
takes only those that the documentation shows, and makes them small.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PIL import Image

from core.desk import Desk
from core.label_work import LabelsWork
from core.settings import Settings, local_path
from dashboard.navigation import entries
from tests.browser.conftest import Desktop, chromium, fill

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = {entry.name: f"/{entry.name}" if entry.section else "/" for entry in entries()}
"""Every page of the navigation, with its address."""

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN = {
    "review": ".inspector[data-uid]",
    "label": ".queue[data-painted]",
    "calibrate": "[data-cell]",
    "trends": "[data-testid=stPlotlyChart] .main-svg",
    "failures": "[data-testid=stBidiComponentIsolated]",
}
"""What the documentation shows: full, light, in the small size; and what stands on each page once it is whole."""

CALM = """() => {
  const busy = document.querySelector('[data-testid=stSkeleton], [data-testid=stStatusWidget]');
  window.calm = busy ? 0 : window.calm || performance.now();
  return window.calm && performance.now() - window.calm > 2000;
}"""
"""True once nothing has been on its way for two seconds: a skeleton may come a moment after another has gone."""

COLOURS = 128
"""Of a picture in the documentation; text stays sharp, and the file is a third."""

SLOW_MS = 300_000
SIZES = ((1280, 720), (1920, 1080))
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def main() -> None:
    """Take them all and say where they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=Path, help="a file of answers to show instead of the sample")
    parser.add_argument("--labels", type=Path, help="a file of labels for every claim of the log")
    parser.add_argument("--out", type=Path, default=local_path("screenshots"))
    parser.add_argument("--pictures", action="store_true", help="only those of the documentation, into docs/pictures")
    options = parser.parse_args()
    if options.pictures:
        options.out = PICTURES
    answers = read(options.log) if options.log else None
    options.out.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        fill(folder / "full.duckdb", answers)
        if options.labels:
            label(folder / "full.duckdb", options.labels)
        try:
            browser = stack.enter_context(chromium())
        except LookupError as error:
            raise SystemExit(f"No pictures without a browser: {error}.") from error
        for content in ("full",) if options.pictures else ("full", "empty"):
            desk = stack.enter_context(serving(folder / f"{content}.duckdb", folder))
            wholes = SHOWN if content == "full" and (answers is None or options.labels) else {}
            taken = (
                shown(browser, desk, options.out)
                if options.pictures
                else take(browser, desk, options.out, content, wholes)
            )
            for name in taken:
                sys.stdout.write(f"{name}\n")


def label(store: Path, labels: Path) -> None:
    """Take in what people said of every claim."""
    desk = Desk.open(Settings(store=store))
    try:
        LabelsWork(path=labels.resolve(), design="census").run(desk, lambda done, total: None)
    finally:
        desk.close()


def take(browser: Browser, desk: Desktop, out: Path, content: str, wholes: Mapping[str, str]) -> Iterator[Path]:
    """Take the pictures of one desk; by page what stands on it once it is whole, where that is known."""
    for name, size, scheme in product(PAGES, SIZES, SCHEMES):
        path = out / f"{name}-{content}-{scheme}-{size[0]}.png"
        picture(browser, desk, name, size, scheme, path, wholes.get(name))
        yield path


def shown(browser: Browser, desk: Desktop, out: Path) -> Iterator[Path]:
    """Take the pictures of the documentation, with few colours."""
    for name, whole in SHOWN.items():
        path = out / f"{name}.png"
        picture(browser, desk, name, SIZES[0], "light", path, whole)
        with Image.open(path) as full:
            few = full.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
        yield path


def picture(
    browser: Browser, desk: Desktop, name: str, size: tuple[int, int], scheme: Scheme, path: Path, whole: str | None
) -> None:
    """Take the picture of one page, once it is calm and, if it is named, what makes it whole is there."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(SLOW_MS)
    page.goto(f"{desk.url}{PAGES[name]}")
    if whole:
        page.locator(whole).first.wait_for()
    settle(page)
    page.screenshot(path=path)
    context.close()


def settle(page: Page) -> None:
    """Wait until Streamlit has stopped running and the picture no longer moves."""
    page.wait_for_selector("[data-testid=stMainBlockContainer] *", timeout=SLOW_MS)
    page.wait_for_function(CALM, timeout=SLOW_MS)


def read(log: Path) -> list[Mapping[str, Any]]:
    """The answers of a log."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line.strip()]


@contextmanager
def serving(store: Path, folder: Path) -> Iterator[Desktop]:
    """A desk on a store, until the block ends."""
    desk = Desktop(store, folder)
    desk.start()
    try:
        yield desk
    finally:
        desk.stop()


if __name__ == "__main__":
    main()
