"""Answers of several corpora in one piece of work: each is looked up as its corpus allows, and says so."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core import anchor_set
from core.answering import Question
from core.api import Api
from core.corpus_policy import CorpusPolicy
from core.desk import Desk, ImportReport
from core.errors import InputError
from core.models import ClaimRow, Label, Resolve
from core.reference_policy import Also, Credential
from core.reference_work import RecheckWork
from core.references import Reference
from core.store.records import ClaimFilter
from core.tokens import mint
from core.work import ImportWork, Judging
from tests.core import notebooks_made
from tests.core.api_served import listening
from tests.core.reference_desk import CLAIM, OPEN, SHUT, answer, log, opened, put_pages, settings
from tests.core.resolvers.conftest import page, policy
from tests.core.resolvers.conftest import servers as servers  # a fixture
from tests.core.resolvers.conftest import web as web  # a fixture
from tests.fakes.web_server import Web

URLS = frozenset({Also.URLS})
ELSEWHERE = "https://elsewhere.example/loan"
ANSWERS = (
    answer("r1", CLAIM, OPEN),
    answer("r2", CLAIM, OPEN, corpus="handbook"),
    answer("r3", CLAIM, OPEN, corpus="papers"),
    answer("r4", CLAIM, ELSEWHERE, corpus="papers"),
    answer("r5", CLAIM, OPEN, corpus="unknown"),
)


@pytest.fixture
def desk(web: Web, tmp_path: Path) -> Iterator[Desk]:
    """A desk that by default asks nobody, reaches the web, and holds nothing."""
    one = opened(web, tmp_path)
    web.put(ELSEWHERE, page(text=f"{CLAIM} It was a loan."))
    one.settings = one.settings.model_copy(update={"references": policy(also=frozenset(), robots=False)})
    yield one
    one.close()


def found(desk: Desk) -> dict[str, ClaimRow]:
    """The row of each request, whatever protocol judged it; every request has one."""
    rows = [row for info in desk.store.protocols() for row in desk.store.rows(ClaimFilter(protocol=info.name))]
    by_request = {row.request_id: row for row in rows}
    assert len(by_request) == len(rows)
    return by_request


def take(desk: Desk, folder: Path, answers: Any = ANSWERS, **references: Any) -> ImportReport:
    """Import answers, with something said of references or not."""
    rules = desk.settings.references.model_copy(update=references)
    chosen = desk.settings.model_copy(update={"references": rules})
    return desk.import_file(log(folder, answers), settings=chosen)


def test_each_corpus_has_its_own_way(desk: Desk, web: Web, tmp_path: Path) -> None:
    """One reads links at its hosts, one asks nobody, one is offline and says so, the others do as the desk does."""
    desk.store.corpus_policies.say("handbook", CorpusPolicy(also=URLS, offline=True), "me")
    desk.store.corpus_policies.say("papers", CorpusPolicy(also=URLS, allow=("open.example",)), "me")
    report = take(desk, tmp_path)
    rows = found(desk)

    assert {name: (row.label, row.resolve) for name, row in rows.items()} == {
        "r1": (Label.UNRESOLVABLE, Resolve.NOT_IN_REGISTRY),
        "r2": (None, Resolve.NOT_CHECKED),
        "r3": (Label.SUPPORTED, Resolve.OK),
        "r4": (Label.INACCESSIBLE, Resolve.INACCESSIBLE),
        "r5": (Label.UNRESOLVABLE, Resolve.NOT_IN_REGISTRY),
    }
    assert rows["r2"].notes == (f"{OPEN}: Not checked: the corpus handbook works offline.",)
    assert "elsewhere.example" in (rows["r4"].spans[0].reason or "")
    assert (web.asked(OPEN), web.asked(ELSEWHERE)) == (1, 0)
    assert (report.answers_read, report.answers_new) == (5, 5)


def test_two_policies_never_share_a_protocol(desk: Desk, tmp_path: Path) -> None:
    """The protocol of each names what was looked up; that of the desk's own way is the one of before."""
    desk.store.corpus_policies.say("handbook", CorpusPolicy(also=URLS, deny=("a.example",)), "me")
    desk.store.corpus_policies.say("papers", CorpusPolicy(also=URLS, allow=("open.example",)), "me")
    report = take(desk, tmp_path)
    rows = found(desk)

    protocols = {info.name: info.protocol for info in desk.store.protocols()}
    assert len(protocols) == 3
    assert protocols[rows["r1"].protocol].references is None
    assert rows["r1"].protocol == rows["r5"].protocol == report.protocol
    assert rows["r3"].protocol == rows["r4"].protocol
    assert len({rows[name].protocol for name in ("r1", "r2", "r3")}) == 3
    assert report.notes == (
        f"Judged under {rows['r2'].protocol}: 1 answer over handbook, for handbook looks up links, never at a.example",
        f"Judged under {rows['r3'].protocol}: 2 answers over papers, for papers looks up links, pages only at "
        "open.example",
    )


def test_corpora_that_change_nothing_share_the_protocol_of_all(desk: Desk, tmp_path: Path) -> None:
    """Registry only is what the desk does anyway."""
    desk.store.corpus_policies.say("handbook", CorpusPolicy(), "me")
    report = take(desk, tmp_path)

    assert [info.name for info in desk.store.protocols()] == [report.protocol]
    assert report.notes == ()


@pytest.mark.parametrize("also", [frozenset(Also), URLS])
def test_who_asks_for_more_gets_no_more_than_the_corpus_allows(
    desk: Desk, web: Web, tmp_path: Path, also: frozenset[Also]
) -> None:
    """Registry only is registry only, whatever the run wants."""
    desk.store.corpus_policies.say("handbook", CorpusPolicy(), "me")
    take(desk, tmp_path, ANSWERS[1:2], also=also, chosen=True)

    assert found(desk)["r2"].label is Label.UNRESOLVABLE
    assert web.requests == []


def test_who_asks_for_less_gets_less(desk: Desk, web: Web, tmp_path: Path) -> None:
    """A run that is told to look nothing up looks nothing up."""
    desk.store.corpus_policies.say("papers", CorpusPolicy(also=URLS), "me")
    take(desk, tmp_path, also=frozenset(), chosen=True)

    assert {row.protocol for row in found(desk).values()} == {desk.store.protocols()[0].name}
    assert web.requests == []


def test_a_desk_that_is_offline_stays_offline(desk: Desk, web: Web, tmp_path: Path) -> None:
    """Also for a corpus that would ask, and for a command that brings settings of its own."""
    desk.store.corpus_policies.say("papers", CorpusPolicy(also=URLS), "me")
    desk.settings = desk.settings.model_copy(
        update={"references": desk.settings.references.model_copy(update={"offline": True, "deny": ("a.example",)})}
    )
    command = settings(tmp_path, Also.URLS)
    ImportWork(path=log(tmp_path, ANSWERS), judging=Judging.of(command)).run(desk, lambda done, total: None)

    rows = found(desk)
    assert {row.resolve for row in rows.values()} == {Resolve.NOT_CHECKED}
    assert {row.label for row in rows.values()} == {None}
    assert rows["r3"].notes == (f"{OPEN}: Not checked: this desk works offline.",)
    assert web.requests == []


def test_a_file_is_one_import_however_many_runs_it_takes(desk: Desk, tmp_path: Path) -> None:
    """It is read once, complete, and taken back whole."""
    desk.store.corpus_policies.say("papers", CorpusPolicy(also=URLS), "me")
    take(desk, tmp_path)
    (info,) = desk.store.imports()
    assert (info.times, info.complete, info.answers, info.claims) == (1, True, 5, 5)

    take(desk, tmp_path)
    (info,) = desk.store.imports()
    assert (info.times, info.answers) == (2, 5)

    desk.store.withdraw_import(info.import_id, "me")
    assert [list(desk.store.rows(ClaimFilter(protocol=one.name))) for one in desk.store.protocols()] == [[]] * len(
        desk.store.protocols()
    )


def test_a_file_of_one_corpus_is_the_run_of_that_corpus(desk: Desk, tmp_path: Path) -> None:
    """No protocol is made that judged nothing; the report names the one that judged."""
    desk.store.corpus_policies.say("papers", CorpusPolicy(also=URLS), "me")
    report = take(desk, tmp_path, ANSWERS[2:4])

    assert [info.name for info in desk.store.protocols()] == [report.protocol]
    assert (desk.store.imports()[0].complete, report.notes) == (True, ())


def test_stored_answers_are_judged_again_by_the_policy_of_now(desk: Desk, web: Web, tmp_path: Path) -> None:
    """The old verdict stays under its own protocol."""
    take(desk, tmp_path)
    before = found(desk)
    desk.store.corpus_policies.say("papers", CorpusPolicy(also=URLS), "me")
    report = desk.verify_stored(desk.settings)

    (other,) = [info for info in desk.store.protocols() if info.protocol.references is not None]
    rows = {row.request_id: row.label for row in desk.store.rows(ClaimFilter(protocol=other.name))}
    assert rows == {"r3": Label.SUPPORTED, "r4": Label.SUPPORTED}
    old = {row.request_id: row for row in desk.store.rows(ClaimFilter(protocol=before["r1"].protocol))}
    assert old == before
    assert (report.answers_known, report.verdicts_new) == (5, 2)


def test_a_recheck_asks_no_more_than_the_corpora_of_its_answers(desk: Desk, web: Web) -> None:
    """One that forbids is enough, and it is named in the advice; without it somebody is asked."""
    desk.store.corpus_policies.say("handbook", CorpusPolicy(), "me")
    desk.store.corpus_policies.say("papers", CorpusPolicy(also=URLS), "me")

    def recheck(*corpora: str) -> str:
        work = RecheckWork(reference=Reference(text=OPEN), also=URLS, corpora=corpora, who="ann")
        return work.run(desk, lambda done, total: None).finding.reachable

    with pytest.raises(InputError, match="see: citedesk corpus references handbook or papers"):
        recheck("handbook", "papers")
    assert web.requests == []
    assert recheck("papers", "unknown") == "live"
    assert web.asked(OPEN) == 1


def test_closed_works_name_the_corpora_that_wait(desk: Desk, tmp_path: Path) -> None:
    """Of every answer that cites one."""
    both = [answer(f"c{number}", CLAIM, SHUT, corpus=name) for number, name in enumerate(["papers", "b", "papers"])]
    report = take(desk, tmp_path, [*both, answer("c9", CLAIM, SHUT)], also=URLS, chosen=True)
    (work,) = desk.store.references.closed(report.protocol)

    assert work.corpora == ("b", "papers")
    assert [one.corpus for one in work.citing] == ["papers", "b", "papers", None]


def test_anchors_over_a_corpus_of_its_own_way_are_left_out(desk: Desk, web: Web, tmp_path: Path) -> None:
    """They cannot be judged under the same protocol, and nobody is asked whom the corpus forbids."""
    take(desk, tmp_path, ANSWERS[:3])
    anchor_set.draw(desk.store, "me", size=3)
    desk.store.corpus_policies.say("handbook", CorpusPolicy(), "me")
    report = take(desk, tmp_path, [answer("r9", CLAIM, ELSEWHERE)], also=URLS, chosen=True)

    rows = {row.request_id: row.label for row in desk.store.rows(ClaimFilter(protocol=report.protocol))}
    assert rows == dict.fromkeys(["r1", "r3", "r9"], Label.SUPPORTED)
    assert report.notes == ("2 answers of the anchor set were judged too, so that judges can be told apart",)


def test_a_credential_of_a_corpus_goes_to_its_host_for_its_answers_only(
    desk: Desk, web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read with it is not shown to a corpus without it."""
    monkeypatch.setenv("PAPERS_KEY", "Bearer for papers")
    keyed = CorpusPolicy(also=URLS, credentials=(Credential(host="open.example", env="PAPERS_KEY"),))
    desk.store.corpus_policies.say("papers", keyed, "me")
    desk.store.corpus_policies.say("handbook", CorpusPolicy(also=URLS), "me")
    take(desk, tmp_path)

    sent = {(one.url, one.headers.get("authorization")) for one in web.requests}
    assert sent == {(OPEN, None), (OPEN, "Bearer for papers"), (ELSEWHERE, None)}
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert b"for papers" not in stored


def test_asking_looks_nothing_up_whatever_the_corpus_allows(web: Web, tmp_path: Path) -> None:
    """An answer of ours cites its own corpus; over HTTP, and at the desk, its protocol says that nothing was asked."""
    put_pages(web)
    with notebooks_made.opened(tmp_path) as desk:
        desk.network = web.network()
        desk.store.corpus_policies.say("main", CorpusPolicy(also=URLS), "me")
        notebooks_made.writes(desk, notebooks_made.says(notebooks_made.FARE, "E1"))
        outcome = desk.answering.ask(Question(query=notebooks_made.QUERY), lambda event: None)
        secret, new = mint("ann", ("board",))
        desk.store.tokens.add(new, "me")
        api = Api(lambda: desk)
        with listening(api) as port:
            asked = urllib.request.Request(
                f"http://127.0.0.1:{port}/api/query",
                data=json.dumps({"query": notebooks_made.QUERY}).encode(),
                headers={"Authorization": f"Bearer {secret}", "Content-Type": "application/json"},
            )
            with urllib.request.urlopen(asked, timeout=30) as reply:
                body = json.load(reply)
        api.stop(5)

        assert (outcome.status, body["outcome"]) == (200, "answered")
        assert [info.protocol.references for info in desk.store.protocols()] == [None]
        desk.verify_stored(desk.settings)
        assert web.requests == []
