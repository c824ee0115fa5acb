"""Sentences: exact stretches of the text, with their citation markers."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blocks import Kind
from core.markers._all import find_all
from core.sentences import WINDOW, sentences, units

PIECES = [
    *(
        "[1]",
        "[C1]",
        "(",
        ")",
        "“",
        "”",
        '"',
        "`",
        "```\n",
        "A.",
        "e.g. ",
        "12 %.",
        "The ",
        "ends. ",
        "文。",
        "é",
        "👩‍👩‍👧",
    ),
    *("[cite_start]", '<cite id="1">', "</cite>", "[The X. Y](https://w.example/a)", "https://w.example/a", "Source: "),
    *(
        "\n",
        "\n\n",
        "\r\n",
        "\u2028",
        " ",
        "- ",
        "1. ",
        "> ",
        "| a | b |\n",
        "|---|---|\n",
        "# H\n",
        "---",
        "**B**",
        "… ",
    ),
]


def cut(text: str) -> list[str]:
    """The sentences as they stand."""
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["It rose by 12 %.[1][2]", "Then it fell."],
        ["He left. [1]", "She stayed [2]."],
        ["[1] He left.", "She stayed."],
        ["Apex Inc. Europe opened a lab.", "It has 12 rooms."],
        ["Send it to K. Adeyemi before noon.", "Keep a copy."],
        ["The layout follows Fig. [3] closely.", "Rules are in sec. [4.2] only."],
        ['She told them, "The well is dry."', "They dug another."],
        ["See e.g. the U.S. report of 2011.", "It is long."],
        ["Is it open?", "Yes!", "It opens at 9 a.m. on Sundays."],
        ["Il prit le reste ..", "Enfin il partit."],
        ['A 5" pipe fits.', 'A 6" pipe does not.'],
        ["Call `a.b. C` twice.", "Then stop."],
        ["Then it fell.", "It rose. Source: [1]"],
        ["[cite_start]Tea grows [cite: 1].", "[cite_start]So does rye [cite: 2]."],
        ['<cite index="1">Tea grows.', "So does rye.</cite>", "Oats do not."],
        ["It rose.¹", "[The U.S. Survey. Part 2](https://w.example/a) says so.", "See https://w.example/b.c."],
    ],
)
def test_sentence_ends(expected: list[str]) -> None:
    """Abbreviations, initials, quotations, code and markers do not mislead the splitter."""
    assert expected == cut(" ".join(expected))


def test_a_full_stop_without_a_blank() -> None:
    """Ideographic full stops need none, full-width decimals are no ends, and a marker may stand in for the blank."""
    assert cut("駅は閉鎖された。【1】気圧は１．０２でした。") == ["駅は閉鎖された。【1】", "気圧は１．０２でした。"]
    assert cut("Use 3.5 mg.[1]Then stop.") == ["Use 3.5 mg.[1]", "Then stop."]


def test_a_soft_wrap_does_not_end_a_sentence() -> None:
    """A line that plainly goes on keeps its condition; a line that stands alone ends."""
    wrapped = "The survey covered 310 farms in the\nnorthern district only."

    assert cut(f"{wrapped} It ended in June.") == [wrapped, "It ended in June."]
    assert cut("The desk opens at 9 [1]\nIt closes at 17 [2]") == ["The desk opens at 9 [1]", "It closes at 17 [2]"]
    assert cut("The survey covered 310 farms in\nNorway only.") == ["The survey covered 310 farms in\nNorway only."]


def test_blocks_are_apart() -> None:
    """Headings, paragraphs, list items, rows and code each stand on their own; bullets are no text."""
    text = (
        "# Fees\nAdults pay 9 euros. [1]\n\nOpening hours\n\n- From 9 to 5\n  on weekdays\n- Closed\n2. Bring a card.\n"
        "\n```\ncode. More code.\n```\n| Item | Mass |\n|---|---|\n| Bolt | 12 g [2] |\nBoth are steel.\n\n---\nEnd."
    )

    assert cut(text) == [
        "# Fees",
        "Adults pay 9 euros. [1]",
        "Opening hours",
        "From 9 to 5\n  on weekdays",
        "Closed",
        "Bring a card.",
        "| Item | Mass |",
        "| Bolt | 12 g [2] |",
        "Both are steel.",
        "End.",
    ]


def test_what_kind_a_unit_is() -> None:
    """A header row and an underlined line are headings; what follows "Sources:" is a list of sources."""
    text = "Fees\n====\n| Item | Mass |\n|---|---|\n| Nut | 5 g |\n**Note**\nIt is steel.\n\nSources:\n- Smith: A book."
    kinds = [(text[start:end], kind) for start, end, kind in units(text, [])]

    assert kinds == [
        ("Fees", Kind.HEADING),
        ("| Item | Mass |", Kind.HEADING),
        ("| Nut | 5 g |", Kind.ROW),
        ("**Note**", Kind.HEADING),
        ("It is steel.", Kind.SENTENCE),
        ("Sources:", Kind.HEADING),
        ("Smith: A book.", Kind.REFERENCE),
    ]


@pytest.mark.parametrize(
    ("end", "kind"),
    [
        ("[1] Ek, A. Lakes. https://w.example/a\n[2] Lee, B. Ice.\n", Kind.REFERENCE),
        ("[^1] Ek, A. Lakes.", Kind.REFERENCE),
        ("[3] It froze in 1963.", Kind.SENTENCE),
    ],
)
def test_references_at_the_end_need_no_heading(end: str, kind: Kind) -> None:
    """Lines that open with a bracket of the text above are its list of sources."""
    text = f"It is 40 m deep [1]. So say all[^1].\n\n{end}"

    assert {one.kind for one in units(text, find_all(text)) if one.start >= 38} == {kind}


def test_a_line_of_markers_belongs_to_the_sentence_before() -> None:
    """A marker in a paragraph of its own cites what stands above it."""
    assert cut("He left.\n\n[1][2]\n\nShe stayed.") == ["He left.\n\n[1][2]", "She stayed."]


def test_repeated_sentences_have_their_own_places() -> None:
    """Equal text, different offsets, in order."""
    assert sentences("Rinse twice. Rinse twice.") == [(0, 12), (13, 25)]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_text_is_cut_without_loss(text: str) -> None:
    """Spans are in order, apart, trimmed, and none begins or ends inside a marker."""
    at = 0
    markers = find_all(text)
    for start, end in sentences(text):
        assert at <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        assert not any(one.start < border < one.end for one in markers for border in (start, end))
        at = end


def test_windows_do_not_end_sentences() -> None:
    """Sentences across the detector's window come out as without it."""
    one = "The ferry leaves the harbour at noon on Sundays."
    text = " ".join([one] * 300)

    assert len(text) > 3 * WINDOW
    assert cut(text) == [one] * 300


@pytest.mark.parametrize(
    "text", ["y" * 400_000, "a " * 30_000, "`" * 50_000, "(" * 20_000 + "a. " * 5000, "[1]" * 20_000]
)
def test_strange_texts_take_seconds_not_hours(text: str) -> None:
    """Time grows with the length, whatever the text."""
    began = time.process_time()
    sentences(text)

    assert time.process_time() - began < 5
