"""The page of a PDF in a real browser: the marks cover the drawn words of the cited passage, at any width."""

from __future__ import annotations

import io
import json
from base64 import b64decode
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from core import corpora, originals
from core.corpora import AddRequest
from core.desk import Desk
from core.models import utc_now
from core.settings import Settings
from tests.browser.conftest import Desktop, Witness
from tests.browser.test_review import open_review
from tests.core.loaders.made_pdf import pdf, words

if TYPE_CHECKING:
    from playwright.sync_api import Page

LINES = (
    "Rules of the harbour bridge",
    "The bridge opens at 7 in the morning and shuts at 9 in the evening, but on",
    "market days it stays open until 11. Boats pay a toll of 3 crowns at the gate.",
    "Dogs cross for free and nobody counts them.",
)
CLAIM = "Boats pay a toll of 3 crowns at the gate."

PLACES = """sheet => {
  const home = sheet.querySelector('img').getBoundingClientRect();
  return [...sheet.querySelectorAll('i')].map((mark) => {
    const box = mark.getBoundingClientRect();
    return [(box.left - home.left) / home.width, (box.top - home.top) / home.height,
            box.width / home.width, box.height / home.height];
  });
}"""
"""Where the marks are on the picture as it is drawn, in shares of it."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with an answer about the second page of a PDF."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "rules.pdf").write_bytes(pdf(words("A cover."), words(*LINES), title="Harbour rules"))
    path = folder / "desk.duckdb"
    with closing(Desk.open(Settings(store=path, verifier="lexical", cache=None))) as desk:
        corpora.add(desk.store, AddRequest(paths=(folder / "rules.pdf",)), "ann")
        chunks = [one for one in desk.store.corpora.chunks("main", None, utc_now()) if one.page == 2]
        (entry,) = [corpora.evidence(one, "E1") for one in chunks]
        asked: dict[str, Any] = {"request_id": "r1", "query": "What do boats pay?"}
        asked["claims"] = [{"text": CLAIM, "citation_ids": ["E1"], "quote": CLAIM}]
        asked["evidence"] = [entry.model_dump(exclude={"meta"}) | entry.meta]
        (folder / "log.jsonl").write_text(json.dumps(asked), encoding="utf-8")
        desk.import_file(folder / "log.jsonl")
    return path


@pytest.fixture(scope="module")
def desk(serve: Callable[..., Desktop], store: Path) -> Desktop:
    """A desk on it."""
    return serve(store=store)


def open_page(page: Page, desk: Desktop) -> None:
    """Open Review and ask for the page of the cited passage."""
    open_review(page, desk)
    page.locator(".card .to-page").click()
    page.wait_for_selector(".sheet img")


def picture(page: Page) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The picture that was sent, in shades of grey."""
    source = page.locator(".sheet img").get_attribute("src") or ""
    return np.asarray(Image.open(io.BytesIO(b64decode(source.partition(",")[2]))).convert("L"))


def dark(shades: np.ndarray[Any, np.dtype[np.uint8]], place: list[float]) -> int:
    """How many dark pixels there are in a part of the picture."""
    high, wide = shades.shape
    left, top, width, height = place
    rows, columns = slice(round(top * high), round((top + height) * high)), slice(round(left * wide), None)
    return int((shades[rows, columns][:, : round(width * wide)] < 128).sum())


@pytest.mark.parametrize("width", [700, 1280, 1920])
def test_the_marks_cover_the_cited_words(page: Page, witness: Witness, desk: Desktop, width: int) -> None:
    """As much ink is under the mark as the sentence has, wherever and however wide the picture is drawn."""
    page.set_viewport_size({"width": width, "height": 800})
    open_page(page, desk)
    shades, places = picture(page), page.locator(".sheet").evaluate(PLACES)

    assert len(places) == 1
    everything = dark(shades, [0, 0, 1, 1])
    share = sum(dark(shades, place) for place in places) / everything
    assert share == pytest.approx(len(CLAIM) / sum(map(len, LINES)), abs=0.05)
    assert places[0][1] == pytest.approx((792 - 720 + 2 * 14 - 12) / 792, abs=0.01)
    assert places[0][0] > 0.3
    assert "page 2 of 2" in page.locator(".page-view").inner_text()
    assert (
        page.locator(".sheet img").get_attribute("alt") == "Harbour rules, page 2 of 2, with the cited passage marked"
    )
    witness.assert_quiet()


def test_without_its_file_the_text_stays(page: Page, witness: Witness, desk: Desktop, store: Path) -> None:
    """One sentence instead of the picture; the passage is there as before."""
    kept = next(originals.folder_of(store).iterdir())
    content = kept.read_bytes()
    kept.unlink()
    open_review(page, desk)
    page.locator(".card .to-page").click()
    page.get_by_text("The file of this page is no longer beside the store").wait_for()
    assert CLAIM in page.locator(".passage").inner_text()
    kept.write_bytes(content)
    witness.assert_quiet()
