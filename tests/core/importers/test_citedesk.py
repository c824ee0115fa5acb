"""Citedesk answers: strict on meaning, kind on shape, and never a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import importers, plugins
from core.errors import ImportFormatError
from core.importers import BadLine, _file
from core.models import Answer

Write = Callable[..., Path]

FULL = {
    "request_id": "r1",
    "query": "How long?",
    "asked_at": "2026-11-30T10:00:00+01:00",
    "generator": {"name": "bot", "model": "m-1"},
    "answer": "It is 57 km long. [C1]",
    "claims": [{"text": "It is 57 km long.", "citation_ids": ["C1"], "quote": "57 km"}],
    "evidence": [{"id": "C1", "text": "The tunnel is 57 km long.", "locator": "a.pdf:p4", "groups": ["staff"]}],
}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write lines (objects, texts or bytes) to a file and say where."""

    def written(*lines: dict[str, Any] | str | bytes, name: str = "answers.jsonl", end: bytes = b"\n") -> Path:
        path = tmp_path / name
        raw = [json.dumps(line) if isinstance(line, dict) else line for line in lines]
        path.write_bytes(b"".join((line.encode() if isinstance(line, str) else line) + end for line in raw))
        return path

    return written


def rows(path: Path) -> list[Answer | BadLine]:
    """Everything that the file gives."""
    return list(importers.read(path))


def answer(path: Path) -> Answer:
    """The one answer that is expected."""
    (found,) = rows(path)
    assert isinstance(found, Answer), found
    return found


def bad(path: Path) -> tuple[int, str | None, str]:
    """The one refused line that is expected: its number, field and reason."""
    (found,) = [row for row in rows(path) if isinstance(row, BadLine)]
    assert found.file == str(path)
    return found.line, found.field, found.reason


@pytest.mark.parametrize("name", plugins.names(importers))
class TestContract:
    """Every file in core/importers keeps these, also those not yet written."""

    def test_it_says_what_it_reads(self, name: str) -> None:
        """A module text, a sniff that looks at the head only, and a reader."""
        module = plugins.load(importers, name)

        assert module.__doc__
        assert module.sniff(Path("picture.png"), b"\x89PNG\r\n\x1a\n\0\0") is False
        assert callable(module.read)

    @pytest.mark.parametrize("content", [b"", b"\xff\xfe{\0}\0", b"\x1f\x8b\x08\0"])
    def test_a_file_that_is_no_text_is_refused_at_once(self, name: str, content: bytes, tmp_path: Path) -> None:
        """One sentence, before any row is asked for."""
        path = tmp_path / "log"
        path.write_bytes(content)

        with pytest.raises(ImportFormatError):
            plugins.load(importers, name).read(path)

    @settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(content=st.binary(max_size=300) | st.lists(st.sampled_from([
        b'{"answer":', b'"x"', b"}", b"{", b"[", b"]", b",", b":", b'"', b"\\ud800", b"\n", b"\xff", b"null", b"NaN",
        b'"claims":', b'"text":', b'"evidence":', b'"id":', b"1e999", b'{"answer":"x"}\n', b"\xef\xbb\xbf", b"\0",
    ]), max_size=30).map(b"".join))  # fmt: skip
    def test_any_bytes_give_rows_or_one_sentence(self, name: str, content: bytes, tmp_path: Path) -> None:
        """Every row is an answer or a bad line, numbered in order; nothing else is ever raised."""
        path = tmp_path / "fuzz.jsonl"
        path.write_bytes(content)
        try:
            found = list(importers.read(path, name))
        except ImportFormatError as error:
            refusal = str(error)
        else:
            refusal = ""
        if refusal:
            assert "\n" not in refusal
            return
        numbers = [row.line for row in found if isinstance(row, BadLine)]

        assert all(isinstance(row, Answer | BadLine) for row in found)
        assert numbers == sorted(set(numbers))
        assert len(found) == importers.count_rows(path, name)


def test_a_full_line(write: Write) -> None:
    """Every field arrives; the time is in UTC; what is not said is the default."""
    found = answer(write(FULL))

    assert (found.request_id, found.query, found.notes, found.meta) == ("r1", "How long?", (), {})
    assert found.asked_at == datetime(2026, 11, 30, 9, tzinfo=UTC)
    assert (found.generator.name, found.generator.model) == ("bot", "m-1")
    assert found.claims is not None
    assert (found.claims[0].citation_ids, found.claims[0].quotes) == (("C1",), ("57 km",))
    assert (found.evidence[0].groups, found.evidence[0].accessible, found.evidence[0].uri) == (("staff",), True, None)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n  \n"])
def test_line_ends_and_blank_lines(write: Write, end: bytes) -> None:
    """Blank lines are no rows, and a byte order mark is no part of the first one."""
    path = write(b"\xef\xbb\xbf" + json.dumps(FULL).encode(), FULL, end=end)

    assert [type(row) for row in rows(path)] == [Answer, Answer]
    assert importers.count_rows(path) == 2


def test_bad_lines_are_reported_and_the_others_go_in(write: Write) -> None:
    """Line, field and reason of each; counted with blank lines."""
    lines = [
        FULL,
        "",
        "{broken",
        "null",
        "[1, 2]",
        {"request_id": "x"},
        FULL | {"claims": [{"citation_ids": []}]},
        FULL,
    ]
    path = write(*lines)
    found = rows(path)

    assert [type(row) for row in found] == [Answer, *[BadLine] * 5, Answer]
    assert [(row.line, row.field, row.reason) for row in found if isinstance(row, BadLine)] == [
        (3, None, "invalid JSON at column 2 (Expecting property name enclosed in double quotes)"),
        (4, None, "null where an object is due"),
        (5, None, "a list where an object is due"),
        (6, "answer", "neither an answer nor claims, so there is nothing to check"),
        (7, "claims[0].text", "a claim without text"),
    ]
    assert str(found[-2]) == f"{path}, line 7, field claims[0].text: a claim without text"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"query": 5}, "query"),
        ({"answer": ["x"]}, "answer"),
        ({"claims": {"text": "x"}}, "claims"),
        ({"claims": ["x"]}, "claims[0]"),
        ({"claims": [{"text": 5}]}, "claims[0].text"),
        ({"claims": [{"text": "x", "citation_ids": "C1"}]}, "claims[0].citation_ids"),
        ({"claims": [{"text": "x", "citation_ids": [{}]}]}, "claims[0].citation_ids[0]"),
        ({"claims": [{"text": "x", "quote": 5}]}, "claims[0].quote"),
        ({"claims": [{"text": "x", "quote": ["y", None]}]}, "claims[0].quote[1]"),
        ({"claims": [{"text": "x", "material": "yes"}]}, "claims[0].material"),
        ({"evidence": {"C1": "x"}}, "evidence"),
        ({"evidence": ["x"]}, "evidence[0]"),
        ({"evidence": [{"id": 1.5, "text": "x"}]}, "evidence[0].id"),
        ({"evidence": [{"id": "C1", "text": 5}]}, "evidence[0].text"),
        ({"evidence": [{"id": "C1", "text": "x", "active": "no"}]}, "evidence[0].active"),
        ({"evidence": [{"id": "C1", "text": "x", "groups": "staff"}]}, "evidence[0].groups"),
        ({"generator": "bot"}, "generator"),
        ({"generator": {"name": []}}, "generator.name"),
        ({"request_id": True}, "request_id"),
        ({"asked_at": 1764493200}, "asked_at"),
        ({"asked_at": "yesterday"}, "asked_at"),
        ({"asked_at": ""}, "asked_at"),
        ({"asked_at": "0001-01-01T00:00:00+14:00"}, "asked_at"),
    ],
)
def test_another_type_than_the_meaning_needs_is_refused(write: Write, change: dict[str, Any], field: str) -> None:
    """The field is named by its path."""
    assert bad(write(FULL | change))[:2] == (1, field)


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        (b'{"answer": "a\xff"}', None, "not UTF-8 text (byte 14 of the line)"),
        (b'{"answer": "x", "answer": "y"}', "answer", "given twice in one object"),
        (b'{"answer": "x", "a": {"b": 1, "b": 1}}', "b", "given twice in one object"),
        (b'{"answer": "half \\ud83d"}', "answer", "half of a surrogate pair, which is no character"),
        (b'{"answer": "x", "a": {"\\udc00": 1}}', "a", "half of a surrogate pair, which is no character"),
        (b'{"answer": "x", "a": ' + b"[" * 60 + b"]" * 60 + b"}", "a", "nested more than 50 levels deep"),
        (b'{"answer": "x", "a": ' + b"[" * 200_000 + b"]" * 200_000 + b"}", None, "nested more than 50 levels deep"),
        (b'{"answer": "x", "a": ' + b"9" * 5000 + b"}", None, "a number with too many digits"),
        (b'{"answer": NaN}', "answer", "a number where text is due"),
        (b'{"answer": "x", "evidence": [{"id": 1e400}]}', "evidence[0].id", "a number where text is due"),
        (b'{"answer": "x"', None, "invalid JSON at column 15 (Expecting ',' delimiter)"),
        (b'{"answer": " ", "claims": []}', "answer", "neither an answer nor claims, so there is nothing to check"),
    ],
)
def test_hostile_json_is_a_bad_line(write: Write, line: bytes, field: str | None, reason: str) -> None:
    """Invalid bytes, repeated keys, half characters, bottomless nesting and endless numbers."""
    path = write(line, FULL)

    assert bad(path) == (1, field, reason)
    assert len(rows(path)) == 2


def test_numbers_that_are_not_finite_cost_nothing_in_side_fields(write: Write) -> None:
    """They are kept as null, and that is noted; a whole surrogate pair is a character."""
    found = answer(
        write(b'{"request_id": "r", "answer": "\\ud83d\\ude00", "ms": Infinity, "costs": {"a": [1, NaN, 1e400]}}')
    )

    assert found.answer == "😀"
    assert found.meta == {"ms": None, "costs": {"a": [1, None, None]}}
    assert found.notes == (
        "ms had a number that is not finite and was kept as null",
        "costs had a number that is not finite and was kept as null",
    )


def test_unknown_fields_are_kept(write: Write) -> None:
    """At every level, under meta."""
    line = {
        "request_id": "r",
        "answer": "x",
        "claims": [{"text": "x", "score": 1}],
        "evidence": [{"id": "C1", "text": "y", "rank": 2}],
    }
    found = answer(write(line | {"latency": 5, "generator": {"model": "m", "seed": 7}}))

    assert found.meta == {"latency": 5, "generator": {"seed": 7}}
    assert found.claims is not None
    assert (found.claims[0].meta, found.evidence[0].meta) == ({"score": 1}, {"rank": 2})


def test_shapes_that_mean_the_same(write: Write) -> None:
    """Null for nothing, whole numbers for ids, one quotation or several; blank quotations are dropped and noted."""
    claim = {"text": "x", "citation_ids": None, "quote": ["a", " ", "b"], "claim_id": 3}
    found = answer(
        write({"request_id": 7, "claims": [claim, {"text": "y", "citation_ids": [1, None]}], "evidence": [{"id": 1}]})
    )

    assert (found.request_id, found.answer) == ("7", None)
    assert found.claims is not None
    assert (found.claims[0].citation_ids, found.claims[0].quotes, found.claims[0].claim_id) == ((), ("a", "b"), "3")
    assert found.claims[0].notes == ("A blank quote was dropped",)
    assert found.claims[1].citation_ids == ("1", "")
    assert (found.evidence[0].id, found.evidence[0].text) == ("1", "")
    assert found.notes == ("Evidence '1' has no text",)


def test_a_missing_request_id_is_made_from_the_content(write: Write) -> None:
    """The same line gets the same id, another line another one, and it is noted."""
    first, again, other = rows(write({"answer": "x"}, {"answer": "x"}, {"answer": "y", "request_id": " "}))

    assert isinstance(first, Answer)
    assert isinstance(again, Answer)
    assert isinstance(other, Answer)
    assert first.request_id == again.request_id != other.request_id
    assert first.notes == ("The line has no request_id; one was made from its content",)


def test_a_plain_id_names_the_request(write: Write) -> None:
    """Logs often call it so; beside a request_id it is a side field."""
    named = answer(write({"id": "7", "answer": "x"}))
    beside = answer(write({"id": "7", "request_id": "r", "answer": "x"}))

    assert (named.request_id, named.meta, named.notes) == ("7", {}, ("The line has no request_id; its id was taken",))
    assert (beside.request_id, beside.meta, beside.notes) == ("r", {"id": "7"}, ())


def test_a_time_without_zone_is_utc_and_noted(write: Write) -> None:
    """Reports must not move by the zone of the machine."""
    found = answer(write(FULL | {"asked_at": "2026-11-30T09:00:00"}))

    assert found.asked_at == datetime(2026, 11, 30, 9, tzinfo=UTC)
    assert found.notes == ("asked_at has no time zone and was read as UTC",)


def test_contradictions_in_the_evidence_are_kept(write: Write) -> None:
    """One id with two texts goes in; the registry says what it means."""
    twice = [{"id": "C1", "text": "a"}, {"id": "C1", "text": "b"}]

    assert [entry.text for entry in answer(write(FULL | {"evidence": twice})).evidence] == ["a", "b"]


def test_a_line_that_is_too_long(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused by its number, read in bounded pieces, and the next line goes in; one just short of it is fine."""
    monkeypatch.setattr(_file, "MAX_LINE", 2 * 1024 * 1024)
    long = '{"answer": "%s"}'
    path = write(long % ("y" * 5_000_000), long % ("y" * 2_000_000), FULL)
    found = rows(path)

    assert [type(row) for row in found] == [BadLine, Answer, Answer]
    assert str(found[0]) == f"{path}, line 1: longer than 2 MiB"


def test_the_limit_is_32_mib() -> None:
    """A log of long answers fits; a dump of everything does not."""
    assert _file.MAX_LINE == 33_554_432


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "{} is empty; check that it was written to its end."),
        (b" \n\n", "{} is empty; check that it was written to its end."),
        ('{"answer": "x"}'.encode("utf-16"), "{} is UTF-16 text; save it as UTF-8."),
        ('{"answer": "x"}'.encode("utf-16-le"), "{} looks like UTF-16 or binary data; save it as UTF-8 text."),
        (bytes(range(256)), "{} looks like UTF-16 or binary data; save it as UTF-8 text."),
        (b"PK\x03\x04rest", "{} is a ZIP archive; unpack it first."),
        (b'{\n "answer": "x"\n}\n', "{} is a single JSON document; write one object a line, for instance with jq -c."),
        (b'[{"answer": "x"}]', "{} is a single JSON document; write one object a line, for instance with jq -c."),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(write: Write, content: bytes, sentence: str) -> None:
    """What, where and what to do, at once."""
    path = write(content, end=b"")
    with pytest.raises(ImportFormatError) as caught:
        importers.read(path)

    assert str(caught.value) == sentence.format(path)


def test_folders_and_missing_files(tmp_path: Path) -> None:
    """No traceback for a wrong name."""
    with pytest.raises(ImportFormatError, match="is a folder; give the name of a file in it"):
        importers.read(tmp_path)
    with pytest.raises(ImportFormatError, match="does not exist; check the name and the folder"):
        importers.count_rows(tmp_path / "none.jsonl")
    with pytest.raises(ImportFormatError, match="cannot be read"):
        importers.read(tmp_path / "a\0b")


def test_a_file_without_permission(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's reason is passed on."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = write(FULL)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(
        ImportFormatError, match=r"cannot be read \(Permission denied\); check the name and who may read it"
    ):
        importers.read(path)


def test_blank_lines_only_in_a_large_file(write: Write) -> None:
    """Found out at the end, and said."""
    path = write(b"\n" * 70_000)
    with pytest.raises(ImportFormatError, match="holds only blank lines"):
        rows(path)


def test_formats_are_recognised(write: Write) -> None:
    """By name or by content; a file of another kind names what is read here."""
    assert importers.detect(write("not json", FULL, name="log.txt")).__name__ == "core.importers.citedesk"
    with pytest.raises(ImportFormatError, match="in no format that is read here"):
        importers.read(write("It rained.", "It rained again.", name="log.txt"))
    with pytest.raises(ImportFormatError, match="There is no importer called 'xml'"):
        importers.read(write(FULL), "xml")


def test_citations_by_position(write: Write) -> None:
    """As Citedesk writes them; a field of that name in another shape is a side field like any other."""
    ours = [{"start": 0, "end": 5, "cite": "C1"}, {"start": 5, "end": 5, "cite": "C2"}]
    found = answer(write({"request_id": "r", "answer": "short", "annotations": ours}))
    others: list[Any] = [
        [{"start": 0, "end": 6, "cite": "C1"}],
        [{"start": True, "end": 5, "cite": "C1"}],
        [{"start": 0, "end": 5, "cite": "C1", "by": "me"}],
        ["C1"],
        "C1",
    ]

    assert [(one.start, one.end, one.cite) for one in found.annotations] == [(0, 5, "C1"), (5, 5, "C2")]
    assert found.meta == {}
    for other in others:
        kept = answer(write({"request_id": "r", "answer": "short", "annotations": other}))
        assert (kept.annotations, kept.meta) == ((), {"annotations": other})
