"""What holds for every vendor: recognised wherever it is wrapped, read the same, never brought down by its input."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import extraction, importers, plugins
from core.importers import BadLine
from core.importers._json import RowError
from core.models import Answer
from tests.core.importers.vendor_samples import SAMPLES

VENDORS = pytest.mark.parametrize("vendor", sorted(SAMPLES))

WRONG = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 99),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.sampled_from(["", " ", "x", "The tram", "document", "PLAN", "text", "web_search_result_location", "🚋\ufe0f"]),
    st.text(max_size=5),
    st.sampled_from([[], {}, [None], [[]], [{}], {"text": 1}, {"content": [{}]}, [{"text": "x"}]]).map(copy.deepcopy),
)


def read(path: Path, *rows: Any, format: str = "auto") -> list[Answer | BadLine]:
    """What a file of these rows gives."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return list(importers.read(path, format))


def one(path: Path, row: Any, format: str = "auto") -> Answer:
    """The one answer that is expected."""
    (found,) = read(path, row, format=format)
    assert isinstance(found, Answer), found
    return found


def cited(answer: Answer) -> list[tuple[str, tuple[str, ...]]]:
    """The claims of an answer with what they cite."""
    return [(claim.text, claim.cites) for claim in extraction.claims(answer)]


@VENDORS
def test_it_is_recognised(vendor: str, tmp_path: Path) -> None:
    """By what it holds: as one line, as a list, as one object on many lines."""
    sample = SAMPLES[vendor]
    for content in (json.dumps(sample), json.dumps([sample, sample]), json.dumps(sample, indent=2)):
        path = tmp_path / "log.json"
        path.write_text(content, encoding="utf-8")
        assert importers.detect(path).__name__ == f"core.importers.{vendor}"
        rows = list(importers.read(path))
        assert len(rows) == importers.count_rows(path)
        assert all(isinstance(row, Answer) for row in rows)


@VENDORS
def test_both_sentences_cite(vendor: str, tmp_path: Path) -> None:
    """The emoji before the second one moves nothing, and every cited id is in the registry."""
    answer = one(tmp_path / "log.jsonl", SAMPLES[vendor])
    found = cited(answer)[-2:]

    assert [text for text, _ in found] == ["The tram 🚋 runs every 8 minutes.", "A ticket costs 3 euros."]
    assert len(found[1][1]) == 1
    assert vendor == "openai_chat" or len(found[0][1]) == 1
    assert {cite for _, cites in found for cite in cites} <= {entry.id for entry in answer.evidence}
    assert all(entry.accessible == bool(entry.text) for entry in answer.evidence)


@VENDORS
@pytest.mark.parametrize("wrapper", ["response", "body", "payload", "result"])
def test_what_stands_around_it_is_read(vendor: str, wrapper: str, tmp_path: Path) -> None:
    """Who was asked what, when and under which name; what nobody knows is kept."""
    row = {
        "request_id": "r-7",
        "timestamp": "2026-11-30T10:00:00+01:00",
        "model_id": "m-1",
        "tenant": {"name": "north"},
        "request": {"messages": [{"role": "user", "content": [{"type": "text", "text": "How often?"}]}]},
        wrapper: SAMPLES[vendor],
    }
    wrapped = one(tmp_path / "log.jsonl", row)
    plain = one(tmp_path / "log.jsonl", SAMPLES[vendor])

    assert (wrapped.request_id, wrapped.query) == ("r-7", "How often?")
    assert wrapped.asked_at == datetime(2026, 11, 30, 9, tzinfo=UTC)
    assert wrapped.meta["tenant"] == {"name": "north"}
    assert (wrapped.answer, wrapped.evidence, wrapped.annotations) == (plain.answer, plain.evidence, plain.annotations)


def test_a_batch_result_is_named_by_its_own_id(tmp_path: Path) -> None:
    """OpenAI's batches answer with ``response.body``, under the id that the asker chose."""
    row = {
        "id": "batch_req_1",
        "custom_id": "q-1",
        "response": {"status_code": 200, "body": SAMPLES["openai_responses"]},
    }
    answer = one(tmp_path / "log.jsonl", row)

    assert (answer.request_id, answer.generator.model) == ("q-1", "gpt-5")
    assert answer.asked_at == datetime(2025, 11, 30, 9, tzinfo=UTC)


def test_what_holds_no_response_is_refused(tmp_path: Path) -> None:
    """The others go in; a failed request says that it failed."""
    rows = read(tmp_path / "log.jsonl", SAMPLES["gemini_grounding"], {"a": 1}, {"error": {"code": 429}}, 5)

    assert [row.reason for row in rows if isinstance(row, BadLine)] == [
        "no response of Gemini",
        "the request failed, so there is no answer",
        "a number where an object is due",
    ]
    assert [row.line for row in rows if isinstance(row, BadLine)] == [2, 3, 4]


def test_side_fields_that_json_cannot_hold_cost_nothing(tmp_path: Path) -> None:
    """A number that is not finite is null, a moment that is none is no moment; both are noted."""
    row = {**SAMPLES["perplexity"], "cost": float("inf"), "created": "yesterday"}
    answer = one(tmp_path / "log.jsonl", row)

    assert answer.meta == {"cost": None}
    assert answer.asked_at is None
    assert "created is no moment, so the answer is undated" in answer.notes
    assert "cost had a number that is not finite and was kept as null" in answer.notes


@VENDORS
def test_an_answer_without_words_is_refused(vendor: str) -> None:
    """A call of a tool, or nothing at all, can not be checked."""
    sample = copy.deepcopy(SAMPLES[vendor])
    for parent, key in list(places(sample)):
        if key in ("text", "content") and isinstance(parent[key], str):
            parent[key] = " "
    with pytest.raises(RowError, match="no answer text"):
        plugins.load(importers, vendor).answer_of(sample)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a JSON value, as the container and the key or index in it."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


@VENDORS
@settings(max_examples=200)
@given(data=st.data())
def test_any_damage_gives_an_answer_or_one_reason(vendor: str, data: st.DataObject) -> None:
    """Up to three values anywhere are replaced or taken out; nothing else is ever raised, also by what comes after."""
    row = {"query": "How often?", "response": copy.deepcopy(SAMPLES[vendor])}
    for _ in range(data.draw(st.integers(1, 3))):
        parent, key = data.draw(st.sampled_from(list(places(row))))
        if data.draw(st.integers(0, 3)) and not isinstance(parent, list):
            parent[key] = data.draw(WRONG)
        else:
            del parent[key]
        if not row:
            return
    reason = ""
    try:
        answer = plugins.load(importers, vendor).answer_of(row)
    except RowError as refused:
        reason = refused.reason
    if reason:
        assert "\n" not in reason
        return

    assert answer.answer
    assert len(answer.uid) == 16
    extraction.claims(answer)
