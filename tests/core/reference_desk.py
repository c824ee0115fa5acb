"""A desk over a small web: answers whose links lead to a page, to a door, and nowhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.desk import Desk
from core.models import ClaimRow
from core.reference_policy import Also, ReferencePolicy
from core.settings import Settings
from core.store.records import ClaimFilter
from tests.core.resolvers.conftest import PROSE, page, policy
from tests.fakes.web_server import Web

OPEN, SHUT = "https://open.example/loan", "https://shut.example/loan"
CLAIM = "The bank lent the town four million crowns in 2020."
OTHER = "The town paid the bank back within two years."
PASSAGE = f"{CLAIM} It did so at the request of the council."


def answer(request_id: str, text: str, *cites: str, **more: Any) -> dict[str, Any]:
    """An answer of one claim."""
    claims = [{"text": text, "citation_ids": list(cites)}]
    return {"request_id": request_id, "query": "Who lent what?", "claims": claims, "evidence": []} | more


ANSWERS = (
    answer("r1", CLAIM, OPEN),
    answer("r2", CLAIM, SHUT),
    answer(
        "r3", OTHER, "C1", evidence=[{"id": "C1", "text": "", "uri": SHUT, "accessible": False, "title": "The loan"}]
    ),
    answer("r4", CLAIM, "C1", evidence=[{"id": "C1", "text": PROSE}]),
)


def put_pages(web: Web) -> None:
    """The page that is open, and the door."""
    web.put(OPEN, page(text=PROSE))
    web.put(SHUT, "Please sign in.", 403)


def settings(folder: Path, *also: Also, **more: Any) -> Settings:
    """Judged by the word counter, quickly; what may be looked up is said."""
    rules = policy(also=frozenset(also), robots=False) if also else ReferencePolicy()
    given: dict[str, Any] = {"verifier": "lexical", "references": rules, "cache": folder / "verdicts.sqlite"}
    return Settings(store=folder / "desk.duckdb", **(given | more))


def log(folder: Path, answers: Iterable[dict[str, Any]] = ANSWERS) -> Path:
    """The answers as a file."""
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in answers), encoding="utf-8")
    return path


def opened(web: Web, folder: Path, *also: Also) -> Desk:
    """A desk that reaches the web, and no other."""
    put_pages(web)
    desk = Desk.open(settings(folder, *also))
    desk.network = web.network()
    return desk


def rows(desk: Desk, protocol: str) -> dict[str, ClaimRow]:
    """The current rows of a protocol by request."""
    return {row.request_id: row for row in desk.store.rows(ClaimFilter(protocol=protocol))}
