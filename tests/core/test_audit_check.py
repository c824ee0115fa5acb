"""The audit chain: one changed byte, one row more or less, one entry less is found, and named."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from core.audit_check import verify
from core.cli import cli
from core.models import Label
from core.people import Role
from core.store import Store, open_store
from core.store.audit import Act
from core.store.label_records import LabelEvent, LabelKind
from core.store.queue_records import Draw, DrawnClaim, QueueSpec
from core.store.records import ClaimFilter
from tests.core.store import build


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed store with a row in every audited table that a test of this file changes."""
    path = tmp_path_factory.mktemp("audit") / "desk.duckdb"
    with open_store(path) as store:
        fill(store)
    return path


def fill(store: Store) -> None:
    """One person signs in, gets a role, is given a queue, labels, takes back, sees a verdict; somebody exports."""
    store.record(build.batch(build.checked(build.answer(), (Label.PARTIAL, None), [build.claim(1), build.claim(2)])))
    uid, other = (item.claim_uid for item in store.claim_page(ClaimFilter(protocol=str(build.PROTOCOL))).items)
    store.roles.enter("https://id.example.org", "sub-1", "ana@example.org")
    store.roles.give("ana@example.org", Role.REVIEWER, "keeper")
    item = DrawnClaim(claim_uid=uid, place=3, probability=0.5, stratum="all", wanted=1)
    draw = Draw(items=(item,), population=2, newest=2, strata={"all": (2, 1)})
    queue = store.queues.create(QueueSpec(name="first"), draw, "keeper")
    store.queues.rename(queue.queue_id, "second", "keeper")
    store.labels.add([label(store, uid, "e1"), label(store, other, "e2")])
    undo = label(store, uid, "e3").model_copy(update={"kind": LabelKind.UNDO, "label": None, "undoes": "e1"})
    store.labels.add([undo])
    store.reveals.note("ana@example.org", [uid], "review")
    store.audit.note("keeper", Act.EXPORTED, "export labels 3 out.jsonl", None)


def label(store: Store, uid: str, event_id: str) -> LabelEvent:
    """A label on a claim's only span."""
    span = store.labels.span(uid, "C1")
    assert span is not None
    return LabelEvent(
        event_id=event_id,
        kind=LabelKind.LABEL,
        claim_uid=uid,
        cite="C1",
        labeller="ana@example.org",
        label=Label.PARTIAL,
        note="ünï",
        guideline="v1",
        seen_sha256=span.seen_sha256,
    )


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    """A copy of that store, closed."""
    return Path(shutil.copy(made, tmp_path / "desk.duckdb"))


def edited(path: Path, sql: str) -> None:
    """Change a closed store behind its back, which must change a row."""
    with duckdb.connect(str(path)) as root:
        changed = root.execute(sql).fetchone()
        assert changed is not None
        assert changed[0] == 1


def test_a_chain_that_nobody_touched_holds(made: Path) -> None:
    """Every act has its entry, in order; memory holds some thousand of them, and progress is told."""
    told: list[tuple[int, int]] = []
    with open_store(made) as store:
        report = verify(store, lambda done, total: told.append((done, total)))
        acts = [one.act for batch in store.audit.entries() for one in batch]
        mine = [one.act for batch in store.audit.entries(person="ana@example.org") for one in batch]
        queues = [one.act for batch in store.audit.entries(subject="queue") for one in batch]

    assert report.fault is None
    assert acts == [
        *("signed_in", "gave_role", "made_queue", "drew", "changed_queue", "labelled", "labelled", "took_back"),
        *("was_shown_verdict", "exported"),
    ]
    assert (report.entries, told) == (10, [(10, 10)])
    assert mine == ["signed_in", "labelled", "labelled", "took_back", "was_shown_verdict"]
    assert queues == ["made_queue"]


@pytest.mark.parametrize(
    ("sql", "number", "words"),
    [
        ("update label_events set note = 'üni' where event_id = 'e1'", 6, "was changed since"),
        ("update label_events set label = 'supported' where event_id = 'e2'", 7, "was changed since"),
        (
            "update label_events set recorded_at = recorded_at + interval 1 microsecond where event_id = 'e1'",
            6,
            "changed",
        ),
        ("update label_events set event_no = 9 where event_id = 'e2'", 7, "was changed since"),
        ("delete from label_events where event_id = 'e3'", 8, "is gone"),
        ("update people set subject = 'sub-2'", 1, "was changed since"),
        ("update roles set role = 'admin'", 2, "was changed since"),
        ("update queues set feeds_rates = false", 3, "was changed since"),
        ("update queue_items set probability = 0.6", 4, "was changed since"),
        ("update queue_events set value = 'third'", 5, "was changed since"),
        ("update reveals set place = 'reviev'", 9, "was changed since"),
        ("delete from reveals", 9, "is gone"),
        ("update audit set person = 'ben' where entry_no = 6", 6, "the entry itself was changed"),
        (
            "update audit set done_at = done_at + interval 1 second where entry_no = 2",
            2,
            "the entry itself was changed",
        ),
        ("delete from audit where entry_no = 4", 5, "the entry 4 is missing"),
    ],
)
def test_a_change_is_found_and_named(copy: Path, sql: str, number: int, words: str) -> None:
    """The first entry that does not hold, by number."""
    edited(copy, sql)
    with open_store(copy) as store:
        fault = verify(store).fault

    assert fault is not None
    assert fault.number == number
    assert words in fault.what


@pytest.mark.parametrize(
    ("sql", "subject"),
    [
        ("insert into roles select 2, person, 'admin', who, recorded_at from roles", "role 2"),
        (
            "insert into label_events select * replace ('e9' as event_id, 9 as event_no) from label_events limit 1",
            "label_event e9",
        ),
        ("insert into roles select * from roles", "role 1"),
        ("insert into queue_items select * replace (7 as draw_no) from queue_items", "queue_draw 7"),
    ],
)
def test_a_row_that_has_no_entry_is_found(copy: Path, sql: str, subject: str) -> None:
    """Also one that stands there twice."""
    edited(copy, sql)
    with open_store(copy) as store:
        fault = verify(store).fault

    assert fault is not None
    assert (fault.number, fault.subject) == (None, subject)


def test_a_chain_whose_end_is_cut_off_is_found(copy: Path) -> None:
    """By the rows that lost their entries; an end without rows, by the head that was kept elsewhere."""
    with open_store(copy) as store:
        report = verify(store)
    head = (report.entries, report.head)
    edited(copy, "delete from audit where entry_no = 10")
    with open_store(copy) as store:
        assert verify(store).fault is None
        assert "before the head" in str(verify(store, head=head).fault)
        assert verify(store, head=(9, verify(store).head)).fault is None
        assert "another one than the head" in str(verify(store, head=(9, head[1])).fault)
    edited(copy, "delete from audit where entry_no = 9")
    with open_store(copy) as store:
        fault = verify(store).fault

    assert fault is not None
    assert fault.subject == "reveal 1"


def test_labels_older_than_the_chain_are_bound_by_their_sum(copy: Path) -> None:
    """They have no entries, and a change of one is found all the same."""
    path = build.older(copy, 10)
    with open_store(path) as store:
        assert verify(store).fault is None
    edited(path, "update label_events set note = 'changed' where event_no = 1")
    with open_store(path) as store:
        fault = verify(store).fault

    assert fault is not None
    assert fault.what == "a label that is older than the chain was changed"


def test_the_command_says_so_and_exits_with_1(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence; 0 when all is well, 2 when there is nothing to look at, which is not made."""
    run = CliRunner()
    fine = run.invoke(cli, ["audit", "verify", "--store", str(copy)], standalone_mode=False)
    head = fine.output.rsplit(maxsplit=1)[-1]
    again = run.invoke(cli, ["audit", "verify", "--head", head, "--store", str(copy)], standalone_mode=False)
    edited(copy, "update roles set role = 'admin'")
    broken = run.invoke(cli, ["audit", "verify", "--store", str(copy)], standalone_mode=False)
    listed = run.invoke(cli, ["audit", "list", "--subject", "role 1", "--store", str(copy)], standalone_mode=False)
    nowhere = run.invoke(cli, ["audit", "verify", "--store", str(copy.with_name("no.duckdb"))], standalone_mode=False)

    assert (fine.return_value, again.return_value, broken.return_value) == (0, 0, 1)
    assert fine.output.startswith("The audit chain holds: 10 entries. Head: 10:")
    assert broken.output == (
        "The audit chain does not hold at entry 2 (gave_role, role 1): what it speaks of was changed since.\n"
    )
    assert "keeper  gave_role  role 1" in listed.output
    assert "There is no store" in str(nowhere.exception)
    assert not copy.with_name("no.duckdb").exists()
