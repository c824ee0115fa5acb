"""What reports show: every claim counted, texts masked and short, links only where they are safe."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.exporters import _report
from core.exporters._report import clip, read, safe_link
from core.models import Action, Evidence, Label, Place, Qualifier, QuoteRow, QuoteState, Status
from tests.core.judged import TEXT, judged
from tests.core.rows import claim_row, span_row

UNKNOWN: dict[str, Any] = {"label": None, "action": Action.NONE, "semantic": "failed"}


def test_figures_count_every_claim() -> None:
    """Of four answers' claims one is contradicted and one could not be judged: 1 of 3, between 1 and 2 of 4."""
    said: list[dict[str, Any]] = [{}, {}, {"label": Label.CONTRADICTED, "action": Action.CORRECT}, UNKNOWN]
    rows = [claim_row(request_id=f"r{number}", **one) for number, one in enumerate(said)]
    report = read(judged(row) for row in rows)
    cells = dict(zip(_report.COLUMNS, _report.cells(report.card.unsupported), strict=True))

    assert report.labels == {"supported": 2, "contradicted": 1, "none": 1}
    assert report.total == 4
    assert cells == {
        "Measure": "unsupported (strict)",
        "Share": "33.3%",
        "95% interval": "6.1% to 79.2%",
        "Counted": "1",
        "Judged": "3",
        "Attempted": "4",
        "Excluded": "1",
        "Bounds": "25.0% to 50.0%",
    }


def test_nothing_is_no_rate() -> None:
    """Without claims there is no share, no interval and no bounds."""
    report = read([])

    assert _report.cells(report.card.unsupported)[1:3] == ("no data", "")
    assert _report.bounds(report.card.unsupported) == "no data"
    assert _report.shown_of(report) == "All 0 claims."


def test_only_the_first_claims_are_shown() -> None:
    """A report stays small: five hundred are shown, all are counted."""
    report = read(judged(claim_row(claim_id=f"c{number}")) for number in range(501))

    assert report.total == report.card.unsupported.attempted == 501
    assert [report.entries[0].claim_id, report.entries[-1].claim_id] == ["c0", "c499"]
    assert "first 500 of 501" in _report.shown_of(report)


def test_two_protocols_make_no_report() -> None:
    """No figure joins two."""
    with pytest.raises(ValueError, match="more than one protocol"):
        read([judged(), judged(claim_row(protocol="lexical@1+11111111"))])


def test_an_excerpt_has_at_most_25_words() -> None:
    """Also when a row holds a longer one; what is cut is marked."""
    text = " ".join(f"w{number}" for number in range(60))
    span = span_row(excerpt=text, start=0, end=len(text))
    (entry,) = read([judged(claim_row(spans=(span,)), evidence=(Evidence(id="C1", text=text),))]).entries

    assert entry.passages[0].excerpt == " ".join(f"w{number}" for number in range(25)) + " …"


def test_what_is_masked_is_masked_across_the_border_of_an_excerpt() -> None:
    """An account number of which the excerpt shows only the end is masked there too."""
    text = "Pay to DE89 3704 0044 0532 0130 00 by Friday."
    start = text.index("0532")
    span = span_row(excerpt=text[start:], start=start, end=len(text))
    (entry,) = read([judged(claim_row(spans=(span,)), evidence=(Evidence(id="C1", text=text),))]).entries

    assert entry.passages[0].excerpt == "•••• •••• •• by Friday."


def test_every_text_of_a_person_is_masked() -> None:
    """Request, question, claim, quotation, note, reason and title: none shows the address."""
    address = "jo@mail.example"
    place = Place(cite="C1", start=0, end=3, text="The", differs=address)
    row = claim_row(
        request_id=address,
        claim_id=address,
        claim=f"Write to {address}.",
        quotes=(QuoteRow(text=f"Write {address}", start=None, end=None, match=QuoteState.NEAR_MISS, nearest=place),),
        qualifiers=(Qualifier(kind="number", claim=address, evidence=address, agrees=False),),
        spans=(span_row(reason=address, cite=address),),
        notes=(address,),
    )
    evidence = Evidence(id=address, text=TEXT, title=address, uri=f"https://x.example/?m={address}")
    (entry,) = read([judged(row, query=address, evidence=(evidence,))]).entries

    assert "mail" not in entry.model_copy(update={"differing": ()}).model_dump_json()
    assert entry.passages[0].link is None


def test_a_span_that_is_not_in_its_source_shows_nothing() -> None:
    """Text and quote disagree: it says so, and shows no passage."""
    (entry,) = read([judged(evidence=(Evidence(id="C1", text="Another text altogether."),))]).entries

    assert entry.passages[0].excerpt == ""
    assert entry.passages[0].reason == "The span does not match its source."


def test_an_id_that_means_nothing_or_two_texts_has_no_title() -> None:
    """Nothing is guessed of what it could have meant."""
    two = (Evidence(id="C1", text="one", title="One"), Evidence(id="C1", text="two", title="Two"))
    span = span_row(excerpt=None, start=None, end=None, label=Label.UNRESOLVABLE, status=Status.SKIPPED)
    row = claim_row(spans=(span,))
    entries = read([judged(row, evidence=two), judged(row, evidence=())]).entries

    assert [(one.passages[0].title, one.passages[0].link, one.passages[0].excerpt) for one in entries] == [
        ("", None, ""),
        ("", None, ""),
    ]


@pytest.mark.parametrize(
    "uri",
    [
        "\u0001javascript:alert(1)",
        " JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "javascript&#58;alert(1)",
        "data:text/html;base64,PHNjcmlwdD4=",
        "vbscript:msgbox(1)",
        "//evil.example/",
        "https:///path",
        "https://a.example/ b",
        "http://[::1",
        "https://a\u202eb.example/",
        "",
        None,
    ],
)
def test_an_unsafe_address_is_no_link(uri: str | None) -> None:
    """Only http and https with a host, and nothing in it that a browser would drop before it reads the scheme."""
    assert safe_link(uri) is None


@pytest.mark.parametrize("uri", ["https://ok.example/", "http://ok.example/a?b=1#c", "HTTPS://ok.example"])
def test_a_safe_address_is_a_link(uri: str) -> None:
    """It stays as it is."""
    assert safe_link(uri) == uri


@given(st.text(), st.integers(1, 40))
def test_a_clipped_text_is_one_short_line(text: str, words: int) -> None:
    """Never more words than asked for, and no line break."""
    clipped = clip(text, words)

    assert len(clipped.removesuffix(" …").split()) <= words
    assert clipped == " ".join(clipped.split())
