"""Gemini grounding: bytes within a part, a zero left out, chunks with and without text, in either style of name."""

from __future__ import annotations

from typing import Any

from core.importers.gemini_grounding import answer_of, label
from core.models import Annotation, Answer
from tests.core.importers.vendor_samples import GEMINI_GROUNDING, TEXT


def read(parts: list[dict[str, Any]], *supports: dict[str, Any], chunks: tuple[dict[str, Any], ...] = ()) -> Answer:
    """The answer of one candidate."""
    grounding = {"groundingChunks": list(chunks), "groundingSupports": list(supports)}
    return answer_of({"responseId": "g", "candidates": [{"content": {"parts": parts}, "groundingMetadata": grounding}]})


def support(segment: dict[str, Any], *chunks: int) -> dict[str, Any]:
    """One support."""
    return {"segment": segment, "groundingChunkIndices": list(chunks)}


def test_the_sample() -> None:
    """The emoji is four bytes and one code point."""
    answer = answer_of(GEMINI_GROUNDING)

    assert (answer.request_id, answer.generator.model, answer.answer) == ("g-1", "gemini-3", TEXT)
    assert answer.annotations == (
        Annotation(start=0, end=32, cite="chunk 0"),
        Annotation(start=33, end=56, cite="chunk 1"),
    )
    assert [(one.id, one.text, one.uri, one.accessible) for one in answer.evidence] == [
        ("chunk 0", "Trams run every 8 minutes.", "gs://lines", True),
        ("chunk 1", "", "https://t.example/fares", False),
    ]
    assert answer.notes == ()


def test_a_dump_of_the_sdk_writes_snake_case() -> None:
    """It means the same."""
    row = {
        "response_id": "g",
        "candidates": [
            {
                "content": {"parts": [{"text": "Café. Tee."}]},
                "grounding_metadata": {
                    "grounding_chunks": [
                        {"retrieved_context": {"rag_chunk": {"text": "Tee", "page_span": {"first_page": 3}}}}
                    ],
                    "grounding_supports": [
                        {
                            "segment": {"start_index": 7, "end_index": 11, "part_index": None},
                            "grounding_chunk_indices": [0],
                        }
                    ],
                },
            }
        ],
    }
    answer = answer_of(row)

    assert answer.request_id == "g"
    assert [(answer.answer or "")[one.start : one.end] for one in answer.annotations] == ["Tee."]
    assert [(one.text, one.locator) for one in answer.evidence] == [("Tee", "p3")]


def test_segments_count_within_their_part() -> None:
    """Thoughts are parts too, but none of the answer's."""
    parts: list[dict[str, Any]] = [{"text": "Hm, é.", "thought": True}, {"text": "Grün. "}, {"text": "Blau."}]
    answer = read(
        parts,
        support({"partIndex": 1, "endIndex": 6}, 0),
        support({"partIndex": 2, "startIndex": 0, "endIndex": 5}, 0, 1),
        support({"partIndex": 0, "endIndex": 3}, 0),
        support({"partIndex": 9, "endIndex": 3}, 0),
    )

    assert answer.answer == "Grün. Blau."
    assert [(one.start, one.end, one.cite) for one in answer.annotations] == [
        (0, 5, "chunk 0"),
        (6, 11, "chunk 0"),
        (6, 11, "chunk 1"),
    ]
    assert answer.notes == (
        "candidates[0].groundingMetadata.groundingSupports[2]: part 0 is none of the answer's; "
        "the citation was not attached",
        "candidates[0].groundingMetadata.groundingSupports[3]: part 9 is none of the answer's; "
        "the citation was not attached",
    )


def test_a_segment_that_states_other_words_is_not_attached() -> None:
    """The answer was edited after it was grounded."""
    answer = read([{"text": "Grün. Blau."}], support({"endIndex": 6, "text": "Rot..."}, 0))

    assert answer.annotations == ()
    assert "span text mismatch" in answer.notes[0]


def test_a_chunk_that_is_not_there_keeps_its_name() -> None:
    """The citation is kept; the registry will not know it."""
    answer = read([{"text": "Blau."}], support({"endIndex": 5}, 2), chunks=({"web": {"uri": "u"}},))

    assert [one.cite for one in answer.annotations] == [label(2)]
    assert [one.id for one in answer.evidence] == [label(0)]


def test_what_has_no_grounding_is_an_answer_too() -> None:
    """Uncited, and only the first candidate is read."""
    answer = answer_of({"candidates": [{"content": {"parts": [{"text": "Blau."}]}}, {}]})

    assert (answer.answer, answer.annotations) == ("Blau.", ())
    assert answer.notes[0] == "Only the first of 2 candidates was read"
