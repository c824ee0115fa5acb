"""No press is lost or doubled, whatever breaks: the socket, the server, the tab, the browser's own storage."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from core.models import Label
from core.store import open_store
from tests.browser.conftest import Desktop
from tests.browser.labelling import FRAME, LABELS, key_of, open_queue, press, settle, shown, stored, strip

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

UNSENT = f"() => {FRAME}.dataset.unsent"

LEAVING_WARNS = "() => !window.dispatchEvent(new Event('beforeunload', {cancelable: true}))"

NO_STORAGE = """
Object.defineProperty(window, 'indexedDB', {
  value: {open() { throw new DOMException('not here', 'InvalidStateError'); }},
});
"""


ON_SCREEN = f"""
window.citedeskSeen = [];
(function look() {{
  const key = {FRAME}?.dataset.key;
  if (key && !window.citedeskSeen.includes(key)) window.citedeskSeen.push(key);
  requestAnimationFrame(look);
}})();
"""
"""Writes down every claim that is on the screen in any frame."""

PRESS_AT_ONCE = f"""(before) => new Promise((done) => (function look() {{
  const frame = {FRAME};
  if (frame.dataset.key === before) return requestAnimationFrame(look);
  for (const kind of ["keydown", "keyup"])
    document.dispatchEvent(new KeyboardEvent(kind, {{ key: "5", code: "Digit5", bubbles: true }}));
  done(frame.querySelector(".strip").innerText);
}})())"""
"""Presses 5 in the very frame in which another claim is there; gives the words at the bottom."""


def swallowing(page: Page) -> Callable[[bool], None]:
    """A way to cut the line: what the page sends is swallowed while it is on."""
    swallow = {"on": False}
    page.route("**/api/label", lambda route: None if swallow["on"] else route.continue_())
    return lambda on: swallow.update(on=on)


def test_presses_on_a_dead_line_are_kept_and_sent_after_a_reload(page: Page, label_desk: Desktop) -> None:
    """Labelling goes on, the bar says how many are not saved and where they are, and the reloaded page sends them."""
    swallow = swallowing(page)
    name = open_queue(page, label_desk)
    swallow(True)
    expected = []
    for number in (4, 5, 6):
        expected.append((shown(page), LABELS[number - 1]))
        press(page, str(number))
    page.locator(".strip", has_text="3 not saved · kept in this browser").wait_for()
    page.locator(".alert", has_text="The desk does not answer").wait_for()
    nothing = label_desk.labels(name)
    swallow(False)
    page.add_init_script(ON_SCREEN)
    page.reload()
    shown(page)

    assert nothing == []
    assert set(page.evaluate("citedeskSeen")).isdisjoint(key for key, _ in expected)  # no claim came back for a moment
    assert [(key_of(one), one.label) for one in stored(page, label_desk, name)] == expected


def test_a_press_at_a_claim_that_came_by_itself_does_not_count(page: Page, label_desk: Desktop) -> None:
    """The reloaded page has to ask for the claim that is taken back; it replaces one that the person is reading."""
    name = open_queue(page, label_desk)
    first = shown(page)
    press(page, "4")
    settle(page)
    page.reload()
    second = shown(page)
    page.keyboard.press("z")
    said = page.evaluate(PRESS_AT_ONCE, second)

    assert "that press came before the claim was on the screen" in said
    assert shown(page) == first
    press(page, "6")
    assert [(key_of(one), one.label) for one in stored(page, label_desk, name)] == [(first, LABELS[5])]


def test_another_tab_of_the_same_person_sends_them(page: Page, label_desk: Desktop) -> None:
    """The tab with the dead line is closed; one that opens later sends what it left, once."""
    swallow = swallowing(page)
    name = open_queue(page, label_desk)
    first = shown(page)
    swallow(True)
    press(page, "7")
    other = page.context.new_page()
    page.close(run_before_unload=False)
    open_queue(other, label_desk, name)
    shown(other)

    assert [(key_of(one), one.label) for one in stored(other, label_desk, name)] == [(first, Label.INACCESSIBLE)]


def test_two_tabs_share_a_queue_and_double_nothing(page: Page, label_desk: Desktop) -> None:
    """What one tab labels is not offered by the other, and every label is stored once."""
    name = open_queue(page, label_desk)
    other = page.context.new_page()
    open_queue(other, label_desk, name)
    press(page, "1")
    press(page, "1")
    settle(page)
    press(other, "2")
    press(other, "2")
    settle(other)
    events = stored(page, label_desk, name)

    assert len({key_of(one) for one in events}) in {3, 4}  # the claim on both screens may have been labelled twice
    assert len(events) == 4
    assert len({one.event_id for one in events}) == 4


def test_at_twenty_unsent_labelling_stops(page: Page, label_desk: Desktop) -> None:
    """A sentence says so, the claim stays, and leaving the page is warned of; then all twenty arrive in order."""
    swallow = swallowing(page)
    name = open_queue(page, label_desk)
    calm = page.evaluate(LEAVING_WARNS)
    swallow(True)
    for number in range(19):
        press(page, str(number % 9 + 1))
    press(page, "s", "1")
    unsent, still = page.evaluate(UNSENT), shown(page)
    page.keyboard.press("1")
    said = page.locator(".alert").inner_text()
    warns = page.evaluate(LEAVING_WARNS)
    swallow(False)
    settle(page)
    labels = [one.label for one in stored(page, label_desk, name)]

    assert (unsent, still) == ("20", shown(page))
    assert "20 decisions are not saved, so labelling waits" in said
    assert (calm, warns) == (False, True)
    assert labels == [*(LABELS * 3)[:19], None]


def test_a_killed_server_loses_nothing(page: Page, server: Desktop) -> None:
    """SIGKILL after some labels and with two under way: all are there once, in the same tab, without a reload."""
    name = open_queue(page, server)
    expected = []
    for number in (1, 2, 3):
        expected.append((shown(page), LABELS[number - 1]))
        press(page, str(number))
    settle(page)
    server.stop(signal.SIGKILL)
    for number in (4, 5):
        expected.append((shown(page), LABELS[number - 1]))
        press(page, str(number))
    page.locator(".strip", has_text="2 not saved").wait_for()
    server.start()
    page.wait_for_function(f"() => {FRAME}.dataset.unsent === '0'", timeout=90_000)
    server.stop()

    with open_store(server.store) as store:
        events = store.labels.last(name, 99)[::-1]
    assert [(key_of(one), one.event.label) for one in events] == expected


def test_a_refused_press_comes_back_with_its_reason(page: Page, label_desk: Desktop) -> None:
    """What can never be stored is not sent for ever: its claim comes next, and says why."""
    name = open_queue(page, label_desk)
    first = shown(page)
    page.evaluate(
        f"() => {{ const item = {FRAME}.getRootNode().queue.items.values().next().value; item.seen_sha256 = '0'; }}"
    )
    press(page, "1")
    page.locator(".alert", has_text="“Supported” was not saved").wait_for()
    alarm = page.locator(".alert").inner_text()
    press(page, "2")
    back, reason = shown(page), page.locator(".alert").inner_text()
    press(page, "3")
    events = stored(page, label_desk, name)

    assert "Its claim comes next" in alarm
    assert back == first
    assert "The text has changed since it was shown" in reason
    assert [one.label for one in events] == [Label.PARTIAL, Label.CONTRADICTED]
    assert key_of(events[1]) == first


def test_a_browser_that_keeps_nothing_says_so(browser: Browser, label_desk: Desktop) -> None:
    """Without its storage (a private window) labels still go through, and the page says what that means."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.add_init_script(NO_STORAGE)
    page = context.new_page()
    name = open_queue(page, label_desk)
    page.locator(".alert", has_text="This browser keeps nothing").wait_for()
    press(page, "3")
    labels = [one.label for one in stored(page, label_desk, name)]
    said = strip(page)
    context.close()

    assert labels == [Label.CONTRADICTED]
    assert "saved " in said
