"""Access groups on the label page: nobody is given what they may not read, and each is told how much that is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from core.people import Role
from core.store import Store, open_store
from core.store.records import ClaimFilter
from tests.browser.conftest import Desktop, Witness, fill, free_port
from tests.browser.labelling import press, settle, shown
from tests.browser.test_sign_in import enter
from tests.core.store.queued import queue
from tests.fakes.oidc_provider import Provider

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect.set_options(timeout=20_000)

PEOPLE: dict[str, dict[str, Any]] = {
    "sub-ann": {"email": "ann@example.org", "email_verified": True},
    "sub-ben": {"email": "ben@example.org", "email_verified": True},
}
TEXTS = {
    "C1": ("The gate opens at nine and closes at five.", []),
    "C2": ("The settlement was 40,000 crowns.", ["legal"]),
    "C3": ("The board will close the gate in May.", ["board"]),
}
CLAIMS = [
    ("The gate opens at nine.", "C1"),
    ("The gate closes at five.", "C1"),
    ("The settlement was large.", "C2"),
    ("The settlement was 40,000 crowns.", "C2"),
    ("The gate will be closed in May.", "C3"),
]


def make(path: Path, issuer: str) -> str:
    """A store of these claims, in which ben is a reviewer of the group legal; gives a queue of what is legal's."""
    evidence = [
        {"id": cite, "text": text, "title": f"File {cite}", "locator": f"{cite}.txt:p1", "groups": groups}
        for cite, (text, groups) in TEXTS.items()
    ]
    claims = [{"text": text, "citation_ids": [cite], "quote": None} for text, cite in CLAIMS]
    said = {"request_id": "r1", "query": "What of the gate?", "answer": " ".join(text for text, _ in CLAIMS)}
    fill(path, [said | {"claims": claims, "evidence": evidence}])
    with open_store(path) as store:
        ben = store.roles.enter(issuer, "sub-ben", "ben@example.org").name
        store.roles.put_into(ben, ["legal"], "keeper")
        store.roles.give(ben, Role.REVIEWER, "keeper")
        return queue(store, uids(store, "settlement"), name="Settlements").queue_id


def uids(store: Store, word: str) -> list[str]:
    """The claims with a word."""
    (info,) = store.protocols()
    return [one.claim_uid for one in store.claim_page(ClaimFilter(protocol=info.name, text=word)).items]


def served(provider: Provider, folder: Path) -> tuple[Desktop, str]:
    """A desk on it where people sign in, and that queue."""
    port, file, store = free_port(), folder / "sign-in.toml", folder / "desk.duckdb"
    file.write_text(provider.secrets(f"http://127.0.0.1:{port}/oauth2callback"), encoding="utf-8")
    legal = make(store, provider.issuer)
    desktop = Desktop(store, folder, port=port, sign_in=file)
    desktop.start()
    return desktop, legal


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desktop, str]]:
    """The desk of this module."""
    with Provider(PEOPLE) as provider:
        desktop, legal = served(provider, tmp_path_factory.mktemp("groups"))
        yield desktop, legal
        desktop.stop()


def open_label(page: Page, desktop: Desktop, queue_id: str | None = None) -> None:
    """Open the label page and wait for the first claim."""
    page.goto(f"{desktop.url}/label" + (f"?queue={queue_id}" if queue_id else ""))
    page.wait_for_selector(".queue[data-painted]")
    shown(page)


def test_a_labeller_gets_what_they_may_read_and_is_told_of_the_rest(
    page: Page, desk: tuple[Desktop, str], witness: Witness
) -> None:
    """By number, without a name of a source or a group; nothing of it is sent to the browser at all."""
    desktop, _ = desk
    bodies: list[str] = []
    page.on("response", lambda reply: bodies.append(reply.text()) if "api/label" in reply.url else None)
    enter(page, desktop, "sub-ann")
    open_label(page, desktop)
    expect(page.locator(".withheld")).to_have_text(
        "3 claims of this queue cite sources that you may not read; they are left to others."
    )
    assert "settlement" not in page.locator(".queue").inner_text()
    page.keyboard.press("a")
    expect(page.locator(".answer")).to_contain_text("it may repeat sources that you may not read")
    press(page, "1")
    press(page, "1")
    settle(page)

    done = page.locator(".done")
    expect(done).to_contain_text("What is left here is not for your groups")
    expect(done).to_contain_text("3 claims of this queue cite sources that you may not read")
    words = "".join(bodies) + done.inner_text()
    assert "settlement" not in words
    assert "legal" not in words
    assert {one.event.cite for one in desktop.labels("ann@example.org")} == {"C1"}
    witness.assert_quiet()


def test_a_reviewer_sees_what_nobody_may_read(page: Page, desk: tuple[Desktop, str]) -> None:
    """The queue says that a rate from it will lack that claim."""
    desktop, _ = desk
    enter(page, desktop, "sub-ben", "queues")
    page.goto(f"{desktop.url}/queues")

    expect(page.get_by_text("1 claim has nobody among the labellers who may read what it cites")).to_be_visible()
    expect(page.get_by_text("1 claim of this queue cites sources that you may not read")).to_be_visible()


def test_who_loses_a_group_loses_the_claim_in_their_hands(page: Page, desk: tuple[Desktop, str]) -> None:
    """The press is refused in words, the claims leave the tab, and nothing is stored."""
    desktop, legal = desk
    enter(page, desktop, "sub-ben")
    open_label(page, desktop, legal)
    expect(page.locator(".claim")).to_contain_text("settlement")
    command = [sys.executable, "-m", "core", "role", "groups", "ben@example.org", "--store", str(desktop.store)]
    subprocess.run(command, check=True, env=os.environ | {"CITEDESK_STORE": str(desktop.store)}, timeout=60)
    page.keyboard.press("1")

    expect(page.locator(".done")).to_contain_text("What is left here is not for your groups")
    expect(page.locator(".done .alert")).to_contain_text("claim")
    assert "settlement" not in page.locator(".queue").inner_text()
    assert desktop.labels("ben@example.org") == []
