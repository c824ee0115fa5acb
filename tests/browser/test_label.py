"""Labelling in a real browser: every press stores what was seen, once, or says that it did not."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from core import labelling
from core.models import Label, Stage, StageVerdict, Status
from core.store import open_store
from core.store.records import LabelKind, StoredLabel
from tests.browser.conftest import Desktop, Witness

if TYPE_CHECKING:
    from playwright.sync_api import Page

Serve = Callable[..., Desktop]
LABELS = list(Label)

FRAME = "document.querySelector('[data-testid=stBidiComponentIsolated]')?.shadowRoot?.querySelector('.queue')"
"""The queue's outermost element, in the browser."""

WATCH_KEYS = f"""() => {{
  const frame = {FRAME};
  window.presses = [];
  addEventListener('keydown', (event) => window.presses.push([event.key, frame.dataset.painted]), true);
}}"""
"""Writes down which claim was on the screen at every key press, before the page handles it."""


def answer(claims: list[str], evidence: str = "The gate is open.", **changes: Any) -> dict[str, Any]:
    """One answer whose claims all cite C1."""
    made = {
        "request_id": "r1",
        "query": "Is it?",
        "answer": " ".join(claims),
        "claims": [{"text": text, "citation_ids": ["C1"], "quote": None} for text in claims],
        "evidence": [{"id": "C1", "text": evidence, "locator": "gate.txt:p1", "title": "The gate"}],
    }
    return made | changes


def open_queue(page: Page, desktop: Desktop, labeller: str | None = None) -> str:
    """Open the label page under a name of its own and wait for the first claim."""
    name = labeller or f"ana {uuid4().hex[:8]}"
    page.goto(f"{desktop.url}/label?labeller={name}")
    page.wait_for_selector(".queue[data-painted]")
    return name


def shown(page: Page) -> str:
    """The key of the claim on the screen, once it is painted."""
    page.wait_for_function(f"() => {FRAME}?.dataset.key && {FRAME}.dataset.key === {FRAME}.dataset.painted")
    return str(page.locator(".queue").get_attribute("data-key"))


def press(page: Page, *keys: str) -> None:
    """Press keys and wait until another claim is on the screen."""
    before = shown(page)
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_function(f"(before) => {FRAME}.dataset.key !== before", arg=before)
    page.wait_for_function(f"() => !{FRAME}.dataset.key || {FRAME}.dataset.key === {FRAME}.dataset.painted")


def key_of(stored: StoredLabel) -> str:
    """The browser's key of the span that a decision is about."""
    event = stored.event
    return event.claim_uid if event.cite is None else f"{event.claim_uid} {event.cite}"


def test_nine_keys_store_nine_labels(page: Page, sample_desk: Desktop, witness: Witness) -> None:
    """Each digit stores exactly its label for the claim that was shown, and the strip counts them."""
    name = open_queue(page, sample_desk)
    expected = []
    for number, label in enumerate(LABELS, 1):
        expected.append((shown(page), label))
        press(page, str(number))

    assert [(key_of(one), one.event.label) for one in sample_desk.labels(name)] == expected
    assert "saved " in page.locator(".strip").inner_text()
    assert "9 of " in page.locator(".strip").inner_text()
    assert f" labelled by {name}" in page.locator(".strip").inner_text()
    witness.assert_quiet()


def test_a_click_stores_what_its_button_says(page: Page, sample_desk: Desktop) -> None:
    """The button of a label, and after it no key is left pointing at that button."""
    name = open_queue(page, sample_desk)
    before = shown(page)
    page.get_by_role("button", name="Wrong scope").click()
    page.locator(f'.queue:not([data-key="{before}"])').wait_for()
    shown(page)
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    page.wait_for_timeout(300)

    assert [one.event.label for one in sample_desk.labels(name)] == [Label.WRONG_SCOPE]


def test_keys_are_off_in_the_note_which_goes_with_the_label(page: Page, sample_desk: Desktop) -> None:
    """Digits, z and s are text there; Ctrl+Enter and Esc only leave the box."""
    name = open_queue(page, sample_desk)
    first = shown(page)
    page.keyboard.press("n")
    page.keyboard.type("12z s9?")
    typing = page.locator(".strip").inner_text()
    page.keyboard.press("Control+Enter")
    page.keyboard.press("n")
    page.keyboard.type("!")
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    nothing = sample_desk.labels(name)
    press(page, "2")

    assert "keys are off while you type" in typing
    assert nothing == []
    (stored,) = sample_desk.labels(name)
    assert (key_of(stored), stored.event.label, stored.event.note) == (first, Label.PARTIAL, "12z s9?!")
    assert page.locator(".note").input_value() == ""


def test_keys_are_off_in_the_name(page: Page, sample_desk: Desktop) -> None:
    """Digits typed into any field of the page label nothing; the new name owns what follows."""
    name = open_queue(page, sample_desk)
    field = page.get_by_label("Labelling as")
    field.click()
    field.press("End")
    page.keyboard.type("123")
    page.keyboard.press("Enter")
    page.get_by_text(f"labelled by {name}123").wait_for()
    page.keyboard.press("Escape")
    press(page, "1")

    assert sample_desk.labels(name) == []
    assert [one.event.label for one in sample_desk.labels(f"{name}123")] == [Label.SUPPORTED]


def test_undo_brings_the_last_ones_back(page: Page, sample_desk: Desktop) -> None:
    """Several steps, newest first, with the note; also after a reload."""
    name = open_queue(page, sample_desk)
    keys = [shown(page)]
    page.keyboard.press("n")
    page.keyboard.type("why")
    page.keyboard.press("Escape")
    for digit in "123":
        press(page, digit)
        keys.append(shown(page))
    press(page, "z")
    back = [shown(page)]
    page.reload()
    shown(page)
    page.wait_for_timeout(500)
    for _ in range(2):
        press(page, "z")
        back.append(shown(page))

    assert back == [keys[2], keys[1], keys[0]]
    assert page.locator(".note").input_value() == "why"
    assert "taken back" in page.locator(".strip").inner_text()
    assert sample_desk.labels(name) == []


def test_skip_asks_why(page: Page, sample_desk: Desktop) -> None:
    """While the reasons are open a digit chooses one and labels nothing; Esc closes them."""
    name = open_queue(page, sample_desk)
    first = shown(page)
    page.keyboard.press("s")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    press(page, "3")

    (stored,) = sample_desk.labels(name)
    assert (key_of(stored), stored.event.kind, stored.event.label) == (first, LabelKind.SKIP, None)
    assert stored.event.reason == labelling.SKIP_REASONS[2]
    assert "1 skipped" in page.locator(".strip").inner_text()


def test_the_sheet_explains_every_key(page: Page, sample_desk: Desktop) -> None:
    """``?`` opens it, and labels wait while it is open."""
    name = open_queue(page, sample_desk)
    page.keyboard.press("?")
    sheet = page.locator(".sheet")
    text = sheet.inner_text()
    page.keyboard.press("1")
    page.wait_for_timeout(300)
    page.keyboard.press("Escape")

    assert all(word in text for word in ("Supported", "Secondary only", "take the last one back", "the cited passage"))
    assert not sheet.is_visible()
    assert sample_desk.labels(name) == []


def test_fast_presses_never_label_an_unseen_claim(page: Page, sample_desk: Desktop) -> None:
    """Of forty presses without a pause some are refused, in words; each stored one is for the claim then on screen."""
    name = open_queue(page, sample_desk)
    shown(page)
    page.wait_for_timeout(500)
    page.evaluate(WATCH_KEYS)
    for number in range(40):
        page.keyboard.press(str(number % 9 + 1))
    refused = page.locator(".strip").inner_text()
    page.wait_for_timeout(1500)
    presses = {(key, LABELS[int(digit) - 1]) for digit, key in page.evaluate("window.presses")}
    stored = [(key_of(one), one.event.label) for one in sample_desk.labels(name)]

    assert 1 <= len(stored) < 40
    assert set(stored) <= presses
    assert len({key for key, _ in stored}) == len(stored)
    assert "still saving" in refused


def test_a_lost_press_is_kept_said_and_sent_again_after_a_reload(page: Page, sample_desk: Desktop) -> None:
    """The socket swallows everything: the claim stays with an amber sentence; the reloaded page sends the press."""
    swallow = {"on": False}

    def between(socket: Any) -> None:
        server_side = socket.connect_to_server()
        socket.on_message(lambda message: None if swallow["on"] else server_side.send(message))

    page.route_web_socket("**/_stcore/stream", between)
    name = open_queue(page, sample_desk)
    first = shown(page)
    swallow["on"] = True
    page.keyboard.press("4")
    page.locator(".alert", has_text="Not saved yet").wait_for()
    still = shown(page)
    page.keyboard.press("5")
    nothing = sample_desk.labels(name)
    page.wait_for_timeout(200)
    swallow["on"] = False
    page.reload()
    page.locator(".strip", has_text="saved ").wait_for()
    second = shown(page)

    assert still == first
    assert nothing == []
    assert second != first
    assert [(key_of(one), one.event.label) for one in sample_desk.labels(name)] == [(first, Label.IRRELEVANT)]


def test_a_killed_server_loses_no_acknowledged_label(page: Page, server: Desktop) -> None:
    """SIGKILL after some labels and with one press under way: all are there once, in the same tab, without a reload."""
    name = open_queue(page, server)
    expected = []
    for number in (1, 2, 3):
        expected.append((shown(page), LABELS[number - 1]))
        press(page, str(number))
    expected.append((shown(page), LABELS[3]))
    server.stop(signal.SIGKILL)
    page.keyboard.press("4")
    page.locator(".alert", has_text="Not saved yet").wait_for()
    server.start()
    page.locator(".strip", has_text="4 of ").wait_for(timeout=60_000)
    server.stop()

    with open_store(server.store) as store:
        stored = store.last_events(name, 99)[::-1]
    assert [(key_of(one), one.event.label) for one in stored] == expected


def is_judgement(verdict: StageVerdict) -> bool:
    """Whether a verifier said it, failures included; what it never saw is skipped, in the registry's own words."""
    return verdict.stage is Stage.SUPPORT and verdict.status is not Status.SKIPPED


def test_the_judge_is_nowhere_on_the_page(page: Page, sample_desk: Desktop, witness: Witness) -> None:
    """No reason that a verifier gave comes over the websocket or stands in the page."""
    copy = sample_desk.folder / "verdicts.duckdb"
    copy.write_bytes(sample_desk.store.read_bytes())
    open_queue(page, sample_desk)
    for number in range(1, 10):
        press(page, str(number))
    received = b"\n".join(witness.frames).decode("utf-8", "replace")
    seen = page.evaluate("document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot.innerHTML")
    with open_store(copy) as store:
        found = [store.claim(key.split(" ")[0]) for key in keys_in(received)]
    reasons = {one.reason for detail in found if detail for one in detail.stages if is_judgement(one)}

    assert len(reasons - {""}) > 3
    assert [reason for reason in reasons - {""} if reason in received + seen] == []
    assert '"semantic"' not in received
    assert '"scores"' not in received


def keys_in(received: str) -> list[str]:
    """The keys of all items that were sent."""
    return [part.split('"')[0] for part in received.split('"key": "')[1:]]


def test_the_end_counts_and_lets_one_change(page: Page, serve: Serve) -> None:
    """All labelled: how many of each, the last ones, and each can be taken back from there."""
    desktop = serve([answer(["The gate is open.", "It was opened in 1987.", "It is red."])])
    name = open_queue(page, desktop)
    keys = []
    for digit in "122":
        keys.append(shown(page))
        press(page, digit)
    page.get_by_role("heading", name=f"Nothing is left for {name}").wait_for()
    counts = page.locator(".counts").inner_text()
    page.get_by_role("button", name="Change").nth(2).click()
    back = shown(page)
    press(page, "3")

    assert [part.split() for part in counts.splitlines()] == [["Supported", "1"], ["Partial", "2"]]
    assert back == keys[0]
    assert [one.event.label for one in desktop.labels(name)] == [Label.PARTIAL, Label.PARTIAL, Label.CONTRADICTED]
