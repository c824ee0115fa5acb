"""Perplexity: the numbers in the text are the order of the sources beside it."""

from __future__ import annotations

from typing import Any

from core.extraction import claims
from core.importers.perplexity import answer_of
from tests.core.importers.vendor_samples import PERPLEXITY


def read(content: Any, **beside: Any) -> Any:
    """The answer of a response with one choice."""
    return answer_of({"id": "p", "choices": [{"message": {"content": content}}], **beside})


def test_the_sample() -> None:
    """Numbers follow the citations, not the search results; a snippet stands for its page and that is noted."""
    answer = answer_of(PERPLEXITY)

    assert [(one.id, one.uri, one.text, one.title, one.accessible) for one in answer.evidence] == [
        ("1", "https://l.example/", "", "Lines", False),
        ("2", "https://t.example/fares", "Tickets are 3 euros.", "Fares", True),
    ]
    assert [claim.cites for claim in claims(answer)] == [("1",), ("2",)]
    assert answer.evidence[1].meta == {"date": "2025-10-01"}
    assert answer.notes == ("The evidence is the snippets of the search results; the log does not hold the pages",)


def test_search_results_alone_are_the_sources() -> None:
    """Where the old list is gone."""
    answer = read("It rained [2].", search_results=[{"title": "A", "url": "u1"}, {"title": "B", "url": "u2"}])

    assert [(one.id, one.uri) for one in answer.evidence] == [("1", "u1"), ("2", "u2")]
    assert claims(answer)[0].cites == ("2",)


def test_a_number_without_a_source_stays_what_it_is() -> None:
    """The registry will not know it."""
    answer = read("It rained [3].", citations=["u1"])

    assert claims(answer)[0].cites == ("3",)
    assert [one.id for one in answer.evidence] == ["1"]


def test_thinking_is_no_answer() -> None:
    """The model reasons aloud before it answers."""
    assert read("<think>\nRain? [1]\n</think>\n\nIt rained [1].", citations=["u"]).answer == "It rained [1]."


def test_content_in_chunks() -> None:
    """Text chunks run on; others have no words."""
    assert read(
        [{"type": "text", "text": "It "}, {"type": "image_url"}, {"type": "text", "text": "rained."}]
    ).answer == ("It rained.")
