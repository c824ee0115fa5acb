"""CSV and TSV: whatever a spreadsheet or exporter writes, every row ends as an answer or a refusal with its reason."""

from __future__ import annotations

import csv as written_by
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import importers
from core.errors import ImportFormatError
from core.exporters import csv as csv_exporter
from core.importers import csv
from core.importers._file import MAX_LINE
from core.models import Answer, QuoteRow, QuoteState
from tests.core.importers.logs import answer, answers, evidence, refusals, rows, written
from tests.core.rows import claim_row


def test_a_byte_order_mark_belongs_to_the_file(tmp_path: Path) -> None:
    """It is no part of the first column's name; Windows line ends are none of the last cell's text."""
    path = written(tmp_path, b"\xef\xbb\xbfid,answer\r\n1,Rent is 900 euros [a]\r\n", "log.csv")
    found = answer(path)

    assert csv.columns(path) == ["id", "answer"]
    assert (found.request_id, found.answer, found.notes) == ("1", "Rent is 900 euros [a]", ())


def test_placeholders_are_nothing_and_noted(tmp_path: Path) -> None:
    """N/A is the exporter's word for missing; a request without an answer stays a request."""
    path = written(tmp_path, 'Trace ID,Inputs,Outputs\nq1,N/A,"The mill closed [1]"\nq2,N/A,N/A\n', "log.csv")
    first, second = answers(path, mapping={"request_id": "Trace ID", "query": "Inputs", "answer": "Outputs"})

    assert (first.request_id, first.query, first.answer) == ("q1", None, "The mill closed [1]")
    assert (second.request_id, second.query, second.answer, second.claims) == ("q2", None, None, None)
    assert first.notes == ("Inputs had the placeholder 'N/A', which was read as nothing",)
    assert second.notes[1] == "Outputs had the placeholder 'N/A', which was read as nothing"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(tmp_path: Path, delimiter: str) -> None:
    """The one that parts the header; others are text."""
    path = written(tmp_path, f'id{delimiter}answer\n1{delimiter}"a, b; c | d\te"\n', "log.csv")

    assert answer(path).answer == "a, b; c | d\te"


def test_lists_in_cells(tmp_path: Path) -> None:
    """As JSON, as Python prints them, or one passage as it is; ids beside them."""
    lines = [
        ["answer", "contexts", "context_ids"],
        ["a", '["x", "y"]', '["d1", 2]'],
        ["b", "['it''s', \"y\"]".replace("''", "\\'"), "d1; d2"],
        ["c", "[1] is no list", "C1"],
        ["d", '[{"id": "C1", "content": "x", "url": "https://a.example/", "score": 0.5}]', ""],
    ]
    text = io.StringIO()
    written_by.writer(text).writerows(lines)
    one, two, three, four = answers(written(tmp_path, text.getvalue(), "log.csv"))

    assert evidence(one) == [("d1", "x"), ("2", "y")]
    assert evidence(two) == [("d1", "it's"), ("d2", "y")]
    assert evidence(three) == [("C1", "[1] is no list")]
    assert evidence(four) == [("C1", "x")]
    assert (four.evidence[0].uri, four.evidence[0].meta) == ("https://a.example/", {"score": 0.5})


def test_passages_without_ids_can_be_cited_by_nobody(tmp_path: Path) -> None:
    """Their place in the list is no id; that is said."""
    found = answer(written(tmp_path, 'answer,contexts\n"a [1]","[""x"", ""y""]"\n', "log.csv"))

    assert evidence(found) == [("", "x"), ("", "y")]
    assert "Without an id, so that no citation can name it: evidence 1, 2" in found.notes


def test_a_claim_a_row(tmp_path: Path) -> None:
    """The claim with its citations and quotation; several ids in one cell."""
    text = "id,claim,citations,quote\nr1,It is long.,C1; C2,57 km\nr1,It is old.,,\n"
    first, second = answers(written(tmp_path, text, "log.csv"))

    assert first.claims is not None
    assert second.claims is not None
    assert (first.claims[0].text, first.claims[0].citation_ids, first.claims[0].quotes) == (
        "It is long.", ("C1", "C2"), ("57 km",),
    )  # fmt: skip
    assert (second.request_id, second.claims[0].citation_ids, second.claims[0].quotes) == ("r1", (), ())


def test_our_own_claim_table(tmp_path: Path) -> None:
    """Its column ``quote`` says how the quotations stand; they are in ``quotes``. Nobody can cite without evidence."""
    row = claim_row(
        claim="It is “57 km long today”.",
        cites=("C1", "C2"),
        quotes=(QuoteRow(text="57 km long today", start=0, end=16, match=QuoteState.VERBATIM),),
        quote=QuoteState.VERBATIM,
    )
    csv_exporter.write([row], path := tmp_path / "claims.csv")
    found = answer(path)

    assert found.claims is not None
    assert found.claims[0].text == row.claim
    assert (found.claims[0].citation_ids, found.claims[0].quotes) == (("C1", "C2"), ("57 km long today",))
    assert (found.request_id, found.evidence, found.meta["quote"]) == (row.request_id, (), "verbatim")


def test_an_id_with_a_comma_stays_whole_where_it_is_known(tmp_path: Path) -> None:
    """Ids are opaque; one that the row's evidence has is never parted."""
    text = 'claim,citations,evidence,evidence_id\nx,"Lee, 2021",passage,"Lee, 2021"\n'
    found = answer(written(tmp_path, text, "log.csv"))

    assert found.claims is not None
    assert found.claims[0].citation_ids == ("Lee, 2021",)
    assert evidence(found) == [("Lee, 2021", "passage")]


def test_citations_of_a_whole_answer_are_not_spread_over_its_sentences(tmp_path: Path) -> None:
    """The column does not say what they are cited for."""
    found = answer(written(tmp_path, "answer,citations\nOne. Two.,C1\n", "log.csv"))

    assert found.claims is None
    assert "citations does not say what each of them is cited for, so it was not used" in found.notes


def test_damaged_rows_cost_only_themselves(tmp_path: Path) -> None:
    """Cells too many or too few, text after a quotation mark, one that is never closed: line and reason."""
    text = 'id,answer\n1,a,b\n2\n3,"x" y\n4,fine\n5,"never closed\n6,fine too\n'
    path = written(tmp_path, text, "log.csv")

    assert refusals(path) == [
        (2, None, "3 cells under 2 columns"),
        (3, None, "only 1 cells under 2 columns"),
        (4, None, "text after a closing quotation mark; quotation marks inside a cell are doubled"),
        (6, None, "a quotation mark that is never closed"),
    ]
    assert [row.answer for row in rows(path) if isinstance(row, Answer)] == ["fine", "fine too"]


def test_cells_over_many_lines(tmp_path: Path) -> None:
    """Their row has the number of its first line, and the next row is counted on."""
    path = written(tmp_path, 'id,answer\n1,"a\nb\n\nc"\n\n2,\n', "log.csv")

    assert [row.answer for row in rows(path) if isinstance(row, Answer)] == ["a\nb\n\nc"]
    assert refusals(path) == [(7, "answer", "neither an answer nor claims, so there is nothing to check")]


def test_a_huge_cell(tmp_path: Path) -> None:
    """Three megabytes are a cell; a row over the limit is refused by its number and the next one goes in."""
    path = written(tmp_path, f"id,answer\n1,{'y' * 3_000_000}\n2,ok\n", "log.csv")
    assert [len(found.answer or "") for found in answers(path)] == [3_000_000, 2]

    path = written(tmp_path, f"id,answer\n1,{'y' * (MAX_LINE + 1)}\n2,ok\n", "log.csv")
    assert refusals(path) == [(2, None, "longer than 32 MiB")]
    assert [row.request_id for row in rows(path) if isinstance(row, Answer)] == ["2"]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(tmp_path: Path, codec: str) -> None:
    """By their marks; UTF-8 without one."""
    path = written(tmp_path, "id\tanswer\n1\tÄ 😀\n".encode(codec), "log.tsv")

    assert answer(path).answer == "Ä 😀"
    assert answer(path).notes == ()


def test_windows_1252_only_where_nothing_is_utf_8(tmp_path: Path) -> None:
    """A whole file of it is read and noted; one damaged cell in a UTF-8 file is refused alone."""
    windows = written(tmp_path, "id,answer\n1,café\n2,plain\n".encode("cp1252"), "log.csv")
    first, second = answers(windows)
    assert (first.answer, first.notes) == ("café", ("The file is not UTF-8; it was read as Windows-1252",))
    assert second.notes == ()

    damaged = written(tmp_path, "id,answer\n1,ä\n2,".encode() + b"caf\xe9\n", "log.csv")
    assert refusals(damaged) == [(3, "answer", "bytes that are no text in the file's encoding")]


def test_an_apostrophe_against_formulas_is_taken_off(tmp_path: Path) -> None:
    """Exports write it before what a spreadsheet would run; quotes are found without it."""
    found = answer(written(tmp_path, "answer,evidence,evidence_id\nCold [C1].,'-5 °C at noon,C1\n", "log.csv"))

    assert evidence(found) == [("C1", "-5 °C at noon")]
    assert found.notes[0] == "evidence had an apostrophe before '-' against formulas; it was taken off"


def test_a_time_that_cannot_be_read_leaves_the_answer_undated(tmp_path: Path) -> None:
    """Which column holds the time was guessed; the answer is not lost for it."""
    found = answer(written(tmp_path, "answer,date\nx,30.11.26\n", "log.csv"))

    assert found.asked_at is None
    assert "'30.11.26' is no date and time like 2026-11-30T09:00:00Z, so the answer is undated" in found.notes


def test_other_columns_are_kept(tmp_path: Path) -> None:
    """Under meta; empty cells are not."""
    found = answer(written(tmp_path, "id,answer,latency,empty,evidence id\n1,x,2.5,,\n", "log.csv"))

    assert found.meta == {"latency": "2.5"}


def test_what_a_person_says_of_the_columns_counts(tmp_path: Path) -> None:
    """Before what they are named after; an empty name leaves a field out."""
    path = written(tmp_path, "id,answer,better\n1,x,y\n", "log.csv")

    assert answer(path, mapping={"answer": "better", "request_id": ""}).answer == "y"
    assert answer(path, mapping={"answer": "better", "request_id": ""}).request_id.startswith("made-")


@pytest.mark.parametrize(
    ("content", "mapping", "sentence"),
    [
        ("a,b\n1,2\n", None, "{} has no column that is named like an answer or a claim; say which one it is; "),
        ("id,answer\n1,x\n", {"answer": "c"}, "{} has no column called 'c'; it has: id, answer."),
        ("id,answer\n1,x\n", {"colour": "id"}, "There is no field called 'colour'; choose one of: "),
        ('id,"answer\n1,x\n', None, "The first line of {} names no columns (a quotation mark that is never closed)"),
        ("\n\n", None, "{} is empty; check that it was written to its end."),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, content: str, mapping: dict[str, str] | None, sentence: str
) -> None:
    """At once, with what the columns are."""
    path = written(tmp_path, content, "log.csv")
    with pytest.raises(ImportFormatError) as caught:
        csv.read(path, mapping)

    assert str(caught.value).startswith(sentence.format(path))


def test_a_header_alone_is_no_log(tmp_path: Path) -> None:
    """An empty import would look like a day without answers."""
    with pytest.raises(ImportFormatError, match="holds no row under its column names"):
        list(csv.read(written(tmp_path, "id,answer\n", "log.csv")))


def test_recognised_without_its_suffix(tmp_path: Path) -> None:
    """By a header that names an answer; prose with commas and JSON are not taken."""
    assert importers.detect(written(tmp_path, "id,answer\n1,x\n", "log.txt")) is csv
    assert not csv.sniff(Path("a.txt"), b"One answer, and another.\n")
    assert not csv.sniff(Path("a.csv"), b'{"answer": "x"}\n')


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5), delimiter=st.sampled_from(",;\t|"))
def test_what_was_written_is_read(tmp_path: Path, cells: list[tuple[str, str]], delimiter: str) -> None:
    """For any text in any cell: rows written by Python's writer come back cell by cell."""
    text = io.StringIO(newline="")
    writer = written_by.writer(text, delimiter=delimiter, quoting=written_by.QUOTE_ALL)
    writer.writerow(["answer", "note"])
    writer.writerows([(f"x{first}", f"x{second}") for first, second in cells])
    found = answers(written(tmp_path, text.getvalue().encode(), "log.csv"))

    assert [(row.answer, row.meta["note"]) for row in found] == [(f"x{a}", f"x{b}") for a, b in cells]
