"""What a run gives the browser: a citation is found by claim and label, whatever stands where."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generators import Event
from core.models import CheckedAnswer, Evidence, GivenClaim, Label
from core.notebook_reading import ShownRun, next_step, words
from core.notebooks import Run, RunEnd, Setup
from core.outcomes import ABSTENTION, TABLE, Ending
from core.withholding import HIDDEN
from dashboard.widgets import cell_view
from tests.core.asked import checked

PASSAGES = {
    f"E{number}": f"{place} was built in {1800 + number}. {place} has {number} arches. It is {thing}."
    for number, (place, thing) in enumerate(
        [("The bridge", "grey"), ("The gate", "red"), ("The mill", "old"), ("The tower", "tall"), ("The dam", "new")], 1
    )
}
ODD = "<script>alert(1)</script> <img src=x onerror=alert(1)> ![i](http://outside.example/i.png)"


def claim(label: str, part: int) -> GivenClaim:
    """A claim that quotes one sentence of a passage."""
    quote = f"{PASSAGES[label].split('. ')[part]}."
    return GivenClaim(text=quote, citation_ids=(label,), quotes=(quote,))


CLAIMS = [claim(label, part) for label in PASSAGES for part in (0, 1)]


def entries(labels: Sequence[str]) -> list[Evidence]:
    """The registry, in some order."""
    return [
        Evidence(id=label, text=PASSAGES[label], title=f"About {label}", locator=f"{label}.txt") for label in labels
    ]


def shown(found: CheckedAnswer, **end: Any) -> ShownRun:
    """A run that ended with this answer."""
    told = RunEnd(**({"outcome": "answered", "status": 200, "gate": "quotes", "generator": "extractive@1"} | end))
    run = Run(run_id="r", setup=Setup(), asked_at=datetime(2026, 11, 30, tzinfo=UTC), ended_at=None, end=told)
    return ShownRun(run=run, words=words(told), next_step=next_step(told), answer=found.answer, rows=found.rows)


def opened(data: dict[str, Any], text: str, label: str) -> tuple[str, str]:
    """The passage that a click on a citation opens, and what of it is marked as quoted."""
    (cite,) = (
        cite for claim in data["claims"] if claim["text"] == text for cite in claim["cites"] if cite["label"] == label
    )
    (passage,) = (one for one in data["passages"] if one["key"] == cite["key"])
    pieces = passage["passage"]
    return "".join(piece for piece, _ in pieces), "".join(piece for piece, kinds in pieces if "quote" in kinds)


@given(evidence=st.permutations(list(PASSAGES)), claims=st.permutations(CLAIMS), rows=st.randoms())
def test_no_order_changes_what_a_citation_shows(evidence: list[str], claims: list[GivenClaim], rows: Any) -> None:
    """Neither that of the evidence, nor of the claims, nor of the rows of the claim table."""
    found = checked(claims, {text: Label.SUPPORTED for text in PASSAGES.values()}, evidence=entries(evidence))
    mixed = list(found.rows)
    rows.shuffle(mixed)
    data = cell_view.view(shown(found.model_copy(update={"rows": tuple(mixed)})))

    for one in CLAIMS:
        (label,), (quote,) = one.citation_ids, one.quotes
        assert opened(data, one.text, label) == (PASSAGES[label], quote)
    assert {entry["label"]: "".join(text for text, _ in entry["text"]) for entry in data["evidence"]} == PASSAGES


@given(claims=st.permutations(CLAIMS), relabelled=st.permutations(list(PASSAGES)))
def test_a_retrieval_in_another_order_is_another_registry(claims: list[GivenClaim], relabelled: list[str]) -> None:
    """Where passages come back in another order they have other labels, and citations follow their passages."""
    to = dict(zip(PASSAGES, relabelled, strict=True))
    registry = [Evidence(id=to[label], text=text) for label, text in PASSAGES.items()]
    moved = [one.model_copy(update={"citation_ids": (to[one.citation_ids[0]],)}) for one in claims]
    found = checked(moved, {text: Label.SUPPORTED for text in PASSAGES.values()}, evidence=registry)
    data = cell_view.view(shown(found))

    for one, origin in zip(moved, claims, strict=True):
        assert opened(data, one.text, one.citation_ids[0])[0] == PASSAGES[origin.citation_ids[0]]


@given(st.text(min_size=1).filter(str.strip))
def test_a_label_is_any_text(label: str) -> None:
    """Opaque from the registry to the screen."""
    found = checked(
        [GivenClaim(text="It is.", citation_ids=(label,))], {}, evidence=[Evidence(id=label, text="It is.")]
    )
    data = cell_view.view(shown(found))

    assert data["claims"][0]["cites"] == [{"key": f"c1 {label}", "label": label}]
    assert data["passages"][0]["cite"] == label


def test_texts_go_to_the_browser_as_they_are() -> None:
    """As pieces of text; what draws them uses textContent."""
    found = checked(
        [GivenClaim(text=ODD, citation_ids=("E1",), quotes=(ODD,))],
        {ODD: Label.SUPPORTED},
        evidence=[Evidence(id="E1", text=ODD, title=ODD, uri="javascript:alert(1)")],
    )
    data = cell_view.view(shown(found))

    assert data["claims"][0]["text"] == ODD
    assert opened(data, ODD, "E1") == (ODD, ODD)
    assert (data["passages"][0]["uri"], data["passages"][0]["host"]) == ("", "")


def test_a_hidden_source_shows_why() -> None:
    """And no text."""
    entry = Evidence(id="E1", text="", meta={HIDDEN: "This source was taken out of use"})
    data = cell_view.view(shown(checked([GivenClaim(text="It is.", citation_ids=("E1",))], {}, evidence=[entry])))

    assert data["passages"][0]["passage"] is None
    assert data["evidence"][0]["text"] is None
    assert data["evidence"][0]["hidden"] == "This source was taken out of use, so its text is not shown."


def test_a_citation_without_a_verdict_shows_no_passage() -> None:
    """A highlight that nobody made would be a guess."""
    found = checked([GivenClaim(text="It is.", citation_ids=("E1",))], {}, evidence=entries(["E1"]))
    data = cell_view.view(shown(found.model_copy(update={"rows": ()})))

    assert data["claims"][0]["label"] == "none"
    assert data["passages"][0]["warning"] == "Nothing was judged here, so no passage is shown."


def test_excerpts_say_that_nothing_was_written() -> None:
    """Only where the generator only copies."""
    found = checked([claim("E1", 0)], {PASSAGES["E1"]: Label.SUPPORTED}, evidence=entries(["E1"]))

    assert "nothing is written by a model" in cell_view.view(shown(found))["note"]
    assert cell_view.view(shown(found, generator="claude@1", model="m"))["note"] == ""


def test_what_was_found_and_what_held() -> None:
    """As many marks as the gate has looked at."""
    found = checked([claim("E1", 0)], {PASSAGES["E1"]: Label.SUPPORTED}, evidence=entries(["E1"]))
    marks = {
        gate: [
            one["text"]
            for one in cell_view.view(shown(found, gate=gate, counts={"searched": 9, "packed": 5, "cut": 3}))["stages"]
        ]
        for gate in ("citations", "quotes", "support")
    }

    assert marks["citations"] == ["8 found, 5 used", "1 claim", "ids"]
    assert marks["support"] == ["8 found, 5 used", "1 claim", "ids", "quotes", "support"]


@pytest.mark.parametrize(
    ("end", "cost", "tokens"),
    [
        ({}, "free", "none: no paid model was called"),
        ({"calls": 2, "tokens": 1200, "cost": None}, "cost unknown", "1,200 in 2 calls"),
        ({"calls": 1, "tokens": 30, "cost": 0.004}, "$0.0040", "30 in 1 call"),
    ],
)
def test_cost_is_never_nothing_when_it_is_not_known(end: dict[str, Any], cost: str, tokens: str) -> None:
    """And tokens are counted apart."""
    data = cell_view.view(shown(checked([claim("E1", 0)], {}, evidence=entries(["E1"])), **end))
    facts = dict(data["facts"])

    assert (facts["Cost"], facts["Tokens"]) == (cost, tokens)
    assert data["spent"].endswith(cost)
    assert facts["First words"] == "never came"


@pytest.mark.parametrize("ending", Ending)
def test_every_outcome_is_shown(ending: Ending) -> None:
    """With its words, its next step and a tone that says whether something was served."""
    end = RunEnd(outcome=ending, status=TABLE[ending].status)
    run = Run(run_id="r", setup=Setup(), asked_at=datetime(2026, 11, 30, tzinfo=UTC), ended_at=None, end=end)
    data = cell_view.view(ShownRun(run=run, words=words(end), next_step=next_step(end)))

    assert data["words"].startswith(TABLE[ending].words)
    assert data["next"]
    assert (data["tone"] == "refused") is not TABLE[ending].logged


def test_an_abstention_is_the_fixed_sentence() -> None:
    """Nothing else stands where an answer would."""
    data = cell_view.view(shown(checked([], {}, evidence=entries(["E1"])), outcome="abstained_by_model"))

    assert (data["abstention"], data["claims"]) == (ABSTENTION, [])


def test_stages_on_the_way() -> None:
    """What is done, and what is being done."""
    told = [
        Event(stage="preparing"),
        Event(stage="retrieving"),
        Event(stage="embedding", counts={"done": 20, "of": 50}),
        Event(stage="retrieved", counts={"searched": 50, "packed": 5, "cut": 27}),
        Event(stage="registry_frozen", counts={"entries": 13}),
        Event(stage="generating", counts={"attempt": 1}),
        Event(stage="first_words"),
        Event(stage="generated", counts={"claims": 2}),
        Event(stage="checking", counts={"claims": 2}),
        Event(stage="checking", counts={"claim": 2, "claims": 2}),
        Event(stage="gate", counts={"claims": 2, "failed": 1}),
        Event(stage="repairing", counts={"attempt": 2}),
        Event(stage="done", counts={"status": 200}),
    ]
    now = [cell_view.progress(told[: at + 1])[1] for at in range(len(told))]

    assert now == [
        "Getting ready",
        "Searching the corpus",
        "Reading passages for the first time, 20 of 50",
        "Reading 5 passages",
        "Reading 5 passages",
        "Reading 5 passages and writing",
        "Writing",
        "Writing",
        "Checking 2 claims",
        "Checking claim 2 of 2",
        "Deciding at the gate",
        "Repairing, attempt 2",
        "Writing it down",
    ]
    assert cell_view.progress(told)[0] == ["32 found, 5 near enough", "registry", "2 claims", "1 claim refused"]
    assert cell_view.going(told[:1], waiting=True, stopping=False) == ("Waiting for other work to end…", [])
    assert cell_view.going(told[:5], waiting=False, stopping=True)[0] == "Stopping…"
    assert cell_view.lost("r", Setup())["next"] == "Nothing of it was served. Run it again."
