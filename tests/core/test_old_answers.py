"""Answers of before: what is shown of them once their sources are out of use, restricted or other than they were."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core import corpora, exporting, old_answers
from core.corpora import AddRequest
from core.desk import Desk
from core.exporting import ExportRequest
from core.models import utc_now
from core.settings import Settings
from core.store.label_records import SpanToLabel
from core.store.records import ClaimDetail, ClaimFilter
from dashboard.widgets import passages

SECRET = "The toll for boats is exactly 73 silver crowns, payable at the north gate."


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk with an answer about a corpus of two sources, and one that knows nothing of corpora."""
    (tmp_path / "boats.txt").write_text(SECRET, encoding="utf-8")
    (tmp_path / "cars.txt").write_text("Cars may use the bridge free of charge.", encoding="utf-8")
    with closing(Desk.open(Settings(store=tmp_path / "desk.duckdb"))) as opened:
        corpora.add(opened.store, AddRequest(paths=(tmp_path / "boats.txt", tmp_path / "cars.txt")), "ann")
        chunks = opened.store.corpora.chunks("main", (), utc_now())
        entries = [corpora.evidence(chunk, f"E{at}") for at, chunk in enumerate(chunks, 1)]
        claims = [
            {"text": "The toll for boats is 37 silver crowns.", "citation_ids": ["E1"], "quote": "exactly 73 silver"},
            {"text": "Cars may use the bridge free of charge.", "citation_ids": ["E2"]},
            {"text": "Cars and boats use the bridge and the north gate.", "citation_ids": ["E1", "E2"]},
        ]
        asked: dict[str, Any] = {"request_id": "r1", "claims": claims}
        asked["evidence"] = [entry.model_dump(exclude={"meta"}) | entry.meta for entry in entries]
        plain = asked | {"request_id": "r2", "evidence": [{"id": "E1", "text": SECRET}, {"id": "E2", "text": "Cars."}]}
        log = tmp_path / "log.jsonl"
        log.write_text(f"{json.dumps(asked)}\n{json.dumps(plain)}\n", encoding="utf-8")
        opened.import_file(log)
        yield opened


def details(desk: Desk, request: str) -> list[ClaimDetail]:
    """What the inspector is given of the claims of a request."""
    protocol = desk.one_protocol(None)
    items = desk.store.claim_page(ClaimFilter(protocol=protocol, request_id=request), 50, 0).items
    found = [desk.claim(item.claim_uid, protocol) for item in items]
    return [one for one in found if one is not None]


def take_out(desk: Desk) -> None:
    """Take the source about boats out of use."""
    (source,) = [one for one in desk.store.corpora.sources() if one.uri.endswith("boats.txt")]
    desk.store.corpora.deactivate(source.doc_id, None, "ann")


def words_shown(detail: ClaimDetail) -> str:
    """Everything of a claim that is not the claim's own words."""
    dump = detail.model_dump(mode="json")
    dump["answer"].pop("claims")
    for row in [dump["row"], *(row for _, row in dump["rows"])]:
        row.pop("claim")
        for quote in row["quotes"]:
            quote.pop("text")
    return json.dumps(dump, ensure_ascii=False)


def test_nothing_is_changed_while_nothing_happened(desk: Desk) -> None:
    """Every detail is as the store has it."""
    for request in ("r1", "r2"):
        for one in details(desk, request):
            assert one == desk.store.claim(one.claim_uid, one.row.protocol)
    assert any("73 silver" in words_shown(one) for one in details(desk, "r1"))


def test_no_word_of_a_source_out_of_use_is_shown(desk: Desk) -> None:
    """Not as a passage, an excerpt, a qualifier, a reason or a correction; labels stay, and the reason is said."""
    before = {one.claim_uid: one.row.label for one in details(desk, "r1")}
    take_out(desk)
    found = details(desk, "r1")

    assert {one.claim_uid: one.row.label for one in found} == before
    for one in found:
        assert "silver" not in words_shown(one)
        assert "payable" not in words_shown(one)
        assert "73" not in desk.draft(one).model_dump_json()
        (boats,) = [entry for entry in one.answer.evidence if entry.id == "E1"]
        assert (boats.text, boats.meta["hidden"]) == ("", "This source was taken out of use")
        (cars,) = [entry for entry in one.answer.evidence if entry.id == "E2"]
        assert cars.text.startswith("Cars may use")
        for card in passages.cards(one):
            assert ("so its text is not shown" in card["warning"]) == card["title"].startswith("E1")
    assert any("73 silver" in words_shown(one) for one in details(desk, "r2"))  # it came from elsewhere


@pytest.mark.parametrize("name", ["claims.jsonl", "claims.csv", "claims.jsonld"])
def test_nor_in_an_export(desk: Desk, tmp_path: Path, name: str) -> None:
    """A table, annotations: as many claims as before."""

    def written(at: str) -> tuple[int, str]:
        out = tmp_path / at / name
        out.parent.mkdir()
        return exporting.export(
            desk.store, ExportRequest(what="claims", out=out, request_id="r1")
        ).rows, out.read_text()

    count, text = written("before")
    assert "73 silver crowns" in text
    take_out(desk)
    assert written("after")[0] == count
    assert "73 silver crowns" not in written("again")[1]


def test_nor_to_a_labeller(desk: Desk) -> None:
    """The span says that its source cannot be read; what was shown is what the label is bound to."""

    def boats() -> list[SpanToLabel]:
        return [span for span in desk.store.labels.ahead("ann", "v1", 50) if span.cite == "E1"]

    before = {span.claim_uid: span for span in boats()}
    take_out(desk)
    for span in boats():
        was = before[span.claim_uid]
        if span.request_id == "r2":
            assert span == was
            continue
        assert (was.evidence, span.evidence, span.title, span.locator) == (SECRET, "", None, None)
        assert (was.accessible, span.accessible) == (True, False)
        assert span.seen_sha256 != was.seen_sha256


def test_retention_counts_too(desk: Desk) -> None:
    """From its moment on."""
    (source,) = [one for one in desk.store.corpora.sources() if one.uri.endswith("boats.txt")]
    desk.store.corpora.retain(source.doc_id, None, utc_now() + timedelta(days=1), "ann")
    (one, *_) = details(desk, "r1")

    assert one == desk.store.claim(one.claim_uid, one.row.protocol)
    later = old_answers.detail(desk.store, one, None, utc_now() + timedelta(days=2))
    assert [entry.text for entry in later.answer.evidence if entry.id == "E1"] == [""]


def test_and_for_what_a_labeller_was_given_before(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read once is not given again after the end, nor after the source was taken out of use."""
    (source,) = [one for one in desk.store.corpora.sources() if one.uri.endswith("boats.txt")]
    end = utc_now() + timedelta(days=1)
    desk.store.corpora.retain(source.doc_id, None, end, "ann")
    boats = [one for one in desk.store.labels.ahead("ann", "v1", 50) if one.evidence == SECRET]
    (span, other) = [one for one in boats if one.request_id == "r1"]

    def text(span: SpanToLabel, at: datetime) -> str | None:
        for module in ("label_spans", "label_queue"):
            monkeypatch.setattr(f"core.store.{module}.utc_now", lambda: at)
        found = desk.store.labels.span(span.claim_uid, span.cite)
        assert found is not None
        return found.evidence

    just_before = end - timedelta(seconds=1)
    assert [text(span, just_before), text(span, end)] == [SECRET, ""]
    desk.store.corpora.retain(source.doc_id, None, None, "ann")
    assert text(other, end) == SECRET
    take_out(desk)
    assert text(other, end) == ""


def test_a_source_that_changed_is_shown_as_it_was_and_says_so(desk: Desk, tmp_path: Path) -> None:
    """With the version that is there now."""
    (tmp_path / "boats.txt").write_text("Boats pay nothing.", encoding="utf-8")
    corpora.add(desk.store, AddRequest(paths=(tmp_path / "boats.txt",)), "ann")
    for one in details(desk, "r1"):
        (boats,) = [entry for entry in one.answer.evidence if entry.id == "E1"]
        assert (boats.text, boats.meta["changed_since"]) == (SECRET, "v2")
        for card in passages.cards(one):
            changed = "source changed since: v2 is there now" in card["meta"]
            assert changed == card["title"].startswith("E1")
