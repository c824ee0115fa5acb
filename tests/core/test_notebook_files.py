"""Notebooks as files: what is in them, what never is, and that every text stays a text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from core import exporting, notebook_files, notebooks
from core.desk import Desk
from core.errors import InputError
from core.exporting import ExportRequest
from core.notebook_reading import Reader
from core.notebooks import Notebook, RunEnd
from tests.core.notebooks_made import FARE, LEXICAL, ODD, QUERY, ask, begin, note, opened, read, says, writes

SECRET = "A foot passenger pays Zanzibar."
MAIL = "Write to ann.ferry@harbour.example or call +44 20 7946 0958."
SUFFIXES = sorted(notebook_files.FORMATS)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk with one notebook: an answer, a blocked one, one that runs, notes, and hostile texts everywhere."""
    with opened(tmp_path_factory.mktemp("files")) as one:
        generator = one.answering._generators["extractive"]
        notebook_id = begin(one, "Ferry **look**")
        ask(one, notebook_id)
        note(one, notebook_id, f"First line\n{ODD}\n\n{MAIL} \ud83d")
        writes(one, says(SECRET, "E9"))
        ask(one, notebook_id, f"{QUERY} {ODD}")
        one.answering._generators["extractive"] = generator
        ask(one, notebook_id, "What does the ferry notice say for the passenger?")
        cell = read(one, notebook_id).content[0].cell_id
        one.store.notebooks.add([notebooks.asked(notebook_id, cell, LEXICAL)], "ann")
        yield one


@pytest.fixture(scope="module")
def book(desk: Desk) -> Notebook:
    """That notebook."""
    return read(desk, desk.store.notebooks.all()[0].notebook_id)


def shown(text: str, suffix: str) -> str:
    """What a reader of a file sees of it."""
    if suffix == ".ipynb":
        text = "\n\n".join(cell["source"] for cell in json.loads(text)["cells"])
    page = text if suffix == ".html" else MarkdownIt("commonmark").render(text)
    parsed = LexborHTMLParser(page)
    body = parsed.body
    assert body is not None
    assert [node.tag for node in body.css("script, img, a, iframe, object, form")] == []
    return " ".join(body.text().replace("\u2060", "").split())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_reads_as_the_page_does(desk: Desk, book: Notebook, suffix: str) -> None:
    """Question, claims with their labels, footnotes with their quotations, outcome, cost, and notes."""
    seen = shown(notebook_files.text_of(desk.store, book, suffix), suffix)

    assert "Ferry **look**" in seen
    assert f"{FARE} [E" in seen
    assert f"“{FARE}”" in seen
    assert "Not served: the gate stopped the answer. Claim 1 cites something" in seen
    assert "This question was asked and has no answer yet." in seen
    assert "corpus main · written by extractive@" in seen
    assert "· free" in seen
    assert "First line" in seen


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_texts_stay_texts(desk: Desk, book: Notebook, suffix: str) -> None:
    """In a question, a note and a source: nothing is run, fetched, linked or set as a formula."""
    file = notebook_files.text_of(desk.store, book, suffix)
    seen = shown(file, suffix)

    assert seen.count("<script>alert(1)</script> <img src=x onerror=alert(1)>") >= 3
    assert "**b**" in seen
    assert "\\(" not in file or suffix == ".html"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_was_not_served_is_in_no_file(desk: Desk, book: Notebook, suffix: str) -> None:
    """Not even for a reviewer, who may show the file to anybody; people are masked."""
    file = notebook_files.text_of(desk.store, book, suffix, Reader())

    assert "Zanzibar" not in file
    assert "ann.ferry" not in file
    assert "7946 0958" not in file


def test_jupyter_takes_it(desk: Desk, book: Notebook) -> None:
    """Valid under the format's own schema, with every run as data beside its words."""
    made = json.loads(notebook_files.text_of(desk.store, book, ".ipynb"))
    nbformat.validate(made)

    kinds = [cell["metadata"]["citedesk"].get("kind") for cell in made["cells"]]
    assert kinds == [None, "question", "note", "question", "question"]
    first = made["cells"][1]["metadata"]["citedesk"]["runs"][0]
    assert RunEnd.model_validate(first["end"]) == book.content[0].runs[0].end
    assert first["setup"]["verifier"] == "lexical"


def test_the_page_forbids_everything(desk: Desk, book: Notebook) -> None:
    """By its own policy."""
    page = notebook_files.text_of(desk.store, book, ".html")

    assert "default-src 'none'; style-src 'sha256-" in page


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_hidden_sources_are_hidden_in_files(desk: Desk, book: Notebook, suffix: str) -> None:
    """Footnotes lose quotation and place; claims were said and stay."""
    sources = desk.store.corpora.sources("main")
    for source in sources:
        desk.store.corpora.deactivate(source.doc_id, None, "ann")
    try:
        seen = shown(notebook_files.text_of(desk.store, book, suffix), suffix)
        assert f"“{FARE}”" not in seen
        assert "[E1] This source was taken out of use." in seen
    finally:
        for source in sources:
            desk.store.corpora.activate(source.doc_id, None, "ann")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_export_writes_the_file(desk: Desk, book: Notebook, tmp_path: Path, suffix: str) -> None:
    """By name or by id; it says how many cells there are."""
    for name in (book.name, book.notebook_id):
        out = tmp_path / f"out{suffix}"
        report = exporting.export(desk.store, ExportRequest(what="notebook", out=out, name=name))

        assert report.said == f"4 cells of the notebook 'Ferry **look**' written to {out}"
        assert out.read_text(encoding="utf-8") == notebook_files.text_of(desk.store, book, suffix)


def test_what_cannot_be_written_is_one_sentence(desk: Desk, tmp_path: Path) -> None:
    """No such notebook, two of one name, or a suffix that nobody writes; and no file."""
    first, second = begin(desk, "Twice"), begin(desk, "Twice")
    for name, out, said in (
        ("Nothing", "a.md", "no notebook called 'Nothing'"),
        ("Twice", "a.md", "2 notebooks are called 'Twice'"),
        (first, "a.pdf", "not written as .pdf"),
    ):
        with pytest.raises(InputError, match=said):
            exporting.export(desk.store, ExportRequest(what="notebook", out=tmp_path / out, name=name))
    assert list(tmp_path.iterdir()) == []
    assert second in str(notebook_files.one_notebook(desk.store, second))


@pytest.mark.parametrize(
    ("name", "file"), [("First look!", "first-look.md"), ("../../etc/passwd", "etc-passwd.md"), ("日本", "notebook.md")]
)
def test_a_file_name_that_every_system_takes(name: str, file: str) -> None:
    """Of letters, digits and hyphens."""
    assert notebook_files.file_name(name, "md") == file


def test_unknown_cost_is_never_nothing() -> None:
    """What nobody knows is said to be unknown."""
    assert notebook_files.cost(RunEnd(outcome="answered", calls=1, cost=None)) == "cost unknown"
    assert notebook_files.cost(RunEnd(outcome="answered", calls=1, cost=0.0042)) == "$0.0042"
    assert notebook_files.cost(RunEnd(outcome="answered")) == "free"
