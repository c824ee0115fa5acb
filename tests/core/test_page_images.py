"""Pages as pictures: the rectangles lie on the drawn words and nowhere else, however the page is turned and cropped."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core import corpora, originals, page_images
from core.corpora import AddRequest
from core.loaders import Page
from core.models import Evidence, utc_now
from core.page_images import PageImage, Rectangle, draw, rectangles, render
from core.store import Store, open_store
from core.withholding import HIDDEN
from tests.core.loaders.made_pdf import Sheet, pdf, words

LINES = ("The toll for boats is 3 crowns,", "payable at the north gate.", "Cars pay nothing.")
PAGES = (
    words("A first page."),
    words(*LINES),
    Sheet(words(*LINES, x=150, y=500).content, b"/Rotate 90"),
    Sheet(words(*LINES, x=150, y=500).content, b"/Rotate 270 /CropBox [100 300 600 700]"),
    Sheet(words(*LINES, x=150, y=500).content, b"/Rotate 180 /MediaBox [50 50 650 750]"),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with a PDF of pages that are turned and cropped in several ways, and a text."""
    (tmp_path / "tolls.pdf").write_bytes(pdf(*PAGES, title="Tolls"))
    (tmp_path / "tolls.txt").write_text("The toll is 3 crowns.", encoding="utf-8")
    with open_store(tmp_path / "desk.duckdb") as opened:
        added = corpora.add(opened, AddRequest(paths=(tmp_path / "tolls.pdf", tmp_path / "tolls.txt")), "ann")
        assert not added.refused
        yield opened


def entries(store: Store) -> dict[int, Evidence]:
    """The passages of the PDF by page, and the text's as page 0."""
    found = store.corpora.chunks("main", None, utc_now())
    return {one.page if one.uri.endswith("pdf") else 0: corpora.evidence(one, f"E{one.page}") for one in found}


def drawn(store: Store, page: int, text: str) -> PageImage:
    """A page with one stretch of its passage marked."""
    entry = entries(store)[page]
    at = entry.text.index(text)
    image = draw(store, entry, [(at, at + len(text))])
    assert isinstance(image, PageImage)
    return image


def ink(image: PageImage) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Where the picture is dark."""
    return np.asarray(Image.open(io.BytesIO(image.png)).convert("L")) < 128


def inside(image: PageImage) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Where the rectangles are, a pixel wider on each side."""
    covered = np.zeros((image.height, image.width), dtype=bool)
    for left, top, width, height in image.rectangles:
        rows = slice(max(0, int(top * image.height) - 1), int((top + height) * image.height) + 2)
        columns = slice(max(0, int(left * image.width) - 1), int((left + width) * image.width) + 2)
        covered[rows, columns] = True
    return covered


@pytest.mark.parametrize("page", [2, 3, 4, 5])
def test_rectangles_cover_the_whole_text_and_little_else(store: Store, page: int) -> None:
    """Marked whole, no ink is outside; marked one line, the ink inside is that line's share."""
    everything = drawn(store, page, entries(store)[page].text)
    assert ink(everything).sum() > 500
    assert not (ink(everything) & ~inside(everything)).any()
    assert len(everything.rectangles) == len(LINES)

    one = drawn(store, page, LINES[1])
    assert len(one.rectangles) == 1
    share = (ink(one) & inside(one)).sum() / ink(one).sum()
    assert share == pytest.approx(len(LINES[1]) / sum(map(len, LINES)), abs=0.08)
    assert inside(one).sum() < 0.05 * one.width * one.height


def test_a_stretch_over_two_lines_has_two_rectangles(store: Store) -> None:
    """Each around its own words, the upper one first."""
    text = entries(store)[2].text
    start = text.index("3 crowns")
    image = draw(store, entries(store)[2], [(start, text.index("at the north"))])
    assert isinstance(image, PageImage)
    upper, lower = image.rectangles

    assert (image.page, image.pages, image.title) == (2, 5, "Tolls")
    assert upper.top < lower.top
    assert upper.left > lower.left
    assert upper.left + upper.width > lower.left + lower.width


def test_why_a_page_is_not_shown(store: Store) -> None:
    """One sentence each: no PDF, hidden, another text, no file."""
    found = entries(store)
    hidden = found[2].model_copy(update={"text": "", "meta": found[2].meta | {HIDDEN: "This source was taken out"}})
    other = found[2].model_copy(update={"text": "Something else."})
    for entry in (found[0], hidden, Evidence(id="C1", text="from a log")):
        assert not page_images.is_from_pdf(entry)
        assert draw(store, entry, []) == "This passage is not of a PDF, so there is no page to show."
    assert page_images.is_from_pdf(found[2])
    assert draw(store, other, []) == "The passage does not match its page, so the page is not shown."
    for kept in originals.folder_of(store.path).iterdir():
        kept.write_bytes(b"damaged")
    assert "no longer beside the store" in str(draw(store, found[2], []))


def test_a_huge_page_is_drawn_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """No edge is longer than the limit, and a picture of too many bytes is drawn again smaller."""
    poster = pdf(Sheet(words("Hello").content, b"/MediaBox [0 0 14000 7000]"))
    png, width, height = render(poster, 1)
    assert (width, height) == (page_images.LONGEST_EDGE, page_images.LONGEST_EDGE // 2)
    monkeypatch.setattr(page_images, "LARGEST", len(png) - 1)
    smaller, half, _ = render(poster, 1)
    assert (len(smaller) < len(png), half) == (True, width // 2)


def box(left: float, bottom: float, right: float, top: float) -> bytes:
    """One character's place."""
    return np.asarray([left, bottom, right, top], dtype="<f4").tobytes()


def test_lines_by_hand() -> None:
    """Two characters beside each other join, one below begins anew, a blank and a far column do not join."""
    nowhere = box(0, 0, 0, 0)
    boxes = box(10, 80, 20, 90) + nowhere + box(25, 80, 30, 92) + box(80, 80, 90, 90) + box(10, 60, 20, 70)
    page = Page(number=1, text="a bcd", size=(100, 100), boxes=boxes)

    expected = [(0.10, 0.08, 0.20, 0.12), (0.80, 0.10, 0.10, 0.10), (0.10, 0.30, 0.10, 0.10)]
    assert np.asarray(rectangles(page, (0, 5))) == pytest.approx(np.asarray(expected))
    assert rectangles(page, (1, 2)) == ()
    assert rectangles(Page(number=1, text="a"), (0, 1)) == ()


@given(st.lists(st.tuples(*[st.floats(0, 90, width=32)] * 2), min_size=1, max_size=30))
def test_every_character_is_covered_and_every_rectangle_is_on_the_page(corners: list[tuple[float, float]]) -> None:
    """Wherever they stand, in whatever order."""
    boxes = b"".join(box(x, y, x + 5, y + 8) for x, y in corners)
    page = Page(number=1, text="x" * len(corners), size=(100, 100), boxes=boxes)
    found = rectangles(page, (0, len(corners)))

    assert all(one.left >= 0 and one.top >= 0 and one.left + one.width <= 1.0001 for one in found)
    for x, y in corners:
        assert any(covers(one, x / 100, 1 - (y + 8) / 100, 0.05, 0.08) for one in found)


def covers(outer: Rectangle, left: float, top: float, width: float, height: float) -> bool:
    """Whether a part of the page lies in a rectangle."""
    near = 1e-4
    return (
        outer.left <= left + near
        and outer.top <= top + near
        and outer.left + outer.width >= left + width - near
        and outer.top + outer.height >= top + height - near
    )
