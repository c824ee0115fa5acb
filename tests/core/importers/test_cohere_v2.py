"""Cohere: whole, streamed and version 1 give the same; the stated text decides what an end means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core import importers
from core.importers import BadLine
from core.importers._json import RowError
from core.importers.cohere_v2 import answer_of
from core.models import Answer
from tests.core.importers.vendor_samples import COHERE_V2, TEXT


def events() -> list[dict[str, Any]]:
    """The sample as the events of a stream."""
    message = COHERE_V2["message"]
    half = len(TEXT) // 2
    return [
        {"type": "message-start", "id": "co-1", "delta": {"message": {"role": "assistant", "content": []}}},
        {"type": "content-start", "index": 0, "delta": {"message": {"content": {"type": "text", "text": ""}}}},
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": TEXT[:half]}}}},
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": TEXT[half:]}}}},
        *(
            {"type": "citation-start", "index": number, "delta": {"message": {"citations": citation}}}
            for number, citation in enumerate(message["citations"])
        ),
        {"type": "citation-end", "index": 0},
        {"type": "content-end", "index": 0},
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE", "usage": {}}},
    ]


def rows(path: Path, *objects: Any) -> list[Answer | BadLine]:
    """What a file with these lines gives, with the count of its rows checked."""
    path.write_text(
        "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in objects), encoding="utf-8"
    )
    found = list(importers.read(path, "cohere_v2"))
    assert len(found) == importers.count_rows(path, "cohere_v2")
    return found


def test_the_sample() -> None:
    """A document with its text, and a tool's output as it was."""
    answer = answer_of(COHERE_V2)

    assert [((answer.answer or "")[one.start : one.end], one.cite) for one in answer.annotations] == [
        ("🚋 runs every 8 minutes", "doc:0"),
        ("3 euros", "fares_1:0"),
    ]
    assert [(one.id, one.text, one.title) for one in answer.evidence] == [
        ("doc:0", "Trams run every 8 minutes.", "Lines"),
        ("fares_1:0", '{"price": "3 euros"}', None),
    ]
    assert (answer.request_id, answer.notes) == ("co-1", ())


def test_a_stream_gives_what_the_whole_gives(tmp_path: Path) -> None:
    """One event a line, a list of events, an object with a list of them; two streams are two answers."""
    whole = answer_of(COHERE_V2)
    lines = rows(tmp_path / "log.jsonl", *events(), *events())
    (tmp_path / "list.json").write_text(json.dumps(events()), encoding="utf-8")
    listed = list(importers.read(tmp_path / "list.json"))

    for answer in [*lines, *listed, answer_of({"events": events()})]:
        assert isinstance(answer, Answer)
        assert (answer.answer, answer.annotations, answer.evidence) == (whole.answer, whole.annotations, whole.evidence)
    assert (len(lines), len(listed)) == (2, 1)


def test_a_broken_event_costs_its_stream(tmp_path: Path) -> None:
    """Without its words every later offset would be wrong; the next stream goes in."""
    first, second, cut = events(), events(), events()[:-1]
    found = rows(tmp_path / "log.jsonl", *first[:3], "{broken", *first[4:], COHERE_V2, *second, *cut)

    assert [type(row) for row in found] == [BadLine, Answer, Answer, Answer]
    assert isinstance(found[0], BadLine)
    assert found[0].line == 4
    assert found[0].reason.endswith("; the stream of events around it was left out")
    assert isinstance(found[-1], Answer)
    assert "The stream has no event that ends it, so the answer may be cut short" in found[-1].notes


def test_a_refused_stream_is_named_by_its_last_event(tmp_path: Path) -> None:
    """Numbers stay in order."""
    found = rows(tmp_path / "log.jsonl", {"type": "message-start"}, {"type": "message-end"}, {"a": 1})

    assert [(row.line, row.reason) for row in found if isinstance(row, BadLine)] == [
        (2, "the response holds no answer text, so there is nothing to check"),
        (3, "no response of Cohere"),
    ]


def test_short_events_of_an_older_dump() -> None:
    """``text`` and ``citation`` beside the type; a type of null is harmless."""
    row = {
        "events": [
            {"type": "content-delta", "text": "The hut has "},
            {"type": "content-delta", "text": "20 beds."},
            {
                "type": "citation-start",
                "citation": {"start": 12, "end": 19, "text": "20 beds", "sources": [{"id": "d2"}], "type": None},
            },
        ]
    }
    answer = answer_of(row)

    assert answer.answer == "The hut has 20 beds."
    assert [(one.start, one.end, one.cite) for one in answer.annotations] == [(12, 19, "d2")]
    assert [(one.id, one.accessible) for one in answer.evidence] == [("d2", False)]


@pytest.mark.parametrize("end", [18, 19])
def test_the_stated_text_decides_what_end_means(end: int) -> None:
    """The last character, or one past it."""
    citation = {"start": 12, "end": end, "text": "20 beds", "document_ids": ["d2"]}
    row = {"text": "The hut has 20 beds.", "citations": [citation], "documents": [{"id": "d2", "snippet": "20 beds"}]}
    answer = answer_of(row)

    assert [(one.start, one.end) for one in answer.annotations] == [(12, 19)]
    assert [(one.id, one.text) for one in answer.evidence] == [("d2", "20 beds")]


def test_the_plan_and_the_thinking_are_none_of_the_answer() -> None:
    """Their citations are noted and attached to nothing."""
    citations = [
        {"start": 0, "end": 2, "text": "It", "sources": [{"id": "d"}], "type": "PLAN"},
        {"start": 0, "end": 2, "text": "It", "sources": [{"id": "d"}], "content_index": 0},
        {"start": 0, "end": 2, "text": "It", "sources": [{"id": "d"}, {"type": "tool"}], "content_index": 1},
    ]
    content = [{"type": "thinking", "thinking": "It may."}, {"type": "text", "text": "It rained."}]
    answer = answer_of({"id": "c", "message": {"content": content, "citations": citations}})

    assert [(one.start, one.end, one.cite) for one in answer.annotations] == [(0, 2, "d")]
    assert answer.notes == (
        "message.citations[0]: it cites no text of the answer; it was not attached",
        "message.citations[1]: it cites no text of the answer; it was not attached",
        "message.citations[2].sources[1]: a source without an id, which no citation can name",
    )


def test_an_absurd_index_is_refused() -> None:
    """It would be a list of a billion blocks."""
    with pytest.raises(RowError, match="no index of a content block"):
        answer_of({"events": [{"type": "content-delta", "index": 10**9, "text": "x"}]})
