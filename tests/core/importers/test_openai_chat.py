"""OpenAI Chat, Assistants and their likes: nested and flat annotations, numbered citations, stated words."""

from __future__ import annotations

from typing import Any

from core.extraction import claims
from core.importers.openai_chat import answer_of, label
from core.models import Annotation
from tests.core.importers.vendor_samples import OPENAI_CHAT


def flat(start: int, end: int, **more: Any) -> dict[str, Any]:
    """An annotation with its fields beside its type."""
    return {"type": "url_citation", "url": "https://r.example/", "start_index": start, "end_index": end, **more}


def test_the_sample() -> None:
    """The fields of an annotation stand in an object named after its type."""
    answer = answer_of(OPENAI_CHAT)

    assert (answer.request_id, answer.generator.model, answer.notes, answer.meta) == (
        "chatcmpl-1",
        "gpt-5-search",
        (),
        {},
    )
    assert answer.annotations == (Annotation(start=33, end=56, cite="https://t.example/fares"),)
    (page,) = answer.evidence
    assert (page.uri, page.title, page.accessible) == ("https://t.example/fares", "Fares", False)


def test_stated_words_decide() -> None:
    """Indices made for another text attach to nothing; those of another unit are proved by the words."""
    other = answer_of(
        {"content": "Short note. Rents rose 4%.", "annotations": [flat(0, 14, text_of_span="Rents rose 4%.")]}
    )
    utf16 = answer_of({"content": "🏠🏠 Rents rose 4%.", "annotations": [flat(5, 19, text_of_span="Rents rose 4%.")]})

    assert other.annotations == ()
    assert other.notes[0].startswith("annotations[0]: span text mismatch")
    assert [(one.start, one.end) for one in utf16.annotations] == [(3, 17)]


def test_an_assistants_message() -> None:
    """The annotation bounds the marker and states it; the file is known by its id."""
    annotation = {
        "type": "file_citation",
        "text": "【4:0†source】",
        "start_index": 26,
        "end_index": 38,
        "file_citation": {"file_id": "file-9"},
    }
    row = {
        "id": "msg_1",
        "object": "thread.message",
        "role": "assistant",
        "content": [
            {
                "type": "text",
                "text": {"value": "The warranty runs 2 years.【4:0†source】", "annotations": [annotation]},
            },
            {"type": "image_file", "image_file": {"file_id": "pic"}},
        ],
    }
    answer = answer_of(row)
    (claim,) = claims(answer)

    assert (claim.text, claim.cites, claim.leaked) == ("The warranty runs 2 years.", ("file-9",), ())
    assert answer.request_id == "msg_1"


def test_visible_numbers_count_from_one() -> None:
    """The metadata counts from zero; marker 1 is its first entry."""
    row = {
        "content": "Tea grows in 12 districts[citation:1]. Coffee grows in 3[citation:2].",
        "citations": [
            {"cite_index": 0, "url": "https://a.example/tea"},
            {"cite_index": 1, "url": "https://b.example/"},
        ],
    }
    answer = answer_of(row)
    urls = {one.id: one.uri for one in answer.evidence}

    assert [urls[cite] for claim in claims(answer) for cite in claim.cites] == [
        "https://a.example/tea",
        "https://b.example/",
    ]
    assert (label(0), label(1, base=1)) == ("1", "1")


def test_documents_of_azure_are_named_by_the_markers() -> None:
    """``[doc1]`` is the first citation of the context, with its text."""
    message = {
        "role": "assistant",
        "content": "The fee is 3 euros [doc1].",
        "context": {"citations": [{"content": "Fee: 3 euros.", "title": "Fees", "url": None, "filepath": "fees.md"}]},
    }
    answer = answer_of({"choices": [{"message": message}]})

    assert [(one.id, one.text, one.title) for one in answer.evidence] == [("doc1", "Fee: 3 euros.", "Fees")]
    assert claims(answer)[0].cites == ("doc1",)


def test_thinking_is_no_answer() -> None:
    """It is left out and noted, and the indices of what follows stay right."""
    content = "<think>Rents fell?</think>\n\nRents rose 4%."
    answer = answer_of({"content": content, "annotations": [flat(28, 42, text_of_span="Rents rose 4%."), flat(7, 18)]})

    assert answer.answer == "Rents rose 4%."
    assert [(one.start, one.end) for one in answer.annotations] == [(0, 14)]
    assert answer.notes[:2] == (
        "The model's thinking before the answer was left out",
        "annotations[1]: it lies in what was left out; the citation was not attached",
    )


def test_further_choices_are_noted() -> None:
    """One row is one answer."""
    choices = [{"message": {"content": "It rained."}}, {"message": {"content": "It snowed."}}]
    answer = answer_of({"id": "c", "choices": choices})

    assert (answer.answer, answer.notes) == ("It rained.", ("Only the first of 2 choices was read",))


def test_content_in_parts() -> None:
    """Texts run on; annotations of the message belong to its only part."""
    parts = [{"type": "text", "text": "Rents rose "}, {"type": "text", "text": "4%."}]
    single = [{"type": "text", "text": "Rents rose 4%."}]

    assert answer_of({"content": parts}).answer == "Rents rose 4%."
    assert len(answer_of({"content": single, "annotations": [flat(0, 14)]}).annotations) == 1
