"""A whole session without a mouse: sign in, label, take back, skip, hear the judge, review, and take a report out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Desktop, Witness, fill, free_port
from tests.browser.labelling import press, settle, shown, strip
from tests.fakes.oidc_provider import Provider

if TYPE_CHECKING:
    from playwright.sync_api import Page

ANA = "ana@example.org"
PATIENCE = 120_000
"""Milliseconds for one step on a machine that does much else."""

MOST_STOPS = 120
"""Presses of Tab after which a control counts as out of reach."""

WATCH = """
window.pointed = 0;
for (const name of ['mousedown', 'pointerdown', 'touchstart', 'wheel'])
  addEventListener(name, (event) => { window.pointed += event.isTrusted; }, true);
addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style');
  style.textContent = '*,*::before,*::after{transition:none!important;animation-duration:0s!important}';
  document.head.append(style);
});
"""
"""Counts what only a pointer does; without transitions, for a style that is still on its way looks like none."""

STOP = """() => {
  const deep = () => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return node;
  };
  const up = (node) => node.parentElement ?? node.getRootNode().host;
  const look = (node) => {
    const seen = [];
    for (let at = node, level = 0; at && level < 5; at = up(at), level += 1) {
      const style = getComputedStyle(at);
      seen.push(style.outlineStyle, style.outlineWidth, style.boxShadow, style.borderColor, style.backgroundColor);
    }
    return seen.join();
  };
  const said = (node) => node.getAttribute('aria-label') || node.labels?.[0]?.innerText || node.innerText || '';
  const name = (node) => said(node).trim();
  const before = window.stop;
  const node = deep();
  window.stop = { node, name: name(node), look: look(node) };
  const left = before && before.node !== node && before.node !== document.body && before.node.isConnected;
  const unseen = left && before.look === look(before.node);
  return [window.stop.name, unseen ? `${before.node.tagName} ${before.name.slice(0, 60)}` : ''];
}"""
"""Where the focus is now, and the place that it just left if that looked the same with it as without it."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """A desk on the sample where people sign in, and Ana is admin."""
    folder = tmp_path_factory.mktemp("keyboard")
    port = free_port()
    with pytest.MonkeyPatch.context() as patch, Provider({"ana": {"email": ANA, "email_verified": True}}) as provider:
        patch.setenv("CITEDESK_ADMINS", ANA)
        file = folder / "sign-in.toml"
        file.write_text(provider.secrets(f"http://127.0.0.1:{port}/oauth2callback"), encoding="utf-8")
        fill(folder / "desk.duckdb", None)
        desktop = Desktop(folder / "desk.duckdb", folder, port=port, sign_in=file)
        desktop.start()
        yield desktop
        desktop.stop()


def reach(page: Page, name: str, unseen: list[str]) -> None:
    """Go from control to control until one of that name has the focus; note those that did not show it."""
    page.evaluate("() => { window.stop = null; }")
    passed: list[str] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        found, left = page.evaluate(STOP)
        unseen.extend(filter(None, [left]))
        if found == name:
            return
        passed.append(found[:60])
    raise AssertionError(f"{name} cannot be reached; these can: {passed}")


def go(page: Page, title: str, unseen: list[str]) -> None:
    """Open a page through the navigation."""
    reach(page, title, unseen)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"[data-testid=stSidebarNavLink][aria-current=page]:has-text('{title}')")


@pytest.mark.timeout(600)
def test_a_session_without_a_mouse(page: Page, desk: Desktop, witness: Witness, tmp_path: Path) -> None:
    """From the sign-in page to a downloaded report, and no event of a pointer."""
    page.set_default_timeout(PATIENCE)
    unseen: list[str] = []
    page.add_init_script(WATCH)
    page.goto(desk.url)
    page.get_by_role("button", name="Sign in").wait_for()
    reach(page, "Sign in", unseen)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="ana").wait_for()
    reach(page, "ana", unseen)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Sign out").wait_for()

    page.get_by_role("button", name="Close the tour").wait_for()
    reach(page, "Next", unseen)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="See what fails").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Take the tour").wait_for()

    page.reload()
    page.get_by_role("button", name="Take the tour").wait_for()
    go(page, "Label", unseen)
    page.wait_for_selector(".queue[data-painted]")
    press(page, "1")
    first = shown(page)
    press(page, "3")
    press(page, "z")
    assert shown(page) == first
    press(page, "s", "1")
    press(page, "2")
    settle(page)
    assert "saved" in strip(page)
    page.keyboard.press("v")
    page.get_by_text("lexical@").or_(
        page.get_by_text("once every passage of that claim has your label")
    ).first.wait_for()

    go(page, "Quality", unseen)
    page.get_by_text("Agreement so far").wait_for()
    go(page, "Review", unseen)
    page.locator(".rows .row.on").wait_for()
    reach(page, "Claims", unseen)
    here = page.locator(".rows .row.on").get_attribute("data-uid")
    page.keyboard.press("j")
    page.wait_for_function("(here) => !location.search.includes(here) && location.search.includes('claim=')", arg=here)

    go(page, "Failures", unseen)
    page.get_by_role("button", name="One-page report").wait_for()
    reach(page, "One-page report", unseen)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    file = tmp_path / "report.html"
    download.value.save_as(file)
    assert "lexical@" in file.read_text(encoding="utf-8")
    assert not unseen, f"the focus cannot be seen on {unseen}"
    assert page.evaluate("() => window.pointed") == 0
    witness.assert_quiet()
    assert len(desk.labels(ANA)) == 3
