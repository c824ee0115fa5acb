"""Review in a real browser: the keyboard, links to claims, exact highlights, and texts that stay texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from core.desk import Desk
from core.settings import Settings
from core.store.records import ClaimFilter
from dashboard.widgets import claim_view
from tests.browser.conftest import Desktop, Witness, fill

if TYPE_CHECKING:
    from playwright.sync_api import Page

ODD = {
    "joined pictures": "the 👩‍👩‍👧‍👦 under the 🇩🇪 flag 👍🏽",
    "combining accents": "the cafe\u0301 of Zoe\u0308 and a\u0328\u0301",
    "right to left": "the مصباح (שלום) \u202blamp\u202c",
    "line ends": "the first\r\nthe second\r\n\r\nthe third\ttab",
    "hard blanks": "the\u00a0hard\u202fand\u2003wide\u3000blank",
    "script": "the <script>alert(1)</script><img src=x onerror=alert(2)><svg/onload=alert(3)>",
    "mathematics": "the $x^2$ and $$\\frac{1}{2}$$ and \\(y\\)",
    "markdown": "the **bold** _it_ `code` [link](http://outside.example/) :smile: :red[red] :material/home:",
    "images": "the ![i](http://outside.example/i.png) <img src='http://outside.example/j.png'> http://outside.example/",
    "entities": "the &lt;b&gt; &amp; &#x27; \\u0041 %3Cb%3E",
}
"""Texts that a careless page would change, execute, fetch or cut in the wrong place."""

IN_SIGHT = """row => {
  const [a, b] = [row, row.parentElement].map((node) => node.getBoundingClientRect());
  return a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
}"""
"""Whether a line of the list is wholly inside the list's box."""

OFF_CENTRE = """mark => {
  const [a, b] = [mark, mark.closest('.passage')].map((node) => node.getBoundingClientRect());
  return (a.top + a.bottom - b.top - b.bottom) / 2 / b.height;
}"""
"""How far a mark is from the middle of its passage's box, in heights of the box."""

WHOLE_ROWS = """list => [...list.children].filter(
  (row) => row.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom,
).length"""
"""How many lines of the list can be read without scrolling."""

ASK_FOR_REQUEST = """id => {
  const to = new URL(location.href);
  to.searchParams.set('request', id);
  location = to;
}"""
"""Open the page again with a filter on one request."""


def odd_answer(name: str, odd: str) -> dict[str, Any]:
    """An answer with such a text before, inside and after the claim, and everywhere else that a page shows."""
    claim = f"The lamp of {odd} weighs 40 grams."
    source = f"{odd} {odd}\n{claim} {odd}"
    return {
        "request_id": f"{name} {odd}",
        "query": f"How heavy is {odd}?",
        "answer": f"{odd}: {claim} [C1] {odd}",
        "claims": [{"text": claim, "citation_ids": ["C1"], "quote": claim}],
        "evidence": [{"id": "C1", "text": source, "title": odd, "locator": odd, "source_version": odd}],
    }


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict[str, Any]]]:
    """A store with every odd text, and what the server says shall be shown of each given claim."""
    path = tmp_path_factory.mktemp("odd") / "desk.duckdb"
    fill(path, [odd_answer(*item) for item in ODD.items()])
    desk = Desk.open(Settings(store=path))
    protocol = desk.store.protocols()[0].name
    found = {}
    for name, odd in ODD.items():
        claim = odd_answer(name, odd)["claims"][0]["text"]
        page = desk.store.claim_page(ClaimFilter(protocol=protocol, request_id=f"{name} {odd}"))
        uid = next(item.claim_uid for item in page.items if item.claim == claim)
        detail = desk.store.claim(uid, protocol)
        assert detail is not None
        found[name] = claim_view.view(detail, desk.draft(detail))
    desk.close()
    return path, found


@pytest.fixture(scope="module")
def odd_desk(serve: Callable[..., Desktop], views: tuple[Path, dict[str, dict[str, Any]]]) -> Desktop:
    """A desk on that store."""
    return serve(store=views[0])


@pytest.fixture(scope="module")
def lamps(serve: Callable[..., Desktop]) -> Desktop:
    """A desk on 120 claims in 60 answers; the second of each answer cites nothing."""
    return serve(
        [
            {
                "request_id": f"r{number:02}",
                "query": f"How heavy is lamp {number}?",
                "asked_at": f"2026-11-{9 + number % 3 * 7:02}T12:00:00Z",
                "answer": f"Lamp {number} weighs 40 grams. [C1] Lamp {number} was sold to Norway in March.",
                "evidence": [{"id": "C1", "text": f"Read this first. Lamp {number} weighs 40 grams. Thank you."}],
            }
            for number in range(60)
        ]
    )


def open_review(page: Page, desk: Desktop, query: str = "") -> None:
    """Open Review and wait until a claim is shown."""
    page.goto(f"{desk.url}/review{query}")
    page.wait_for_selector(".inspector[data-uid]")
    page.wait_for_selector(".rows .row")


def selected(page: Page) -> str:
    """The uid that the list has selected."""
    return page.locator(".rows .row.on").get_attribute("data-uid") or ""


def rows(page: Page) -> list[str]:
    """The uids of the list, in order."""
    return [str(uid) for uid in page.locator(".rows .row").evaluate_all("rows => rows.map((row) => row.dataset.uid)")]


def wait_for_claim(page: Page, uid: str) -> None:
    """Wait until list, inspector and address agree on a claim."""
    page.wait_for_selector(f'.rows .row.on[data-uid="{uid}"]')
    page.wait_for_selector(f'.inspector[data-uid="{uid}"]')
    page.wait_for_url(re.compile(f"claim={uid}"))


def pieces(page: Page, selector: str) -> list[list[str]]:
    """A text as it is drawn: each piece with its classes."""
    nodes = "box => [...box.childNodes].map((node) => [node.textContent, node.className ?? ''])"
    drawn: list[list[str]] = page.locator(selector).evaluate(nodes)
    return drawn


def expected(parts: list[tuple[str, tuple[str, ...]]]) -> list[list[str]]:
    """The same as the server cut it."""
    return [[text, " ".join(f"k-{kind}" for kind in kinds)] for text, kinds in parts if text]


@pytest.mark.parametrize("name", ODD)
def test_odd_texts_are_shown_exactly(
    page: Page, witness: Witness, odd_desk: Desktop, views: tuple[Path, dict[str, dict[str, Any]]], name: str
) -> None:
    """Every character arrives, every mark sits where the server put it, nothing is executed, nothing is fetched."""
    view = views[1][name]
    given = odd_answer(name, ODD[name])
    open_review(page, odd_desk, f"?claim={view['uid']}")
    wait_for_claim(page, view["uid"])

    assert pieces(page, ".answer") == expected(view["answer"])
    assert pieces(page, ".passage") == expected(view["cards"][0]["passage"])
    assert page.locator(".passage").evaluate("box => box.textContent") == given["evidence"][0]["text"]
    assert "".join(text for text, kind in pieces(page, ".answer") if "k-claim" in kind) == given["claims"][0]["text"]
    assert "".join(text for text, kind in pieces(page, ".passage") if "k-quote" in kind) == given["claims"][0]["text"]
    assert page.locator(".rows .row.on .claim").evaluate("box => box.textContent") == given["claims"][0]["text"]
    assert (
        page.locator(".inspector :is(script,img,svg,b b,em,code), .rows :is(script,img,svg,a,b,em,code)").count() == 0
    )
    witness.assert_quiet()


def test_a_request_filter_shows_its_id_as_text(page: Page, witness: Witness, odd_desk: Desktop) -> None:
    """The chip of a filter is a place where Streamlit reads Markdown."""
    open_review(page, odd_desk)
    for name in ("markdown", "script", "mathematics", "images"):
        page.evaluate(ASK_FOR_REQUEST, f"{name} {ODD[name]}")
        chip = page.get_by_role("button", name=re.compile(f"request {name}"))
        chip.wait_for()
        said = chip.evaluate("chip => chip.textContent").replace("\u2060", "")
        assert said.startswith(f"request {name} {ODD[name]}")
        assert chip.locator("a,img,code,strong,em,.katex,script").count() == 0
    witness.assert_quiet()


def test_keys_move_and_the_address_follows(page: Page, witness: Witness, lamps: Desktop) -> None:
    """j, k and the arrows move by exactly one, however often the page was drawn before."""
    open_review(page, lamps)
    uids = rows(page)
    assert selected(page) == uids[0]

    for press, place in (("j", 1), ("j", 2), ("ArrowDown", 3), ("ArrowUp", 2), ("k", 1), ("j", 2), ("j", 3)):
        page.keyboard.press(press)
        wait_for_claim(page, uids[place])
    page.keyboard.press("Enter")
    page.locator(".rows .row").nth(9).click()
    wait_for_claim(page, uids[9])
    page.keyboard.press("j")
    wait_for_claim(page, uids[10])
    witness.assert_quiet()


def test_fast_keys_end_where_they_should(page: Page, lamps: Desktop) -> None:
    """Forty presses without a pause move forty lines, and the selected one is in sight."""
    open_review(page, lamps)
    uids = rows(page)
    for _ in range(40):
        page.keyboard.press("j")
    wait_for_claim(page, uids[40])

    assert page.locator(".rows .row.on").evaluate(IN_SIGHT)


def test_keys_belong_to_whoever_has_the_focus(page: Page, lamps: Desktop) -> None:
    """Typing into the search moves nothing, nor do arrows in a drop-down list."""
    open_review(page, lamps)
    before = selected(page)
    search = page.get_by_placeholder("Search claims and questions")
    search.press_sequentially("jjk")
    assert (search.input_value(), selected(page)) == ("jjk", before)

    search.fill("")  # leaving the field with a text in it would filter the list
    page.get_by_role("combobox", name=re.compile("Order")).press("ArrowDown")
    page.keyboard.press("Escape")
    assert selected(page) == before


def test_the_list_turns_its_pages(page: Page, lamps: Desktop) -> None:
    """Next and previous show the next and the last fifty; a key at the end of a page goes on with the next."""
    open_review(page, lamps)
    assert page.locator(".range").inner_text() == "1–50 of 120"
    page.get_by_text("Next ›").click()
    page.get_by_text("51–100 of 120").wait_for()
    second = rows(page)
    wait_for_claim(page, second[0])

    page.locator(".rows").focus()
    page.keyboard.press("k")
    page.get_by_text("1–50 of 120").wait_for()
    wait_for_claim(page, rows(page)[-1])
    page.keyboard.press("j")
    page.get_by_text("51–100 of 120").wait_for()
    wait_for_claim(page, second[0])


def test_a_link_opens_its_claim_in_sight(page: Page, lamps: Desktop) -> None:
    """A link to a claim of the third page shows that page, with the claim selected."""
    open_review(page, lamps, "?page=3")
    uid = rows(page)[-1]
    page.goto("about:blank")
    open_review(page, lamps, f"?claim={uid}")
    wait_for_claim(page, uid)

    assert page.locator(".range").inner_text() == "101–120 of 120"
    assert page.locator(".rows .row.on").is_visible()


def test_the_link_can_be_copied(page: Page, lamps: Desktop) -> None:
    """What is copied opens the same claim under the same judge and filters."""
    open_review(page, lamps, "?labels=supported")
    page.keyboard.press("j")
    wait_for_claim(page, rows(page)[1])
    uid = selected(page)
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    page.get_by_role("textbox").first.focus()  # no script of the page may read the clipboard; a person's keys may
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+V")
    address = page.get_by_role("textbox").first.input_value()

    assert "labels=supported" in address
    page.goto("about:blank")
    page.goto(address)
    wait_for_claim(page, uid)


def test_the_selection_survives_a_filter(page: Page, lamps: Desktop) -> None:
    """The inspector keeps its claim when the list no longer has it, and the list has it again afterwards."""
    open_review(page, lamps)
    page.locator(".rows .row").nth(3).click()
    uid = rows(page)[3]
    wait_for_claim(page, uid)
    page.get_by_role("button", name=re.compile("Supported 60")).click()
    page.locator(".outside").wait_for()

    assert page.locator(".inspector").get_attribute("data-uid") == uid
    assert page.locator(".rows .row.on").count() == 0
    page.get_by_role("button", name=re.compile("Supported 60")).click()
    wait_for_claim(page, uid)


def test_another_claim_of_the_answer_is_one_click_away(page: Page, lamps: Desktop) -> None:
    """The list follows to the page where that claim stands."""
    open_review(page, lamps)
    page.get_by_text("The other claim of this answer").click()
    other = page.locator(".other-claim:enabled")
    uid = other.get_attribute("data-uid") or ""
    other.click()

    wait_for_claim(page, uid)
    assert page.locator(".range").inner_text() == "51–100 of 120"


def test_the_supporting_stretch_is_in_sight(page: Page, serve: Callable[..., Desktop]) -> None:
    """A passage of many lines opens at the marked stretch, in the middle of its own box."""
    filler = "\n".join(["Nothing of interest stands in this line."] * 200)
    desk = serve(
        [
            {
                "request_id": "r1",
                "claims": [{"text": "The lamp weighs 40 grams.", "citation_ids": ["C1"]}],
                "evidence": [{"id": "C1", "text": f"{filler}\nThe lamp weighs 40 grams.\n{filler}"}],
            }
        ]
    )
    open_review(page, desk)

    assert abs(page.locator(".passage .k-support").first.evaluate(OFF_CENTRE)) < 0.3
    assert page.locator(".inspector").evaluate("box => box.scrollTop") == 0


def test_fourteen_lines_fit_on_a_laptop(page: Page, lamps: Desktop) -> None:
    """At 900 pixels of height; and the page itself does not scroll."""
    page.set_viewport_size({"width": 1280, "height": 900})
    open_review(page, lamps)

    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollHeight <= innerHeight + 1")
    assert page.locator(".rows").evaluate(WHOLE_ROWS) >= 14


@pytest.mark.parametrize(("scheme", "colour"), [("light", "rgb(126, 34, 206)"), ("dark", "rgb(192, 132, 252)")])
def test_labels_follow_the_theme(page: Page, lamps: Desktop, scheme: Any, colour: str) -> None:
    """The same label is legible on both grounds."""
    page.emulate_media(color_scheme=scheme)
    open_review(page, lamps)

    assert page.locator(".rows .chip").first.evaluate("chip => getComputedStyle(chip).color") == colour


def test_an_unknown_claim_is_said_beside_the_list(page: Page, lamps: Desktop) -> None:
    """The list can still be used."""
    open_review(page, lamps, "?claim=feedbeef")

    page.get_by_text("Claim feedbeef is not in this store.").wait_for()
    page.locator(".rows .row").nth(2).click()
    wait_for_claim(page, rows(page)[2])


def test_a_point_of_the_trend_leads_to_its_claims(page: Page, lamps: Desktop) -> None:
    """As many claims are listed as the table beside the chart says count: 20 answers of two claims each."""
    page.goto(f"{lamps.url}/trends?tz=UTC")
    page.locator(".scatterlayer .point").nth(1).click(force=True)
    page.wait_for_url(re.compile("/review"))
    page.get_by_text("1–40 of 40").wait_for()

    page.get_by_text("asked in the week of 16 November 2026").wait_for()


def test_why_a_label_was_given_stands_below_the_passage(page: Page, sample_desk: Desktop, witness: Witness) -> None:
    """Scores as bars with a tick where one is enough, and every comparison with both wordings."""
    open_review(page, sample_desk, "?labels=contradicted")

    bars = page.locator(".scores .bar")
    widths = bars.evaluate_all(
        "bars => bars.map((bar) => bar.firstChild.getBoundingClientRect().width / bar.offsetWidth)"
    )
    shown = [float(text) for text in page.locator(".scores b").all_inner_texts()]
    assert widths == pytest.approx(shown, abs=0.02)
    assert page.locator(".scores .tick").count() == 1
    first = page.locator(".compared tbody tr").first
    assert first.get_attribute("class") == "differ"
    assert first.locator(".k-diff").all_inner_texts() == page.locator(".because .k-diff").all_inner_texts()[:2]
    page.get_by_text("a baseline on this machine that counts the words and numbers in common").wait_for()
    witness.assert_quiet()
