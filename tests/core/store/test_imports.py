"""Imports: withdrawn ones are out of every view and count, nothing is lost, and all is back afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import StoreError
from core.importers import BadLine
from core.models import CheckedAnswer, Label
from core.store import Store, open_store
from core.store.gold_records import ImportedLabel
from core.store.imports import Outcome, import_id
from core.store.records import Batch, ClaimFilter, RunHeader
from tests.core.store import build

NAME = str(build.PROTOCOL)
REFUSED = (BadLine(file="a.jsonl", line=3, field="claims[0].text", reason="a claim without text"),)


def run(sha256: str, run_id: str | None = None, **changes: Any) -> RunHeader:
    """The header of an import of a file with this hash."""
    header = build.batch(run_id=run_id).run
    return header.model_copy(update={"source_sha256": sha256, "format": "citedesk", "mapping": {}} | changes)


def take(store: Store, header: RunHeader, *answers: CheckedAnswer) -> str:
    """Record answers as that import, to its end; gives the import's id."""
    store.record(Batch(run=header, answers=build.batch(*answers).answers))
    store.finish_import(header, Outcome(answers_read=len(answers), answers_new=len(answers)), REFUSED)
    return import_id(header.source_sha256 or "", header.format or "", header.mapping)


def one(number: int, label: Label = Label.CONTRADICTED) -> CheckedAnswer:
    """An answer of one claim, with a generator of its own."""
    of = build.answer(f"r{number}", generator={"model": f"m{number}"})
    return build.checked(of, [label], [build.claim(number)])


def seen(store: Store) -> dict[str, Any]:
    """Everything that pages, queues and exports read of a store, in one value."""
    wanted = ClaimFilter(protocol=NAME)
    page = store.claim_page(wanted)
    summary = store.summary()
    return {
        "page": (page.total, page.items, page.label_counts, page.flag_counts),
        "rows": list(store.rows(wanted)),
        "answers": store.answers(),
        "requests": (store.request_ids(), store.generators()),
        "protocols": [(info.name, info.claims) for info in store.protocols()],
        "trend": store.trend([NAME], "week", "UTC"),
        "queue": store.labels.ahead("bob", "v1"),
        "progress": [store.labels.progress(who) for who in ("ann", "bob")],
        "labels": (store.labels.current(), store.labels.last("ann"), list(store.labels.rows())),
        "counts": (summary.requests, summary.claims, summary.label_events, summary.labellers, summary.runs),
    }


def test_a_withdrawn_import_is_nowhere(store: Store) -> None:
    """Every view is what it was before the import, and after restoring what it was before withdrawing."""
    take(store, run("a"), one(1))
    before = seen(store)
    second = take(store, run("b"), one(2), one(3))
    claim = build.uid(one(2).answer, one(2).claims[0])
    store.labels.add([build.event("e1", claim)])
    with_both = seen(store)

    assert store.withdraw_import(second, "ann")
    assert seen(store) == before
    assert store.claim(claim) is None
    assert store.labels.span(claim, "C1") is None

    assert store.restore_import(second, "ann")
    assert seen(store) == with_both


def test_an_empty_store_is_what_remains_of_one_import(store: Store) -> None:
    """Nothing to review, no judge, no rate."""
    before = seen(store)
    first = take(store, run("a"), one(1))
    store.withdraw_import(first, "ann")

    assert seen(store) == before


def test_what_another_import_brought_too_stays(store: Store) -> None:
    """Only when both are withdrawn the shared answer goes."""
    first = take(store, run("a"), one(1), one(2))
    second = take(store, run("b"), one(2), one(3))

    store.withdraw_import(second, "ann")
    assert store.request_ids() == ["r1", "r2"]
    store.withdraw_import(first, "ann")
    assert store.request_ids() == []
    store.restore_import(second, "ann")
    assert store.request_ids() == ["r2", "r3"]


def test_importing_the_file_again_restores_it(store: Store) -> None:
    """It is the same import, read twice; the same answers in another file leave it withdrawn."""
    first = take(store, run("a"), one(1))
    store.withdraw_import(first, "ann")
    take(store, run("b"), one(2))
    assert [info.withdrawn for info in store.imports()] == [False, True]

    assert take(store, run("a"), one(1)) == first
    (info,) = [info for info in store.imports() if info.import_id == first]
    assert (info.withdrawn, info.times, info.answers) == (False, 2, 1)
    assert store.request_ids() == ["r1", "r2"]


def test_withdrawing_while_it_is_read_lasts(store: Store) -> None:
    """The next batch of the same run does not bring it back."""
    header = run("a", "run-a")
    first = take(store, header, one(1))
    store.withdraw_import(first, "ann")
    take(store, header, one(2))

    assert store.request_ids() == []


def test_another_mapping_is_another_import(store: Store) -> None:
    """So a table that was read by the wrong columns can be undone and read again."""
    wrong = take(store, run("a", format="table", mapping={"query": "B"}), one(1))
    right = take(store, run("a", format="table", mapping={"query": "A"}), one(2))
    store.withdraw_import(wrong, "ann")

    assert wrong != right
    assert store.request_ids() == ["r2"]


def test_the_list_counts(store: Store) -> None:
    """Answers, claims, refused rows, labels, and what is shared; newest first."""
    first = take(store, run("a"), one(1), one(2))
    second = take(store, run("b"), one(2))
    claim = build.uid(one(2).answer, one(2).claims[0])
    skipped = build.event("e2", claim, labeller="bob", kind="skip", label=None)
    undone = build.event("e3", claim, labeller="cat")
    store.labels.add([build.event("e1", claim), skipped, undone, build.undo("e4", undone)])
    infos = {info.import_id: info for info in store.imports()}

    assert [info.import_id for info in store.imports()] == [second, first]
    counts = {(one.answers, one.claims, one.shared, one.labels, one.refused) for one in infos.values()}
    assert counts == {(2, 2, 1, 1, 1), (1, 1, 1, 1, 1)}
    assert all(info.complete and not info.withdrawn for info in infos.values())
    assert store.refused(first) == list(REFUSED)


def test_labels_of_whole_claims_count_too(store: Store) -> None:
    """Two people on one claim, one of them here and in a file: three labels, one labelled claim of two."""
    take(store, run("a"), one(1), one(2))
    claim = build.uid(one(2).answer, one(2).claims[0])
    store.labels.add([build.event("e1", claim)])
    store.gold.add([whole("g1", claim), whole("g2", claim, labeller="bob"), whole("g3", claim, design="census")], "ann")
    (info,) = store.imports()

    assert (info.claims, info.labels, info.labelled) == (2, 3, 1)


def whole(event_id: str, claim: str, labeller: str = "ann", design: str = "") -> ImportedLabel:
    """What somebody says of a whole claim in a file; the same file may be read again, said to be drawn otherwise."""
    return ImportedLabel(
        event_id=event_id,
        claim_uid=claim,
        label="supported",
        labeller=labeller,
        guideline="elsewhere",
        origin="labels.jsonl",
        origin_sha256="ab",
        probability=1.0 if design else None,
        design=design,
        seen_sha256="cd",
    )


def test_an_import_that_was_cut_short_says_so(store: Store) -> None:
    """What it brought is there and can be withdrawn."""
    header = run("a")
    store.record(Batch(run=header, answers=build.batch(one(1)).answers))
    (info,) = store.imports()

    assert (info.complete, info.answers, info.refused) == (False, 1, 0)
    assert store.withdraw_import(info.import_id, "ann")


def test_a_file_that_was_refused_whole_is_listed(store: Store) -> None:
    """It brought nothing, and its reasons are kept once."""
    header = run("a")
    store.finish_import(header, Outcome(answers_read=0, answers_new=0), REFUSED)
    store.finish_import(header, Outcome(answers_read=0, answers_new=0), REFUSED)
    (info,) = store.imports()

    assert (info.answers, info.claims, info.refused, info.complete) == (0, 0, 1, True)


def test_a_run_without_a_file_is_no_import(store: Store) -> None:
    """Judging what is stored brings nothing that could be withdrawn."""
    store.record(build.batch(one(1)))

    assert store.imports() == []


def test_withdrawing_twice_changes_nothing(store: Store) -> None:
    """The second time says so, and writes nothing."""
    first = take(store, run("a"), one(1))

    assert not store.restore_import(first, "ann")
    assert store.withdraw_import(first, "ann")
    revision = store.revision()
    assert not store.withdraw_import(first, "ann")
    assert store.revision() == revision


def test_an_unknown_import_is_one_sentence(store: Store) -> None:
    """A link of another store."""
    with pytest.raises(StoreError, match="No import 0123 is in the store"):
        store.withdraw_import("0123", "ann")


def test_a_verdict_on_what_is_withdrawn_is_known_again(store: Store) -> None:
    """After withdrawing, the same file adds no second verdict."""
    header = run("a")
    first = take(store, header, one(1))
    store.withdraw_import(first, "ann")
    again = store.record(Batch(run=run("a"), answers=build.batch(one(1)).answers))

    assert (again.requests_known, again.verdicts_new, again.verdicts_known) == (1, 0, 1)


def test_imports_of_an_older_store_can_be_withdrawn(tmp_path: Path) -> None:
    """A file that was imported before there was a list is in it, under the id that it would get today."""
    path = tmp_path / "old.duckdb"
    with open_store(path) as store:
        store.record(Batch(run=run("a"), answers=build.batch(one(1), one(2)).answers))
        store.record(Batch(run=run("b", source="b.jsonl"), answers=build.batch(one(3)).answers))
    with open_store(build.older(path, 2)) as store:
        store.withdraw_import(import_id("a", "citedesk", {}), "ann")

        assert store.request_ids() == ["r3"]
        assert {info.source: info.answers for info in store.imports()} == {"answers.jsonl": 2, "b.jsonl": 1}
