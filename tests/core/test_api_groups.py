"""Two callers with different groups: what one may not see leaves no trace in anything the other gets.

Each response is compared with that of a corpus in which the hidden sources never were: texts, ids, labels, versions,
counts, statuses and errors are the same to the byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import answering
from core.answering import Answering
from core.api import Api
from core.retrieval import Retriever
from tests.core.api_served import Served, events
from tests.core.corpora_of import fill
from tests.fakes.bag_of_words import BagOfWords

NUMBERS = count()
CALLERS = {"ann": ("staff",), "bob": ("board",)}
WORDS = ("toll", "bridge", "ferry", "mill", "gate", "crowns")

sources = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
        st.sets(st.sampled_from(["staff", "board"])),
    ),
    max_size=5,
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """An API that answers with the real thing; only the embedder is a fake."""
    served = Served(tmp_path_factory.mktemp("groups"))
    store, fake = served.desk.store, BagOfWords()
    served.desk.answering = Answering(store, served.desk.settings, Retriever(store, lambda: fake))
    served.api = Api(lambda: served.desk, answering.ask)
    yield served
    served.close()


@pytest.fixture(scope="module")
def secrets(served: Served) -> dict[str, str]:
    """The token of each caller."""
    return {name: served.token(name, *groups) for name, groups in CALLERS.items()}


def told(served: Served, secret: str, corpus: str, query: str) -> list[Any]:
    """Everything that a caller gets: whole and streamed."""
    client = TestClient(Starlette(routes=served.api.routes()))
    found: list[Any] = []
    for path in ("/api/query", "/api/query/stream"):
        body = {"query": query, "corpus": corpus, "accept": ["excerpts"]}
        reply = client.post(path, json=body, headers={"authorization": f"Bearer {secret}"})
        # What was embedded before need not be again, whoever asked for it: only of passages the caller sees.
        if reply.headers["content-type"].startswith("text/event-stream"):
            found.append([one for one in events(reply.text) if one[1].get("stage") != "embedding"])
        else:
            found.append((reply.status_code, reply.text))
    return found


@settings(max_examples=10)
@given(written=sources, asked=st.lists(st.sampled_from(WORDS), min_size=1, max_size=2))
def test_what_a_caller_may_not_see_leaves_no_trace(
    served: Served, secrets: dict[str, str], written: list[tuple[list[str], set[str]]], asked: list[str]
) -> None:
    """Whatever the sources are, whoever may see them, and whatever is asked."""
    example = next(NUMBERS)
    query = f"What about the {' and the '.join(asked)}?"
    texts = {
        f"{number}.txt": f"The {' and the '.join(words)} of Canary{example}x{number}y cost {number + 3} crowns."
        for number, (words, _) in enumerate(written)
    }
    groups = {f"{number}.txt": sorted(may) for number, (_, may) in enumerate(written)}
    fill(served.desk.store, texts, groups, corpus=f"all-{example}")
    for name, own in CALLERS.items():
        seen = {file: text for file, text in texts.items() if not groups[file] or set(groups[file]) & set(own)}
        fill(served.desk.store, seen, groups, corpus=f"only-{name}-{example}")
        there = told(served, secrets[name], f"all-{example}", query)
        alone = told(served, secrets[name], f"only-{name}-{example}", query)

        assert there == alone
        for file, text in texts.items():
            if file not in seen:
                assert text.split("Canary")[1].split()[0] not in str(there)


@pytest.mark.parametrize("caller", list(CALLERS))
def test_every_caller_finds_what_is_theirs(served: Served, secrets: dict[str, str], caller: str) -> None:
    """So that the property above is about something: each gets an answer from what they may see."""
    number = next(NUMBERS)
    texts = {f"{group}.txt": f"The toll of the {group} is 3 crowns." for group in ("staff", "board", "all")}
    fill(served.desk.store, texts, {"staff.txt": ["staff"], "board.txt": ["board"]}, corpus=f"c-{number}")
    (status, body), *_ = told(served, secrets[caller], f"c-{number}", "What is the toll?")

    assert status == 200
    assert {group for group in ("staff", "board", "all") if f"of the {group} is" in body} == {"all", *CALLERS[caller]}
