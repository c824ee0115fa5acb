"""Signing in: whom the provider vouches for is who labels, whatever a browser says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from core.store import open_store
from core.store.label_records import StoredLabel
from tests.browser.conftest import Desktop, Witness, fill, free_port
from tests.browser.labelling import open_queue, press, settle
from tests.fakes.oidc_provider import Provider

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

expect.set_options(timeout=20_000)

PEOPLE: dict[str, dict[str, Any]] = {
    "sub-ana": {"email": "ana@example.org", "email_verified": True},
    "sub-ben": {"email": "ana@example.org", "email_verified": False, "preferred_username": "ben"},
    "sub-eve": {"preferred_username": "ana@example.org"},
}
"""The last two claim a name that is not theirs."""


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """The provider of this module's desk."""
    with Provider(PEOPLE) as found:
        yield found


@pytest.fixture(scope="module")
def desk(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """A desk on the sample where people sign in."""
    folder = tmp_path_factory.mktemp("signed")
    port = free_port()
    file = folder / "sign-in.toml"
    file.write_text(provider.secrets(f"http://127.0.0.1:{port}/oauth2callback"), encoding="utf-8")
    store = folder / "desk.duckdb"
    fill(store, None)
    desktop = Desktop(store, folder, port=port, sign_in=file)
    desktop.start()
    yield desktop
    desktop.stop()


def enter(page: Page, desk: Desktop, subject: str, path: str = "") -> None:
    """Sign in as somebody and wait for the first page."""
    page.goto(f"{desk.url}/{path}")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name=subject).click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def stored(desk: Desktop) -> list[StoredLabel]:
    """What is on disk of people's decisions in this test, oldest first."""
    return [one for name in ("ana@example.org", "ben", "mallory", "me") for one in desk.labels(name)]


def test_a_label_is_stored_under_whom_the_provider_vouches_for(
    page: Page, browser: Browser, desk: Desktop, provider: Provider, witness: Witness
) -> None:
    """There and back: nothing before signing in, a label under the name, nobody else's cookie, and out again."""
    page.goto(f"{desk.url}/label?labeller=mallory")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.get_by_role("link", name="Review").count() == 0

    enter(page, desk, "sub-ana")
    expect(page.get_by_text("ana@example.org")).to_be_visible()
    open_queue(page, desk, "mallory")
    press(page, "1")
    settle(page)
    (mine,) = stored(desk)
    assert (mine.event.labeller, mine.event.identity) == ("ana@example.org", provider.issuer)
    with open_store(desk.folder / "copy.duckdb") as store:
        known = {one.name: (one.issuer, one.subject) for one in store.roles.all()}
    assert known == {"ana@example.org": (provider.issuer, "sub-ana")}

    page.goto(desk.url)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert provider.ended == ["sub-ana"]
    assert [cookie["name"] for cookie in page.context.cookies() if "user" in cookie["name"]] == []
    assert provider.refused == []
    witness.assert_quiet()


def test_nobody_gets_the_name_or_the_role_of_somebody_else(page: Page, desk: Desktop) -> None:
    """An unchecked address is no name, a taken name stays its owner's, and a labeller has no review."""
    enter(page, desk, "sub-ben")
    expect(page.get_by_text("ben", exact=True)).to_be_visible()
    assert page.get_by_role("link", name="Review").count() == 0
    page.goto(f"{desk.url}/review")
    expect(page.get_by_text("ben is a labeller here, and this page is for a reviewer")).to_be_visible()
    expect(page.get_by_text("Contradicted")).to_have_count(0)
    page.context.clear_cookies()

    enter(page, desk, "sub-eve")
    expect(page.get_by_text("ana@example.org (2)")).to_be_visible()


def test_a_forged_cookie_opens_nothing(page: Page, desk: Desktop) -> None:
    """A cookie that the desk did not sign is no identity."""
    forged = '{"is_logged_in": true, "iss": "x", "sub": "sub-ana", "origin": "' + desk.url + '"}'
    page.context.add_cookies([{"name": "_streamlit_user", "value": forged.replace(";", ""), "url": desk.url}])

    page.goto(desk.url)

    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_the_login_routes_carry_the_same_headers(page: Page, desk: Desktop) -> None:
    """Nobody may frame or sniff the way in, and scripts cannot read the cookies."""
    reply = page.context.request.get(f"{desk.url}/oauth2callback?code=x&state=y", max_redirects=0)

    assert reply.status == 302
    assert reply.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]
    enter(page, desk, "sub-ana")
    assert all(one["httpOnly"] for one in page.context.cookies() if one["name"].startswith("_streamlit_user"))
