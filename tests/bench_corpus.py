"""Speed and memory of taking sources in: real pages in growing numbers; called by ``make bench``.

The pages are what is on any machine with Python: the reference topics of ``help()`` and the docstrings of its library,
each of at most 3,000 characters, a tenth of them as PDF, and what text Debian's packages bring, where there are some.
"""

from __future__ import annotations

import ast
import json
import resource
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from pydoc_data import topics
from subprocess import run
from time import perf_counter, process_time

from core import corpora
from core.corpora import AddRequest
from core.models import utc_now
from core.store import open_store
from tests.core.loaders.made_pdf import pdf, words

Row = tuple[str, str, str, str]

PAGE = 3_000
"""Code points of a page at most."""

PAGES_OF_A_FILE = 20

PDF_EVERY = 10


def rows(pages: int = 2_000) -> Iterator[Row]:
    """That many pages into one corpus, beside a tenth of them."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        seen = {}
        for number in (max(PAGES_OF_A_FILE, pages // 10), pages):
            write(home / f"{number}", number)
            done = run(
                [sys.executable, "-m", "tests.bench_corpus", str(home / f"{number}")], check=True, capture_output=True
            )
            seen[number] = json.loads(done.stdout)
        few, many = seen.values()
    yield (
        f"add {many['pages']:,} pages, {many['chunks']:,} chunks",
        f"{many['seconds'] / many['pages'] * 1000:.1f} ms CPU a page",
        f"{few['pages']:,} pages {few['seconds'] / few['pages'] * 1000:.1f} ms",
        f"{many['seconds'] / many['pages'] / (few['seconds'] / few['pages']):.1f}×",
    )
    yield (
        "the last tenth of them",
        f"{many['last'] * 1000:.1f} ms CPU a page",
        f"the first tenth {many['first'] * 1000:.1f} ms",
        f"{many['last'] / many['first']:.1f}×",
    )
    yield (
        "peak memory while adding",
        f"{many['peak']:.0f} MiB",
        f"{few['pages']:,} pages {few['peak']:.0f} MiB",
        f"{many['peak'] / few['peak']:.1f}×",
    )
    yield "read all chunks", f"{many['read'] * 1000:.0f} ms", f"{many['chunks']:,} chunks", ""


def texts() -> Iterator[str]:
    """Real prose, page by page."""
    library = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")) + sorted(
        Path(sysconfig.get_path("stdlib")).glob("*/*.py")
    )
    debian = (path for path in sorted(Path("/usr/share/doc").glob("*/*")) if path.is_file() and path.suffix != ".gz")
    sources = chain(topics.topics.values(), map(_docstrings, library), map(_plain, debian))
    for text in sources:
        for start in range(0, len(text), PAGE):
            if page := text[start : start + PAGE].strip():
                yield page


def write(home: Path, pages: int) -> None:
    """Lay that many pages down in files of some pages each."""
    home.mkdir()
    found = islice(texts(), pages)
    number = 0
    while group := list(islice(found, PAGES_OF_A_FILE)):
        number += 1
        if number % PDF_EVERY:
            (home / f"{number:05}.txt").write_text("\f".join(group), encoding="utf-8", errors="replace")
        else:
            plain = [page.encode("cp1252", "replace").decode("cp1252").split("\n") for page in group]
            (home / f"{number:05}.pdf").write_bytes(pdf(*(words(*lines, size=4) for lines in plain)))


def measure(home: Path) -> dict[str, float]:
    """Add a folder in this process and say what it took."""
    marks: list[float] = []
    with open_store(home.with_suffix(".duckdb")) as store:
        began = process_time()
        report = corpora.add(
            store, AddRequest(paths=(home,)), "bench", lambda done, total: marks.append(process_time() - began)
        )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        again = perf_counter()
        chunks = sum(1 for _ in store.corpora.chunks("main", None, utc_now()))
        read = perf_counter() - again
    pages = [file.source.pages for file in report.files]
    tenth = max(1, len(pages) // 10)
    assert not report.refused, report.refused[0].reason
    return {
        "pages": sum(pages),
        "chunks": chunks,
        "seconds": marks[-1],
        "first": marks[tenth - 1] / sum(pages[:tenth]),
        "last": (marks[-1] - marks[-tenth - 1]) / sum(pages[-tenth:]) if len(pages) > tenth else marks[-1] / sum(pages),
        "peak": peak,
        "read": read,
    }


def _docstrings(path: Path) -> str:
    with suppress(OSError, SyntaxError, ValueError):
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        return "\n\n".join(
            filter(None, (ast.get_docstring(node) for node in ast.walk(tree) if isinstance(node, kinds)))
        )
    return ""


def _plain(path: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8")
    return ""


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(Path(sys.argv[1]))))
