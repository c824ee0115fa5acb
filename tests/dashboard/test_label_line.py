"""The line of a tab: whose presses come over it is known to the desk alone, and nobody else gets anything in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from core import labelling, queues
from core.desk import Desk
from core.errors import StoreError
from core.models import Evidence, Label
from core.people import Person, Role
from core.store import Store
from core.store.labels import Labels
from core.store.queue_records import EVERYTHING
from dashboard import identity, label_line, session
from dashboard.security import ApiGate, OwnOrigin
from tests.core import corpora_of
from tests.core.store import build
from tests.core.store.queued import fill

ROUTES = [Route("/api/label", label_line.exchange, methods=["POST"])]
ANA = Person(name="ana", role=Role.LABELLER, identity="https://id.example.org")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The store of this process, with three claims."""
    session.close()
    monkeypatch.setenv("CITEDESK_STORE", str(tmp_path / "desk.duckdb"))
    opened = session.desk().store
    fill(opened, 3, cites=("C1", "C2"))
    yield opened
    session.close()


@pytest.fixture
def client() -> TestClient:
    """A browser at the gate."""
    return TestClient(OwnOrigin(ApiGate(Starlette(routes=ROUTES), ROUTES)), base_url="http://127.0.0.1:8501")


def opened(store: Store, seat: Callable[[Desk], Person] = lambda _: ANA) -> dict[str, str]:
    """The header of a line of ana's."""
    return {label_line.HEADER: label_line.open_line(seat, queues.everything(store))}


def signed_in(monkeypatch: pytest.MonkeyPatch, since: float) -> Callable[[Desk], Person]:
    """The seat of somebody who signed in at a moment, in seconds, and whom nobody is asked about any more."""
    claims = {"is_logged_in": True, "iss": "https://id.example.org", "sub": "1", "preferred_username": "ana"}
    monkeypatch.setattr(st, "user", SimpleNamespace(to_dict=lambda: {**claims, "iat": since}))
    return identity.seat(ANA, session.settings().model_copy(update={"sign_in": Path("sign-in.toml")}))


def press(store: Store, **changes: Any) -> dict[str, Any]:
    """A message with one press on the first claim."""
    (item, *_) = store.labels.ahead("nobody", "v1")
    made = {"event_id": str(uuid4()), "kind": "label", "label": "partial", "queue_id": EVERYTHING}
    return {"events": [made | item.model_dump(include={"claim_uid", "cite", "seen_sha256"}) | changes]}


def test_a_press_is_stored_under_the_person_of_the_line(store: Store, client: TestClient) -> None:
    """Whatever the message says of who sends it; the answer names the commit, and brings the next claims."""
    said, headers = press(store) | {"labeller": "eve", "attempt": 4}, opened(store) | {"cookie": "labeller=eve"}
    forged = client.post("/api/label", json=press(store, labeller="eve"), headers=headers).json()
    reply = client.post("/api/label", json=said, headers=headers).json()
    (stored,) = store.labels.events()

    assert forged["acks"][0]["refused"] == "This press is not a decision about a claim."
    assert [(one["event_id"], one["refused"]) for one in reply["acks"]] == [(stored.event.event_id, "")]
    assert reply["acks"][0]["stored_at"] == stored.recorded_at.isoformat()
    assert (reply["attempt"], reply["labeller"], bool(reply["items"])) == (4, "ana", True)
    assert (stored.event.labeller, stored.event.identity) == ("ana", "https://id.example.org")


def test_without_a_line_that_holds_nothing_is_taken(
    store: Store, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None, a guessed one, one whose sign-in is over, a token of the API: 401."""
    over = opened(store, signed_in(monkeypatch, time.time() - 12 * 3600 - 1))
    guessed = {label_line.HEADER: "x" * 43}
    found = [
        client.post("/api/label", json=press(store), headers=headers).status_code
        for headers in ({}, guessed, over, {"authorization": "Bearer x"})
    ]

    assert found == [401] * 4
    assert list(store.labels.events()) == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_pages_of_others_get_nothing_in(store: Store, client: TestClient, headers: dict[str, str], status: int) -> None:
    """Even with the line in hand."""
    reply = client.post("/api/label", json=press(store), headers=opened(store) | headers)

    assert reply.status_code == status
    assert list(store.labels.events()) == []


@pytest.mark.parametrize(
    ("body", "status"), [(b"", 400), (b"{", 400), (b"[1]", 400), (b"[" * 10_000, 400), (b" " * (2**21 + 1), 413)]
)
def test_what_is_no_message_is_said_in_a_sentence(store: Store, client: TestClient, body: bytes, status: int) -> None:
    """And the line stays open."""
    headers = opened(store) | {"content-type": "application/json"}
    reply = client.post("/api/label", content=body, headers=headers)

    assert (reply.status_code, reply.json()["detail"][-1]) == (status, ".")
    assert client.post("/api/label", json={"ready": True}, headers=headers).status_code == 200


def test_what_somebody_may_do_is_looked_up_at_each_message(
    store: Store, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who was a reviewer when the line was opened, and is none any more, hears no judge of what they did not label."""
    asked = {"reveal": list(store.labels.ahead("nobody", "v1")[0].model_dump(include={"claim_uid", "cite"}).values())}
    store.roles.enter("https://id.example.org", "1", "ana")
    client.post("/api/label", json=press(store), headers=opened(store))  # one span of the claim has a label

    def refused() -> str:
        return str(client.post("/api/label", json=asked, headers=headers).json()["revealed"]["refused"])

    headers = opened(store, signed_in(monkeypatch, time.time()))
    said = []
    for role in (Role.REVIEWER, Role.LABELLER):
        store.roles.give("ana", role, "keeper")
        said.append(refused())

    assert said == ["", "the judge's word is shown once every passage of that claim has your label"]


def test_a_store_that_fails_acknowledges_nothing(
    store: Store, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The press is answered as failed, and stored when it comes again."""
    said, headers = press(store), opened(store)

    def full(*_given: object, **_more: object) -> None:
        raise StoreError("The store desk.duckdb cannot be used: the disk is full", "free some space and try again")

    with monkeypatch.context() as patch:
        patch.setattr(Labels, "add", full)
        failed = client.post("/api/label", json=said, headers=headers).json()["acks"]
    again = client.post("/api/label", json=said, headers=headers).json()["acks"]

    assert "the disk is full" in failed[0]["failed"]
    assert again[0]["stored_at"]


def test_the_oldest_line_ends_when_there_are_too_many(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that opening pages for ever fills no memory."""
    monkeypatch.setattr(label_line, "MOST", 2)
    monkeypatch.setattr(label_line, "_lines", {})
    queue = queues.everything(store)
    secrets = [label_line.open_line(lambda _: ANA, queue) for _ in range(3)]

    assert [label_line.find(secret) is not None for secret in secrets] == [False, True, True]


def restrict(store: Store, groups: list[str]) -> tuple[str, str, str]:
    """Say who may read the one source of a corpus; gives two claims, of which the second cites it, and its id."""
    names = {"open.txt": "All may read this.", "law.txt": "Nobody else knows this."}
    if not store.corpora.sources():
        corpora_of.fill(store, names)
    by_name = {source.title: source.doc_id for source in store.corpora.sources()}
    evidence = [
        Evidence(id=cite, text=names[name], meta={"corpus": "main", "chunk_id": f"{by_name[name]}:p1.0-9"})
        for cite, name in (("C1", "open.txt"), ("C2", "law.txt"))
    ]
    answer = build.answer("law", evidence=tuple(evidence))
    about = [build.claim(number, cites=(f"C{number}",)) for number in (1, 2)]
    store.record(build.batch(build.checked(answer, [Label.SUPPORTED] * 2, about)))
    store.corpora.allow(by_name["law.txt"], None, groups, "me")
    free, law = (build.uid(answer, one) for one in about)
    return free, law, by_name["law.txt"]


def said(store: Store, uid: str, cite: str, **changes: Any) -> dict[str, Any]:
    """One press on a claim, as the store shows it to whoever keeps the desk."""
    span = store.labels.span(uid, cite)
    assert span is not None
    made = {"event_id": str(uuid4()), "kind": "label", "label": "partial", "queue_id": EVERYTHING}
    return made | span.model_dump(include={"claim_uid", "cite", "seen_sha256"}) | changes


def test_the_line_brings_nothing_that_its_person_may_not_read(store: Store, client: TestClient) -> None:
    """Not ahead, not when it is asked for, not with a refusal; how many are withheld is said."""
    _, law, _ = restrict(store, ["legal"])
    headers = opened(store)
    asked = {"events": [said(store, law, "C2")], "want": [law, "C2"], "reveal": [law, "C2"], "attempt": 1}
    reply = client.post("/api/label", json=asked, headers=headers)
    kinds = [said(store, law, "C2", kind=kind) for kind in ("skip", "flag", "not_a_claim", "undo")]
    others = client.post("/api/label", json={"events": kinds}, headers=headers).json()
    sent = reply.json()

    assert "Nobody else knows" not in reply.text
    assert (sent["items"] != [], sent["wanted"], sent["state"]["withheld"]) == (True, None, 1)
    assert [one["claim_uid"] for one in sent["items"] if one["claim_uid"] == law] == []
    assert [(one["refused"], one["item"]) for one in sent["acks"]] == [(labelling.NOT_YOURS, None)]
    assert sent["barred"] == [f"{law} C2"]
    assert sent["revealed"]["refused"] == "you may not read a source of that claim"
    assert {one["refused"] for one in others["acks"]} == {labelling.NOT_YOURS}
    assert list(store.labels.events()) == []


def test_who_may_read_it_gets_it_until_they_may_not(store: Store, client: TestClient) -> None:
    """A claim in somebody's hands when their groups change is refused and forgotten, and others get it at once.

    What was acknowledged before stays, and its acknowledgement comes again when it was lost.
    """
    free, law, _ = restrict(store, ["legal"])
    now: dict[str, tuple[str, ...]] = {"groups": ("legal",)}
    headers = opened(store, lambda _: ANA.model_copy(update=now))
    first = client.post("/api/label", json={}, headers=headers).json()
    kept = said(store, law, "C2")
    client.post("/api/label", json={"events": [kept]}, headers=headers)
    undone = said(store, law, "C2", kind="undo", undoes=kept["event_id"], label=None)
    client.post("/api/label", json={"events": [undone]}, headers=headers)
    again = client.post("/api/label", json={"events": [said(store, law, "C2")]}, headers=headers).json()
    store.labels.add([build.undo("u2", next(iter(store.labels.last("ana"))).event)])
    client.post("/api/label", json={"have": [[law, "C2"], [free, "C1"]]}, headers=headers)
    before = len(list(store.labels.events()))
    now["groups"] = ()
    pressed = {"events": [said(store, law, "C2"), kept], "have": [[law, "C2"], [free, "C1"]]}
    after = client.post("/api/label", json=pressed, headers=headers).json()
    cat = Person(name="cat", role=Role.LABELLER, groups=("legal",))
    others = client.post("/api/label", json={}, headers=opened(store, lambda _: cat)).json()

    assert law in {one["claim_uid"] for one in first["items"]}
    assert again["acks"][0]["refused"] == ""
    assert [one["refused"] for one in after["acks"]] == [labelling.NOT_YOURS, ""]
    assert after["acks"][1]["stored_at"] is not None
    assert (after["barred"], after["rights"] != first["rights"]) == ([f"{law} C2"], True)
    assert len(list(store.labels.events())) == before
    assert law in {one["claim_uid"] for one in others["items"]}


def test_a_source_that_becomes_anothers_is_taken_from_the_tab(store: Store, client: TestClient) -> None:
    """By the next message, drafts on it too; what was said of it is neither shown nor taken back at the end."""
    _, law, doc = restrict(store, [])
    headers = opened(store)
    client.post("/api/label", json={"events": [said(store, law, "C2")]}, headers=headers)
    store.corpora.allow(doc, None, ["legal"], "me")
    draft = {"claim_uid": law, "cite": "C2", "note": "half"}
    after = client.post("/api/label", json={"have": [[law, "C2"]], "drafts": [draft]}, headers=headers).json()

    assert after["barred"] == [f"{law} C2"]
    assert after["recent"] == []
    assert store.drafts.of("ana", [(law, "C2")]) == {}
    assert [one.event.claim_uid for one in store.labels.last("ana")] == [law]
    assert after["state"]["withheld"] == 0  # they have labelled it
