"""Notebooks as files for others: Jupyter's format, one HTML page, or Markdown.

A file holds what people asked and noted and what was served; of what was not served it says why, and nothing more.
Every text is masked and reads as it stands: none of it is Markdown, HTML or a formula, and nothing is ever fetched.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core import __version__, exporters
from core.errors import InputError
from core.exporters import html, markdown
from core.masking import mask
from core.models import Record
from core.notebook_reading import Reader, ShownCell, ShownRun, read
from core.notebooks import Kind, Notebook, RunEnd
from core.store import Store
from core.withholding import HIDDEN

MOST_ROWS = 200
"""Rows of a result that a file shows."""

_MATHS = re.compile(r"\\(?=[()\[\]])")
"""Where Jupyter reads a formula in spite of an escaped backslash."""


class Line(Record):
    """One line of a cell for people."""

    style: str
    """``question``, ``note``, ``soft``, ``said`` or ``quote``."""
    text: str
    rows: tuple[tuple[str, ...], ...] = ()
    """Of a ``table``, its columns' names first."""


def one_notebook(store: Store, name: str) -> Notebook:
    """The notebook of this id or name.

    Raises:
        InputError: There is none, or several share the name.
    """
    found = store.notebooks.find(name)
    if not found:
        known = ", ".join(repr(one.name) for one in store.notebooks.all()[:5]) or "none yet"
        raise InputError(f"There is no notebook called {name!r}", f"there are: {known}")
    if len(found) > 1:
        ids = ", ".join(one.notebook_id for one in found)
        raise InputError(f"{len(found)} notebooks are called {name!r}", f"name one by its id: {ids}")
    notebook = store.notebooks.get(found[0].notebook_id)
    assert notebook is not None, "notebooks are never deleted"
    return notebook


def write(store: Store, notebook: Notebook, path: Path, reader: Reader | None = None) -> int:
    """Write a notebook to a file whose suffix names the format; gives how many cells it has.

    Raises:
        InputError: The suffix is none of ``.ipynb``, ``.html`` and ``.md``.
    """
    if path.suffix not in FORMATS:
        raise InputError(f"Notebooks are not written as {path.suffix or 'files without suffix'}", f"use {_SUFFIXES}")
    path.write_text(text_of(store, notebook, path.suffix, reader), encoding="utf-8", newline="\n")
    return len(notebook.content)


def text_of(store: Store, notebook: Notebook, suffix: str, reader: Reader | None = None) -> str:
    """The content of such a file.

    Args:
        store: Where everything is.
        notebook: As it stands.
        suffix: One of ``FORMATS``.
        reader: Who gets it; none: whoever keeps the desk. What was not served is in no file, whoever asks.
    """
    reader = (reader or Reader()).model_copy(update={"reviews": False})
    return FORMATS[suffix](notebook, read(store, notebook, reader))


def file_name(name: str, suffix: str) -> str:
    """A file name that every system takes."""
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-').lower()[:60] or 'notebook'}.{suffix}"


def lines(cell: ShownCell) -> Iterator[Line]:
    """What a cell says, line by line."""
    if cell.cell.kind is Kind.NOTE:
        yield Line(style="note", text=mask(cell.cell.text))
        return
    if cell.cell.kind is Kind.SQL:
        yield from _sql(cell)
        return
    yield Line(style="question", text=mask(cell.cell.text))
    for shown in cell.runs:
        yield from _run(shown)


def _sql(cell: ShownCell) -> Iterator[Line]:
    """The question as it was asked when the result came, and the result."""
    result = cell.cell.result
    yield Line(style="code", text=mask(result.sql if result else cell.cell.text))
    if result is None:
        yield Line(style="soft", text=cell.hidden or "This was not run yet.")
        return
    shown = result.rows[:MOST_ROWS]
    left = f", the first {len(shown)} of them here" if len(shown) < len(result.rows) else ""
    more = f"more than {len(result.rows):,}" if result.cut else f"{len(result.rows):,}"
    yield Line(style="soft", text=f"{more} rows{left} · {result.at:%Y-%m-%d %H:%M} UTC")
    for note in result.notes:
        yield Line(style="soft", text=mask(note))
    rows = [tuple("" if value is None else mask(str(value)) for value in row) for row in shown]
    yield Line(style="table", text="", rows=(tuple(map(mask, result.columns)), *rows))


def _run(shown: ShownRun) -> Iterator[Line]:
    end = shown.run.end
    if end is None:
        yield Line(style="soft", text="This question was asked and has no answer yet.")
        return
    yield Line(style="soft", text=facts(shown, end))
    yield Line(style="soft", text=mask(shown.words))
    for claim in (shown.answer.claims if shown.answer else None) or ():
        marks = "".join(f" [{label}]" for label in claim.citation_ids)
        yield Line(style="said", text=f"{mask(claim.text)}{marks}")
    hidden = {one.id: one.meta[HIDDEN] for one in (shown.answer.evidence if shown.answer else ()) if HIDDEN in one.meta}
    where = {note.label: filter(None, (note.locator, note.source_version)) for note in shown.footnotes}
    for label, quote in (*((note.label, note.quote) for note in shown.footnotes), *shown.excerpts):
        said = f"“{' '.join(mask(quote).split())}”" if quote else ""
        parts = [f"{hidden[label]}."] if label in hidden else [" · ".join(where.get(label, ())), said]
        yield Line(style="quote", text=" ".join(filter(None, (f"[{label}]", *parts))))


def facts(shown: ShownRun, end: RunEnd) -> str:
    """Who answered and judged what, how long it took and what it cost, on one line."""
    setup = shown.run.setup
    writer = ":".join(filter(None, (end.generator or setup.generator, end.model)))
    parts = [f"corpus {setup.corpus}", f"written by {writer}", f"judged by {end.protocol or setup.verifier}"]
    parts += [f"gate {end.gate or setup.gate}", f"{shown.run.asked_at:%Y-%m-%d %H:%M} UTC", f"{end.total_s:.1f} s"]
    return " · ".join([*parts, cost(end)])


def cost(end: RunEnd) -> str:
    """What it cost, in words; what nobody knows is never 0."""
    if end.cost is None:
        return "cost unknown"
    return f"${end.cost:.4f}" if end.calls else "free"


def _markdown(notebook: Notebook, cells: Sequence[ShownCell]) -> str:
    body = "\n\n---\n\n".join(_cell_markdown(cell) for cell in cells)
    return f"# {_plain(mask(notebook.name))}\n\n{body}\n\n---\n\n{_FOOT}\n"


def _cell_markdown(cell: ShownCell) -> str:
    made: dict[str, Callable[[str], str]] = {
        "question": lambda text: f"## {_plain(text)}",
        "note": lambda text: "  \n".join(_plain(line) for line in text.splitlines()),
        "soft": lambda text: f"*{_plain(text)}*",
        "said": _plain,
        "quote": lambda text: f"> {_plain(text)}",
        "code": lambda text: "  \n".join(_plain(line) for line in text.splitlines()),
    }
    return "\n\n".join(
        _table_markdown(line.rows) if line.style == "table" else made[line.style](line.text) for line in lines(cell)
    )


def _table_markdown(rows: Sequence[Sequence[str]]) -> str:
    said = [f"| {' | '.join(_plain(' '.join(cell.split())) for cell in row)} |" for row in rows]
    return "\n".join([said[0], f"|{' --- |' * len(rows[0])}", *said[1:]])


def _plain(text: str) -> str:
    return markdown.plain(_MATHS.sub("\\\\\u2060", text))


def _ipynb(notebook: Notebook, cells: Sequence[ShownCell]) -> str:
    import nbformat

    def cell_of(name: str, text: str, about: dict[str, Any]) -> dict[str, Any]:
        return {"cell_type": "markdown", "id": name, "metadata": {"citedesk": about}, "source": text}

    about = {"notebook_id": notebook.notebook_id, "version": __version__}
    content = [cell_of("title", f"# {_plain(mask(notebook.name))}\n\n{_FOOT}", about)]
    for cell in cells:
        runs = [one.run.model_dump(mode="json") for one in cell.runs]
        kind = {"kind": str(cell.cell.kind), "runs": runs}
        content.append(cell_of(cell.cell.cell_id, _cell_markdown(cell), kind))
    made = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": content}
    nbformat.validate(made)
    return json.dumps(made, indent=1) + "\n"  # ASCII: half an emoji has no place in UTF-8


def _html(notebook: Notebook, cells: Sequence[ShownCell]) -> str:
    style = Path(exporters.__file__).with_name("_report.css").read_text(encoding="utf-8") + _STYLE
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    name = html.text(mask(notebook.name))
    body = "\n".join(f"<article>{''.join(map(_element, lines(cell)))}</article>" for cell in cells)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Citedesk notebook</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n<h1>{name}</h1>\n{body}\n"
        f'<p class="soft">{_FOOT}</p>\n</main>\n</body>\n</html>\n'
    )


def _element(line: Line) -> str:
    if line.style == "table":
        head, *body = (
            "".join(f"<{tag}>{html.text(cell)}</{tag}>" for cell in row)
            for row, tag in zip(line.rows, ["th", *["td"] * len(line.rows)], strict=False)
        )
        return f'<div class="wide"><table><tr>{head}</tr>{"".join(f"<tr>{row}</tr>" for row in body)}</table></div>'
    tag, name = _TAGS[line.style]
    return f'<{tag} class="{name}" dir="auto">{html.text(line.text)}</{tag}>'


_TAGS = {
    "question": ("h2", "asked"),
    "note": ("p", "note"),
    "code": ("pre", "note"),
    "soft": ("p", "soft"),
    "said": ("p", "said"),
    "quote": ("blockquote", "none"),
}
_STYLE = (
    "\narticle { border-left-color: var(--line); }\n.asked { margin: 0 0 .4rem; }\n.note { white-space: pre-wrap; }\n"
)
_FOOT = f"Written by Citedesk {__version__}. E-mail addresses, telephone and account numbers are masked."

FORMATS: Mapping[str, Callable[[Notebook, Sequence[ShownCell]], str]] = {
    ".ipynb": _ipynb,
    ".html": _html,
    ".md": _markdown,
}
"""By suffix."""

_SUFFIXES = ", ".join(FORMATS)
