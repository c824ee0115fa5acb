"""Bedrock Converse: the generated text of a block is what its citations are about; their content is the evidence."""

from __future__ import annotations

from typing import Any

from core.extraction import claims
from core.importers.bedrock_converse import answer_of
from core.models import Answer
from tests.core.importers.vendor_samples import BEDROCK_CONVERSE


def read(*content: dict[str, Any]) -> Answer:
    """The answer of a message with this content."""
    return answer_of({"output": {"message": {"role": "assistant", "content": list(content)}}, "stopReason": "end_turn"})


def cited(text: str, *citations: dict[str, Any]) -> dict[str, Any]:
    """A cited block."""
    return {"citationsContent": {"content": [{"text": text}], "citations": list(citations)}}


def test_the_sample() -> None:
    """Pieces are joined, places kept as given, and a page without its text cannot be read."""
    answer = answer_of(BEDROCK_CONVERSE)

    assert answer.answer == "Here is the plan. The tram 🚋 runs every 8 minutes. A ticket costs 3 euros."
    assert [(one.id, one.text, one.locator, one.title, one.accessible) for one in answer.evidence] == [
        ("document 0, pages 4-5", "Trams run\nevery 8 minutes.", "pages 4-5", "Lines", True),
        ("https://t.example/fares", "", None, "Fares", False),
    ]
    assert [claim.cites for claim in claims(answer)] == [
        (),
        ("document 0, pages 4-5",),
        ("https://t.example/fares",),
    ]


def test_all_kinds_of_places() -> None:
    """Also none at all, which is noted."""
    place = {"documentIndex": 1, "start": 0, "end": 9}
    found = {"searchResultIndex": 2, "start": 0, "end": 1}
    passage = [{"text": "Red."}]
    answer = read(
        cited(
            "Trams are red.",
            {"sourceContent": passage, "location": {"documentChar": place}},
            {"sourceContent": passage, "location": {"documentChunk": place}},
            {"sourceContent": passage, "location": {"searchResultLocation": found}, "source": "https://s.example/"},
            {"sourceContent": passage, "location": {"web": {"url": "https://w.example/", "domain": "w.example"}}},
            {"sourceContent": passage},
        )
    )

    assert [(one.id, one.uri) for one in answer.evidence] == [
        ("document 1, characters 0-9", None),
        ("document 1, chunks 0-9", None),
        ("search result 2, blocks 0-1", "https://s.example/"),
        ("https://w.example/", "https://w.example/"),
        ("output.message.content[0].citationsContent.citations[4]", None),
    ]
    assert (
        "output.message.content[0].citationsContent.citations[4]: a citation without a place in a source"
        in answer.notes
    )


def test_a_call_of_a_tool_parts_paragraphs() -> None:
    """Reasoning does not."""
    answer = read(
        {"text": "I will look."},
        {"toolUse": {"toolUseId": "t", "name": "search", "input": {}}},
        {"text": "It "},
        {"reasoningContent": {"reasoningText": {"text": "Hm."}}},
        {"text": "rained."},
    )

    assert answer.answer == "I will look.\n\nIt rained."
