"""A store into which every way in brought a text that would like to run, fetch, or break the page."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import docx
import pyarrow as pa
from openpyxl import Workbook
from pyarrow import parquet

from core import adjudication, corpora, guidelines, importers, loaders, notebooks, plugins, queues, time_marks
from core.corpora import AddRequest
from core.desk import Desk
from core.models import Label
from core.notebook_work import CellWork
from core.notebooks import Kind, Setup
from core.people import Person, Role
from core.settings import Settings
from core.store import Store
from core.store.label_records import LabelEvent, LabelKind
from core.store.queue_records import QueueSpec
from core.tokens import mint
from tests.core.loaders.made_pdf import pdf, words
from tests.core.notebooks_made import without_models
from tests.fuzz.inputs import EXAMPLES

HOST = "evil.example"
LONG = "W" * 300
"""One word, wider than any column."""

SECRET, TOKEN = mint(f"=<b>{HOST}</b>", ["staff"])
"""Of a caller whose name is an attack, too."""

QUESTION = f"When does the gate open? <img src=http://{HOST}/q.png onerror=alert(1)>"
MARK = "Hostile"
"""Begins the word that says by which way a text came: ``HostileNote``."""


def attack(way: str) -> str:
    """A text with a word that names its way, markup of every kind, a formula, and characters that move lines."""
    return (
        f'=HYPERLINK("http://{HOST}/{way}") {MARK}{way} <img src=http://{HOST}/{way}.png onerror=alert(1)>'
        f"<script>alert(1)</script><svg onload=alert(1)><iframe src=http://{HOST}/></iframe></span></div>"
        f"![i](http://{HOST}/{way}.gif) [l](javascript:alert(1)) <style>@import 'http://{HOST}/x.css';*{{display:none}}"
        f"</style> $\\href{{javascript:alert(1)}}{{x}}$ :material/home: {{{{7*7}}}} \x1b[2J\u202eevil\u202c {LONG}"
    )


def name(way: str) -> str:
    """An attack that is short and printable, for what is called something."""
    return f"={MARK}{way}<img src=//{HOST}/{way} onerror=alert(1)>"


def build(path: Path, folder: Path) -> dict[str, str]:
    """Fill a store through every way in; gives what a test opens: a claim, a notebook, a queue, a view."""
    desk = Desk.open(Settings(store=path, verifier="lexical", cache=None, labeller=name("Me")))
    try:
        without_models(desk)
        for log in logs(folder):
            desk.import_file(log)
        for file in sources(folder):
            corpora.add(desk.store, AddRequest(paths=(file,), groups=("staff",)), name("Adder"))
        return _said(desk, folder)
    finally:
        desk.close()


def logs(folder: Path) -> Iterator[Path]:
    """A log for each importer that there is, its name an attack too; prose in it ends with one."""
    names = sorted(plugins.names(importers))
    assert {"csv", "parquet", "xlsx"} < set(names)
    for kind in names:
        if kind in _TABLES:
            yield _TABLES[kind](folder / f"<img src=x onerror=alert(1)> {kind}.{kind}")
            continue
        (example,) = EXAMPLES.glob(f"{kind}.*")
        path = folder / f"{name(kind).replace('/', '_')}{example.suffix}"
        text = example.read_text("utf-8")
        lines = text.splitlines() if example.suffix == ".jsonl" else [text]
        path.write_text("\n".join(json.dumps(_spoilt(json.loads(line), kind)) for line in lines), "utf-8")
        yield path
    path = folder / "claims.jsonl"
    path.write_text("\n".join(map(json.dumps, answers())), "utf-8")
    yield path


def answers() -> list[dict[str, Any]]:
    """In the interchange format, each field an attack."""
    urls = (
        f"javascript:alert(1)//{HOST}",
        f"http://{HOST}/source",
        "data:text/html,<script>alert(1)</script>",
        "10.1000/<b>",
    )
    return [
        {
            "request_id": f"{name('Request')}{at}",
            "query": attack("Query"),
            "asked_at": f"2026-11-{10 + at}T09:00:00Z",
            "generator": {"name": name("Generator"), "model": name("Model")},
            "answer": f"The gate opens at {at} [C1]. {attack('Answer')}",
            "claims": [
                {
                    "text": f"The gate opens at {at}. {attack('Claim')}",
                    "citation_ids": ["C1", name("Cite")],
                    "quote": attack("Quote"),
                },
                {"text": f"The toll is {at} crowns.", "citation_ids": ["C1"], "quote": None},
            ],
            "evidence": [
                {
                    "id": "C1",
                    "text": f"The gate opens at 7. {attack('Evidence')}",
                    "locator": attack("Locator"),
                    "source_version": name("Version"),
                    "uri": url,
                    "title": attack("Title"),
                }
            ],
        }
        for at, url in enumerate(urls)
    ]


def sources(folder: Path) -> Iterator[Path]:
    """A file for each loader of a corpus, its name an attack too."""
    text = f"The gate opens at 7 in the morning. {attack('Source')}"
    made: dict[str, Callable[[Path], Any]] = {
        ".txt": lambda path: path.write_text(text, "utf-8"),
        ".md": lambda path: path.write_text(f"# {attack('Heading')}\n\n{text}", "utf-8"),
        ".html": lambda path: path.write_text(f"<title>{name('Html')}</title><p>{text}</p>", "utf-8"),
        ".docx": lambda path: _word_file(path, text),
        ".pdf": lambda path: path.write_bytes(
            pdf(words("The gate opens at 7.", name("Pdf"), LONG), title=name("PdfTitle"))
        ),
    }
    suffixes = {one.SUFFIXES for one in plugins.load_all(loaders)}
    assert all(any(suffix in made for suffix in each) for each in suffixes)
    for suffix, write in made.items():
        path = folder / f"{MARK}File <img src=x onerror=alert(1)>{suffix}"
        write(path)
        yield path


def _word_file(path: Path, text: str) -> None:
    document = docx.Document()
    document.add_heading("Opening hours")
    document.add_paragraph("".join(char for char in text if char.isprintable()))
    document.save(str(path))


def _csv(path: Path) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(_rows("csv"))
    return path


def _xlsx(path: Path) -> Path:
    book = Workbook()
    for row in _rows("xlsx"):
        book.worksheets[0].append([cell.replace("\x1b", "").removeprefix("=") for cell in row])
    book.save(path)
    return path


def _parquet(path: Path) -> Path:
    head, *rows = _rows("parquet")
    parquet.write_table(pa.Table.from_pylist([dict(zip(head, row, strict=True)) for row in rows]), path)
    return path


_TABLES = {"csv": _csv, "xlsx": _xlsx, "parquet": _parquet}


def _rows(kind: str) -> Iterable[list[str]]:
    yield ["id", "question", "answer", "contexts", "context_ids"]
    text = attack(kind)
    yield [kind, text, f"The gate opens at 7 [C1]. {text}", json.dumps([f"The gate opens at 7. {text}"]), '["C1"]']


def _spoilt(value: Any, kind: str) -> Any:
    """A log whose prose, which is what has a blank in it, ends with an attack; words of the format stay."""
    if isinstance(value, dict):
        return {key: _spoilt(one, kind) for key, one in value.items()}
    if isinstance(value, list):
        return [_spoilt(one, kind) for one in value]
    is_prose = isinstance(value, str) and " " in value and value[0] not in "[{"
    return f"{value} {attack(kind)}" if is_prose else value


def _said(desk: Desk, folder: Path) -> dict[str, str]:
    """What people say at the desk: labels, decisions, queues, views, notes, questions, marks, guidelines, tokens."""
    store = desk.store
    store.tokens.add(TOKEN, name("Keeper"))
    guideline = guidelines.add(store, _guideline(), name("Writer"))
    queue = queues.make(store, QueueSpec(name=name("Queue"), overlap=2, guideline=guideline.guideline), "ann").queue
    queues.everything(store)
    claim = _labelled(store, queue.queue_id, guideline.guideline)
    view = store.saved_views.save("failures", {"q": attack("ViewText")}, name("View"), name("Viewer"))
    store.references.supply(
        ("url", f"http://{HOST}/source"), attack("Supplied"), attack("SuppliedAt"), name("Supplier")
    )
    time_marks.add(store, "2026-11-12", name("Mark"), name("Marker"))
    return {"claim": claim, "queue": queue.queue_id, "view": view, "notebook": _asked(desk)}


def _guideline() -> str:
    shipped = guidelines.shipped()
    return shipped.replace("# How to label, version 1\n", f"# {attack('Guideline')}\n", 1).replace(
        "- Claim:", f"- {attack('Example')} Claim:", 1
    )


def _labelled(store: Store, queue_id: str, guideline: str) -> str:
    """Two people differ and say why, a third decides; gives the claim."""
    text, cite = answers()[0]["claims"][0]["text"], "C1"
    (uid,) = store.gold.claims_reading([text])[text]
    span = store.labels.span(uid, cite)
    assert span is not None
    for who, label in ((name("Ann"), Label.SUPPORTED), (name("Bob"), Label.CONTRADICTED)):
        store.labels.add(
            [
                LabelEvent(
                    event_id=str(uuid4()), kind=LabelKind.LABEL, claim_uid=uid, cite=cite, labeller=who, label=label,
                    note=attack("Note"), guideline=guideline, seen_sha256=span.seen_sha256, queue_id=queue_id,
                )
            ]
        )  # fmt: skip
    store.labels.add(
        [
            LabelEvent(
                event_id=str(uuid4()), kind=LabelKind.FLAG, claim_uid=uid, cite=cite, labeller=name("Ann"), label=None,
                reason=attack("Flag"), guideline=guideline, seen_sha256=span.seen_sha256, queue_id=queue_id,
            )
        ]
    )  # fmt: skip
    judge = Person(name=name("Judge"), role=Role.REVIEWER)
    (case,) = adjudication.docket(store, judge).cases
    found = adjudication.case(store, judge, case)
    assert found is not None
    sent = {"event_id": str(uuid4()), "token": found.token, "label": "partial", "rationale": attack("Rationale")}
    adjudication.decide(store, judge, sent, case)
    return uid


def _asked(desk: Desk) -> str:
    """A notebook with a note, a question that was answered, and one of SQL."""
    event = notebooks.created(name("Notebook"))
    book = event.notebook_id
    note, question = (
        notebooks.added(book, Kind.NOTE, attack("NoteCell")),
        notebooks.added(book, Kind.QUESTION, QUESTION),
    )
    desk.store.notebooks.add([event, note, question], name("Asker"))
    setup = Setup(verifier="lexical")
    run = notebooks.asked(book, str(question.cell_id), setup)
    desk.store.notebooks.add([run], name("Asker"))
    CellWork(
        notebook_id=book,
        cell_id=str(question.cell_id),
        run_id=str(run.run_id),
        query=QUESTION,
        setup=setup,
        groups=("staff",),
    ).run(desk, lambda done, total: None)
    return book
