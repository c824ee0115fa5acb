"""Recording: whole batches, once, however often they are sent."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import StoreError
from core.models import Evidence, Label, StageVerdict
from core.protocol import ClaimProtocol
from core.store import Store, open_store
from core.store.records import Batch, Recorded
from tests.core.store import build

STRICTER = build.protocol(0.9)


def recorded(**counts: int) -> Recorded:
    """What was recorded; counts that are not named are 0."""
    return Recorded(**({name: 0 for name in Recorded.model_fields} | counts))


def test_new_and_known_are_counted(store: Store) -> None:
    """First everything is new, then everything is known, and under another protocol the rows are new."""
    one = build.checked(build.answer("r1"), [Label.SUPPORTED, Label.PARTIAL])
    two = build.checked(build.answer("r2"), [None])

    first = store.record(build.batch(one, two))
    again = store.record(build.batch(one, two))
    other = store.record(build.batch(one, two, under=STRICTER))

    assert first == recorded(requests_new=2, claims_new=3, verdicts_new=3)
    assert again == recorded(requests_known=2, verdicts_known=3)
    assert other == recorded(requests_known=2, verdicts_new=3)
    assert (store.summary().requests, store.summary().claims) == (2, 3)


def test_the_same_answer_twice_in_one_batch(store: Store) -> None:
    """A line that stands in a log twice is one request."""
    one = build.checked(build.answer(), [Label.SUPPORTED])

    assert store.record(build.batch(one, one)) == recorded(
        requests_new=1, requests_known=1, claims_new=1, verdicts_new=1, verdicts_known=1
    )


def test_a_changed_verdict_is_added_and_the_old_one_stays(store: Store) -> None:
    """Failed, judged, failed again: three rows, the last one current; repeating the last adds nothing."""
    failed = build.checked(build.answer(), [None])
    judged = build.checked(build.answer(), [Label.SUPPORTED])
    uid = build.uid(failed.answer, failed.claims[0])

    found = []
    for one in (failed, judged, failed, failed):
        new = store.record(build.batch(one)).verdicts_new
        detail = store.claim(uid)
        assert detail is not None
        found.append((new, detail.row.label))

    assert found == [(1, None), (1, Label.SUPPORTED), (1, None), (0, None)]
    with store._connection.read() as session:
        rows = session.all("select verdict_no, replaces, label from claim_verdicts order by verdict_no")
    assert rows == [(1, None, None), (2, 1, "supported"), (3, 2, None)]


def test_a_changed_stage_is_a_changed_verdict(store: Store) -> None:
    """The same row with another reason of a stage is stored anew, stages included."""
    one = build.checked(build.answer(), [Label.SUPPORTED])
    other = one.model_copy(
        update={"stages": tuple(stage.model_copy(update={"reason": "because"}) for stage in one.stages)}
    )
    store.record(build.batch(one))
    new = store.record(build.batch(other)).verdicts_new
    detail = store.claim(build.uid(one.answer, one.claims[0]))

    assert new == 1
    assert detail is not None
    assert detail.stages == other.stages


def test_a_run_may_come_in_pieces(store: Store) -> None:
    """Two batches of one run are one line of the summary; the same batch sent again counts once."""
    one = build.batch(build.checked(build.answer("r1"), [Label.SUPPORTED, None]), run_id="a")
    two = build.batch(build.checked(build.answer("r2"), [Label.PARTIAL]), run_id="a")
    for batch in (one, two, two):
        store.record(batch)

    assert [(run.run_id, run.claims) for run in store.summary().runs] == [("a", 3)]


def refused(store: Store, says: str, batch: Batch) -> None:
    """Expect that a batch is refused and that nothing of it is stored."""
    before = store.summary()
    with pytest.raises(StoreError, match=says):
        store.record(batch)

    assert store.summary() == before
    assert store.protocols() == []


def test_batches_that_contradict_themselves(store: Store) -> None:
    """Rows that are not the claims', doubled claim ids, foreign stages and foreign protocols are refused."""
    one = build.checked(build.answer(), [Label.SUPPORTED, Label.PARTIAL])
    double = build.checked(build.answer(), [None, None], [build.claim(1), build.claim(1)])
    stray = StageVerdict(**(one.stages[0].model_dump() | {"claim_id": "c9"}))
    good = build.checked(build.answer("good"), [Label.SUPPORTED])

    refused(store, "not its claims", build.batch(good, one.model_copy(update={"rows": one.rows[::-1]})))
    refused(store, "two claims with one id", build.batch(good, double))
    refused(store, "a stage verdict on a claim it has not", build.batch(one.model_copy(update={"stages": (stray,)})))
    moved = build.batch(good, one)
    run = moved.run.model_copy(update={"protocol": STRICTER})
    refused(store, "judged under another protocol", moved.model_copy(update={"run": run}))


def test_a_run_keeps_its_protocol(store: Store) -> None:
    """One run cannot go on under another protocol."""
    one = build.checked(build.answer(), [Label.SUPPORTED])
    store.record(build.batch(one, run_id="a"))

    with pytest.raises(StoreError, match="Run a went on under another protocol"):
        store.record(build.batch(one, run_id="a", under=STRICTER))
    assert [info.name for info in store.protocols()] == [str(build.PROTOCOL)]


class Twin(ClaimProtocol):
    """A protocol that prints like the usual one without being it."""

    def __str__(self) -> str:
        """Print as the usual one."""
        return str(build.PROTOCOL)


def test_two_protocols_never_share_a_name(store: Store) -> None:
    """Should eight hex ever collide, nothing is mixed."""
    one = build.checked(build.answer(), [Label.SUPPORTED])
    store.record(build.batch(one))
    twin = Twin(**STRICTER.model_dump())

    with pytest.raises(StoreError, match="Two protocols print as"):
        store.record(build.batch(one, under=twin))


def test_evidence_text_is_stored_once(store: Store) -> None:
    """Ten requests over one text keep one copy of it."""
    store.record(build.batch(*(build.checked(build.answer(f"r{n}"), [None]) for n in range(10))))

    with store._connection.read() as session:
        assert session.all("select text from texts") == [("The gate is open.",)]


def batches(number: int = 15) -> list[Batch]:
    """Batches of three answers, each with a text of its own, one that all share and one of the batch before."""
    made = []
    for first in range(0, number * 2, 2):
        answers = []
        for name in range(first, first + 3):
            texts = ("The gate is open.", f"Gate {name} is open.")
            evidence = tuple(Evidence(id=f"C{place}", text=text) for place, text in enumerate(texts, 1))
            claims = [build.claim(1, cites=("C1", "C2")), build.claim(2, cites=())]
            of = build.answer(f"r{name}", evidence=evidence)
            answers.append(build.checked(of, [Label.SUPPORTED, Label.UNCITED], claims))
        made.append(build.batch(*answers, run_id="one run"))
    return made


def counted(store: Store) -> dict[str, tuple[int, int]]:
    """Rows of every table that a batch goes into, and how many different ones by what they stand for."""
    keys = {
        "requests": "request_uid",
        "texts": "sha256",
        "claims": "claim_uid",
        "spans": "(claim_no, position)",
        "registry_entries": "(request_no, position)",
        "claim_verdicts": "(claim_no, protocol_no)",
        "stage_verdicts": "(verdict_no, position)",
        "runs": "run_id",
    }
    with store._connection.read() as session:
        return {
            table: session.one(f"select count(*), count(distinct {key}) from {table}") or (0, 0)
            for table, key in keys.items()
        }


def once(number: int = 15) -> dict[str, tuple[int, int]]:
    """What ``counted`` gives when all batches are stored once."""
    answers = number * 2 + 1
    rows = {"requests": 1, "claims": 2, "spans": 3, "registry_entries": 2, "claim_verdicts": 2, "stage_verdicts": 6}
    expected = {table: (each * answers, each * answers) for table, each in rows.items()}
    return expected | {"texts": (answers + 1, answers + 1), "runs": (1, 1)}


def test_writers_at_once_store_everything_once(store: Store) -> None:
    """Four threads send the same batches in orders of their own: one of them stores each, the others find it known."""
    made = batches()

    def send(seed: int) -> list[Recorded]:
        return [store.record(batch) for batch in random.Random(seed).sample(made, len(made))]

    with ThreadPoolExecutor(4) as pool:
        said = [one for each in pool.map(send, range(4)) for one in each]

    assert counted(store) == once()
    assert sum(one.requests_new for one in said) == 31
    assert sum(one.claims_new for one in said) == sum(one.verdicts_new for one in said) == 62


KEEP_RECORDING = """
import pathlib, sys
from core.store import open_store
from tests.core.store.test_recording import batches
with open_store(pathlib.Path(sys.argv[1])) as store:
    for number, batch in enumerate(batches()):
        store.record(batch)
        print(number, flush=True)
        if number % 4 == 3:
            store.checkpoint()
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_import_is_finished_by_the_next(tmp_path: Path) -> None:
    """Three processes are killed among the batches; what they acknowledged is there, and nothing is doubled."""
    path, drawn, made = tmp_path / "desk.duckdb", random.Random(3), batches()
    for kill_after in (0, 4, 9):
        words = [sys.executable, "-c", KEEP_RECORDING, str(path)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            said = [line for line, _ in zip(child.stdout, range(kill_after), strict=False)]
            time.sleep(drawn.random() * 0.02)
            child.kill()
            said += [line for line in child.stdout if line.endswith("\n")]
        with open_store(path) as store:
            acknowledged = {checked.answer.uid for batch in made[: len(said)] for checked in batch.answers}
            assert acknowledged <= {answer.uid for answer in store.answers()}
            assert all(rows == different for rows, different in counted(store).values())
    with open_store(path) as store:
        for batch in made:
            store.record(batch)

        assert counted(store) == once()
        assert store.answers(limit=100) == sorted(store.answers(limit=100), key=lambda one: int(one.request_id[1:]))
