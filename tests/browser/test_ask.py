"""Ask in a real browser: a question by keyboard, its stages, its passages, runs beside each other, and files."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.desk import Desk
from core.settings import Settings
from tests.browser.conftest import Desktop, Witness
from tests.core.claude_env import environment, leading_to
from tests.core.corpora_of import fill
from tests.core.notebooks_made import FARE, ODD, QUERY, TEXTS
from tests.fakes.anthropic_server import AnthropicServer, Reply, running

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SECRET = "A foot passenger pays Zanzibar."
BRIDGE = "A foot passenger crosses the bridge free of charge. The bridge closes at midnight for a foot passenger."


@pytest.fixture(scope="module")
def provider() -> Iterator[AnthropicServer]:
    """A provider on this machine, and an environment that leads the desk to it."""
    with running() as server, environment(leading_to(server.url) | {"CITEDESK_VERIFIER": "lexical"}):
        yield server


@pytest.fixture(scope="module")
def desk(
    serve: Callable[..., Desktop], provider: AnthropicServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desktop]:
    """A desk with a small corpus; every test has a notebook of its own."""
    path = tmp_path_factory.mktemp("ask") / "desk.duckdb"
    with_corpus = Desk.open(Settings(store=path))
    fill(with_corpus.store, TEXTS | {"bridge.txt": BRIDGE})
    with_corpus.close()
    desktop = serve(store=path)
    yield desktop
    desktop.stop()


def start(page: Page, desk: Desktop) -> Locator:
    """Open the page; gives the box where a question is written."""
    page.set_default_timeout(120_000)  # the first question to a model loads its SDK
    page.goto(f"{desk.url}/ask")
    box = page.get_by_test_id("stChatInputTextArea")
    box.wait_for()
    return box


def ask(box: Locator, question: str = QUERY) -> None:
    """Ask by keyboard."""
    box.focus()
    box.press_sequentially(question) if question.isascii() and len(question) < 60 else box.fill(question)
    box.press("Enter")


def choose(page: Page, label: str, value: str, at: int = 0) -> None:
    """Choose in a list."""
    page.get_by_label(label).nth(at).click()
    page.keyboard.type(value)
    page.get_by_role("option", name=value, exact=True).wait_for()
    page.keyboard.press("Enter")


def with_claude(page: Page, desk: Desktop, question: str = QUERY) -> None:
    """Ask the model."""
    box = start(page, desk)
    choose(page, "Written by", "claude")
    page.get_by_text("every call costs money").wait_for()
    ask(box, question)


def answer(text: str, *ids: str, quote: str | None = None) -> Reply:
    """What the model gives."""
    return Reply(text=json.dumps({"answer": "", "claims": [{"text": text, "citation_ids": ids, "quote": quote}]}))


def marked(card: Locator) -> str:
    """The words of an open passage that are marked as quoted."""
    return "".join(card.locator(".k-quote").all_text_contents())


def test_a_question_by_keyboard(page: Page, desk: Desktop, witness: Witness) -> None:
    """From the question to the quoted words of the passage without a mouse; every citation shows its own passage."""
    ask(start(page, desk))
    served = page.locator(".cell.served")
    served.wait_for()
    assert "notebook=" in page.url
    assert "cell=" in page.url
    assert "job=" in page.url
    served.get_by_text("every sentence is copied from a source, nothing is written by a model").wait_for()

    cite = served.locator(".cite").first
    cite.focus()
    page.keyboard.press("Enter")
    card = served.locator(".card")
    card.wait_for()
    assert marked(card) == FARE
    assert cite.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Escape")
    card.wait_for(state="detached")

    texts = {}
    served.get_by_text("Evidence:").click()
    for entry in served.locator("details.entry").all():
        entry.locator("summary").click()
        texts[entry.get_attribute("data-label")] = entry.locator(".passage").text_content()
    cites = served.locator(".cite").all()
    assert len({one.get_attribute("data-label") for one in cites}) > 1
    for one in cites:
        one.click()
        assert card.locator(".passage").text_content() == texts[one.get_attribute("data-label")]
        claim = one.evaluate(
            "node => { while (!node.matches('.claim')) node = node.previousSibling; return node.textContent }"
        )
        assert marked(card) == claim
        one.click()
    witness.assert_quiet()


def test_it_goes_on_after_a_reload_and_can_be_stopped(
    page: Page, desk: Desktop, provider: AnthropicServer, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stages while it runs, the same after F5 and after another page; then it is stopped, and the notebook says so."""
    go = threading.Event()

    def hold(body: object) -> Reply:
        assert go.wait(60)
        return answer(FARE, "E1")

    monkeypatch.setattr(provider, "next_reply", hold)
    with_claude(page, desk)
    going = page.locator("[class*=st-key-going_]")
    going.get_by_text("and writing…").wait_for()
    going.get_by_text("near enough").wait_for()
    page.reload()
    going.get_by_text("and writing…").wait_for()
    address = page.url
    page.get_by_role("link", name="Home").click()
    page.get_by_role("heading", name=re.compile("^(Do your AI answers|What are you here)")).wait_for()
    page.goto(address)
    going.wait_for()
    page.get_by_role("button", name="Stop").click()
    going.get_by_text("Stopping…").wait_for()
    go.set()
    page.get_by_text("Stopped before the end.").wait_for()
    page.get_by_role("button", name="Run again beside…").wait_for()
    witness.assert_quiet()


def test_a_restart_in_the_middle(
    page: Page,
    serve: Callable[..., Desktop],
    provider: AnthropicServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A desk that was killed says so when it is back, and offers to ask again."""
    go = threading.Event()

    def hold(body: object) -> Reply:
        go.wait(60)
        return answer(FARE, "E1")

    monkeypatch.setattr(provider, "next_reply", hold)
    filled = Desk.open(Settings(store=tmp_path / "s.duckdb"))
    fill(filled.store, TEXTS)
    filled.close()
    own = serve(store=tmp_path / "s.duckdb")
    with_claude(page, own)
    page.get_by_text("and writing…").wait_for()
    address = page.url
    assert own.process is not None
    own.process.kill()
    own.stop()
    go.set()
    own.start()
    page.goto(address)
    page.get_by_text("The desk was started anew while this question was being answered.").wait_for()
    page.get_by_role("button", name="Run again beside…").click()
    choose(page, "Written by", "extractive")
    page.get_by_text("Nothing is written by a model").first.wait_for()
    page.get_by_role("button", name="Run it beside").click()
    page.locator(".cell.served").wait_for()
    own.stop()


def test_beside_each_other_and_out_to_a_file(page: Page, desk: Desktop, witness: Witness) -> None:
    """Two setups of one question; the notebook as Jupyter, page and Markdown."""
    ask(start(page, desk))
    page.locator(".cell.served").wait_for()
    page.get_by_role("button", name="Run again beside…").click()
    page.get_by_role("button", name="Run it beside").wait_for()  # from now on the first list is this panel's
    choose(page, "Served only if", "support")
    page.get_by_text("a judge finds every claim supported").wait_for()
    page.get_by_role("button", name="Run it beside").click()
    page.locator(".cell").nth(1).get_by_text("gate support").wait_for()
    page.locator(".cell.served, .cell.refused").nth(1).wait_for()
    left, right = (page.locator(".cell").nth(at).bounding_box() for at in (0, 1))
    assert left is not None
    assert right is not None
    assert abs(left["y"] - right["y"]) < 2
    assert left["x"] + left["width"] <= right["x"]

    page.get_by_role("button", name="Link and files").click()
    for suffix, words in ((".ipynb", '"nbformat": 4'), (".html", "default-src 'none'"), (".md", "# What does a foot")):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=suffix).click()
        assert waiting.value.suggested_filename == f"what-does-a-foot-passenger-pay-for-the-ferry{suffix}"
        text = Path(waiting.value.path()).read_text(encoding="utf-8")
        assert words in text
        assert FARE in text
    witness.assert_quiet()


def test_a_blocked_draft_is_shown_to_whoever_sits_here(
    page: Page, desk: Desktop, provider: AnthropicServer, witness: Witness
) -> None:
    """Not in the answer, only under its own heading; with the reason, the cost, and why nothing of it was served."""
    provider.reset()
    provider.script.extend([answer(SECRET, "E99")] * 3)
    with_claude(page, desk)
    cell = page.locator(".cell.refused")
    cell.get_by_text("Claim 1 cites something that the generator was never given.").wait_for()
    assert not cell.get_by_text(SECRET).first.is_visible()
    cell.get_by_text("Not served: why").click()
    cell.locator(".draft .claim").get_by_text(SECRET).wait_for()
    cell.locator(".draft .cite").first.click()
    cell.get_by_text("No source of this request has this id").wait_for()
    cell.get_by_text("Times and cost").click()
    assert "$0." in cell.locator("dl").inner_text()
    witness.assert_quiet()


def test_hostile_texts_are_texts(page: Page, desk: Desktop, witness: Witness) -> None:
    """In question, source and note nothing is run, fetched or made bold."""
    ask(start(page, desk), f"What does the ferry notice say for the ferry passenger? {ODD}")
    page.locator(".cell.served").wait_for()
    page.locator(".cell .answer", has_text="<script>alert(1)</script>").wait_for()
    page.get_by_role("button", name="Note below").click()
    page.get_by_label("Note", exact=True).fill(ODD)
    page.get_by_role("button", name="Keep the note").click()
    page.get_by_test_id("stText").get_by_text(ODD, exact=True).wait_for()
    page.locator(".cite").first.click()
    page.locator(".card .passage", has_text="onerror=alert(1)").wait_for()

    main = page.get_by_test_id("stMainBlockContainer")
    assert main.locator("img, script, a[href*=outside]").count() == 0
    assert page.get_by_role("heading", name="<script>alert(1)</script>").count() == 1
    witness.assert_quiet()
