"""Hostile text from every way in reaches every page, export and log, and nothing of it runs, fetches or breaks out.

The pages are those of ``dashboard.navigation``: a new one is walked without being named here.
"""

from __future__ import annotations

import csv
import http.client
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import nbformat
import pyarrow.parquet as pq
import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from selectolax.lexbor import LexborHTMLParser
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from core import exporting
from core.exporters.csv import FORMULA_STARTS
from core.exporting import ExportRequest
from core.store import open_store
from dashboard import navigation, security
from tests.browser.conftest import Desktop, Witness
from tests.fakes import hostile

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Attacked(NamedTuple):
    """A desk full of hostile text."""

    desk: Desktop
    names: dict[str, str]
    exports: Path
    """A folder of every kind of file that the store can be written to."""


LOOK = f"""() => {{
  const found = {{text: '', nodes: [], wide: []}};
  const places = ['src', 'href', 'srcset', 'action', 'data', 'poster'];
  const urls = (one) => places.map((name) => one.getAttribute(name) || '');
  const isLink = (one) => one.matches('a') && one.rel.includes('noopener');
  const isLively = (one) => one.matches('iframe, object, embed')
    || [...one.attributes].some((at) => at.name.startsWith('on'))
    || urls(one).some((url) => /^\\s*(javascript|vbscript|data:text)/i.test(url))
    || (urls(one).some((url) => url.includes('{hostile.HOST}')) && !isLink(one));
  const walk = (root) => {{
    for (const one of root.querySelectorAll('*')) {{
      if (one.shadowRoot) walk(one.shadowRoot);
      const isRawExport = one.ariaLabel?.startsWith('Download as CSV') && one.checkVisibility();
      if (isLively(one) || isRawExport) found.nodes.push(one.outerHTML.slice(0, 200));
      if (one.matches('input, textarea')) found.text += ' ' + one.value;
    }}
    found.text += ' ' + (root.body || root).textContent;
  }};
  walk(document);
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) found.wide.push(`page ${{page.scrollWidth}}`);
  for (const one of document.querySelectorAll('[data-testid=stMain], [data-testid=stSidebarContent]'))
    if (one.scrollWidth > one.clientWidth + 1) found.wide.push(`${{one.dataset.testid}} ${{one.scrollWidth}}`);
  return found;
}}"""
"""What stands on a page and in its shadow roots; what might run or fetch; and what is wider than its place."""

SETTLED = """() => {
  const busy = !document.querySelector('[data-testid=stMainBlockContainer] *')
    || document.querySelector('[data-testid=stSkeleton], [data-testid=stStatusWidget], [data-stale=true]');
  window.calm = busy ? 0 : window.calm || performance.now();
  return window.calm && performance.now() - window.calm > 700;
}"""
"""True once there is a page and nothing has been on its way for a while: a part may come a moment after another."""


@pytest.fixture(scope="module")
def attacked(serve: Callable[..., Desktop], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """The store, its exports, and one desk that serves it to all tests of this file."""
    folder = tmp_path_factory.mktemp("hostile")
    path = folder / "desk.duckdb"
    names = hostile.build(path, folder)
    exports = folder / "exports"
    exports.mkdir()
    with open_store(path) as store:
        protocol = store.protocols()[0].name
        for what, suffixes in EXPORTS.items():
            for suffix in suffixes:
                out = exports / f"{what}{suffix}"
                named = names["notebook"] if what == "notebook" else ""
                guideline = store.guidelines.list()[-1].guideline if what == "gold" else ""
                exporting.export(
                    store, ExportRequest(what=what, out=out, protocol=protocol, name=named, guideline=guideline)
                )
    desktop = serve(store=path)
    yield Attacked(desktop, names, exports)
    desktop.stop()


EXPORTS: dict[Any, tuple[str, ...]] = {
    "claims": (".csv", ".jsonl", ".jsonld", ".parquet"),
    "verdicts": (".csv", ".jsonl", ".parquet"),
    "report": (".html", ".md"),
    "gold": (".csv", ".jsonl", ".parquet"),
    "labels": (".jsonl",),
    "notebook": (".html", ".ipynb", ".md"),
}


def addresses(names: dict[str, str]) -> Iterator[str]:
    """Every page as it opens, and those that open something."""
    for entry in navigation.entries():
        yield "" if entry.name == "home" else entry.name
    yield f"review?claim={names['claim']}"
    yield f"review?q={hostile.MARK}<script>alert(1)</script>&protocol=<img src=x onerror=alert(1)>"
    yield "review?claim=../../etc/passwd&only=<script>alert(1)</script>&page=1e9"
    yield f"ask?notebook={names['notebook']}"
    yield f"label?queue={names['queue']}"
    yield f"failures?view={names['view']}"


def test_no_page_runs_fetches_or_widens(attacked: Attacked, page: Page, witness: Witness) -> None:
    """The text as it stands; no dialog, no foreign request, no refused script, nothing wider than its place."""
    page.set_default_timeout(60_000)  # there is much on these pages
    seen: dict[str, str] = {}
    faults: list[str] = []
    for address in addresses(attacked.names):
        page.goto(f"{attacked.desk.url}/{address}")
        try:
            page.wait_for_function(SETTLED)
        except PlaywrightTimeout:
            faults.append(f"{address}: never finished: {page.inner_text('body')[:300]}")
        found = page.evaluate(LOOK)
        seen[address] = found["text"]
        faults += [f"{address}: {one}" for one in (*found["nodes"], *found["wide"])]
        faults += [f"{address}: {one}" for one in (*witness.dialogs, *witness.external, *witness.errors)]
        for heard in (witness.dialogs, witness.external, witness.errors):
            heard.clear()
    for file in sorted(attacked.exports.glob("*.html")):
        page.goto(file.as_uri())
        found = page.evaluate(LOOK)
        seen[file.name] = found["text"]
        faults += [
            f"{file.name}: {one}" for one in (*found["nodes"], *found["wide"], *witness.dialogs, *witness.errors)
        ]
        faults += [one for one in witness.external if not one.startswith("file:")]

    assert faults == []
    every = " ".join(seen.values())
    assert {way for way in SHOWN if f"{hostile.MARK}{way}" not in every} == set()
    assert "<script>alert(1)</script>" in every


SHOWN = frozenset("Claim Query Evidence Queue Notebook NoteCell".split())
"""Ways in of which a page that is walked must show the text, so that this test looks at something."""


@pytest.mark.parametrize("name", [f"{what}{suffix}" for what, suffixes in EXPORTS.items() for suffix in suffixes])
def test_exports_hold_the_text_as_text(attacked: Attacked, name: str) -> None:
    """No cell runs in a spreadsheet, no element of a page or notebook runs or fetches, and JSON is exact."""
    file = attacked.exports / name
    if name.endswith(".csv"):
        with file.open(encoding="utf-8-sig", newline="") as table:
            cells = [cell for row in csv.reader(table) for cell in row]
        assert [cell for cell in cells if cell.startswith(FORMULA_STARTS) and not _is_number(cell)] == []
        assert any(hostile.MARK in cell for cell in cells)
    elif name.endswith((".html", ".md", ".ipynb")):
        assert [found for text in _markup(file) for found in _lively(text)] == []
    elif name.endswith(".parquet"):
        assert hostile.MARK in str(pq.read_table(file).to_pylist())
    else:
        lines = file.read_text("utf-8").splitlines() if name.endswith(".jsonl") else [file.read_text("utf-8")]
        assert f"={hostile.MARK}" in json.dumps([json.loads(line) for line in lines])


def _markup(file: Path) -> Iterator[str]:
    """The HTML that a reader of a file is shown."""
    if file.suffix == ".ipynb":
        book = json.loads(file.read_text("utf-8"))
        nbformat.validate(book)
        texts = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "markdown"]
        outputs = [one for cell in book["cells"] for one in cell.get("outputs", ())]
        yield from ("".join(one.get("data", {}).get("text/html", "")) for one in outputs)
    else:
        texts = [file.read_text("utf-8")]
    for text in texts:
        yield text if file.suffix == ".html" else MarkdownIt("commonmark").render(text)


def _lively(text: str) -> Iterator[str]:
    """Elements that run, fetch, or lead to a script."""
    for one in LexborHTMLParser(text).css("*"):
        given = {name: value or "" for name, value in one.attributes.items()}
        urls = [given[name] for name in ("src", "href", "srcset", "action", "data") if name in given]
        fetches = one.tag not in {"a", "link"} and any(not url.startswith("data:image/") for url in urls)
        leads = any(url.strip().lower().startswith(("javascript:", "vbscript:", "data:text")) for url in urls)
        runs = one.tag in {"script", "iframe", "object", "embed", "link"}
        if runs or fetches or leads or any(name.startswith("on") for name in given):
            yield (one.html or "")[:200]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def sent(desk: Desktop, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Send a request whose path nothing tidies up; gives status, headers and body."""
    connection = http.client.HTTPConnection("127.0.0.1", desk.port, timeout=60)
    connection.putrequest(method, path, skip_host="host" in headers, skip_accept_encoding=True)
    for name, value in ({"content-length": str(len(body))} | headers).items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders(body)
    reply = connection.getresponse()
    found = reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
    connection.close()
    return found


PLACES = ("/", "/media/", "/static/", "/component/", "/_stcore/", "/_stcore/upload_file/", "/api/", "/app/static/")
STEPS = (
    *("../../../../../../etc/passwd", "..%2f..%2f..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/%2e%2e/etc/passwd"),
    *("//etc/passwd", "....//....//etc/passwd", "..%5c..%5cetc%5cpasswd", "/%00/etc/passwd", "desk.duckdb.door"),
)


@pytest.mark.parametrize("place", PLACES)
def test_no_path_leads_out_of_the_desk(attacked: Attacked, place: str) -> None:
    """Every prefix that is served, with every way up: no file of the machine, and the headers all the same."""
    for step in STEPS:
        status, headers, body = sent(attacked.desk, "GET", f"{place}{step}")
        assert (status < 500, b"root:" in body, b'"secret"' in body) == (True, False, False), (place, step, status)
        assert {name: headers.get(name) for name in security.HEADERS} == security.HEADERS


def test_strangers_are_refused_and_callers_get_their_answer(attacked: Attacked) -> None:
    """By Host and by Origin, on pages, routes, uploads and the websocket; a hostile question is answered as data."""
    desk = attacked.desk
    own = {
        "host": f"127.0.0.1:{desk.port}",
        "authorization": f"Bearer {hostile.SECRET}",
        "content_type": "application/json",
    }
    body = json.dumps({"query": hostile.QUESTION}).encode()
    status, headers, told = sent(desk, "POST", "/api/query", body, **own)
    assert (status, headers["content-type"]) == (200, "application/json")
    assert json.loads(told)["outcome"] in {"answered", "repaired", "abstained_no_evidence"}

    foreign = {"origin": f"http://{hostile.HOST}"}
    assert sent(desk, "POST", "/api/query", body, **own, **foreign)[0] == 403
    assert sent(desk, "PUT", "/_stcore/upload_file/a/b", b"x", host=own["host"], **foreign)[0] == 403
    for path in ("/", "/api/health", "/_stcore/health", "/media/x"):
        assert sent(desk, "GET", path, host=hostile.HOST)[0] == 400
    for header in (foreign, {"host": hostile.HOST}, {"origin": "null"}):
        with pytest.raises(InvalidStatus), connect(f"ws://{own['host']}/_stcore/stream", additional_headers=header):
            pass


def test_the_log_quotes_nobody(attacked: Attacked) -> None:
    """After all of it: no text of a source or a question, no secret; run last in this file, over all that was asked."""
    said = attacked.desk.log()

    assert [word for word in (hostile.MARK, hostile.HOST, hostile.SECRET, "cdk_") if word in said] == []
