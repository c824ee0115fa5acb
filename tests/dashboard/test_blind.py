"""Pages say nothing of a claim that is to be labelled blind first, and note what they say of the others."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import dashboard
from core.desk import Desk
from core.people import Person, Role
from core.settings import Settings
from core.store.queue_records import Draw, DrawnClaim, QueueSpec
from core.store.records import ClaimFilter, Sort
from dashboard import session
from dashboard.widgets import plain
from tests.dashboard.test_review import inspected, listed, pills

Open = Callable[..., AppTest]

EVIDENCE = [{"id": "C1", "text": "The lamp weighs 40 grams."}]
ANSWER = {
    "request_id": "r1",
    "query": "How heavy is the lamp?",
    "asked_at": "2026-11-16T12:00:00Z",
    "claims": [
        {"text": "The lamp weighs 40 grams.", "citation_ids": ["C1"]},
        {"text": "The lamp was sold to Norway in March.", "citation_ids": []},
    ],
    "evidence": EVIDENCE,
}


@pytest.fixture
def blind(store_of: Callable[..., Path]) -> tuple[Path, list[str]]:
    """A store of two claims, supported and uncited; a blind queue holds the second."""
    path = store_of(ANSWER)
    desk = Desk.open(Settings(store=path))
    wanted = ClaimFilter(protocol=desk.one_protocol(None), sort=Sort.AS_IMPORTED)
    uids = [item.claim_uid for item in desk.store.claim_page(wanted).items]
    item = DrawnClaim(claim_uid=uids[1], place=1, probability=1.0, stratum="all", wanted=1)
    draw = Draw(items=(item,), population=1, newest=2, strata={"all": (1, 1)})
    desk.store.queues.create(QueueSpec(name="blind"), draw, "keeper")
    desk.close()
    return path, uids


def test_the_list_leaves_it_out_and_counts_it_apart(blind: tuple[Path, list[str]], open_page: Open) -> None:
    """No chip, no count and no line tells its label; the list of hidden ones has its words only."""
    path, uids = blind
    app = open_page(path, "review")

    assert [item["uid"] for item in listed(app)["items"]] == uids[:1]
    assert pills(app, "Verdicts").options == [":green[●] Supported 1"]
    assert pills(app, "Hidden").options == ["Hidden from you 1"]
    assert [one["uid"] for one in inspected(app)["others"]] == uids[:1]
    assert "1 more hidden from you" in inspected(app)["place"]
    assert inspected(app)["draft"] is None

    apart = listed(open_page(path, "review", hidden="1", labels="supported"))
    assert [(item["uid"], item["label"], item["source"]) for item in apart["items"]] == [(uids[1], "hidden", "")]


def test_a_link_to_it_opens_its_words_only(blind: tuple[Path, list[str]], open_page: Open) -> None:
    """The claim in its answer, and why nothing else is there."""
    path, uids = blind
    view = inspected(open_page(path, "review", claim=uids[1]))

    assert view["hidden"] == "The verdict is hidden until you have labelled it."
    assert "Norway" in str(view["alone"])
    assert not {"label", "why", "cards", "seen", "stages", "scores", "others", "draft", "flags"} & set(view)


def test_charts_and_cards_leave_it_out(blind: tuple[Path, list[str]], open_page: Open) -> None:
    """Rates are those of the rest, and the page says so."""
    path, _ = blind
    trends = open_page(path, "trends")
    home = open_page(path)

    said = "1 claim is not counted here: what judges said is hidden until you have labelled it."
    assert plain(said) in [one.value for one in trends.caption]
    assert plain(said) in [one.value for one in home.caption]
    assert trends.dataframe[0].value["Judged"].tolist() == [1]
    assert next(one.value for one in home.metric if one.label == "Product manager") == "0"


def test_what_is_shown_is_noted(blind: tuple[Path, list[str]], open_page: Open) -> None:
    """Before it is shown, under the chosen name; what is hidden is not."""
    path, uids = blind
    open_page(path, "review", labeller="ana")
    open_page(path, "review", labeller="ben", hidden="1", claim=uids[1])
    store = session.desk().store

    assert store.reveals.seen("ana") == {uids[0]}
    assert store.reveals.seen("ben") == set()
    assert store.reveals.concealed(Person(name="ana", role=Role.ADMIN)) == {uids[1]}


def test_every_page_says_for_whom_it_reads() -> None:
    """A filter without its reader would show everything to everybody; what a queue is drawn from nobody sees."""
    pages = [path for path in Path(dashboard.__file__).parent.rglob("*.py") if path.name != "queue_form.py"]
    calls = [
        (path.name, call)
        for path in pages
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "ClaimFilter"
    ]

    assert calls
    assert [name for name, call in calls if "reader" not in {one.arg for one in call.keywords}] == []
