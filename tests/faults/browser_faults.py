"""What a person in a real browser can do wrong while they label, or have done to them: part of ``desk_faults``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.models import Label
from tests.browser.conftest import chromium
from tests.browser.labelling import FRAME, press, settle, shown

if TYPE_CHECKING:
    from playwright.sync_api import Page

LABELS = [str(label) for label in Label]
Press = tuple[str, str]
"""Key of the claim on the screen, and the label."""
Presses = list[Press]


def play(url: str, presses: int, chance: random.Random) -> Iterator[tuple[str, str, Presses, int, Presses]]:
    """Three tabs of Chromium: keys held down, double clicks, and a network that is gone for a while."""
    with chromium() as browser:
        for fault, act in (("held keys", _hold), ("double clicks", _double_click), ("offline", _offline)):
            page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
            page.set_default_timeout(60_000)
            page.goto(f"{url}/label?labeller={fault}")
            page.wait_for_selector(".queue[data-painted]")
            pressed = list(act(page, presses, chance))
            settle(page)
            yield fault, fault, pressed, len(pressed), []
            page.context.close()


def _hold(page: Page, presses: int, chance: random.Random) -> Iterator[Press]:
    for _ in range(presses):
        before, place = shown(page), chance.randrange(len(LABELS))
        for _ in range(5):
            page.keyboard.down(str(place + 1))
        page.keyboard.up(str(place + 1))
        page.wait_for_function(f"(before) => {FRAME}.dataset.key !== before", arg=before)
        yield before, LABELS[place]


def _double_click(page: Page, presses: int, chance: random.Random) -> Iterator[Press]:
    for _ in range(presses):
        before, label = shown(page), chance.choice(LABELS)
        page.locator(f".btn[data-label={label}]").dblclick()
        page.wait_for_function(f"(before) => {FRAME}.dataset.key !== before", arg=before)
        yield before, label


def _offline(page: Page, presses: int, chance: random.Random) -> Iterator[Press]:
    for number in range(presses):
        page.context.set_offline(number % 4 in (1, 2))
        before, place = shown(page), chance.randrange(len(LABELS))
        press(page, str(place + 1))
        yield before, LABELS[place]
    page.context.set_offline(False)
