"""Accessibility: axe-core finds nothing serious on any page, light or dark, with and without answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from core.models import Label
from core.store import open_store
from dashboard import navigation
from tests.browser.conftest import Desktop, Witness, fill
from tests.core.store import build

if TYPE_CHECKING:
    from playwright.sync_api import Page

GRAVE = ("serious", "critical")
ORDER = ("heading-order", "page-has-heading-one", "empty-heading")
"""Rules that axe calls moderate, and by which somebody who hears a page finds their way in it."""

PATIENCE = 120_000
"""Milliseconds for one step on a machine that does much else."""

BUSY = "[data-testid=stStatusWidget],[data-testid=stSkeleton],[data-stale=true]"
"""What Streamlit shows while a page is not finished."""

RUN = """async (rules) => {
  const found = await axe.run(document, {resultTypes: ['violations'], ...(rules ? {runOnly: rules} : {})});
  return found.violations.flatMap((one) => one.nodes.map((node) => [
    one.id, one.impact, node.target.flat().join(' '), node.html.slice(0, 300),
    [...node.any, ...node.all, ...node.none].map((check) => check.message).join('; '),
  ]));
}"""


class Known(NamedTuple):
    """A violation in what Streamlit itself draws, which no page of ours can mend."""

    rule: str
    html: str
    """How the element begins."""
    reason: str

    def is_it(self, found: Finding) -> bool:
        """Whether it is this one."""
        return found.rule == self.rule and found.html.startswith(self.html)


STREAMLIT = (
    Known(
        "list",
        '<ul data-testid="stSidebarNavItems"',
        "Streamlit puts the sections of the navigation as div straight into its ul",
    ),
    Known("listitem", "<li class=", "the entries of those sections stand in that div"),
)
"""One by one; nothing else is let through."""


class Finding(NamedTuple):
    """One element that breaks one rule."""

    rule: str
    impact: str
    target: str
    html: str
    why: str


def settled(page: Page) -> None:
    """Wait until the page has run and stopped moving."""
    page.wait_for_selector("[data-testid=stMainBlockContainer] *")
    page.wait_for_function(
        """(busy) => new Promise((done) => {
          let quiet = 0;
          const look = () => {
            quiet = document.querySelector(busy) || document.getAnimations().length ? 0 : quiet + 1;
            if (quiet > 12) done(true); else setTimeout(look, 50);
          };
          look();
        })""",
        arg=BUSY,
    )


def findings(page: Page, rules: list[str] | None = None) -> list[Finding]:
    """What axe finds on the page as it stands, shadow roots included; every rule unless some are named."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return [Finding(*one) for one in page.evaluate(RUN, rules)]


def populate(path: Path) -> None:
    """The sample, labelled by somebody alone and by two people who differ now and then, so that no page is empty."""
    fill(path, None)
    labels = cycle([Label.SUPPORTED, Label.PARTIAL, Label.CONTRADICTED, Label.SUPPORTED, Label.IRRELEVANT])
    with open_store(path) as store:
        for number, span in enumerate(store.labels.ahead("ann", "v1", 40)):
            first = next(labels)
            said = {"me": first} if number >= 30 else {"ann": first, "ben": next(labels) if number % 4 == 0 else first}
            where = {"seen_sha256": span.seen_sha256, "guideline": "v1"}
            store.labels.add(
                [
                    build.event(f"{who}{number}", span.claim_uid, span.cite, labeller=who, label=what, **where)
                    for who, what in said.items()
                ]
            )


@pytest.fixture(scope="module", params=["empty", "full"])
def desk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """A desk without answers, then one with answers and labels; never both at once."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "full":
        populate(folder / "desk.duckdb")
    desktop = Desktop(folder / "desk.duckdb", folder)
    desktop.start()
    yield desktop
    desktop.stop()


def grave(page: Page, where: str) -> list[str]:
    """What axe finds on the page as it stands, in light and in dark, and we could mend; colours alone again in dark."""
    settled(page)
    found = findings(page)
    page.emulate_media(color_scheme="dark")
    settled(page)
    found += findings(page, ["color-contrast"])
    page.emulate_media(color_scheme="light")
    heard = [one for one in found if one.impact in GRAVE or one.rule in ORDER]
    mine = [one for one in heard if not any(known.is_it(one) for known in STREAMLIT)]
    return [f"{where}: {one.rule} at {one.target}: {one.html} ({one.why})" for one in mine]


@pytest.mark.timeout(1800)
def test_no_page_breaks_a_grave_rule(page: Page, desk: Desktop, witness: Witness) -> None:
    """Every page of the navigation, and the states of pages that are reached by another address."""
    page.set_default_timeout(PATIENCE)
    page.goto(desk.url)
    found = []
    for entry in navigation.entries():
        link = page.get_by_test_id("stSidebarNav").get_by_role("link", name=entry.title, exact=True)
        link.click()
        page.wait_for_selector(f"[data-testid=stSidebarNavLink][aria-current=page]:has-text({json.dumps(entry.title)})")
        found += grave(page, entry.title)
        if entry.name == "label" and page.locator(".queue").count():
            page.keyboard.press("?")
            found += grave(page, "Label, its keys")
    for address in ("queues?make=1", "failures?show=slices"):
        page.goto(f"{desk.url}/{address}")
        found += grave(page, address)

    assert found == []
    witness.assert_quiet()
