"""Take a picture of every page: light and dark, 1280 and 1920 wide, on the sample and on an empty store.

Run as ``make screenshots`` (``ARGS="--log answers.jsonl"`` shows your own answers instead of the sample), then look at
the pictures in ``data/local/screenshots``.
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

from core.settings import local_path
from tests.browser.conftest import Desktop, chromium, fill

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = {"home": "/", "review": "/review", "label": "/label", "trends": "/trends", "data": "/data"}
SIZES = ((1280, 720), (1920, 1080))
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main() -> None:
    """Take them all and say where they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=Path, help="a file of answers to show instead of the sample")
    parser.add_argument("--out", type=Path, default=local_path("screenshots"))
    options = parser.parse_args()
    answers = read(options.log) if options.log else None
    options.out.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        fill(folder / "full.duckdb", answers)
        try:
            browser = stack.enter_context(chromium())
        except LookupError as error:
            raise SystemExit(f"No pictures without a browser: {error}.") from error
        for content in ("full", "empty"):
            desk = stack.enter_context(serving(folder / f"{content}.duckdb", folder))
            for name in take(browser, desk, options.out, content):
                sys.stdout.write(f"{name}\n")


def take(browser: Browser, desk: Desktop, out: Path, content: str) -> Iterator[Path]:
    """Take the pictures of one desk."""
    for (name, address), (width, height), scheme in product(PAGES.items(), SIZES, SCHEMES):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        page = context.new_page()
        page.goto(f"{desk.url}{address}")
        settle(page)
        path = out / f"{name}-{content}-{scheme}-{width}.png"
        page.screenshot(path=path)
        context.close()
        yield path


def settle(page: Page) -> None:
    """Wait until Streamlit has stopped running and the picture no longer moves."""
    page.wait_for_selector("[data-testid=stMainBlockContainer] *", timeout=60_000)
    for passing in ("stStatusWidget", "stSkeleton"):  # the second comes a moment after the first has gone
        page.wait_for_selector(f"[data-testid={passing}]", state="detached", timeout=60_000)
        page.wait_for_timeout(1_500)


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
