"""What the tests of the label page share: opening it, pressing keys, and knowing what stands on the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from core.models import Label
from core.store.label_records import LabelEvent, StoredLabel
from tests.browser.conftest import Desktop

if TYPE_CHECKING:
    from playwright.sync_api import Page

Serve = Callable[..., Desktop]
LABELS = list(Label)

FRAME = "document.querySelector('[data-testid=stBidiComponentIsolated]')?.shadowRoot?.querySelector('.queue')"
"""The queue's outermost element, in the browser."""

WATCH_KEYS = f"""() => {{
  const frame = {FRAME};
  window.presses = [];
  addEventListener('keydown', (event) => window.presses.push([event.key, frame.dataset.key]), true);
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
    if desktop.queues and name not in desktop.taken:
        desktop.taken[name] = desktop.queues.pop()
    queue = f"&queue={desktop.taken[name]}" if name in desktop.taken else ""
    page.goto(f"{desktop.url}/label?labeller={name}{queue}")
    page.wait_for_selector(".queue[data-painted]")
    return name


def shown(page: Page) -> str:
    """The key of the claim on the screen, once it is painted."""
    page.wait_for_function(f"() => {FRAME}?.dataset.key && {FRAME}.dataset.key === {FRAME}.dataset.painted")
    return str(page.locator(".queue").get_attribute("data-key"))


def press(page: Page, *keys: str) -> None:
    """Press keys and wait until another claim is on the screen, or none."""
    before = shown(page)
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_function(f"(before) => {FRAME}.dataset.key !== before", arg=before)
    page.wait_for_function(f"() => !{FRAME}.dataset.key || {FRAME}.dataset.key === {FRAME}.dataset.painted")


def settle(page: Page) -> None:
    """Wait until the desk has acknowledged everything."""
    page.wait_for_function(f"() => {FRAME}.dataset.unsent === '0'")


def stored(page: Page, desktop: Desktop, labeller: str) -> list[LabelEvent]:
    """What is on disk of a labeller's standing decisions, oldest first, once everything is acknowledged."""
    settle(page)
    return [one.event for one in desktop.labels(labeller)]


def strip(page: Page) -> str:
    """The words at the bottom."""
    return page.locator(".strip").inner_text()


def key_of(decision: StoredLabel | LabelEvent) -> str:
    """The browser's key of the span that a decision is about."""
    event = decision.event if isinstance(decision, StoredLabel) else decision
    return event.claim_uid if event.cite is None else f"{event.claim_uid} {event.cite}"
