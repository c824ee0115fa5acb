"""No word of a hidden source leaves the desk by any exit: pages, lists, files of every kind, drafts, labellers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import (
    adjudication,
    corpora,
    exporters,
    exporting,
    failure_report,
    guidelines,
    labelling,
    old_answers,
    plugins,
)
from core.corpora import AddRequest
from core.desk import Desk
from core.exporting import ExportRequest
from core.gate import Level
from core.hits import card_of
from core.models import Label, utc_now
from core.people import Person, Role
from core.retrieval import Retriever
from core.settings import Settings
from core.store.label_records import BetterEvidence, LabelEvent, LabelKind
from core.store.queries import BlockedDraft
from core.store.records import ClaimFilter
from dashboard.widgets import claim_view
from tests.fakes.bag_of_words import BagOfWords

WORDS = "quokka zibeline harmattan"
"""They stand in the source and nowhere else: not in a claim, a question or a label."""
SECRET = f"# {WORDS}\n\nThe toll for {WORDS} boats is exactly 7319 silver crowns, payable at the north gate."
MARKS = (*WORDS.split(), "7319", "payable")
_HASHES = re.compile(r"\b[0-9a-f]{12,64}\b")
"""Any number stands in one of them sooner or later."""
CLAIMS = [
    {"text": "The toll for boats is 37 silver crowns.", "citation_ids": ["E1"], "quote": "exactly 731 silver crowns"},
    {"text": "Cars may use the bridge free of charge.", "citation_ids": ["E2"]},
    {"text": "Cars and boats use the bridge and the north gate.", "citation_ids": ["E2", "E1"]},
]

Groups = Collection[str] | None
Exit = Callable[[Desk, Path, Groups], str]


def dump(record: Any) -> str:
    """A record with everything in it, as text."""
    return json.dumps(record.model_dump(mode="json"), ensure_ascii=False)


def wanted(desk: Desk) -> ClaimFilter:
    """All claims."""
    return ClaimFilter(protocol=desk.one_protocol(None))


def details(desk: Desk, groups: Groups) -> Iterator[Any]:
    """What the inspector is given."""
    for item in desk.store.claim_page(wanted(desk)).items:
        found = desk.store.claim(item.claim_uid)
        assert found is not None
        yield old_answers.detail(desk.store, found, groups)


def the_inspector(desk: Desk, folder: Path, groups: Groups) -> str:
    """The record, the corrected draft, and what the browser gets of both."""
    return "".join(
        dump(one) + dump(desk.draft(one)) + json.dumps(claim_view.view(one, desk.draft(one)))
        for one in details(desk, groups)
    )


def the_list(desk: Desk, folder: Path, groups: Groups) -> str:
    """A page of claims."""
    return dump(old_answers.page(desk.store, wanted(desk), groups=groups))


def the_drafts(desk: Desk, folder: Path, groups: Groups) -> str:
    """What reviewers see of an answer that was not served, all together and one by one."""
    found = old_answers.drafts(desk.store, groups)
    one = old_answers.draft(desk.store, "d1", groups)
    return "".join(map(dump, [*found, *([one] if one else [])]))


def an_answer(desk: Desk, folder: Path, groups: Groups) -> str:
    """Answers with their registries, checked and not."""
    return "".join(dump(old_answers.answer(desk.store, one, groups)) for one in desk.store.answers())


def the_card(desk: Desk, folder: Path, groups: Groups) -> str:
    """What was retrieved for a question."""
    found = old_answers.card(desk.store, "r1", groups)
    assert found is not None
    return dump(found)


def the_queue(desk: Desk, folder: Path, groups: Groups) -> str:
    """What a labeller is shown, claim by claim."""
    somebody = Person(name="somebody new", role=Role.LABELLER, groups=groups if groups is None else tuple(groups))
    places = [(one.claim_uid, one.cite) for one in labelling_queue(desk)]
    shown = (labelling.shown(desk.store, somebody, place) for place in places)
    return "".join(dump(one) for one in shown if one)


def the_case(desk: Desk, folder: Path, groups: Groups) -> str:
    """What somebody who decides between labels is shown."""
    judge = Person(name="judge", role=Role.REVIEWER, groups=groups if groups is None else tuple(groups))
    places = [(one.claim_uid, one.cite) for one in labelling_queue(desk)]
    names = [adjudication.CaseName(None, guidelines.FIRST, *place) for place in places]
    cases = (adjudication.case(desk.store, judge, name) for name in names)
    return "".join(dump(one) for one in cases if one)


def labelling_queue(desk: Desk) -> list[Any]:
    """Everything that waits for somebody who labelled nothing."""
    return desk.store.labels.ahead("somebody new", guidelines.FIRST, 50)


def a_file(what: str, suffix: str, write: Callable[..., object] = exporting.export, **more: Any) -> Exit:
    """One export into one kind of file."""

    def written(desk: Desk, folder: Path, groups: Groups) -> str:
        out = folder / uuid4().hex / f"out{suffix}"
        out.parent.mkdir()
        request = {"what": what, "out": out, "groups": groups, "guideline": guidelines.FIRST} | more
        write(desk.store, ExportRequest.model_validate(request))
        files = [out] if out.is_file() else [file for file in sorted(out.rglob("*")) if file.is_file()]
        return "".join(readable(file) for file in files)

    return written


def readable(file: Path) -> str:
    """The content of a file as text, tables of Parquet too."""
    if file.suffix == ".parquet":
        import pyarrow.parquet as pq

        return str(pq.read_table(file).to_pylist())
    return file.read_text(encoding="utf-8")


def files() -> Mapping[str, Exit]:
    """Every export into every format that writes it."""
    kinds = {module.SUFFIX: module.KIND for module in plugins.load_all(exporters)}
    found = {}
    for suffix, kind in kinds.items():
        if kind == "report":
            found[f"report{suffix}"] = a_file("report", suffix)
            if suffix == ".html":  # the page on why claims fail is written as nothing else
                found["failures.html"] = a_file("failures", suffix, write=failure_report.export)
        else:
            found[f"claims{suffix}"] = a_file("claims", suffix)
        if kind == "table":
            found[f"verdicts{suffix}"] = a_file("verdicts", suffix)
            found |= {
                f"gold {level}{suffix}": a_file("gold", suffix, level=level) for level in ("spans", "claims", "labels")
            }
    return found | {"gold set": a_file("gold", ""), "labels": a_file("labels", ".jsonl")}


EXITS: Mapping[str, Exit] = {
    "inspector": the_inspector,
    "list": the_list,
    "drafts": the_drafts,
    "answers": an_answer,
    "card": the_card,
    "queue": the_queue,
    "case": the_case,
    **files(),
}
WITHOUT_TEXTS = {"gold claims.jsonl", "gold claims.csv", "gold claims.parquet"}
"""Exits that never hold a text of a source."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An answer about two sources, one of them to be hidden, labelled throughout, and a draft that was not served."""
    folder = tmp_path_factory.mktemp("exits")
    (folder / "boats.md").write_text(SECRET, encoding="utf-8")
    (folder / "cars.txt").write_text("Cars may use the bridge free of charge.", encoding="utf-8")
    with closing(Desk.open(Settings(store=folder / "desk.duckdb", verifier="lexical", cache=None))) as opened:
        corpora.add(opened.store, AddRequest(paths=(folder / "boats.md", folder / "cars.txt")), "ann")
        chunks = opened.store.corpora.chunks("main", None, utc_now())
        entries = [corpora.evidence(chunk, f"E{at}") for at, chunk in enumerate(chunks, 1)]
        evidence = [entry.model_dump(exclude={"meta"}) | entry.meta for entry in entries]
        log = folder / "log.jsonl"
        log.write_text(json.dumps({"request_id": "r1", "claims": CLAIMS, "evidence": evidence}), encoding="utf-8")
        opened.import_file(log)
        label_everything(opened)
        keep_draft(opened)
        opened.store.queries.add_card(card_of(Retriever(opened.store, BagOfWords).search("tolls", "main", None), "r1"))
        yield opened


def label_everything(desk: Desk) -> None:
    """Call every span supported, and mark a stretch of the source as better evidence."""
    at = SECRET.index(WORDS)
    events = [
        LabelEvent(
            event_id=str(uuid4()),
            kind=LabelKind.LABEL,
            claim_uid=span.claim_uid,
            cite=span.cite,
            labeller="ann",
            label=Label.SUPPORTED,
            guideline=guidelines.FIRST,
            seen_sha256=span.seen_sha256,
            better=(BetterEvidence(cite="E1", start=at, end=at + len(WORDS), text=WORDS),),
        )
        for span in labelling_queue(desk)
    ]
    assert len(desk.store.labels.add(events)) == 4


def keep_draft(desk: Desk) -> None:
    """Put the answer into the quarantine too."""
    (answer,) = desk.store.answers()
    rows = tuple(row for one in desk.store.judged_answers(desk.one_protocol(None)) for _, row in one.rows)
    draft = BlockedDraft(
        draft_id="d1",
        request_id="r1",
        asked_at=utc_now(),
        keep_until=utc_now() + timedelta(days=1),
        principal="local",
        corpus="main",
        query="What is the toll?",
        outcome="blocked",
        reason="unsupported_claim",
        claim_index=0,
        gate=Level.SUPPORT,
        protocol=rows[0].protocol,
        groups=(),
        attempts=1,
        answer=answer,
        rows=rows,
    )
    desk.store.queries.keep_draft(draft)


def boats(desk: Desk) -> str:
    """The id of the source to be hidden."""
    return next(one.doc_id for one in desk.store.corpora.sources() if one.uri.endswith("boats.md"))


def show(desk: Desk) -> None:
    """Put the source back, for everyone and for ever."""
    held, doc_id = desk.store.corpora, boats(desk)
    held.activate(doc_id, None, "ann")
    held.retain(doc_id, None, None, "ann")
    held.allow(doc_id, None, (), "ann")


def leaked(text: str) -> list[str]:
    """The words of the source in a text; a number only where it is no part of a hash."""
    words = _HASHES.sub("", text.lower())
    return [mark for mark in MARKS if mark in words]


def test_every_kind_of_export_is_an_exit_here() -> None:
    """A new one does not pass unseen; notebooks are tested with their pages."""
    known = {name.partition(".")[0].split()[0] for name in files()}

    assert known | {"notebook"} >= set(get_args(ExportRequest.model_fields["what"].annotation)) >= known


@pytest.mark.parametrize("name", EXITS)
def test_the_words_are_there_while_nothing_is_hidden(desk: Desk, tmp_path: Path, name: str) -> None:
    """Else the next test would show nothing."""
    show(desk)

    assert bool(leaked(EXITS[name](desk, tmp_path, None))) is (name not in WITHOUT_TEXTS)


@pytest.mark.parametrize("name", EXITS)
@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(how=st.sampled_from(["deactivated", "expired", "groups"]), groups=st.sampled_from([None, (), ("it",), ("hr",)]))
def test_no_word_leaves(desk: Desk, tmp_path: Path, name: str, how: str, groups: Groups) -> None:
    """Taken out of use or past its time: hidden from all. For a group: from who is not in it."""
    show(desk)
    held, doc_id = desk.store.corpora, boats(desk)
    if how == "deactivated":
        held.deactivate(doc_id, None, "ann")
    elif how == "expired":
        held.retain(doc_id, None, utc_now() - timedelta(seconds=1), "ann")
    else:
        held.allow(doc_id, None, ("hr",), "ann")
    may_see = how == "groups" and (groups is None or "hr" in groups)
    found = leaked(EXITS[name](desk, tmp_path, groups))

    assert bool(found) is (may_see and name not in WITHOUT_TEXTS), found
