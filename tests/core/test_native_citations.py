"""The provider's own citations: each means what stood at its place in the request, and nothing near it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import answering, native_citations
from core.answering import Answering, Event, Question
from core.asking import Block, Cited
from core.generators.claude import NATIVE_PROMPT
from core.models import Evidence
from core.outcomes import Outcome
from core.prompting import prompt_file
from core.retrieval import Retriever
from core.settings import AskSettings, Settings
from core.store import Store, open_store
from tests.core.claude_env import environment, hasty, leading_to
from tests.core.corpora_of import fill
from tests.core.test_answering import Desk
from tests.fakes.anthropic_server import AnthropicServer, Reply, running
from tests.fakes.bag_of_words import BagOfWords

FARE = "A foot passenger pays 3 crowns for the ferry."
TEXTS = {
    "fares.txt": f"{FARE} Children travel free on the ferry, except on night sailings.",
    "times.txt": "The ferry takes 40 minutes. The ferry for a foot passenger leaves every hour.",
}
QUERY = "What does a foot passenger pay for the ferry?"
SECRET = "Zanzibar"
ENTRIES = tuple(Evidence(id=f"E{number}", text=text) for number, text in enumerate(TEXTS.values(), 1))


def cite(document: int, text: str, stretch: str, **changes: Any) -> dict[str, Any]:
    """A citation of a stretch, as the provider writes it."""
    start = text.index(stretch)
    found = {"type": "char_location", "cited_text": stretch, "document_index": document, "document_title": None}
    return found | {"start_char_index": start, "end_char_index": start + len(stretch)} | changes


@pytest.fixture(scope="module")
def server() -> Iterator[AnthropicServer]:
    """A provider, and an environment that leads to it."""
    with running() as started, environment(leading_to(started.url)):
        yield started


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A store with a corpus, asked under the native contract."""
    with open_store(tmp_path_factory.mktemp("ask") / "s.duckdb") as store:
        fill(store, TEXTS)
        model = BagOfWords()
        asking = AskSettings(generator="claude", contract="native", attempts=2)
        chosen = Settings(store=store.path, verifier="lexical", cache=None, claude=hasty(attempts=1), ask=asking)
        yield Desk(Answering(store, chosen, Retriever(store, lambda: model)), store, model)


def ask(desk: Desk, server: AnthropicServer, *replies: Reply) -> tuple[Outcome, list[Event]]:
    """Ask, with the provider answering so."""
    server.reset()
    server.script.extend(replies)
    events: list[Event] = []
    return answering.ask(desk, Question(query=QUERY), events.append), events


def sent(server: AnthropicServer, number: int = 0) -> list[dict[str, Any]]:
    """The documents of a request, in order."""
    blocks = server.requests[number]["messages"][0]["content"]
    return [block for block in blocks if block["type"] == "document"]


def place_of(server: AnthropicServer, desk: Desk, name: str) -> int:
    """At which place a source was sent, as the real order of retrieval has it; found by asking once."""
    ask(desk, server, Reply(blocks=({"text": "NONE"},)))
    return next(at for at, one in enumerate(sent(server)) if one["source"]["data"] == TEXTS[name])


def test_an_answer_is_served_with_the_passage_that_stood_at_the_place(desk: Desk, server: AnthropicServer) -> None:
    """Streamed in pieces: text, then citations; the footnote is the registry's, the quotation the cited stretch."""
    at = place_of(server, desk, "fares.txt")
    blocks = ({"text": FARE, "citations": [cite(at, TEXTS["fares.txt"], FARE)]}, {"text": " "})
    outcome, events = ask(desk, server, Reply(blocks=blocks))

    assert (outcome.outcome, outcome.status, outcome.answer) == ("answered", 200, FARE)
    (note,) = outcome.citations
    assert (note.locator, note.quote) == ("fares.txt, paragraph 1", FARE)
    assert outcome.request is not None
    (claim,) = outcome.request.claims or ()
    (where,) = claim.meta["citations"]
    assert (where["cite"], where["type"], where["start"], where["end"]) == (note.label, "char_location", 0, len(FARE))
    assert "first_words" in [event.stage for event in events]


def test_what_is_sent(desk: Desk, server: AnthropicServer) -> None:
    """Documents with citations on, the last kept at the provider, no schema beside them, and the prompt's own words."""
    ask(desk, server, Reply(blocks=({"text": "NONE"},)))
    (body,) = server.requests
    documents, rest = sent(server), body["messages"][0]["content"][2:]

    assert "output_config" not in body
    assert {one["source"]["data"] for one in documents} == set(TEXTS.values())
    assert all(one["citations"] == {"enabled": True} for one in documents)
    assert [("cache_control" in one) for one in documents] == [False, True]
    assert json.loads(rest[0]["text"]) == {"question": QUERY}
    ours = prompt_file("core.generators", NATIVE_PROMPT).sections
    assert [one["text"] for one in body["system"]] == [ours["policy"], ours["output"]]


def test_nothing_is_answered_when_the_documents_do_not(desk: Desk, server: AnthropicServer) -> None:
    """The fixed sentence, and no claim."""
    outcome, _ = ask(desk, server, Reply(blocks=({"text": "NONE"},)))

    assert (outcome.outcome, outcome.claims) == ("abstained_by_model", ())


WRONG: Mapping[str, dict[str, Any]] = {
    "a document that was not sent": {"document_index": 7},
    "before the first": {"document_index": -1},
    "no document at all": {"document_index": None},
    "another stretch": {"start_char_index": 1},
    "beyond the end": {"start_char_index": 9_000, "end_char_index": 9_100},
    "other words": {"cited_text": f"{SECRET} pays nothing."},
    "a search result": {"type": "search_result_location", "search_result_index": 0, "source": "x", "title": "x"},
}


@pytest.mark.parametrize("how", WRONG)
def test_a_citation_that_means_nothing_is_never_served(
    desk: Desk, server: AnthropicServer, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    """It is asked for again in fixed words, then it is no output; nothing of it reaches anybody."""
    caplog.set_level(logging.DEBUG)
    at = place_of(server, desk, "fares.txt")
    changed = cite(at, TEXTS["fares.txt"], FARE) | WRONG[how]
    if changed["type"] == "search_result_location":
        changed |= {"start_block_index": 0, "end_block_index": 1}
    wrong = Reply(blocks=({"text": f"{SECRET} is cheap.", "citations": [changed]},))
    outcome, _ = ask(desk, server, wrong, wrong)

    assert (outcome.outcome, outcome.status, outcome.reason) == ("invalid_output", 502, "invalid_output")
    assert SECRET not in outcome.model_dump_json()
    assert SECRET not in caplog.text
    assert "claims[0]: a citation" in server.requests[1]["messages"][0]["content"][-1]["text"]
    assert SECRET not in json.dumps(server.requests[1])


def test_prose_beside_the_citations_does_not_slip_through(desk: Desk, server: AnthropicServer) -> None:
    """A statement without a citation stops the answer, whatever is cited beside it."""
    at = place_of(server, desk, "fares.txt")
    cited = {"text": FARE, "citations": [cite(at, TEXTS["fares.txt"], FARE)]}
    bare = {"text": " The ferry was built in 1923 in Bergen."}
    outcome, _ = ask(desk, server, Reply(blocks=(cited, bare)), Reply(blocks=(cited, bare)))

    assert (outcome.outcome, outcome.status, outcome.reason) == ("blocked", 422, "missing_citation")
    repaired, _ = ask(desk, server, Reply(blocks=(cited, bare)), Reply(blocks=(cited,)))
    assert (repaired.outcome, repaired.answer) == ("repaired", FARE)


@pytest.mark.parametrize(("kind", "status"), [("cut", 502), ("ends", 502), ("error_event", 502)])
def test_a_stream_that_breaks_off_serves_nothing(desk: Desk, server: AnthropicServer, kind: str, status: int) -> None:
    """Not even what was cited rightly until then."""
    blocks = ({"text": FARE, "citations": [cite(0, FARE, FARE)]}, {"text": " More.", "citations": None})
    outcome, _ = ask(desk, server, Reply(kind, blocks=blocks))

    assert (outcome.outcome, outcome.status) == ("interrupted", status)
    assert FARE not in outcome.model_dump_json()


def test_pages_and_parts_are_mapped_by_their_document() -> None:
    """With the numbers that the provider gives; two documents of one claim keep both labels and no single quotation."""
    text = TEXTS["fares.txt"]
    block = Block(
        FARE,
        (
            Cited("page_location", 1, 2, 3, "The ferry takes 40 minutes."),
            Cited("content_block_location", 0, 0, 1, text),
            Cited("char_location", 0, 0, len(FARE), FARE),
        ),
    )
    (claim,) = native_citations.read([block], ENTRIES).claims

    assert claim.citation_ids == ("E2", "E1")
    assert claim.quotes == ()
    assert [(one["cite"], one["type"], one["start"], one["end"]) for one in claim.meta["citations"]] == [
        ("E2", "page_location", 2, 3),
        ("E1", "content_block_location", 0, 1),
        ("E1", "char_location", 0, len(FARE)),
    ]


@given(st.permutations(range(5)), st.integers(0, 4))
def test_the_order_of_the_documents_never_changes_what_is_cited(order: list[int], wanted: int) -> None:
    """A citation means the entry that stood at its place in this request, however they were shuffled."""
    entries = [Evidence(id=f"X{number}", text=f"Text number {number}.") for number in order]
    at = order.index(wanted)
    text = entries[at].text
    found = native_citations.read([Block("It is.", (Cited("char_location", at, 0, len(text), text),))], entries)

    assert [claim.citation_ids for claim in found.claims] == [(f"X{wanted}",)]
    assert found.claims[0].quotes == (f"Text number {wanted}.",)


def test_a_store_is_named(desk: Desk) -> None:
    """The two contracts are two generators: their answers can be told apart."""
    structured = Settings(ask=AskSettings(generator="claude"))
    assert isinstance(desk.store, Store)
    assert desk.answering.generator(structured).name != desk.answering.generator(desk.answering.settings).name
