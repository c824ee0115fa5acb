"""Links against real servers: what every answer of the web means, and what never happens on the way."""

from __future__ import annotations

from hashlib import sha256
from io import BytesIO

import pypdfium2
import pytest

from core.models import Label, Resolve
from core.reference_policy import Credential, Endpoint, Endpoints, Limits
from core.references import FETCHED_NOW, Exists, Matches, Reachable, Reason, Scope, Substitute
from tests.core.resolvers.conftest import EAGER, PROSE, Look, page, policy
from tests.fakes.web_server import Web

URL = "https://a.example/loan"


def test_a_page_that_is_there_is_read(web: Web, look: Look) -> None:
    """Its main text becomes evidence with its own hash, time and place, marked as fetched now."""
    web.put(URL, page())

    found = look(URL)

    assert (found.exists, found.reachable, found.reason) == (Exists.YES, Reachable.LIVE, Reason.OK)
    assert (found.resolve, found.label) == (Resolve.OK, None)
    assert found.read is not None
    evidence = found.read.evidence("L1")
    assert "four million crowns" in evidence.text
    assert evidence.meta["origin"] == FETCHED_NOW
    assert evidence.meta["sha256"] == found.read.sha256
    assert evidence.source_version == "fetched 2026-11-30T09:00:00Z"
    assert evidence.locator == URL
    (receipt,) = found.receipts
    assert (receipt.who, receipt.status, receipt.at, receipt.kept) == ("a.example", 200, web.now, False)
    assert receipt.sha256 == sha256(page().encode()).hexdigest()


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, Reason.FORBIDDEN),
        (401, Reason.NEEDS_LOGIN),
        (402, Reason.PAYWALL),
        (403, Reason.FORBIDDEN),
        (405, Reason.FORBIDDEN),
        (406, Reason.FORBIDDEN),
        (407, Reason.NEEDS_LOGIN),
        (408, Reason.TIMED_OUT),
        (418, Reason.FORBIDDEN),
        (425, Reason.RATE_LIMITED),
        (429, Reason.RATE_LIMITED),
        (451, Reason.LEGAL),
        (500, Reason.SERVER_ERROR),
        (502, Reason.SERVER_ERROR),
        (503, Reason.SERVER_ERROR),
        (504, Reason.TIMED_OUT),
        (511, Reason.NEEDS_LOGIN),
        (520, Reason.SERVER_ERROR),
        (999, Reason.SERVER_ERROR),
    ],
)
def test_a_closed_page_is_inaccessible_for_ever(web: Web, look: Look, status: int, reason: Reason) -> None:
    """However often it is asked, no refusal makes a reference unresolvable, and nothing of it is read."""
    web.put(URL, page("An error"), status)

    for _ in range(3):
        found = look(URL, policy(lives=EAGER))
        web.later(48)

        assert (found.reason, found.reachable, found.exists) == (reason, Reachable.BLOCKED, Exists.UNKNOWN)
        assert (found.resolve, found.label, found.read) == (Resolve.INACCESSIBLE, Label.INACCESSIBLE, None)


@pytest.mark.parametrize("status", [404, 410])
def test_gone_takes_two_looks_a_day_apart(web: Web, look: Look, status: int) -> None:
    """Once is no finding; twice within a day neither; a day apart it is gone."""
    web.put(URL, "nothing here", status)
    rules = policy(lives=EAGER)

    first = look(URL, rules)
    web.later(23)
    second = look(URL, rules)
    web.later(1)
    third = look(URL, rules)

    assert [one.reason for one in (first, second, third)] == [
        Reason.MISSING_ONCE, Reason.MISSING_ONCE, Reason.NOT_FOUND
    ]  # fmt: skip
    assert [one.label for one in (first, second, third)] == [
        Label.INACCESSIBLE, Label.INACCESSIBLE, Label.UNRESOLVABLE
    ]  # fmt: skip
    assert (third.reachable, third.exists) == (Reachable.GONE, Exists.UNKNOWN)


def test_one_answer_that_is_kept_is_one_look(web: Web, look: Look) -> None:
    """A miss read from the cache a day later is not a second look."""
    web.put(URL, "nothing here", 404)
    rules = policy(lives=EAGER.model_copy(update={"missing_days": 7}))

    look(URL, rules)
    web.later(48)

    assert look(URL, rules).reason is Reason.MISSING_ONCE
    assert web.asked(URL) == 1


def test_a_page_that_comes_back_begins_anew(web: Web, look: Look) -> None:
    """Missing, there, missing: the first miss counts no more."""
    rules = policy(lives=EAGER)
    for body, status in (("no", 404), (page(), 200), ("no", 404)):
        web.put(URL, body, status)
        found = look(URL, rules)
        web.later(25)

    assert found.reason is Reason.MISSING_ONCE


def test_a_name_without_an_address_is_dead_when_twice(web: Web, look: Look) -> None:
    """As long as other names can be looked up."""
    web.dns["a.example"] = [[]]
    rules = policy(lives=EAGER)

    first = look(URL, rules)
    web.later(25)
    second = look(URL, rules)

    assert (first.reason, second.reason) == (Reason.MISSING_ONCE, Reason.NOT_FOUND)


def test_a_machine_without_a_network_accuses_nobody(web: Web, look: Look) -> None:
    """Where no name is found, a name that is not found says nothing."""
    web.dns |= {"a.example": [[]], "doi.org": [[]]}
    rules = policy(lives=EAGER)

    for _ in range(3):
        assert look(URL, rules).reason is Reason.NO_CONNECTION
        web.later(25)
    web.broken_names = True
    assert look(URL, rules).label is Label.INACCESSIBLE


def test_bad_answers_to_head_do_not_matter(web: Web, look: Look) -> None:
    """The server answers 404 to every HEAD; only GET is asked."""
    web.put(URL, page())

    assert look(URL).reason is Reason.OK
    assert web.asked(URL) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_and_told(web: Web, look: Look, status: int) -> None:
    """Read elsewhere is moved, with the last address in the finding."""
    web.redirect(URL, "https://b.example/new", status)
    web.put("https://b.example/new", page())

    found = look(URL)

    assert (found.reason, found.final_url) == (Reason.MOVED, "https://b.example/new")
    assert found.said == "Read at b.example, where it has moved."


def test_to_https_or_www_is_not_moved(web: Web, look: Look) -> None:
    """The same page under its usual spelling."""
    web.redirect("http://a.example/loan", "https://www.a.example/loan/")
    web.put("https://www.a.example/loan/", page())

    assert look("http://a.example/loan").reason is Reason.OK


def test_five_redirects_and_no_more(web: Web, look: Look) -> None:
    """The sixth is not followed."""
    for number in range(8):
        web.redirect(f"https://a.example/{number}", f"/{number + 1}")
    web.put("https://a.example/8", page())

    assert look("https://a.example/3").reason is Reason.MOVED
    found = look("https://a.example/1")
    assert (found.reason, found.said) == (Reason.REDIRECTS, "Not opened: it redirects more than 5 times.")
    assert web.asked("https://a.example/7") == 1


def test_a_circle_ends(web: Web, look: Look) -> None:
    """Each address is asked once."""
    web.redirect(URL, "https://b.example/x")
    web.redirect("https://b.example/x", URL)

    assert look(URL).said == "Not opened: its redirects go in a circle."
    assert (web.asked(URL), web.asked("https://b.example/x")) == (1, 1)


def test_a_slow_drip_ends_with_the_time(web: Web, look: Look) -> None:
    """A byte now and then keeps nobody waiting."""
    web.put(URL, kind="drip")

    found = look(URL, policy(limits=Limits(per_second=1000, seconds=0.3), robots=False))

    assert (found.reason, found.label) == (Reason.TIMED_OUT, Label.INACCESSIBLE)


def test_silence_ends_with_the_time(web: Web, look: Look) -> None:
    """A server that says nothing is no proof of anything."""
    web.put(URL, kind="silent", seconds=30)

    assert look(URL, policy(limits=Limits(per_second=1000, seconds=0.3), robots=False)).reason is Reason.TIMED_OUT


def test_a_bomb_stops_while_it_unpacks(web: Web, look: Look) -> None:
    """Twenty million zeros in twenty thousand bytes."""
    web.put(URL, kind="bomb", size=20_000_000)
    small = Limits(per_second=1000, decompressed_bytes=200_000)

    found = look(URL, policy(limits=small))

    assert (found.reason, found.said) == (Reason.TOO_LARGE, "Not opened: it unpacks to more than 200,000 bytes.")


def test_an_endless_body_is_left(web: Web, look: Look) -> None:
    """Ten gigabytes are promised; a small part is taken."""
    web.put(URL, kind="endless")

    found = look(URL, policy(limits=Limits(per_second=1000, bytes=100_000)))

    assert found.reason is Reason.TOO_LARGE
    assert web.written < 50_000_000


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "compress"])
def test_compression_that_was_not_asked_for_is_not_undone(web: Web, look: Look, encoding: str) -> None:
    """Only what can be undone in bounds is asked for."""
    web.put(URL, b"\x1b\x00\x00", headers={"content-encoding": encoding})

    assert look(URL).reason is Reason.UNREADABLE
    assert {one.headers["accept-encoding"] for one in web.requests} == {"gzip, deflate"}


@pytest.mark.parametrize("kind", ["cut", "garbage"])
def test_half_an_answer_is_none(web: Web, look: Look, kind: str) -> None:
    """A page that was not read to its end is no page."""
    web.put(URL, page(), kind=kind)

    assert look(URL).reason is Reason.NO_CONNECTION


def test_damaged_compression_is_unreadable(web: Web, look: Look) -> None:
    """It is called gzip and is none."""
    web.put(URL, "plain", headers={"content-encoding": "gzip"})

    assert look(URL).reason is Reason.UNREADABLE


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("Größe".encode("cp1252"), "text/plain; charset=utf-8"),
        ("Größe".encode(), "text/plain; charset=no-such-charset"),
        ("Größe".encode("utf-16"), "text/plain; charset=utf-8"),
        ("Größe".encode("latin-1"), "text/plain; charset=ISO-8859-1"),
        ("Größe".encode(), "text/plain"),
    ],
)
def test_a_wrong_charset_is_seen_through(web: Web, look: Look, body: bytes, kind: str) -> None:
    """The header is believed where the bytes fit it."""
    web.put(URL, body, headers={"content-type": kind})

    found = look(URL)

    assert found.read is not None
    assert found.read.text == "Größe"


def test_a_name_is_looked_up_once_for_its_connection(web: Web, look: Look) -> None:
    """A second look-up would lead inside; there is none, and the checked address is the one that is used."""
    web.dns["flip.example"] = [["93.184.216.35"], ["127.0.0.1"]]
    web.put("http://flip.example/", page())

    found = look("http://flip.example/", policy(robots=False))

    assert found.reason is Reason.OK
    assert (web.lookups, web.connected) == (["flip.example"], [("93.184.216.35", 80)])
    assert look("http://flip.example/2", policy(robots=False)).reason is Reason.BLOCKED_BY_POLICY
    assert ("127.0.0.1", 80) not in web.connected


def test_an_address_of_six_and_one_that_does_not_answer(web: Web, look: Look) -> None:
    """Every address that passed is tried before a host is called unreachable."""
    web.dns["six.example"] = [["2606:4700::1111", "93.184.216.40"]]
    web.closed = {"2606:4700::1111"}
    web.put("https://six.example/", page())

    assert look("https://six.example/", policy(robots=False)).reason is Reason.OK
    assert web.connected == [("2606:4700::1111", 443), ("93.184.216.40", 443)]


def test_an_ipv6_literal_is_opened(web: Web, look: Look) -> None:
    """A public one is an address like others."""
    web.put("http://[2606:4700::1111]/", page())

    assert look("http://[2606:4700::1111]/").reason is Reason.OK


def test_the_certificate_must_be_of_the_name(web: Web, look: Look) -> None:
    """The connection goes to an address, and trust to the name."""
    web.put("https://untrusted.example/", page())

    found = look("https://untrusted.example/")

    assert (found.reason, found.label) == (Reason.UNTRUSTED, Label.INACCESSIBLE)


@pytest.mark.parametrize(
    ("headers", "body", "reason"),
    [
        ({}, page("Just a moment...", "Checking your browser before accessing."), Reason.BOT_WALL),
        ({"cf-mitigated": "challenge"}, page(), Reason.BOT_WALL),
        ({}, page("Sign in", "Welcome back.") + "<input type='password'>", Reason.NEEDS_LOGIN),
        ({}, page("Before you continue", "We and our partners use cookies."), Reason.CONSENT),
        ({}, "<html><script src=a></script><script src=b></script><script src=c></script></html>", Reason.UNREADABLE),
        ({}, "", Reason.UNREADABLE),
        ({"content-type": "application/zip"}, b"PK\x03\x04", Reason.UNREADABLE),
    ],
)
def test_a_door_is_not_the_text(web: Web, look: Look, headers: dict[str, str], body: str, reason: Reason) -> None:
    """A page that came instead of the one that was asked for is never read as evidence."""
    web.put(URL, body, headers=headers)

    found = look(URL)

    assert (found.reason, found.read, found.label) == (reason, None, Label.INACCESSIBLE)


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        ("https://consent.example/gdpr?to=a", Reason.CONSENT),
        ("https://a.example/login?next=/loan", Reason.NEEDS_LOGIN),
        ("https://idp.example/saml2/start", Reason.NEEDS_LOGIN),
    ],
)
def test_a_redirect_to_a_door_keeps_its_address(web: Web, look: Look, to: str, reason: Reason) -> None:
    """The reviewer sees where it led."""
    web.redirect(URL, to)
    web.put(to, page("Welcome", "Please go on."))

    found = look(URL)

    assert (found.reason, found.final_url, found.read) == (reason, to, None)


@pytest.mark.parametrize(
    "wall",
    [
        page(text=f"{PROSE} Subscribe to continue reading."),
        page(head='<script type="application/ld+json">{"isAccessibleForFree": "False"}</script>'),
        page(text="The bank lent the town money. Weiterlesen mit unserem Abo."),
        page(text="The bank lent the town money.") + '<div class="paywall">Get access</div>',
    ],
)
def test_a_teaser_is_partial_and_inaccessible(web: Web, look: Look, wall: str) -> None:
    """What was open is kept as a part; the rest may say what the part does not."""
    web.put(URL, wall)

    found = look(URL)

    assert (found.reason, found.label, found.exists) == (Reason.PAYWALL, Label.INACCESSIBLE, Exists.YES)
    assert found.read is not None
    assert (found.read.scope, found.read.is_whole) == (Scope.PARTIAL, False)
    assert "partial_only" in found.flags


def test_an_article_about_doors_is_read(web: Web, look: Look) -> None:
    """Words about passwords, cookies and missing pages in a long text are its subject."""
    doors = "Sites ask: are you a robot? Please log in to continue, and accept all cookies. 404 not found."
    text = f"{PROSE} {doors} {PROSE * 6}"
    web.put(URL, page("How sites keep readers out", text))

    assert look(URL).reason is Reason.OK


def test_a_soft_404_takes_two_signs_and_two_looks(web: Web, look: Look) -> None:
    """It says that there is no page, and says the same of a page that cannot be there."""
    web.fallback = lambda url: web.pages["https://a.example/missing"]
    web.put("https://a.example/missing", page("Page not found", "Sorry."))
    rules = policy(lives=EAGER)

    first = look(URL, rules)
    web.later(25)
    second = look(URL, rules)

    assert (first.reason, first.label, first.read) == (Reason.MISSING_ONCE, Label.INACCESSIBLE, None)
    assert (second.reason, second.reachable) == (Reason.SOFT_NOT_FOUND, Reachable.SOFT_GONE)
    assert (second.label, second.read) == (Label.UNRESOLVABLE, None)


def test_one_sign_is_not_enough(web: Web, look: Look) -> None:
    """A site that knows how to say 404 means what it shows."""
    web.put(URL, page("Evidence that was not found: page missing from the archive"))

    assert look(URL).reason is Reason.OK


def test_a_deep_address_that_leads_home_is_one_sign(web: Web, look: Look) -> None:
    """When a made-up neighbour leads there too, it is two."""
    web.redirect(URL, "https://a.example/")
    web.put("https://a.example/", page("The front page"))

    assert look(URL).reason is Reason.MOVED
    web.fallback = lambda url: web.pages[URL]
    assert look(URL, policy(lives=EAGER)).reason is Reason.MISSING_ONCE


def test_robots_are_obeyed_and_can_be_let_be(web: Web, look: Look) -> None:
    """What a site asks programs to leave alone is not opened, and is inaccessible."""
    web.put("https://a.example/robots.txt", "User-agent: *\nDisallow: /loan", headers={"content-type": "text/plain"})
    web.put(URL, page())

    found = look(URL)

    assert (found.reason, found.label, web.asked(URL)) == (Reason.ROBOTS, Label.INACCESSIBLE, 0)
    assert found.said == "Not opened: a.example asks programs to stay away."
    assert look(URL, policy(robots=False)).reason is Reason.OK


def test_rules_that_cannot_be_had_allow_nothing_for_now(web: Web, look: Look) -> None:
    """By RFC 9309 a server error is no permission, and a 404 is one."""
    web.put(URL, page())
    web.put("https://a.example/robots.txt", "", 503)

    assert look(URL).reason is Reason.ROBOTS


def test_robots_of_where_it_leads_are_obeyed(web: Web, look: Look) -> None:
    """A redirect is no way around them."""
    web.redirect(URL, "https://b.example/x")
    web.put("https://b.example/robots.txt", "User-agent: *\nDisallow: /", headers={"content-type": "text/plain"})
    web.put("https://b.example/x", page())

    assert (look(URL).reason, web.asked("https://b.example/x")) == (Reason.ROBOTS, 0)


def test_who_asks_says_so(web: Web, look: Look) -> None:
    """Every request introduces itself with a contact, and carries nothing of the one before."""
    web.put(URL, page(), headers={"set-cookie": "id=1"})
    web.put("https://a.example/2", page())

    look(URL)
    look("https://a.example/2")

    agents = {one.headers["user-agent"] for one in web.requests}
    assert len(agents) == 1
    assert agents.pop().endswith("(+mailto:desk@citedesk.example)")
    assert not any("cookie" in one.headers for one in web.requests)


def test_retry_after_is_told_and_heeded(web: Web, look: Look) -> None:
    """The seconds are in the finding, and the same host is left alone in this run."""
    web.put(URL, "later", 429, headers={"retry-after": "30"})

    found = look(URL)

    assert (found.reason, found.retry_after) == (Reason.RATE_LIMITED, 30)


def test_what_is_fresh_is_not_asked_again(web: Web, look: Look) -> None:
    """The receipt says that it was kept, and when it was really asked."""
    web.put(URL, page(), etag='"1"')
    look(URL)
    web.later(1)

    found = look(URL)

    assert web.asked(URL) == 1
    assert (found.receipts[0].kept, found.receipts[0].at) == (True, web.now.replace(hour=9))


def test_what_is_old_is_asked_whether_it_changed(web: Web, look: Look) -> None:
    """With the tag of the kept answer; when it has not, the kept text is as good as new."""
    web.put(URL, page(), etag='"1"')
    look(URL)
    web.later(31 * 24)

    found = look(URL)

    assert web.asked(URL) == 2
    assert web.requests[-1].headers["if-none-match"] == '"1"'
    assert found.read is not None
    assert found.read.at == web.now


def test_hosts_are_a_matter_of_policy(web: Web, look: Look) -> None:
    """The lists hold for the first host and for wherever it leads, and for what was kept before."""
    web.redirect(URL, "https://b.example/x")
    web.put("https://b.example/x", page())

    assert look(URL).reason is Reason.MOVED
    assert look(URL, policy(deny=("b.example",))).reason is Reason.BLOCKED_BY_POLICY
    assert look(URL, policy(allow=("*.example.org",))).reason is Reason.BLOCKED_BY_POLICY
    assert look(URL, policy(allow=("*.example",))).reason is Reason.MOVED


def test_a_credential_goes_to_its_host_only(
    web: Web, look: Look, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Over HTTPS, to the host it is for, and nowhere else: not after a redirect, not into a finding or a log."""
    monkeypatch.setenv("LIBRARY_KEY", "Bearer hush-hush")
    rules = policy(credentials=(Credential(host="a.example", env="LIBRARY_KEY"),))
    web.redirect(URL, "https://b.example/x")
    web.put("https://b.example/x", page())
    web.put("http://a.example/plain", page())

    found = look(URL, rules)
    look("http://a.example/plain", rules)

    sent = {one.url: one.headers.get("authorization") for one in web.requests}
    assert sent[URL] == "Bearer hush-hush"
    assert sent["https://b.example/x"] is None
    assert sent["http://a.example/plain"] is None
    assert "hush" not in found.model_dump_json() + repr(rules) + caplog.text


def test_what_was_read_with_a_credential_is_not_shown_without(
    web: Web, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache keeps them apart."""
    monkeypatch.setenv("LIBRARY_KEY", "x")
    web.put(URL, page())
    look(URL, policy(credentials=(Credential(host="a.example", env="LIBRARY_KEY"),)))
    web.put(URL, "closed", 403)

    assert look(URL).reason is Reason.FORBIDDEN


def test_the_title_of_a_page_can_only_speak_for_it(web: Web, look: Look) -> None:
    """A page's own title is loose: it is the work or it is unknown; what is said for machines is compared."""
    web.put(URL, page("The loan | The Paper"))

    assert look(URL, title="The loan").matches is Matches.YES
    assert look(URL, title="Quite another thing").matches is Matches.UNKNOWN
    meta = '<meta name="citation_title" content="Grid refinement near corners">'
    web.put("https://a.example/paper", page(head=meta))
    found = look("https://a.example/paper", title="Valve timing in small pumps")
    assert (found.matches, found.flags) == (Matches.DIFFERS, ("title_mismatch",))


def test_a_scan_has_no_text(web: Web, look: Look) -> None:
    """A PDF is opened, and one without a text layer says nothing."""
    pdf = pypdfium2.PdfDocument.new()
    pdf.new_page(200, 200)
    out = BytesIO()
    pdf.save(out)
    web.put(URL, out.getvalue(), headers={"content-type": "application/pdf"})

    found = look(URL)

    assert (found.reason, found.said) == (Reason.UNREADABLE, "It is there, but has no text that could be read.")


def test_a_copy_in_an_archive_is_named(web: Web, look: Look) -> None:
    """It is read where the policy names an archive, and never passes for the page."""
    archive = Endpoint(url="https://archive.org", per_second=1000)
    rules = policy(endpoints=Endpoints(archive=archive))
    web.put(URL, "gone", 404)
    copy = "http://web.archive.example/web/20240102030405/https://a.example/loan"
    closest = {"available": True, "status": "200", "timestamp": "20240102030405", "url": copy}
    asked = "https://archive.org/wayback/available?url=https%3A%2F%2Fa.example%2Floan"
    web.put_json(asked, {"archived_snapshots": {"closest": closest}})
    web.put("https://web.archive.example/web/20240102030405id_/https://a.example/loan", page())

    found = look(URL, rules, title="The loan")

    assert (found.reachable, found.reason, found.matches) == (Reachable.ARCHIVED, Reason.MISSING_ONCE, Matches.UNKNOWN)
    assert found.substitute == Substitute(kind="archived copy", what=copy, on="2024-01-02")
    assert "substituted" in found.flags
    assert found.said.endswith("A copy of 2024-01-02 in an archive was read instead.")
    assert found.read is not None
    assert look(URL).read is None


def test_an_archive_without_a_copy_says_nothing(web: Web, look: Look) -> None:
    """Absence from an archive proves nothing."""
    archive = Endpoint(url="https://archive.org", per_second=1000)
    web.put(URL, "gone", 404)
    web.put_json("https://archive.org/wayback/available?url=https%3A%2F%2Fa.example%2Floan", {"archived_snapshots": {}})

    found = look(URL, policy(endpoints=Endpoints(archive=archive)))

    assert (found.reachable, found.substitute) == (Reachable.UNKNOWN, None)
    assert [one.who for one in found.receipts] == ["a.example", "archive"]
