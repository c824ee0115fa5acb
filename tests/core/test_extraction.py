"""Answers → claims: given ones untouched, prose sentence by sentence, every place exact."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.extraction import claims
from core.models import Answer, AnswerMatch, Claim, Evidence, GivenClaim
from core.text import fold_white


def answer(
    text: str | None, *given_claims: GivenClaim, known: tuple[str, ...] = ("C1", "C2"), query: str = ""
) -> Answer:
    """An answer over a small registry; without given claims the prose makes them."""
    evidence = tuple(Evidence(id=cite, text=f"Text of {cite}") for cite in known)
    return Answer(request_id="r", query=query, answer=text, claims=given_claims or None, evidence=evidence)


def only(found: tuple[Claim, ...]) -> Claim:
    """The one claim that is expected."""
    assert len(found) == 1
    return found[0]


def test_prose_makes_a_claim_of_every_sentence() -> None:
    """Headings make none; what states nothing stays in, not material; markers are cut off and cited."""
    text = "# Fees\nHello! Adults pay 9 euros.[C1][C2] Children pay 5 euros [C1]."
    found = claims(answer(text))

    assert [(one.claim_id, one.text, one.cites, one.material) for one in found] == [
        ("c1", "Hello!", (), False),
        ("c2", "Adults pay 9 euros.", ("C1", "C2"), True),
        ("c3", "Children pay 5 euros.", ("C1",), True),
    ]
    assert [(one.start, one.end) for one in found] == [(7, 13), (14, 33), (42, 68)]
    assert found[2].fragments == ((42, 62), (67, 68))


def test_a_marker_after_the_stop_belongs_to_the_sentence_before() -> None:
    """Also behind a closing quotation mark."""
    text = 'The notice says "Bridge shut until Friday."[C1] Repairs cost 90,000 crowns.[C2]'
    found = claims(answer(text))

    assert [(one.text, one.cites, one.quotes) for one in found] == [
        ('The notice says "Bridge shut until Friday."', ("C1",), ("Bridge shut until Friday.",)),
        ("Repairs cost 90,000 crowns.", ("C2",), ()),
    ]


def test_ids_are_cited_once_in_order() -> None:
    """``[C2][C1][C2]`` is two citations."""
    assert only(claims(answer("It rose [C2] by 12 % [C1][C2]."))).cites == ("C2", "C1")


def test_table_rows_cite_their_own_markers() -> None:
    """The header and the rule are no claims."""
    found = claims(answer("| City | Rain |\n|---|---|\n| Bergen | 2,250 mm [C2] |\n| Oslo | 800 mm [C1] |"))

    assert [(one.text, one.cites) for one in found] == [
        ("| Bergen | 2,250 mm |", ("C2",)),
        ("| Oslo | 800 mm |", ("C1",)),
    ]


def test_a_raw_vendor_marker_is_leaked_unless_known() -> None:
    """It cites nothing, but is kept beside the claim."""
    leaked = only(claims(answer("The rate was 78 %. 【4:0†source】")))
    known = only(claims(answer("The rate was 78 %. 【4:0†source】", known=("4:0",))))

    assert (leaked.text, leaked.cites, leaked.leaked) == ("The rate was 78 %.", (), ("【4:0†source】",))
    assert (known.cites, known.leaked) == (("4:0",), ())


def test_a_tag_cites_every_sentence_inside_it() -> None:
    """Both sentences of a tagged stretch have its id, the one before it has none."""
    found = claims(answer('It was shut. <cite id="C1">Adults pay 9 euros. It rose.</cite>'))

    assert [(one.text, one.cites) for one in found] == [
        ("It was shut.", ()),
        ("Adults pay 9 euros.", ("C1",)),
        ("It rose.", ("C1",)),
    ]


def test_a_link_to_the_source_of_one_entry_cites_it() -> None:
    """The title stays in the sentence that needs it; an address that two entries share names neither."""
    link = "https://w.example/a"
    entries = (Evidence(id="C1", text="x", uri=link), Evidence(id="C2", text="y"))
    text = f"According to [the survey]({link}), it rose."

    def cites(*evidence: Evidence) -> tuple[str, ...]:
        return only(claims(Answer(request_id="r", answer=text, evidence=evidence))).cites

    assert only(claims(Answer(request_id="r", answer=text))).text == "According to the survey, it rose."
    assert cites(*entries) == ("C1",)
    assert cites(*entries, Evidence(id="C3", text="z", uri=link)) == (link,)


def test_a_sentence_with_two_facts_makes_two_claims() -> None:
    """Each is made of words of the answer and has all citations; given claims stay whole."""
    text = "The rule covers both buses and trams [C1]."
    found = claims(answer(text))

    assert [(one.text, one.cites, one.fragments) for one in found] == [
        ("The rule covers buses.", ("C1",), ((0, 16), (21, 26), (41, 42))),
        ("The rule covers trams.", ("C1",), ((0, 16), (31, 36), (41, 42))),
    ]
    assert len(claims(answer(text, GivenClaim(text="The rule covers both buses and trams.")))) == 1


def test_a_claim_says_whom_its_pronoun_may_mean() -> None:
    """As a note: the claim's words stay the answer's."""
    found = claims(answer("Lena rents a bench. She paid 8 euros."))

    assert [one.notes for one in found] == [(), ("“She” may be “Lena” of the sentence before",)]
    assert found[1].text == "She paid 8 euros."


def test_given_claims_are_never_split_again() -> None:
    """Two sentences in one given claim stay one; text and citations are as written, doubles apart."""
    one = GivenClaim(text="It rose. It fell.", citation_ids=("C2 ", "C1", "C2 "))
    found = only(claims(answer("It rose. It fell. [C1]", one)))

    assert (found.text, found.cites, found.fragments) == ("It rose. It fell.", ("C2 ", "C1"), ((0, 17),))
    assert found.answer_match is AnswerMatch.EXACT


def test_blank_ids_are_dropped_and_noted() -> None:
    """A claim left with none is uncited."""
    found = only(claims(answer(None, GivenClaim(text="It weighs 2 t.", citation_ids=("", "  ")))))

    assert found.cites == ()
    assert found.notes == ("Blank citation ids dropped: 2",)


def test_markers_in_a_given_text_count_when_no_ids_are_given() -> None:
    """The text says what it cites."""
    found = only(claims(answer(None, GivenClaim(text="It weighs 2 t [C2]."))))

    assert (found.text, found.cites) == ("It weighs 2 t [C2].", ("C2",))
    assert found.notes == ("The citations were read from the claim's own text",)


def test_a_given_claim_across_markers_has_fragments() -> None:
    """Its hull reaches from the first to the last."""
    text = "So: it was 191 in 2025 [C1], after 212 in 2024 [C2]."
    found = only(claims(answer(text, GivenClaim(text="it was 191 in 2025, after 212 in 2024."))))

    assert (found.start, found.end) == (4, 52)
    assert [text[a:b] for a, b in found.fragments] == ["it was 191 in 2025", ", after 212 in 2024", "."]


def test_a_claim_that_is_nearly_in_the_answer_has_no_place() -> None:
    """Curly for straight is a near match; nothing of the answer is taken for the claim."""
    found = only(claims(answer("The customer’s fee is 9 euros.", GivenClaim(text="The customer's fee is 9 euros."))))

    assert (found.answer_match, found.start, found.end, found.fragments) == (AnswerMatch.NEAR, None, None, ())
    assert found.notes == ("Only nearly in the answer: curly quotes or punctuation",)


def test_missed_prose_is_added_after_the_given_claims() -> None:
    """Only material sentences, flagged, with their own citations."""
    text = "Hello! Adults pay 9 euros. [C1] Children pay 5 euros. [C2] I hope this helps!"
    found = claims(answer(text, GivenClaim(text="Adults pay 9 euros.", citation_ids=("C1",))))

    assert [(one.text, one.cites, one.flags) for one in found] == [
        ("Adults pay 9 euros.", ("C1",), ("number",)),
        ("Children pay 5 euros.", ("C2",), ("number", "from_prose")),
    ]


def test_atomic_claims_cover_the_sentence_they_came_from() -> None:
    """A sentence taken apart into its facts is not missed, also when no fact stands in it word for word."""
    text = "Marie Curie, born in Warsaw in 1867, won two Nobel Prizes."
    facts = ("Marie Curie was born in Warsaw.", "Marie Curie was born in 1867.", "Marie Curie won two Nobel Prizes.")

    assert len(claims(answer(text, *(GivenClaim(text=fact) for fact in facts)))) == 3


@pytest.mark.parametrize(
    ("given_text", "added"),
    [
        ("The museum rose to 12 rooms", 1),
        ("The museum rose to 12 rooms and sold 900 more tickets", 0),
        ("The library closed in 1968.", 1),
    ],
)
def test_half_a_sentence_is_no_cover(given_text: str, added: int) -> None:
    """A number that no given claim speaks of is missed; a lead-in alone is not."""
    text = "According to the report, The museum rose to 12 rooms and sold 900 more tickets."

    assert len(claims(answer(text, GivenClaim(text=given_text)))) == 1 + added


def test_an_empty_list_of_claims_covers_nothing() -> None:
    """Claims were given, none: all material prose is added."""
    empty = Answer(request_id="r", answer="Hello! It weighs 2 t.", claims=())

    assert [(one.text, one.flags) for one in claims(empty)] == [("It weighs 2 t.", ("number", "from_prose"))]


def test_claim_ids_are_unique() -> None:
    """Given ids stay; one that returns gets a suffix and a note; made ones step aside."""
    given_claims = [GivenClaim(text=f"Fact {n}.", claim_id=name) for n, name in enumerate(["x", "x", None, "c3"])]
    found = claims(answer(None, *given_claims))

    assert [one.claim_id for one in found] == ["x", "x-2", "c3-2", "c3"]
    assert [one.notes for one in found] == [(), ("The claim id 'x' was given before",), (), ()]


def test_the_log_may_say_what_is_material() -> None:
    """Else the rules do, for given claims too: an honest refusal is none."""
    refusal = "No statement on the deposit appears in the material I was given."

    assert not only(claims(answer(None, GivenClaim(text=refusal)))).material
    assert only(claims(answer(None, GivenClaim(text=refusal, material=True)))).material


def test_given_and_written_quotations_are_joined() -> None:
    """The same words twice are one quotation, and quotations are flagged."""
    one = GivenClaim(text="He wrote “the lock opens at noon”.", quotes=("the lock  opens at noon", "", "at noon"))
    found = only(claims(answer(None, one)))

    assert found.quotes == ("the lock  opens at noon", "at noon")
    assert "quotation" in only(claims(answer(None, GivenClaim(text="It opens.", quotes=("at noon",))))).flags


WORDS = [
    "The lock",
    "opens at 9.",
    "It",
    "rose 12 %",
    "e.g. this",
    "“we say so now”",
    "é",
    "👩‍👩‍👧",
    "\n\n",
    "\r\n",
    "- ",
    "| a |",
]
MARKS = [
    "<cite>C1</cite>",
    '<cite id="C1">',
    "</cite>",
    "[a b](https://w.example/a)",
    "https://w.example/a",
    "It.¹",
    "[C1]",
    "[C2]",
    "([C1])",
    "【4:0†s】",
    "`[C1]`",
    ". ",
    "? ",
    ", ",
]
prose = st.lists(st.sampled_from([*WORDS, *MARKS]), max_size=20).map(" ".join)


@given(prose, st.lists(st.tuples(st.integers(0, 200), st.integers(1, 40)), max_size=3), st.booleans())
def test_every_place_reads_as_its_claim(text: str, cuts: list[tuple[int, int]], with_given: bool) -> None:
    """Fragments lie in order inside the hull and, joined, are the claim; ids are unique; nothing given is lost."""
    stretches = [text[start : start + size] for start, size in cuts if text[start : start + size].strip()]
    given_claims = tuple(GivenClaim(text=stretch) for stretch in stretches) if with_given else ()
    found = claims(answer(text, *given_claims))

    assert [one.text for one in found[: len(given_claims)]] == [one.text for one in given_claims]
    assert len({one.claim_id for one in found}) == len(found)
    for one in found:
        pieces = [text[start:end] for start, end in one.fragments]
        if pieces:
            assert (one.start, one.end) == (one.fragments[0][0], one.fragments[-1][1])
            joined = fold_white("".join(pieces)).text
            assert joined.replace(" ", "") == fold_white(one.text).text.replace(" ", "")
        else:
            assert (one.start, one.end) == (None, None)
            assert one.answer_match is not AnswerMatch.EXACT
