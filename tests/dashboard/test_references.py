"""The page of closed sources, the inspector's word on works outside, and what an import may look up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from streamlit.testing.v1 import AppTest

from core.corpus_policy import CorpusPolicy
from core.desk import Desk, ImportReport
from core.errors import VerifierUnavailable
from core.models import Label
from core.reference_policy import Also
from core.store import open_store
from core.store.records import ClaimFilter
from core.text import find_quote
from core.verification import Progress
from core.work import VerifyWork
from dashboard import jobs, session
from dashboard.widgets import plain
from tests.core import reference_desk
from tests.core.reference_desk import OPEN, PASSAGE, SHUT, opened
from tests.core.resolvers.conftest import PROSE, page
from tests.core.resolvers.conftest import servers as servers  # a fixture
from tests.core.resolvers.conftest import web as web  # a fixture
from tests.dashboard.test_data import choose, own_uploads, send, take_in  # noqa: F401 (a fixture)
from tests.dashboard.test_data import words as captions
from tests.dashboard.test_home import press
from tests.dashboard.test_review import inspected
from tests.fakes.web_server import Web

Open = Callable[..., AppTest]


@pytest.fixture
def store(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Answers whose links were looked up, in a store that a page may open."""
    desk = opened(web, tmp_path, Also.URLS)
    desk.import_file(reference_desk.log(tmp_path))
    desk.close()
    monkeypatch.setenv("CITEDESK_VERIFIER", "lexical")
    monkeypatch.setenv("CITEDESK_CACHE", str(tmp_path / "verdicts.sqlite"))
    yield tmp_path / "desk.duckdb"
    jobs.stop_all(20)


def words(app: AppTest) -> str:
    """Everything that is said on a page."""
    assert not app.exception
    return captions(app)


def finish(app: AppTest) -> AppTest:
    """Wait for whatever goes on, then look again."""
    for job in jobs.going():
        assert job.wait(60)
    return app.run()


def test_an_empty_store_says_what_will_be_here(tmp_path: Path, open_page: Open) -> None:
    """And leads to answers."""
    app = open_page(tmp_path / "new.duckdb", "references")

    assert "There are no claims in this store yet." in words(app)
    assert [one.label for one in app.button] == ["Load the sample, or bring your own answers"]


def test_where_nothing_is_closed_it_says_so(store_of: Callable[..., Path], open_page: Open) -> None:
    """In a sentence."""
    app = open_page(store_of(reference_desk.ANSWERS[3]), "references")

    assert "Every source that this judge's claims cite could be read" in words(app)


def test_closed_sources_are_listed_with_who_waits_for_them(store: Path, open_page: Open) -> None:
    """One work however it is cited; the host is shown and nothing of it is fetched."""
    app = open_page(store, "references")

    assert "1 source in 2 citations could not be read. Closed is not false" in words(app)
    listed = app.dataframe[0].value.to_dict("records")
    assert [(one["Source"], one["Citations"], one["Passages"]) for one in listed] == [(SHUT, 2, 0)]
    (link,) = app.get("link_button")
    assert (link.proto.label, link.proto.url) == ("Open at shut\\.example", SHUT)
    assert set(app.dataframe[-1].value["Cited as"]) == {SHUT, "C1"}


def test_a_pasted_passage_is_kept_and_judged_when_asked(store: Path, open_page: Open) -> None:
    """Nothing moves before; then a run of its own has the passage, and the old verdict stays."""
    app = open_page(store, "references")
    app.text_area[0].set_value(PASSAGE)
    app.text_input[-1].set_value("page 4")
    press(app, "Keep the passage")

    desk = session.desk()
    (given,) = desk.store.references.supplied([("url", SHUT)])["url", SHUT]
    assert (given.text, given.locator, given.who) == (PASSAGE, "page 4", "me")
    assert app.success[0].value.replace("\\", "").startswith("The passage is kept. Verdicts change only when")
    assert len(desk.store.protocols()) == 1

    desk.network = None
    finish(press(app, "Judge again with the passages"))
    names = [info.name for info in desk.store.protocols()]
    assert len(names) == 2
    labels = {
        name: {row.request_id: row.label for row in desk.store.rows(ClaimFilter(protocol=name))}["r2"] for name in names
    }
    assert sorted(map(str, labels.values())) == [Label.INACCESSIBLE, Label.SUPPORTED]


def test_an_uploaded_passage_is_read_and_a_picture_is_refused(store: Path, open_page: Open) -> None:
    """In one sentence, with what can be read."""
    app = open_page(store, "references")
    app.file_uploader[0].upload("a.png", b"\x89PNG", "image/png")
    press(app, "Keep the passage")
    assert "Files that end in .png cannot be read" in words(app)

    app.file_uploader[0].upload("a.txt", PASSAGE.encode(), "text/plain")
    press(app, "Keep the passage")
    (given,) = session.desk().store.references.supplied([("url", SHUT)])["url", SHUT]
    assert given.text == PASSAGE


def test_the_inspector_shows_the_text_that_was_read(store: Path, open_page: Open) -> None:
    """With the support marked in it, who was asked and when; the link shows its host."""
    desk_uid = uid(store, open_page, "r1")
    data = inspected(open_page(store, "review", claim=desk_uid))
    (card,) = data["cards"]

    shown = "".join(text for text, _ in card["passage"])
    marked = "".join(text for text, kinds in card["passage"] if "support" in kinds)
    assert find_quote(PROSE, marked)
    assert marked in shown
    assert "fetched 20" in card["meta"]
    assert (card["work"]["host"], card["work"]["uri"]) == ("open.example", OPEN)
    assert card["work"]["receipts"][0].startswith("open.example, 30 November 2026, 09:00 UTC: ")
    assert card["work"]["axes"].startswith("It exists; ")
    assert "it can be opened here" in card["work"]["axes"]
    assert any(note.startswith(f"{OPEN}: fetched now, not supplied then") for note in data["notes"])


def test_the_inspector_says_why_a_source_is_closed(store: Path, open_page: Open) -> None:
    """The reason stands in the card and in the column."""
    data = inspected(open_page(store, "review", claim=uid(store, open_page, "r2")))
    (card,) = data["cards"]

    assert card["label"] == "inaccessible"
    assert card["work"]["said"] == card["reason"]
    assert card["work"]["axes"].endswith("it cannot be opened from here.")
    assert data["stages"]["lines"][0]["cells"][1]["word"] == "cannot be read"
    assert card["work"]["may_ask"]


def test_a_recheck_goes_on_as_a_job_and_is_told(store: Path, open_page: Open, web: Web) -> None:
    """The history grows, the verdict stays."""
    app = open_page(store, "references")
    session.desk().network = web.network()
    web.put(SHUT, page(text=PROSE))
    web.later(1)
    finish(press(app, "Recheck"))

    assert not app.exception
    latest = session.desk().store.references.history(("url", SHUT))[0]
    assert (latest.finding.reachable, latest.who) == ("live", "me")
    assert "1 source in 2 citations could not be read" in words(app)


def test_judging_again_that_ends_early_is_told_of(
    store: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that could not be made is not silent."""
    seen = Event()

    def fails(work: VerifyWork, desk: Desk, progress: Progress) -> ImportReport:
        assert seen.wait(60)
        raise VerifierUnavailable("The judge is gone", "add it again")

    monkeypatch.setattr(VerifyWork, "run", fails)
    app = open_page(store, "references")
    app.text_area[0].set_value(PASSAGE)
    press(app, "Keep the passage")
    press(app, "Judge again with the passages")
    seen.set()
    finish(app)

    assert not app.exception
    assert [one.value for one in app.warning] == [plain("The judge is gone; add it again.")]


def test_an_import_says_what_it_looks_up(tmp_path: Path, open_page: Open, web: Web, own_uploads: Path) -> None:  # noqa: F811
    """Nothing by default; a choice is said in words, and becomes part of the protocol."""
    app = open_page(tmp_path / "new.duckdb", "data")
    send(app, "a.jsonl", reference_desk.log(tmp_path).read_bytes())
    assert "Nothing is looked up outside" in words(app)
    choose(app, "Judge", "lexical")
    choose(app, "Look up outside", "DOIs and arXiv ids")
    assert "stay “not checked” until CITEDESK_REFERENCES__CONTACT" in words(app).replace("\u2060", "")
    take_in(app)

    (info,) = session.desk().store.protocols()
    assert (info.protocol.references or "").startswith("identifiers@1+")
    assert web.requests == []


def say(store: Path, **policies: CorpusPolicy) -> None:
    """Give corpora policies."""
    with open_store(store) as one:
        for name, policy in policies.items():
            one.corpus_policies.say(name, policy, "me")


HANDBOOK = "The corpus handbook asks nobody: registry only."
OF_PAPERS = CorpusPolicy(also=frozenset({Also.URLS}), allow=("open.example",))


def test_an_import_says_what_corpora_allow(tmp_path: Path, open_page: Open, own_uploads: Path) -> None:  # noqa: F811
    """As each allows, unless a person chooses; then that bounds all of them."""
    say(tmp_path / "new.duckdb", handbook=CorpusPolicy(), papers=OF_PAPERS.model_copy(update={"offline": True}))
    app = open_page(tmp_path / "new.duckdb", "data")
    cited = [reference_desk.answer("r1", reference_desk.CLAIM, OPEN, corpus="papers"), reference_desk.ANSWERS[1]]
    send(app, "a.jsonl", reference_desk.log(tmp_path, cited).read_bytes())
    choose(app, "Judge", "lexical")
    assert next(one for one in app.selectbox if one.label == "Look up outside").value == "As each corpus allows"
    assert "Answers that name a corpus with a policy of its own are an exception." in words(app)
    assert f"{HANDBOOK} The corpus papers asks nobody: it works offline." in words(app)
    choose(app, "Look up outside", "Nothing")
    assert "No answer over a corpus with a policy of its own gets more than that allows." in words(app)
    choose(app, "Look up outside", "As each corpus allows")
    take_in(app)

    desk = session.desk()
    rows = [row for info in desk.store.protocols() for row in desk.store.rows(ClaimFilter(protocol=info.name))]
    assert {row.request_id: row.resolve for row in rows} == {"r1": "not_checked", "r2": "not_in_registry"}


def test_a_corpus_that_asks_nobody_is_not_asked_about_again(web: Web, tmp_path: Path, open_page: Open) -> None:
    """Both pages say so beside the work, and their buttons are off; where it may be asked they say how far."""
    desk = opened(web, tmp_path, Also.URLS)
    cited = [reference_desk.answer(f"r{at}", reference_desk.CLAIM, SHUT, corpus=name) for at, name in enumerate("ab")]
    desk.import_file(reference_desk.log(tmp_path, cited))
    desk.close()
    store = tmp_path / "desk.duckdb"
    say(store, a=OF_PAPERS)
    app = open_page(store, "references")
    assert "The corpus a looks up links, pages only at open.example." in words(app)
    assert not next(one for one in app.button if one.label == "Recheck").disabled
    session.desk().store.corpus_policies.say("b", CorpusPolicy(), "me")
    app.run()

    button = next(one for one in app.button if one.label == "Recheck")
    assert button.disabled
    assert "citedesk corpus references NAME" in button.help
    assert "The corpus b asks nobody: registry only." in words(app)

    (card,) = inspected(open_page(store, "review", claim=uid(store, open_page, "r1")))["cards"]
    assert (card["work"]["policy"], card["work"]["may_ask"]) == ("The corpus b asks nobody: registry only.", False)
    assert card["work"]["why_not"].startswith("The corpus b asks nobody: registry only. Whoever runs the desk")
    (card,) = inspected(open_page(store, "review", claim=uid(store, open_page, "r0")))["cards"]
    assert card["work"]["may_ask"]


def uid(store: Path, open_page: Open, request_id: str) -> str:
    """The claim of a request."""
    open_page(store, "references")
    desk = session.desk()
    wanted = ClaimFilter(protocol=desk.store.protocols()[0].name, request_id=request_id)
    return desk.store.claim_page(wanted).items[0].claim_uid
