"""What the inspector shows: every text whole, every mark where the store says, nothing marked that does not match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.desk import Desk
from core.models import Label, Qualifier
from core.settings import Settings
from core.store.records import ClaimDetail, ClaimFilter, Sort
from dashboard.widgets import claim_view, passages

FAMILY = "👩‍👩‍👧"  # one picture of five code points
ODD = f"مرحبا {FAMILY} cafe\u0301\r\n<script>alert(1)</script>\u00a0$x$ **b** ![i](http://e.example/i.png) "

Answer = dict[str, Any]


@contextmanager
def opened(path: Path) -> Iterator[Desk]:
    """The desk over a store."""
    desk = Desk.open(Settings(store=path))
    try:
        yield desk
    finally:
        desk.close()


def details(desk: Desk) -> list[ClaimDetail]:
    """Every claim of a store with one judge, in the order of import."""
    (info,) = desk.store.protocols()
    page = desk.store.claim_page(ClaimFilter(protocol=info.name, sort=Sort.AS_IMPORTED), 100)
    found = [desk.store.claim(item.claim_uid, info.name) for item in page.items]
    return [detail for detail in found if detail is not None]


def shown(path: Path) -> list[dict[str, Any]]:
    """The view of every claim of a store."""
    with opened(path) as desk:
        return [claim_view.view(detail, desk.draft(detail)) for detail in details(desk)]


def whole(parts: Any) -> str:
    """The pieces of a text put together again."""
    return "".join(text for text, _ in parts)


def marked(parts: Any, kind: str) -> str:
    """What of a text has a mark of one kind."""
    return "".join(text for text, kinds in parts if kind in kinds)


def test_odd_text_is_marked_exactly(store_of: Callable[..., Path]) -> None:
    """Pictures of several code points, accents, right-to-left, CRLF and markup shift no mark and lose no character."""
    claim = f"The lamp {FAMILY} weighs 40 grams."
    source = f"{ODD}The lamp {FAMILY} weighs 40 grams. {ODD}"
    path = store_of(
        {
            "request_id": "r1",
            "query": "q",
            "answer": f"{ODD}{claim} [C1]",
            "claims": [{"text": claim, "citation_ids": ["C1"]}],
            "evidence": [{"id": "C1", "text": source}],
        }
    )
    view = next(one for one in shown(path) if one["label"] == "supported")

    assert whole(view["answer"]) == f"{ODD}{claim} [C1]"
    assert marked(view["answer"], "claim") == claim
    (card,) = view["cards"]
    assert whole(card["passage"]) == source
    assert claim[:-1] in marked(card["passage"], "support")


def test_differing_values_are_marked_in_both_texts(store_of: Callable[..., Path]) -> None:
    """The reader sees at once which two values disagree."""
    path = store_of(
        {
            "request_id": "r1",
            "claims": [{"text": "A return ticket to the island costs 30 euros.", "citation_ids": ["C1"]}],
            "evidence": [{"id": "C1", "text": "Dear guest. A return ticket to the island costs 15 euros. Welcome."}],
        }
    )
    (view,) = shown(path)

    assert view["label"] == "contradicted"
    assert marked(view["alone"], "diff") == "30 euros"
    assert marked(view["cards"][0]["passage"], "diff") == "15 euros"
    assert [text for text, kinds in view["why"] if "diff" in kinds] == ["30 euros", "15 euros"]
    assert "without an answer in prose" in view["note"]


def test_a_quotation_and_its_near_miss_are_marked_differently(store_of: Callable[..., Path]) -> None:
    """Word for word is one mark, nearly another, and the words say what differs."""
    source = "Staff must answer every letter within two weeks. Visitors may bring small dogs on a lead."
    evidence = [{"id": "C1", "text": source}]
    claims = [
        {"text": "Letters are answered.", "citation_ids": ["C1"], "quote": "answer every letter within two weeks"},
        {"text": "Dogs may come.", "citation_ids": ["C1"], "quote": "Visitors may bring Small Dogs on a lead"},
        {"text": "Cats may come.", "citation_ids": ["C1"], "quote": "cats are welcome in every single room here"},
    ]
    verbatim, near, nowhere = shown(store_of({"request_id": "r1", "claims": claims, "evidence": evidence}))

    assert marked(verbatim["cards"][0]["passage"], "quote") == "answer every letter within two weeks"
    assert marked(near["cards"][0]["passage"], "near") == "Visitors may bring small dogs on a lead"
    assert "letter case" in near["quotes"][0]["words"]
    assert nowhere["quotes"] == [
        {
            "text": "cats are welcome in every single room here",
            "match": "not_found",
            "words": "stands nowhere in the sources of this request",
        }
    ]


def test_an_id_that_means_nothing_has_no_passage(store_of: Callable[..., Path]) -> None:
    """Its card says so, with the hint that the registry gives."""
    path = store_of(
        {
            "request_id": "r1",
            "claims": [{"text": "The lamp weighs 40 grams.", "citation_ids": ["c1"]}],
            "evidence": [{"id": "C1", "text": "The lamp weighs 40 grams."}],
        }
    )
    (view,) = shown(path)

    (card,) = view["cards"]
    assert (view["label"], card["passage"]) == ("unresolvable", None)
    assert "No source of this request has this id" in card["warning"]
    structure, resolves, *later = view["stages"]["lines"][0]["cells"]
    assert (structure["word"], resolves["word"]) == ("fine", "unknown id")
    assert "C1" in resolves["reason"]
    assert {cell["word"] for cell in later} == {"not reached", "not labelled yet"}


def test_one_id_with_two_texts_shows_neither(store_of: Callable[..., Path]) -> None:
    """Showing one of them would be a guess."""
    path = store_of(
        {
            "request_id": "r1",
            "claims": [{"text": "The lamp weighs 40 grams.", "citation_ids": ["C1"]}],
            "evidence": [{"id": "C1", "text": "The lamp weighs 40 grams."}, {"id": "C1", "text": "Something else."}],
        }
    )
    (view,) = shown(path)

    assert view["cards"][0]["passage"] is None
    assert "two different texts" in view["cards"][0]["warning"]


def test_every_cited_span_has_a_card_and_a_line(store_of: Callable[..., Path]) -> None:
    """Two citations of one claim keep their own verdicts."""
    path = store_of(
        {
            "request_id": "r1",
            "claims": [{"text": "The lamp weighs 40 grams.", "citation_ids": ["C1", "C2"]}],
            "evidence": [
                {"id": "C1", "text": "The lamp weighs 40 grams.", "title": "Lamps", "uri": "https://l.example/a?b"},
                {"id": "C2", "text": "Trains run every hour on Sundays.", "uri": "javascript:alert(1)"},
            ],
        }
    )
    (view,) = shown(path)

    assert [card["label"] for card in view["cards"]] == ["supported", "irrelevant"]
    assert [(card["uri"], card["host"]) for card in view["cards"]] == [("https://l.example/a?b", "l.example"), ("", "")]
    assert [line["cite"] for line in view["stages"]["lines"]] == ["C1", "C2"]
    assert view["cards"][0]["title"] == "C1 · Lamps"
    assert "5 of 5 words read" in view["cards"][0]["meta"]


def test_a_span_that_does_not_match_its_source_is_not_marked(store_of: Callable[..., Path]) -> None:
    """Better no highlight than a wrong one."""
    path = store_of(
        {
            "request_id": "r1",
            "claims": [{"text": "The lamp weighs 40 grams.", "citation_ids": ["C1"]}],
            "evidence": [{"id": "C1", "text": "Hello. The lamp weighs 40 grams."}],
        }
    )
    with opened(path) as desk:
        (detail,) = details(desk)
    for start, end in ((0, 6), (5, 9999), (-4, 3)):
        span = detail.row.spans[0].model_copy(update={"start": start, "end": end})
        moved = detail.model_copy(update={"row": detail.row.model_copy(update={"spans": (span,)})})

        (card,) = passages.cards(moved)

        assert card["warning"] == "This span does not match its source, so nothing is highlighted."
        assert marked(card["passage"], "support") == ""


def test_of_a_long_source_the_surroundings_are_shown(store_of: Callable[..., Path]) -> None:
    """A megabyte does not reach the browser; how much is left out is said, and the mark stays exact."""
    filler = "Nothing of interest stands here. " * 8000
    path = store_of(
        {
            "request_id": "r1",
            "claims": [{"text": "The lamp weighs 40 grams.", "citation_ids": ["C1"]}],
            "evidence": [{"id": "C1", "text": f"{filler}The lamp weighs 40 grams. {filler}"}],
        }
    )
    (view,) = shown(path)

    (card,) = view["cards"]
    assert len(whole(card["passage"])) <= 4 * passages.WINDOW
    assert marked(card["passage"], "support").startswith("The lamp weighs 40 grams.")
    before, after = (int(card[side].split()[0].replace(",", "")) for side in ("before", "after"))
    assert before + len(whole(card["passage"])) + after == 2 * len(filler) + len("The lamp weighs 40 grams. ")


def test_the_draft_is_the_answer_with_its_changes_marked(store_of: Callable[..., Path]) -> None:
    """What is kept and what is removed are together the answer; nothing to change means no draft."""
    answer = "The lamp weighs 40 grams. [C1] It was made on Mars by robots. [C9]"
    evidence = [{"id": "C1", "text": "The lamp weighs 40 grams."}]
    fine, broken = shown(store_of({"request_id": "r1", "query": "q", "answer": answer, "evidence": evidence}))

    parts = broken["draft"]["parts"]
    assert "".join(text for text, kinds in parts if set(kinds) <= {"remove"}) == answer
    assert "made on Mars" in marked(parts, "remove")
    assert marked(parts, "gap")
    assert fine["draft"] == broken["draft"]
    assert fine["others_title"] == "The other claim of this answer"
    assert [other["current"] for other in fine["others"]] == [True, False]


def test_an_answer_that_should_not_be_given_says_so(store_of: Callable[..., Path]) -> None:
    """A failing number is reason enough to advise against the whole answer."""
    evidence = [{"id": "C1", "text": "A return ticket to the island costs 15 euros."}]
    wrong = {"text": "A return ticket to the island costs 30 euros.", "citation_ids": ["C1"]}
    right = {"text": "A return ticket to the island costs 15 euros.", "citation_ids": ["C1"]}
    bad, good = shown(
        store_of(
            {"request_id": "r1", "claims": [wrong], "evidence": evidence},
            {"request_id": "r2", "claims": [right], "evidence": evidence},
        )
    )

    assert "better no answer" in bad["advice"]
    assert good["advice"] == ""


def test_of_a_long_answer_the_surroundings_are_shown(store_of: Callable[..., Path]) -> None:
    """The claim stays marked, the draft says how much it leaves out, and far claims are counted, not listed."""
    sentences = [f"Lamp {number} stands in house {number} of the long road. " for number in range(1, 401)]
    answer = "".join(sentences)
    with opened(store_of({"request_id": "r1", "query": "q", "answer": answer, "evidence": []})) as desk:
        detail = details(desk)[50]
        view = claim_view.view(detail, desk.draft(detail))

    assert view["place"].startswith("claim 51 of 400")
    assert len(whole(view["answer"])) < len(answer)
    assert marked(view["answer"], "claim") == sentences[50].strip()
    assert view["others_title"] == "The other 399 claims of this answer"
    assert len(view["others"]) <= claim_view.MANY + 1


def test_qualifiers_are_found_as_whole_words_only() -> None:
    """The 3 of a claim is not the 3 inside 30."""
    row: Any = type("Row", (), {"qualifiers": (Qualifier(kind="number", claim="3", evidence="4", agrees=False),)})

    assert passages.comparisons(row, "30 of 13, then 3.", [(0, 17)], "claim") == [(15, 16, "diff")]
    assert passages.comparisons(row, "30 of 13, then 3.", [(0, 10)], "claim") == []


def test_an_unknown_claim_says_so() -> None:
    """The sentence names the claim that the link asked for."""
    assert claim_view.missing("abc", "x")["missing"] == "Claim abc is not in this store."


@pytest.mark.parametrize("label", [*Label, None])
def test_every_claim_of_the_sample_can_be_shown(sample: Path, label: Label | None) -> None:
    """No text is lost or doubled by cutting it into pieces, whatever the verdict."""
    with opened(sample) as desk:
        name = desk.store.protocols()[0].name
        page = desk.store.claim_page(ClaimFilter(protocol=name, labels=(label,)), 200)
        for item in page.items:
            detail = desk.store.claim(item.claim_uid, name)
            assert detail is not None
            view = claim_view.view(detail, desk.draft(detail))
            texts = {entry.id: entry.text for entry in detail.answer.evidence}
            assert view["answer"] is None or whole(view["answer"]) == detail.answer.answer
            for span, card in zip(detail.row.spans, view["cards"], strict=True):
                assert card["passage"] is None or whole(card["passage"]) == texts[span.cite]


def test_what_was_not_judged_is_said_in_words(store_of: Callable[..., Path]) -> None:
    """A claim in another script is no label and no score: its kind of failure is said, with what to do."""
    path = store_of(
        {
            "request_id": "r1",
            "claims": [{"text": "灯の重さは40グラムです。", "citation_ids": ["C1"]}],
            "evidence": [{"id": "C1", "text": "The lamp weighs forty grams and is made of brass."}],
        }
    )
    (view,) = shown(path)

    said = "".join(text for text, _ in view["why"])
    assert (view["label"], view["cards"][0]["scores"]) == ("none", [])
    assert said.startswith("Not judged: the judge cannot read this text, ask another judge.")
    assert view["stages"]["lines"][0]["cells"][3]["word"] == "not judged"
    assert ("C1", "not judged") in view["scores"]


def test_a_second_hand_statement_names_whom_it_is_from(store_of: Callable[..., Path]) -> None:
    """The attribution is marked in the passage; the claim itself is not marked as wrong."""
    claim = "Half of the bees died in winter."
    path = store_of(
        {
            "request_id": "r1",
            "claims": [{"text": claim, "citation_ids": ["C1"]}],
            "evidence": [{"id": "C1", "text": "The Daily Herald reported that half of the bees died in winter."}],
        }
    )
    (view,) = shown(path)

    assert view["label"] == "secondary_only"
    assert "takes this from The Daily Herald reported that" in "".join(text for text, _ in view["why"])
    assert marked(view["alone"], "diff") == ""
    assert marked(view["cards"][0]["passage"], "diff") == "The Daily Herald reported that"


def test_what_agrees_is_marked_too(store_of: Callable[..., Path]) -> None:
    """In both texts, differently from what differs."""
    text = "A return ticket to the island costs 30 euros."
    path = store_of(
        {
            "request_id": "r1",
            "claims": [{"text": text, "citation_ids": ["C1"]}],
            "evidence": [{"id": "C1", "text": f"Dear guest. {text} Welcome."}],
        }
    )
    (view,) = shown(path)

    assert marked(view["alone"], "same") == marked(view["cards"][0]["passage"], "same") == "30 euros"
    assert {one["agrees"] for one in view["seen"]["compared"]} == {"agree"}
