"""Citation notations: what is a marker, which ids it names, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import markers, plugins
from core.markers._all import _notations, _possible, find_all, removed
from core.markers._prose import code_spans, prose

PIECES = [
    *(
        "[1]",
        "[",
        "]",
        "(",
        ")",
        "【4:0†s】",
        "【1】",
        "[C1]",
        "[a:b1]",
        "[^1]",
        "[@k]",
        "[Source 2]",
        "[[1]](http://x)",
    ),
    *("`", "```", "~~~", "\n", "\r\n", " ", ",", ";", "-", "–", "x.", "2011", "[2011]", "é", "👩‍👩‍👧"),
    *("\ue200", "\ue201", "cite", "turn0search1"),
    *(
        "¹",
        "²,³",
        "m²",
        "<sup>1</sup>",
        "(Ek et al., 2011; Lee, 2021)",
        "(Lee, 2021)",
        "[source]",
        "(cite C1)",
        "$",
        "\\(",
    ),
    *("<cite>C1</cite>", '<cite index="1-2">', "</cite>", "<co: 0>", "</co: 0>", "[cite_start]", "Source: "),
    *("[The survey](https://w.example/a)", "https://w.example/a", "doi:10.5555/ab", "[^1]: C1", "<code>", "</code>"),
]
pieces = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


def named(text: str, *known: str) -> list[tuple[str, tuple[str, ...]]]:
    """The markers of a text, as written, with their ids."""
    return [(text[found.start : found.end], found.ids) for found in find_all(text, frozenset(known))]


@pytest.mark.parametrize("name", plugins.names(markers))
class TestContract:
    """Every file in core/markers keeps these, also those not yet written."""

    def test_it_finds_its_example(self, name: str) -> None:
        """The example is one marker, at its exact place, and named in words."""
        module = plugins.load(markers, name)
        text = f"Café 👩‍👩‍👧 boils at 93 °C {module.EXAMPLE}. So it does."
        found = module.find(text)

        assert module.__doc__
        assert [text[one.start : one.end] for one in found] == [module.EXAMPLE]
        assert all(one.ids or one.leaked for one in found)

    @pytest.mark.parametrize("code", ["`{}`", "``a ` {}``", "```\n{}\n```", "~~~js\nx = {}\n~~~", "```\nunclosed {}"])
    def test_code_holds_no_marker(self, name: str, code: str) -> None:
        """A marker shown in code is not a citation."""
        module = plugins.load(markers, name)

        assert module.find(f"Text.\n\n{code.format(module.EXAMPLE)}") == []

    @pytest.mark.parametrize(
        "text", ["", "Okoro et al. [2011] measured.", "[sic] [x] [ ] [...]", "In [1990-1995], 12:30."]
    )
    def test_years_and_ordinary_brackets_are_none(self, name: str, text: str) -> None:
        """A year is a date, and a bracketed remark is text."""
        assert plugins.load(markers, name).find(text) == []

    @given(pieces)
    def test_markers_are_in_order_and_apart(self, name: str, text: str) -> None:
        """Whatever the text, markers lie inside it, follow each other and never overlap."""
        at = 0
        for one in plugins.load(markers, name).find(text):
            assert at <= one.start < one.end <= len(text)
            at = one.end


@given(pieces)
def test_no_notation_is_missed_for_speed(text: str) -> None:
    """Only the notations are asked whose signs or brackets a text has; no other one finds anything in it."""
    asked = _possible(prose(text))

    assert not [module.__name__ for module in _notations() if module not in asked and module.find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a [1][2] b", [("[1]", ("1",)), ("[2]", ("2",))]),
        ("a [1, 2;3] b", [("[1, 2;3]", ("1", "2", "3"))]),
        ("a [2-4] b", [("[2-4]", ("2", "3", "4"))]),
        ("a [2–4, 7] b", [("[2–4, 7]", ("2", "3", "4", "7"))]),
        ("a [156-9] b", [("[156-9]", ("156", "157", "158", "159"))]),
        ("a [1, p. 3–4] b", [("[1, p. 3–4]", ("1",))]),
        ("水は沸騰する【1】。", [("【1】", ("1",))]),
        ("a [E2, E4,E7] b", [("[E2, E4,E7]", ("E2", "E4", "E7"))]),
        ("a [C1–C3] b", [("[C1–C3]", ("C1", "C2", "C3"))]),
        ("a [Source 5] b", [("[Source 5]", ("Source 5",))]),
        ("a [Sources 2, 3] b", [("[Sources 2, 3]", ("Source 2", "Source 3"))]),
        ("a [citation:1]. b", [("[citation:1]", ("citation:1",))]),
        ("a [doc:chunk] b", [("[doc:chunk]", ("doc:chunk",))]),
        ("a [9f2c:p4.0-812] b", [("[9f2c:p4.0-812]", ("9f2c:p4.0-812",))]),
        ("a [9f2c:] [:p4.0] b", [("[9f2c:]", ("9f2c:",)), ("[:p4.0]", (":p4.0",))]),
        ("a[^1] b [@k2, p. 3; @m] me@x.example", [("[^1]", ("1",)), ("[@k2, p. 3; @m]", ("k2", "m"))]),
        (
            "a [ [[1]](https://w.example/a)](https://w.example/a).",
            [("[ [[1]](https://w.example/a)](https://w.example/a)", ("1",))],
        ),
        ("It works![1](https://w.example)", [("[1](https://w.example)", ("1",))]),
        ("Vitamin C[1] and the data[2] agree.", [("[1]", ("1",)), ("[2]", ("2",))]),
        ("a [1]–[3] b", [("[1]–[3]", ("1", "2", "3"))]),
        ("a[^1^][^2^] b", [("[^1^]", ("1",)), ("[^2^]", ("2",))]),
        ("It rose.¹ Levels¹,² and tides¹⁻³.", [("¹", ("1",)), ("¹,²", ("1", "2")), ("¹⁻³", ("1", "2", "3"))]),
        ("It rose<sup>1</sup> by 5 m<sup>2</sup>.", [("<sup>1</sup>", ("1",))]),
        (
            "a (Smith et al., 2020; Lee, 2021) b",
            [("(Smith et al., 2020; Lee, 2021)", ("Smith et al., 2020", "Lee, 2021"))],
        ),
        (
            "a (see Ek & Lind, 2020a, 2020b, p. 4)",
            [("(see Ek & Lind, 2020a, 2020b, p. 4)", ("Ek & Lind, 2020a", "Ek & Lind, 2020b"))],
        ),
        ("a (Ek, 2011, p. 4) b (Ek, 2011)", [("(Ek, 2011, p. 4)", ("Ek, 2011",)), ("(Ek, 2011)", ("Ek, 2011",))]),
        ("a [doc_12] b", [("[doc_12]", ("doc_12",))]),
        ("a [Lee, 2021] b", [("[Lee, 2021]", ("Lee, 2021",))]),
        ("a (cite C1, C2) b", [("(cite C1, C2)", ("C1", "C2"))]),
        ("a (source: C1) (Source 5) b", [("(source: C1)", ("C1",)), ("(Source 5)", ("Source 5",))]),
        ("a \\citep[p. 3]{k, m2} b", [("\\citep[p. 3]{k, m2}", ("k", "m2"))]),
        ("a <cite>C1</cite> <ref id=C2/> b", [("<cite>C1</cite>", ("C1",)), ("<ref id=C2/>", ("C2",))]),
        (
            "[The survey](https://w.example/a_(b)) says",
            [("[The survey](https://w.example/a_(b))", ("https://w.example/a_(b)",))],
        ),
        ("a https://w.example/a. b", [("https://w.example/a", ("https://w.example/a",))]),
        ("a (https://w.example/a_(b)) b", [("https://w.example/a_(b)", ("https://w.example/a_(b)",))]),
        ("a <https://w.example/> b", [("<https://w.example/>", ("https://w.example/",))]),
        ("a doi:10.5555/ab.c, b", [("doi:10.5555/ab.c", ("10.5555/ab.c",))]),
    ],
)
def test_notations(text: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    """Each notation is read whole, ids as written and in order."""
    assert expected == named(text)


@pytest.mark.parametrize(
    "text",
    [
        "first = items[0] and x[1], arr[2], my_list[3], firstItem[4]",
        "foo[1] = 3; obj[1].name",
        "Water is H[2]O and tr[1]al a typo.",
        "values = [1, 2, 3]",
        "The root \\sqrt[3]{x} lies in [0, 1].",
        "Sodium is 70 [70-110] or [3-1].",
        "See ![1](/a.png).",
        "[1]: https://w.example\n[^1]: a note",
        "At [10:30] and [1:] and [note:see].",
        "The liquid [EMIM][TfO] is toxic.",
        "5 km² of 10⁶ ions Cu²⁺ and ²³⁵U, x² and f(x)², 3 metres² or 4 m<sup>2</sup>.",
        "In (Paris, 2015), (March 2020), (Lee, 2021) and (2021). Lee et al. (2021) agree.",
        "He read <cite>Moby Dick</cite> (source: Reuters) (Source: 2020).",
        "Let $x[1]$, \\(y [2]\\), \\[z [3]\\] and $$w_{[4]}$$, <code>a [5]</code>.",
        "Host 10.1.2.3/24 and ratio 10.5 / 2.",
    ],
)
def test_what_is_no_marker(text: str) -> None:
    """Subscripts, literals, intervals, ranges of values, images, definitions, times and formulas are text."""
    assert named(text) == []


def test_a_bracket_with_a_known_id_is_a_marker_whatever_it_looks_like() -> None:
    """The registry decides: even a year or a formula may be an id."""
    assert named("Toxic [EMIM] since [2011].", "EMIM", "2011") == [("[EMIM]", ("EMIM",)), ("[2011]", ("2011",))]
    assert named("Both agree [S4 S9].", "S4", "S9") == [("[S4 S9]", ("S4", "S9"))]
    assert named("Both agree [lopez, smith2].", "lopez") == [("[lopez, smith2]", ("lopez", "smith2"))]


def test_a_known_id_in_another_case_stays_as_written() -> None:
    """It is a marker, so that the registry can refuse it with a hint."""
    assert named("Fine [doc 1].", "Doc1") == [("[doc 1]", ("doc 1",))]


def test_a_word_and_number_means_the_number_where_only_that_is_known() -> None:
    """``[Source 5]`` names "5" in a registry that numbers its entries, and "Source 5" in one that names them."""
    assert named("a [Source 5]", "5") == [("[Source 5]", ("5",))]
    assert named("a [Source 5]", "5", "Source 5") == [("[Source 5]", ("Source 5",))]


def test_money_is_no_mathematics() -> None:
    """Between two dollar signs citations still count."""
    assert named("It costs $5 [1] and $6 [2].") == [("[1]", ("1",)), ("[2]", ("2",))]


def test_author_and_year_name_a_known_key() -> None:
    """Also in running text, where a year in brackets is only a date otherwise."""
    text = "Okoro et al. [2011] measured 14 wells (Lee, 2021)."

    assert named(text, "okoro2011", "Lee 2021") == [("[2011]", ("okoro2011",)), ("(Lee, 2021)", ("Lee 2021",))]
    assert named("a (Okoro et al., 2011) b", "Okoro2011", "okoro2011") == [
        ("(Okoro et al., 2011)", ("Okoro et al., 2011",))
    ]


def test_a_definition_says_which_id_is_meant() -> None:
    """A footnote that is defined as a known id or address names it; the definition itself cites nothing."""
    text = "It rose.[^1] It fell [2].\n\n[^1]: C7\n[2]: https://w.example/z"

    assert named(text, "C7", "https://w.example/z") == [("[^1]", ("C7",)), ("[2]", ("https://w.example/z",))]
    assert named(text, "C1") == [("[^1]", ("1",)), ("[2]", ("2",))]


def test_an_address_names_the_one_id_of_its_source() -> None:
    """And a DOI the id that writes the same DOI in another way."""
    found = find_all("It rose https://w.example/a.", frozenset({"C1"}), {"https://w.example/a": "C1"})

    assert [one.ids for one in found] == [("C1",)]
    assert named("It rose (doi:10.5555/AB).", "https://doi.org/10.5555/ab") == [
        ("doi:10.5555/AB", ("https://doi.org/10.5555/ab",))
    ]


@pytest.mark.parametrize("raw", ["[citation needed]", "[source]", "[insert citation]", "[?]"])
def test_placeholders_are_leaked(raw: str) -> None:
    """A citation that never came is reported."""
    assert [one.leaked for one in find_all(f"It runs {raw}.")] == [True]


def test_tags_cite_what_stands_between_them() -> None:
    """The closing tag names the ids; the opening one belongs to what follows it."""
    text = 'It was shut. <cite index="1-17,1-18">The fee is 9. It rose.</cite>'
    opening, closing = find_all(text)

    assert (opening.ids, opening.opening, closing.ids) == ((), True, ("1-17", "1-18"))
    assert closing.covers is not None
    assert text[slice(*closing.covers)] == "The fee is 9. It rose."


RAW = (
    "【4:0†source】",
    "[4:0†manual.pdf]",
    "\ue200cite\ue202turn0search1\ue201",
    "citeturn0search1",
    ":contentReference[oaicite:0]{index=0}",
)


@pytest.mark.parametrize("raw", RAW)
def test_raw_vendor_markers_are_leaked(raw: str) -> None:
    """What no registry knows is a leaked marker, whole, and names nothing."""
    text = f"The warranty runs 24 months{raw}."
    found = find_all(text, frozenset({"C1"}))

    assert [(text[one.start : one.end], one.ids, one.leaked) for one in found] == [(raw, (), True)]


@pytest.mark.parametrize(
    ("raw", "cite"), [(RAW[0], "4:0"), (RAW[1], "4:0"), (RAW[2], "turn0search1"), (RAW[4], "oaicite:0")]
)
def test_raw_vendor_markers_with_known_ids_cite(raw: str, cite: str) -> None:
    """With its id in the registry a vendor's marker is a citation."""
    found = find_all(f"It runs{raw}.", frozenset({cite}))

    assert [(one.ids, one.leaked) for one in found] == [((cite,), False)]


@given(pieces)
def test_all_notations_together_never_overlap(text: str) -> None:
    """The longest of overlapping readings is kept, and order is that of the text."""
    at = 0
    for one in find_all(text, frozenset({"1", "a:b1"})):
        assert at <= one.start < one.end <= len(text)
        at = one.end


def test_code_spans_pair_equally_long_runs() -> None:
    """An inline span ends at a run of the same length, never across a blank line."""
    assert code_spans("a `b` ``c ` d`` `e\n\nf`") == [(2, 5), (6, 15)]


@given(st.text(alphabet="`~\n a", max_size=60))
def test_prose_keeps_length_and_blanks_only_code(text: str) -> None:
    """Offsets stay; outside code nothing changes."""
    kept = prose(text)

    assert len(kept) == len(text)
    assert all(a in (b, "\0") for a, b in zip(kept, text, strict=True))


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Rose by 12 % [1][2].", "Rose by 12 %."),
        ("Rose [1], [2] and [3] by 12 %.", "Rose by 12 %."),
        ("Rose ([1]).", "Rose."),
        ("Rose (see [1], [2]).", "Rose."),
        ("Rose (by 12 % [1]).", "Rose (by 12 %)."),
        ("Rose ([Met](https://w.example/a)).", "Rose."),
        ("Rose on 11 days [Met](https://w.example/a).", "Rose on 11 days."),
        ("As [Met](https://w.example/a) and [Wet](https://w.example/b) say.", "As Met and Wet say."),
        ("See https://w.example/a for it.", "See https://w.example/a for it."),
        ("Rose. Source: https://w.example/a", "Rose."),
        ("[cite_start]Rose [cite: 1]. [cite_start]Fell [cite: 2].", "Rose. Fell."),
    ],
)
def test_what_goes_with_a_marker(text: str, rest: str) -> None:
    """Joining marks, blanks before it, and parentheses that would stand empty."""
    left, kept = 0, ""
    for start, end in removed(text, find_all(text)):
        kept, left = kept + text[left:start], end

    assert rest == kept + text[left:]


def test_a_page_is_where_in_the_source() -> None:
    """What follows a number and is no number of its own is kept as the place in that source."""
    found = find_all("Steep [1, p. 3–4]. Flat [2: §12]. Wide [3, 5].", frozenset({"1", "2", "3", "5"}))

    assert [(marker.ids, marker.locator) for marker in found] == [
        (("1",), "p. 3–4"),
        (("2",), "§12"),
        (("3", "5"), None),
    ]
