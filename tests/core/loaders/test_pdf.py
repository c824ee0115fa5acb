"""PDF: the text layer with the place of every character, and what a reader of the text alone would miss."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.errors import InputError
from core.loaders import Document, Page, SourceStatus
from core.loaders import pdf as loader
from core.loaders._pdf_child import Refused, read
from tests.core.loaders.made_pdf import LOCKED, PICTURE, SIZE, Sheet, pdf, words


def load(folder: Path, content: bytes) -> Document:
    """Read a file of these bytes."""
    path = folder / "a.pdf"
    path.write_bytes(content)
    return loader.load(path)


def here(content: bytes) -> Document:
    """Read a file in this process, for many small ones that we made."""
    return loader.document(*read(content, loader.MOST_PAGES, loader.MOST_CHARACTERS))


def boxes(page: Page) -> NDArray[Any]:
    """The boxes of a page, a row a code point."""
    return np.frombuffer(page.boxes or b"", dtype="<f4").reshape(-1, 4)


def test_pages_are_read_in_order(tmp_path: Path) -> None:
    """Characters, line ends and brackets as they are; the title of the file."""
    document = load(
        tmp_path, pdf(words("The toll is 3 crowns.", "Boats (all) pay."), words("Page two."), title="Tolls")
    )

    assert [page.text for page in document.pages] == ["The toll is 3 crowns.\nBoats (all) pay.", "Page two."]
    assert document.title == "Tolls"
    assert document.pages[0].size == SIZE
    assert document.pages[0].notes == ()


def test_a_scan_is_named_and_the_other_pages_are_read(tmp_path: Path) -> None:
    """A page that is only a picture has no text, and says so."""
    document = load(tmp_path, pdf(words("Text."), Sheet(PICTURE)))

    assert [page.notes for page in document.pages] == [(), (loader.SCAN,)]
    assert document.status is SourceStatus.READY
    assert load(tmp_path, pdf(Sheet(PICTURE))).status is SourceStatus.NO_TEXT


def test_figures_and_ruled_tables_are_flagged(tmp_path: Path) -> None:
    """Text only: it may miss content. A bullet or a single line is neither."""
    lines = b" ".join(b"72 %d m 300 %d l S" % (y, y) for y in range(100, 340, 20))
    text = words("Text.").content
    small = PICTURE.replace(b"400 0 0 400", b"9 0 0 9")
    document = load(
        tmp_path, pdf(Sheet(text + PICTURE), Sheet(text + lines), Sheet(text + small + b" 72 100 m 300 100 l S"))
    )

    assert [page.notes for page in document.pages] == [(loader.FIGURE,), (loader.TABLE,), ()]


def test_text_beyond_the_edge_is_flagged_and_has_no_place(tmp_path: Path) -> None:
    """Nobody who looks at the page can see it."""
    (page,) = load(tmp_path, pdf(Sheet(words("out", x=900, y=500).content + words("in").content))).pages

    assert page.text == "out\nin"
    assert page.notes == (loader.OUTSIDE,)
    assert boxes(page).any(axis=1).tolist() == [False] * 4 + [True] * 2


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
@pytest.mark.parametrize("cut", [b"", b"/MediaBox [100 50 712 842]", b"/CropBox [150 600 400 760]"])
def test_boxes_lie_where_the_ink_is(turned: int, cut: bytes, tmp_path: Path) -> None:
    """On the page as it is drawn, however it is cut and turned."""
    content = pdf(Sheet(words("Top left", x=172).content, b"/Rotate %d " % turned + cut))
    (page,) = load(tmp_path, content).pages
    with pypdfium2.PdfDocument(content) as drawn:
        grey = np.asarray(drawn[0].render(scale=2).to_numpy()).min(axis=2)
    rows, columns = np.nonzero(grey < 128)
    shown = boxes(page)[boxes(page).any(axis=1)]
    left, bottom = shown[:, :2].min(axis=0)
    right, top = shown[:, 2:].max(axis=0)

    assert page.size == (grey.shape[1] / 2, grey.shape[0] / 2)
    assert left - 1 <= columns.min() / 2 <= columns.max() / 2 <= right + 1
    assert bottom - 1 <= (grey.shape[0] - rows.max()) / 2 <= (grey.shape[0] - rows.min()) / 2 <= top + 1
    assert max(right - left, top - bottom) < 50


@given(
    lines=st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=126)), max_size=6),
    x=st.integers(-700, 1300),
    y=st.integers(-100, 900),
    size=st.integers(1, 200),
    turned=st.sampled_from([0, 90, 180, 270]),
    crop=st.tuples(st.integers(-50, 300), st.integers(-50, 300), st.integers(310, 700), st.integers(310, 900)),
)
def test_one_box_a_code_point_inside_the_page(
    lines: list[str],
    x: int,
    y: int,
    size: int,
    turned: int,
    crop: tuple[int, int, int, int],
) -> None:
    """White space has no place, and nothing has one beyond the edge."""
    sheet = words(*lines, x=x, y=y, size=size)
    content = pdf(sheet._replace(extra=b"/Rotate %d /CropBox [%d %d %d %d]" % (turned, *crop)))
    (page,) = here(content).pages
    found = boxes(page)
    assert page.size is not None

    assert len(found) == len(page.text)
    assert (found[:, :2] <= found[:, 2:]).all()
    assert (found >= 0).all()
    assert (found <= np.array([*page.size, *page.size]) + 0.01).all()
    assert not [one for one, box in zip(page.text, found, strict=True) if one.isspace() and box.any()]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (pdf(words("x"), encrypt=LOCKED), "is locked by a password; save a copy without the password."),
        (pdf(words("x"))[:300], "is no PDF that can be read; open it in a viewer and save it again."),
        (b"", "is no PDF that can be read; open it in a viewer and save it again."),
        (b"<html>", "is a web page by its content; rename it so that it ends in .html."),
        ("Fähre".encode("latin-1"), "is plain text by its content; rename it so that it ends in .txt."),
        (b"The toll is 3 crowns.", "is plain text by its content; rename it so that it ends in .txt."),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(content: bytes, said: str, tmp_path: Path) -> None:
    """Locked, cut short, empty, something else."""
    with pytest.raises(InputError) as refused:
        load(tmp_path, content)

    assert str(refused.value) == f"{tmp_path / 'a.pdf'} {said}"


@pytest.mark.parametrize(("limit", "said"), [("MOST_PAGES", "has 2 pages"), ("MOST_CHARACTERS", "Page 1 of")])
def test_what_has_no_end_is_refused(limit: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More pages, or characters on a page, than a document has."""
    monkeypatch.setattr(loader, limit, 1)

    with pytest.raises(InputError, match=said):
        load(tmp_path, pdf(words("ab"), words("cd")))


@given(st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=8), st.integers(0, 2000))
def test_broken_files_are_read_or_refused(changes: list[tuple[int, int]], cut: int) -> None:
    """No byte that changed and no cut makes the loader stumble."""
    content = bytearray(pdf(words("The toll", "is 3"), words("x")))
    for at, byte in changes:
        content[at % len(content)] = byte
    try:
        here(bytes(content[: max(cut, 1)])).text.encode("utf-8", "surrogatepass")
    except Refused:
        return
