"""Anthropic messages: the block is what is cited for, the cited text is the evidence, under a name of its place."""

from __future__ import annotations

from typing import Any

from core.extraction import claims
from core.importers.anthropic_messages import answer_of
from core.models import Answer
from tests.core.importers.vendor_samples import ANTHROPIC_MESSAGES, TEXT


def block(text: str, *citations: dict[str, Any]) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": text, "citations": list(citations) or None}


def read(*blocks: dict[str, Any]) -> Answer:
    """The answer of a message with these blocks."""
    return answer_of({"id": "m", "type": "message", "role": "assistant", "content": list(blocks)})


def cited(kind: str, text: str | None = "Trams are red.", **fields: Any) -> dict[str, Any]:
    """A citation."""
    return {"type": kind, "cited_text": text, **fields}


def test_the_sample() -> None:
    """Both sentences, with the passages they rest on."""
    answer = answer_of(ANTHROPIC_MESSAGES)

    assert (answer.request_id, answer.answer, answer.notes) == ("msg_1", TEXT, ())
    assert [(one.id, one.text, one.locator, one.title, one.uri) for one in answer.evidence] == [
        ("document 0, characters 10-36", "Trams run every 8 minutes.", "characters 10-36", "Lines", None),
        ("https://t.example/fares", "Tickets are 3 euros.", None, "Fares", "https://t.example/fares"),
    ]
    assert [(one.start, one.end) for one in answer.annotations] == [(0, 32), (33, 56)]


def test_all_kinds_of_places() -> None:
    """Numbers as the vendor gives them; no document is taken for another one, nor for a search result."""
    answer = read(
        block(
            "Trams are red.",
            cited("char_location", document_index=1, start_char_index=0, end_char_index=14, file_id="f"),
            cited("page_location", document_index=1, start_page_number=3, end_page_number=4),
            cited("content_block_location", document_index=0, start_block_index=0, end_block_index=2),
            cited("search_result_location", search_result_index=0, start_block_index=0, end_block_index=2,
                  source="https://s.example/", title="S"),
            cited("web_search_result_location", url="https://w.example/", title="W", encrypted_index="x"),
        )
    )  # fmt: skip

    assert [(one.id, one.uri) for one in answer.evidence] == [
        ("document 1, characters 0-14", None),
        ("document 1, pages 3-4", None),
        ("document 0, blocks 0-2", None),
        ("search result 0, blocks 0-2", "https://s.example/"),
        ("https://w.example/", "https://w.example/"),
    ]
    assert answer.evidence[0].meta == {"file_id": "f"}
    assert claims(answer)[0].cites == tuple(one.id for one in answer.evidence)


def test_two_passages_of_one_page_are_two_pieces_of_evidence() -> None:
    """One id must not mean two texts; the same passage again is the same."""
    page: dict[str, Any] = {"url": "https://w.example/", "title": "W", "encrypted_index": "x"}
    answer = read(
        block("Trams are red.", cited("web_search_result_location", **page)),
        block(" Buses are blue.", cited("web_search_result_location", "Buses are blue.", **page)),
        block(" Trams stay red.", cited("web_search_result_location", **page)),
    )

    assert [one.id for one in answer.evidence] == ["https://w.example/", "https://w.example/ (2)"]
    assert [claim.cites for claim in claims(answer)] == [
        ("https://w.example/",),
        ("https://w.example/ (2)",),
        ("https://w.example/",),
    ]


def test_a_block_may_be_part_of_a_sentence() -> None:
    """Its citation is the sentence's."""
    place: dict[str, Any] = {"document_index": 0, "start_char_index": 0, "end_char_index": 14}
    answer = read(block("The trams are "), block("red", cited("char_location", **place)), block("."))

    assert [(claim.text, len(claim.cites)) for claim in claims(answer)] == [("The trams are red.", 1)]


def test_what_was_said_before_a_search_is_a_paragraph() -> None:
    """Thinking in between is no interruption."""
    answer = read(
        block("I will look."),
        {"type": "server_tool_use", "id": "t", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "t", "content": []},
        block("Trams "),
        {"type": "thinking", "thinking": "Hm.", "signature": ""},
        block("are red."),
    )

    assert answer.answer == "I will look.\n\nTrams are red."


def test_a_citation_without_its_text_cannot_be_read() -> None:
    """It is said, not made up; a kind that is not known is noted."""
    answer = read(block("Trams are red.", cited("page_location", None, document_index=0), cited("moon_location")))

    assert [(one.id, one.accessible) for one in answer.evidence] == [
        ("document 0, unknown pages", False),
        ("content[0].citations[1]", True),
    ]
    assert answer.notes == ("content[0].citations[1]: a citation of a kind that is not known here ('moon_location')",)


def test_a_batch_result() -> None:
    """``result.message``, under the id that the asker chose."""
    row = {"custom_id": "q-1", "result": {"type": "succeeded", "message": ANTHROPIC_MESSAGES}}
    answer = answer_of(row)

    assert (answer.request_id, answer.answer) == ("q-1", TEXT)
