"""OpenAI Responses: indices within their part, points and stretches, files with their text and pages without."""

from __future__ import annotations

from typing import Any

import pytest

from core.extraction import claims
from core.importers._json import RowError
from core.importers.openai_responses import answer_of
from core.models import Annotation, Answer
from tests.core.importers.vendor_samples import OPENAI_RESPONSES, TEXT


def message(*parts: dict[str, Any]) -> Answer:
    """The answer of one message with these parts."""
    return answer_of({"id": "r", "output": [{"type": "message", "content": list(parts)}]})


def part(text: str, *annotations: dict[str, Any]) -> dict[str, Any]:
    """One part of a message."""
    return {"type": "output_text", "text": text, "annotations": list(annotations)}


def url(start: int, end: int, address: str = "https://a.example/") -> dict[str, Any]:
    """A citation of a page."""
    return {"type": "url_citation", "url": address, "title": "A", "start_index": start, "end_index": end}


def test_the_sample() -> None:
    """A point behind the first sentence, a stretch over the second, and everything that was found."""
    answer = answer_of(OPENAI_RESPONSES)

    assert (answer.request_id, answer.generator.name, answer.generator.model) == ("resp_1", "openai", "gpt-5")
    assert (answer.answer, answer.meta, answer.notes) == (TEXT, {}, ())
    assert answer.annotations == (
        Annotation(start=32, end=32, cite="file-a"),
        Annotation(start=33, end=56, cite="https://t.example/fares"),
    )
    assert [(one.id, one.text, one.title, one.accessible) for one in answer.evidence] == [
        ("file-a", "Trams run every 8 minutes.\n\nLine 3 is yellow.", "lines.pdf", True),
        ("https://t.example/fares", "", "Fares", False),
        ("https://c.example/", "", None, False),
    ]


def test_indices_count_within_their_part() -> None:
    """In the joined answer they move by the parts before."""
    answer = message(part("Part one is plain. "), part("The toll is 3 crowns.", url(0, 21)))

    assert answer.answer == "Part one is plain. The toll is 3 crowns."
    assert [(one.start, one.end) for one in answer.annotations] == [(19, 40)]


def test_messages_are_paragraphs() -> None:
    """Between them stood a search, so the words do not run together."""
    items = [
        {"content": [part("I will look.")]},
        {"type": "web_search_call"},
        {"content": [part("It rained.", url(0, 10))]},
    ]
    answer = answer_of({"id": "r", "output": items})

    assert answer.answer == "I will look.\n\nIt rained."
    assert answer.annotations == (Annotation(start=14, end=24, cite="https://a.example/"),)


def test_one_page_may_support_two_statements() -> None:
    """It is one piece of evidence, cited twice."""
    answer = message(part("Solar fell 8% in May. Wind rose 3% in June.", url(0, 21), url(22, 43)))

    assert len(answer.evidence) == 1
    assert [claim.cites for claim in claims(answer)] == [("https://a.example/",)] * 2


def test_an_annotation_on_a_rendered_link_names_it() -> None:
    """The link is a marker: cut from the claim, and one citation."""
    text = "The toll is 3 crowns. ([a.example](https://a.example/?utm_source=openai))"
    answer = message(part(text, url(22, len(text))))

    assert [(claim.text, claim.cites) for claim in claims(answer)] == [
        ("The toll is 3 crowns.", ("https://a.example/",))
    ]


def test_files_of_a_container_and_of_others() -> None:
    """A stretch where one is given, else the place to insert it; a path to a file that was made is no citation."""
    answer = message(
        part(
            "See the table. It rained.",
            {"type": "container_file_citation", "file_id": "cf", "container_id": "c", "filename": "t.csv",
             "start_index": 0, "end_index": 14},
            {"type": "file_citation", "file_id": "xai", "filename": None, "start_index": 15, "end_index": 25},
            {"type": "file_path", "file_id": "out", "index": 0},
            {"type": "music_citation"},
        )
    )  # fmt: skip

    assert [(one.start, one.end, one.cite) for one in answer.annotations] == [(0, 14, "cf"), (15, 25, "xai")]
    assert [(one.id, one.title, one.accessible) for one in answer.evidence] == [
        ("cf", "t.csv", False),
        ("xai", None, False),
    ]
    assert answer.notes == (
        "output[0].content[0].annotations[2]: a path to a file that was made, which is no citation",
        "output[0].content[0].annotations[3]: an annotation that names no source; it was not attached",
    )


@pytest.mark.parametrize(("start", "end"), [(5, 99), (8, 3), (-2, 4)])
def test_a_stretch_outside_the_part_is_noted(start: int, end: int) -> None:
    """The page stays in the registry; nothing is attached to other words."""
    answer = message(part("It rained.", url(start, end)), part("And again it rained, and rained on the day after."))

    assert answer.annotations == ()
    assert [one.id for one in answer.evidence] == ["https://a.example/"]
    assert answer.notes == (
        f"output[0].content[0].annotations[0]: [{start}, {end}) in code points is no stretch of the text; "
        "the citation was not attached",
    )


def test_a_refusal_is_what_was_answered() -> None:
    """It is no material claim."""
    answer = message({"type": "refusal", "refusal": "I'm sorry, I can't help with that."})

    assert answer.answer == "I'm sorry, I can't help with that."
    assert not any(claim.material for claim in claims(answer))


def test_another_type_than_the_meaning_needs_is_refused() -> None:
    """The field is named by its path."""
    with pytest.raises(RowError) as refused:
        message(part("It rained.", {"type": "url_citation", "url": "u", "start_index": "0", "end_index": 3}))

    assert (refused.value.field, refused.value.reason) == (
        "output[0].content[0].annotations[0].start_index",
        "text where a whole number is due",
    )
