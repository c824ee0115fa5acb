"""Web Annotation: both selectors select the same code points, in the answer and in the cited text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.exporters import annotation
from core.models import Evidence
from core.text import sha256
from tests.core.judged import TEXT, judged
from tests.core.rows import claim_row, span_row


def bodies(made: dict[str, Any], purpose: str) -> list[dict[str, Any]]:
    """The bodies of one purpose."""
    return [body for body in made["body"] if body["purpose"] == purpose]


@given(st.text(min_size=1, max_size=200), st.data())
def test_both_selectors_select_the_same(text: str, data: st.DataObject) -> None:
    """Position and quotation, with what stands around it, name one stretch of any text."""
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    position, quote = annotation.selectors(text, (start, end))

    assert text[position["start"] : position["end"]] == quote["exact"]
    around = quote["prefix"] + quote["exact"] + quote["suffix"]
    assert text[start - len(quote["prefix"]) :].startswith(around)
    assert max(len(quote["prefix"]), len(quote["suffix"])) <= 32


def test_an_emoji_is_one_code_point() -> None:
    """Positions count what the recommendation counts, not UTF-16 units."""
    row = claim_row(claim="It is open.", start=2, end=13, fragments=((2, 13),))
    made = annotation.annotation(judged(row, answer="🚪 It is open. [C1]"))

    assert made["target"][0]["selector"] == [
        {"type": "TextPositionSelector", "start": 2, "end": 13},
        {"type": "TextQuoteSelector", "exact": "It is open.", "prefix": "🚪 ", "suffix": " [C1]"},
    ]


def test_the_cited_text_is_named_by_its_hash() -> None:
    """Positions hold for exactly that text; where it came from stands beside it."""
    (cited,) = bodies(annotation.annotation(judged()), "linking")

    assert cited["source"] == {
        "id": f"urn:citedesk:text:{sha256(TEXT)}",
        "type": "Text",
        "format": "text/plain",
        "via": "https://gate.example/rules",
        "label": "Gate rules",
    }
    assert cited["selector"][0] == {"type": "TextPositionSelector", "start": 0, "end": 17}
    assert cited["selector"][1]["exact"] == TEXT


def test_a_claim_in_pieces_has_a_target_a_piece() -> None:
    """One claim may be made of several stretches of its answer."""
    row = claim_row(start=0, end=17, fragments=((0, 8), (9, 17)))
    targets = annotation.annotation(judged(row))["target"]

    assert [target["selector"][1]["exact"] for target in targets] == ["The gate", "is open."]


def test_what_has_no_place_has_no_selector() -> None:
    """A claim that is not in the answer means all of it; an id that means nothing links to nothing."""
    row = claim_row(start=None, end=None, fragments=(), spans=(span_row(cite="C9", start=None, end=None),))
    made = annotation.annotation(judged(row, evidence=(Evidence(id="C1", text=TEXT),)))

    assert [set(target) for target in made["target"]] == [{"type", "source"}]
    assert bodies(made, "linking") == []


def test_label_and_judge_are_in_it() -> None:
    """The label classifies, and who said so is the protocol."""
    made = annotation.annotation(judged(claim_row(label=None)))

    assert [body["value"] for body in bodies(made, "classifying")] == ["no verdict"]
    assert made["creator"] == {"type": "Software", "name": "lexical@1+00000000"}


def test_the_file_is_one_page_of_annotations_with_ids_of_their_own(tmp_path: Path) -> None:
    """It is JSON, in the context of the recommendation, whatever the texts hold."""
    out = tmp_path / "claims.jsonld"
    rows = [claim_row(claim_id=f"c{number}", request_id="r 1/ü\ud83d") for number in range(3)]

    assert annotation.write((judged(row) for row in rows), out) == 3
    page = json.loads(out.read_text("utf-8"))
    assert (page["@context"], page["type"]) == ("http://www.w3.org/ns/anno.jsonld", "AnnotationPage")
    assert len({item["id"] for item in page["items"]}) == 3
    assert all(item["id"].isascii() and " " not in item["id"] for item in page["items"])
