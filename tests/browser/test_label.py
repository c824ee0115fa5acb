"""Labelling in a real browser: every press stores what was seen, once, or says that it did not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import presses
from core.models import Label, Stage, StageVerdict, Status
from core.store import open_store
from core.store.label_records import LabelKind, SubReason
from tests.browser.conftest import Desktop, Witness
from tests.browser.labelling import (
    LABELS,
    WATCH_KEYS,
    Serve,
    answer,
    key_of,
    open_queue,
    press,
    settle,
    shown,
    stored,
    strip,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response


def test_ten_keys_store_ten_decisions(page: Page, label_desk: Desktop, witness: Witness) -> None:
    """Each digit stores exactly its label for the claim that was shown, and the strip counts them; 0 is no label."""
    name = open_queue(page, label_desk)
    expected: list[tuple[str, Label | None]] = []
    for number, label in enumerate((*LABELS, None), 1):
        expected.append((shown(page), label))
        press(page, str(number % 10))
    events = stored(page, label_desk, name)

    assert [(key_of(one), one.label) for one in events] == expected
    assert events[-1].kind is LabelKind.NOT_A_CLAIM
    assert {(one.queue_id, one.guideline) for one in events} == {(label_desk.taken[name], "v1")}
    assert all(one.active_ms is not None and one.decided_at for one in events)
    assert "saved " in strip(page)
    assert f"in “Test queue” labelled by {name}" in strip(page)
    witness.assert_quiet()


def test_a_click_stores_what_its_button_says(page: Page, label_desk: Desktop) -> None:
    """The button of a label; a double click counts once, and no key is left pointing at that button."""
    name = open_queue(page, label_desk)
    before = shown(page)
    page.get_by_role("button", name="Wrong scope").dblclick()
    page.locator(f'.queue:not([data-key="{before}"])').wait_for()
    said = strip(page)
    page.keyboard.press("Enter")
    page.keyboard.press("Space")

    assert [one.label for one in stored(page, label_desk, name)] == [Label.WRONG_SCOPE]
    assert "a double click counts once" in said


def test_eight_presses_without_a_pause_are_eight_labels(page: Page, label_desk: Desktop) -> None:
    """Each for the claim that stood there when its key went down; nothing waits for the desk."""
    name = open_queue(page, label_desk)
    shown(page)
    page.evaluate(WATCH_KEYS)
    for number in range(1, 9):
        page.keyboard.press(str(number))
    pressed = [(key, LABELS[int(digit) - 1]) for digit, key in page.evaluate("window.presses")]

    assert len({key for key, _ in pressed}) == 8
    assert [(key_of(one), one.label) for one in stored(page, label_desk, name)] == pressed


def test_a_held_key_and_two_keys_at_once_label_once(page: Page, label_desk: Desktop) -> None:
    """Keys that repeat, and a second digit that goes down while one is held, label nothing."""
    name = open_queue(page, label_desk)
    shown(page)
    for _ in range(5):
        page.keyboard.down("1")
    page.keyboard.down("2")
    said = strip(page)
    page.keyboard.up("2")
    page.keyboard.up("1")
    press(page, "3")

    assert [one.label for one in stored(page, label_desk, name)] == [Label.SUPPORTED, Label.CONTRADICTED]
    assert "two keys at once" in said


def test_a_press_from_before_the_claim_labels_nothing(page: Page, label_desk: Desktop) -> None:
    """A key that went down before the claim was on the screen was meant for another one."""
    name = open_queue(page, label_desk)
    shown(page)
    page.evaluate(
        """() => {
          const late = new KeyboardEvent('keydown', {key: '1', code: 'Digit1', bubbles: true});
          Object.defineProperty(late, 'timeStamp', {value: 1});
          document.dispatchEvent(late);
        }"""
    )

    assert "did not count" in strip(page)
    assert stored(page, label_desk, name) == []


def test_keys_are_off_in_the_note_which_goes_with_the_label(page: Page, label_desk: Desktop) -> None:
    """Digits, z and s are text there; Ctrl+Enter and Esc only leave the box."""
    name = open_queue(page, label_desk)
    first = shown(page)
    page.keyboard.press("n")
    page.keyboard.type("12z s9?")
    typing = strip(page)
    page.keyboard.press("Control+Enter")
    page.keyboard.press("n")
    page.keyboard.type("!")
    page.keyboard.press("Escape")
    nothing = stored(page, label_desk, name)
    press(page, "2")

    assert "keys are off while you type" in typing
    assert nothing == []
    (event,) = stored(page, label_desk, name)
    assert (key_of(event), event.label, event.note) == (first, Label.PARTIAL, "12z s9?!")
    assert page.locator(".note").input_value() == ""


def test_keys_are_off_in_the_name(page: Page, label_desk: Desktop) -> None:
    """Digits typed into any field of the page label nothing; the new name owns what follows."""
    name = open_queue(page, label_desk)
    field = page.get_by_label("Labelling as")
    field.click()
    field.press("End")
    page.keyboard.type("123")
    page.keyboard.press("Enter")
    page.locator(".strip", has_text=f"labelled by {name}123").wait_for()
    page.keyboard.press("Escape")
    press(page, "1")

    assert [one.label for one in stored(page, label_desk, f"{name}123")] == [Label.SUPPORTED]
    assert label_desk.labels(name) == []


def test_undo_brings_the_last_ones_back(page: Page, label_desk: Desktop) -> None:
    """Several steps, newest first, with the note; also after a reload."""
    name = open_queue(page, label_desk)
    keys = [shown(page)]
    page.keyboard.press("n")
    page.keyboard.type("why")
    page.keyboard.press("Escape")
    for digit in "123":
        press(page, digit)
        keys.append(shown(page))
    press(page, "z")
    back = [shown(page)]
    settle(page)
    page.reload()
    for _ in range(2):
        press(page, "z")
        back.append(shown(page))

    assert back == [keys[2], keys[1], keys[0]]
    assert page.locator(".note").input_value() == "why"
    assert stored(page, label_desk, name) == []
    assert "taken back" in strip(page)


def test_looking_back_changes_nothing(page: Page, label_desk: Desktop) -> None:
    """``b`` shows the one before and what was said of it, a digit is refused there, and Esc returns."""
    name = open_queue(page, label_desk)
    keys = [shown(page)]
    for digit in "24":
        press(page, digit)
        keys.append(shown(page))
    press(page, "b")
    first = shown(page), page.locator(".alert").inner_text()
    page.keyboard.press("1")
    press(page, "b")
    second = shown(page), page.locator(".alert").inner_text()
    press(page, "Escape")

    assert (first[0], second[0], shown(page)) == (keys[1], keys[0], keys[2])
    assert "You said: Irrelevant." in first[1]
    assert "You said: Partial." in second[1]
    assert [one.label for one in stored(page, label_desk, name)] == [Label.PARTIAL, Label.IRRELEVANT]


def test_skip_and_flag_ask_why(page: Page, label_desk: Desktop) -> None:
    """While the reasons are open a digit chooses one and labels nothing; Esc closes them; a flag keeps the claim."""
    name = open_queue(page, label_desk)
    first = shown(page)
    page.keyboard.press("f")
    page.keyboard.press("1")
    still = shown(page)
    page.keyboard.press("s")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    press(page, "3")
    flag, skip = stored(page, label_desk, name)

    assert still == first == key_of(flag) == key_of(skip)
    assert (flag.kind, flag.label, flag.reason) == (LabelKind.FLAG, None, presses.FLAG_REASONS[0])
    assert (skip.kind, skip.label, skip.reason) == (LabelKind.SKIP, None, presses.SKIP_REASONS[2])
    assert "1 skipped" in strip(page)


def test_finer_reasons_before_and_after_the_label(page: Page, label_desk: Desktop) -> None:
    """A letter before the label, which it must fit; with Shift for the last one, as a second event."""
    name = open_queue(page, label_desk)
    shown(page)
    page.keyboard.press("t")
    page.keyboard.press("h")
    page.keyboard.press("2")
    refused = strip(page)
    press(page, "8")
    press(page, "2")
    page.keyboard.press("Shift+O")
    shapes = [(one.label, one.sub_reason, one.confidence) for one in stored(page, label_desk, name)]

    assert "does not go with Partial" in refused
    assert shapes == [
        (Label.WRONG_SCOPE, SubReason.OTHER_TIME, 1),
        (Label.PARTIAL, None, None),
        (Label.PARTIAL, SubReason.OVERSTATED, None),
    ]


def test_a_draft_goes_on_at_another_machine(page: Page, browser: Browser, label_desk: Desktop) -> None:
    """Note, finer reason and confidence are there in another browser, and are no label."""
    name = open_queue(page, label_desk)
    key = shown(page)
    page.keyboard.press("u")
    page.keyboard.press("h")
    page.keyboard.press("n")
    page.keyboard.type("half a thought")
    page.wait_for_timeout(1500)  # longer than the pause after which a draft is sent
    elsewhere = browser.new_context(viewport={"width": 1280, "height": 720})
    other = elsewhere.new_page()
    open_queue(other, label_desk, name)
    there = shown(other), other.locator(".note").input_value(), other.locator(".finer").inner_text()
    sure = other.locator(".sure").inner_text()
    elsewhere.close()

    assert there == (key, "half a thought", "this one: unit differs ×")
    assert "guessing" in sure
    assert stored(page, label_desk, name) == []


def test_the_sheet_explains_every_key(page: Page, label_desk: Desktop) -> None:
    """``?`` opens it, and labels wait while it is open."""
    name = open_queue(page, label_desk)
    page.keyboard.press("?")
    sheet = page.locator(".sheet")
    text = sheet.inner_text()
    page.keyboard.press("1")
    page.keyboard.press("Escape")

    assert all(word in text for word in ("Supported", "Not a checkable claim", "take the last one back", "who differs"))
    assert not sheet.is_visible()
    assert stored(page, label_desk, name) == []


def test_the_guideline_follows_the_label(page: Page, label_desk: Desktop) -> None:
    """The entry of the label under the pointer, then of the last one; its examples on ``g``."""
    open_queue(page, label_desk)
    guide = page.locator(".guide")
    page.get_by_role("button", name="Inaccessible").hover()
    pointed = guide.inner_text()
    press(page, "3")
    last = guide.inner_text()
    page.keyboard.press("g")

    assert "a paywall" in pointed
    assert "cannot both be true" in last
    assert "Near neighbour: wrong scope" in last
    assert "Closed on Mondays" not in last
    assert "Closed on Mondays" in guide.inner_text()


def is_judgement(verdict: StageVerdict) -> bool:
    """Whether a verifier said it, failures included; what it never saw is skipped, in the registry's own words."""
    return verdict.stage is Stage.SUPPORT and verdict.status is not Status.SKIPPED


def test_the_judge_is_nowhere_on_the_page(page: Page, label_desk: Desktop, witness: Witness) -> None:
    """No reason that a verifier gave comes over the websocket or the line, or stands in the page."""
    copy = label_desk.folder / "verdicts.duckdb"
    copy.write_bytes(label_desk.store.read_bytes())
    replies: list[Response] = []
    page.on("response", lambda reply: replies.append(reply) if reply.url.endswith("/api/label") else None)
    open_queue(page, label_desk)
    for number in range(1, 13):
        press(page, str(number % 9 + 1))
    settle(page)
    answers = [reply.text() for reply in replies]
    received = "\n".join([b"\n".join(witness.frames).decode("utf-8", "replace"), *answers])
    seen = page.evaluate("document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot.innerHTML")
    with open_store(copy) as store:
        found = [store.claim(key.split(" ")[0]) for key in keys_in(received)]
    reasons = {one.reason for detail in found if detail for one in detail.stages if is_judgement(one)}

    assert len(answers) > 3
    assert len(reasons - {""}) > 3
    assert [reason for reason in reasons - {""} if reason in received + seen] == []
    assert '"semantic"' not in received
    assert '"scores"' not in received


def keys_in(received: str) -> list[str]:
    """The keys of all items that were sent."""
    return [part.split('"')[0] for part in received.split('"key": "')[1:]]


def test_a_changed_mind_after_the_judge_is_a_second_event(page: Page, label_desk: Desktop) -> None:
    """``v`` tells what the judge said of the last one; a digit then labels it again, marked as after the reveal."""
    name = open_queue(page, label_desk)
    first = shown(page)
    page.keyboard.press("v")
    nothing = strip(page)
    press(page, "6")
    settle(page)
    press(page, "v")
    back, said = shown(page), page.locator(".alert").inner_text()
    press(page, "4")
    events = stored(page, label_desk, name)

    assert "label a claim first" in nothing
    assert back == first
    assert "You said: Unresolvable. The judge said: " in said
    assert [(key_of(one), one.label, one.after_reveal) for one in events] == [
        (first, Label.UNRESOLVABLE, False),
        (first, Label.IRRELEVANT, True),
    ]


def test_the_end_counts_and_lets_one_change(page: Page, serve: Serve) -> None:
    """All labelled: how many of each, the last ones, and each can be taken back from there."""
    desktop = serve([answer(["The gate is open.", "It was opened in 1987.", "It is red."])])
    name = open_queue(page, desktop)
    keys = []
    for digit in "122":
        keys.append(shown(page))
        press(page, digit)
    page.get_by_role("heading", name="Nothing is left for you here").wait_for()
    counts = page.locator(".counts").inner_text()
    page.get_by_role("button", name="Change").nth(2).click()
    back = shown(page)
    press(page, "3")

    assert [part.split() for part in counts.splitlines()] == [["Supported", "1"], ["Partial", "2"]]
    assert back == keys[0]
    labels = [one.label for one in stored(page, desktop, name)]
    assert labels == [Label.PARTIAL, Label.PARTIAL, Label.CONTRADICTED]
