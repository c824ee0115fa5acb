"""An attached run folder: read like a store, named by protocol, never written, and refused when it is not whole."""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core import failure_groups
from core.errors import InputError, StoreError
from core.models import Label
from core.people import Person, Role
from core.settings import Settings
from core.store import Store, claim_vectors
from core.store.attached import AttachedStore
from core.store.records import ClaimFilter, Sort
from core.verification import Verification
from tests.core.runs import LEXICAL, judged, log
from tests.fakes.bag_of_words import BagOfWords

REVIEWER = Person(name="ann", role=Role.REVIEWER)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log and the folder it was judged into, which tests only read."""
    folder = tmp_path_factory.mktemp("run")
    judged(log(folder / "log.jsonl"), folder / "out")
    return folder


@pytest.fixture
def attached(run: Path, store: Store) -> Iterator[AttachedStore]:
    """The run beside an empty store."""
    with AttachedStore(str(run / "out"), store) as opened:
        yield opened


def test_rows_are_those_that_were_judged(attached: AttachedStore, run: Path) -> None:
    """Every field of every claim's row, in the order of the input."""
    direct = Verification([run / "log.jsonl"], "auto", LEXICAL, lambda done, total: None)
    claims = list(direct.claims())

    wanted = ClaimFilter(protocol=str(direct.protocol), sort=Sort.AS_IMPORTED)

    rows = {(row.request_id, row.claim_id): row for row in attached.rows(wanted)}
    assert rows == {(one.row.request_id, one.row.claim_id): one.row for one in claims}
    answers = {one.answer.uid: one.answer for one in attached.judged_claims(wanted)}
    assert answers == {one.answer.uid: one.answer for one in claims}


def test_rates_are_counted_by_the_day_of_the_question(attached: AttachedStore) -> None:
    """One supported and one unresolvable claim a day; the undated ones stand apart."""
    (info,) = attached.protocols()

    rows = attached.trend([info.name], "day", "UTC")

    assert info.claims == 6
    assert [(row.bucket, row.judged, row.unsupported_strict) for row in rows] == [
        ("2026-11-01", 2, 1),
        ("2026-11-02", 2, 1),
        (None, 2, 1),
    ]
    assert attached.doubled() == 0
    assert attached.unread() == 1


def test_a_claim_opens_with_its_answer_and_stages(attached: AttachedStore) -> None:
    """Drilling down ends at the words, the registry and what each stage said."""
    (info,) = attached.protocols()
    page = attached.claim_page(ClaimFilter(protocol=info.name, labels=(Label.UNRESOLVABLE,)), 1, 1)

    found = attached.claim(page.items[0].claim_uid, info.name)

    assert page.total == 3
    assert found is not None
    assert (found.row.claim, found.row.label) == (page.items[0].claim, Label.UNRESOLVABLE)
    assert found.answer.evidence[0].text.endswith("\U0001f6aa says the porter.")
    assert [row.claim for _, row in found.rows] == [one.text for one in found.answer.claims or ()]
    assert found.stages
    assert attached.claim("0" * 16) is None


def test_two_judges_of_the_same_claims_can_be_compared(tmp_path: Path, store: Store) -> None:
    """A folder may hold several protocols; a claim keeps its identity across them."""
    from core.engines import Plan
    from core.large_verification import verify

    file = log(tmp_path / "log.jsonl")
    for thresholds in ({}, {"supported": 0.99}):
        settings = Settings(verifier="lexical", cache=None, thresholds=thresholds)
        plan = Plan(settings=settings, where=str(tmp_path / "out"), format="auto")
        verify([str(file)], "local", plan, lambda done, total: None, 1)
    with AttachedStore(str(tmp_path / "out"), store) as attached:
        one, two = attached.protocols()
        changes = attached.slices.changes(ClaimFilter(protocol=one.name), two.name)

        assert one.name != two.name
        assert sum(change.claims for change in changes) == 6
        assert attached.summary().claims == 6


def test_two_states_of_one_input_keep_their_own_claims(tmp_path: Path, store: Store) -> None:
    """Another judge came when the log had changed, though not in length: neither verdict stands at the other's text."""
    from core.engines import Plan
    from core.large_verification import verify

    file = tmp_path / "log.jsonl"
    for supported, first in ((0.6, 1), (0.99, 4)):
        log(file, first=first)
        settings = Settings(verifier="lexical", cache=None, thresholds={"supported": supported})
        plan = Plan(settings=settings, where=str(tmp_path / "out"), format="auto")
        verify([str(file)], "local", plan, lambda done, total: None, 1)

    with AttachedStore(str(tmp_path / "out"), store) as attached:
        for info in attached.protocols():
            wanted = ClaimFilter(protocol=info.name)
            rows = {(row.request_id, row.claim) for row in attached.rows(wanted)}
            shown = {(item.request_id, item.claim) for item in attached.claim_page(wanted).items}
            assert rows == shown
            assert len(rows) == 6


def test_a_claim_that_is_concealed_does_not_show_beside_another(
    attached: AttachedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an answer with one that a person is to label blind, they see the others and how many are missing."""
    (info,) = attached.protocols()
    whole = attached.claim(attached.claim_page(ClaimFilter(protocol=info.name)).items[0].claim_uid)
    assert whole is not None
    (first, _), (second, _) = whole.rows
    monkeypatch.setattr(attached, "concealed_from", lambda reader: {second})

    found = attached.claim(first, reader=REVIEWER)

    assert found is not None
    assert ([uid for uid, _ in found.rows], found.concealed) == ([first], 1)
    assert attached.claim(second, reader=REVIEWER) is None


def test_an_answer_twice_in_the_input_is_said(tmp_path: Path, store: Store) -> None:
    """It counts twice, as it does in the local engine's rows; the page says so."""
    (tmp_path / "in").mkdir()
    body = log(tmp_path / "in" / "log.jsonl").read_bytes()
    (tmp_path / "in" / "again.jsonl").write_bytes(body)
    judged(tmp_path / "in", tmp_path / "out")
    with AttachedStore(str(tmp_path / "out"), store) as attached:
        assert attached.doubled() == 6


def test_writing_is_refused_in_words(attached: AttachedStore, store: Store) -> None:
    """The sentence says what to do instead; what is seen is noted in the store beside it."""
    with pytest.raises(StoreError, match="attached for reading only; import its answers into your store to label"):
        attached.tokens.revoke("t", "ann")

    assert attached.reveals.note("ann", ["0" * 16], "review") == 0
    assert attached.concealed_from(REVIEWER) == set()
    assert store.summary().claims == 0


def test_similar_claims_are_found_although_nothing_is_written(attached: AttachedStore) -> None:
    """A second look computes nothing; what one model made is not taken for another's."""
    (info,) = attached.protocols()
    wanted = ClaimFilter(protocol=info.name)
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    found = failure_groups.similar(attached, BagOfWords(), "Gate 2 is 2 metres wide.", wanted, tell)
    again = failure_groups.in_order(attached, BagOfWords(), wanted, tell)

    assert found[0].claim == "Gate 2 is 2 metres wide."
    assert found[0].cosine == pytest.approx(1.0)
    assert len(found) == len(again) == 6
    assert told == [(6, 6)]
    numbers = [one.claim_no for one in attached.claim_vectors.texts(wanted, 10)]
    assert attached.claim_vectors.find("another model", numbers) == {}


def test_vectors_in_memory_are_so_many_at_most(attached: AttachedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest give way, for a run may hold millions of claims."""
    monkeypatch.setattr(claim_vectors, "HELD", 2)
    attached.claim_vectors.add("m", {1: b"a", 2: b"b"})
    attached.claim_vectors.add("m", {3: b"c"})

    assert attached.claim_vectors.find("m", [1, 2, 3]) == {2: b"b", 3: b"c"}


def test_a_folder_that_is_not_whole_is_refused(tmp_path: Path, store: Store) -> None:
    """A missing file, one of another size, and a folder that is none: one sentence each."""
    judged(log(tmp_path / "log.jsonl"), tmp_path / "out")
    part = next((tmp_path / "out" / "claims").rglob("*.parquet"))
    body = part.read_bytes()

    part.write_bytes(body[:-20])
    with pytest.raises(InputError, match=r"is damaged: claims/.* bytes, .* were written"):
        AttachedStore(str(tmp_path / "out"), store)
    part.unlink()
    with pytest.raises(InputError, match=r"lacks claims/protocol="):
        AttachedStore(str(tmp_path / "out"), store)
    with pytest.raises(InputError, match="holds no finished verification; name the folder given to verify --out"):
        AttachedStore(str(tmp_path), store)


def test_damage_within_a_file_is_said_when_it_is_read(tmp_path: Path, store: Store) -> None:
    """Its size is right, its bytes are not."""
    judged(log(tmp_path / "log.jsonl"), tmp_path / "out", block_mib=1)
    part = next((tmp_path / "out" / "claims").rglob("*.parquet"))
    part.write_bytes(os.urandom(part.stat().st_size))

    with (
        pytest.raises(StoreError, match=r"The attached run .* cannot be read: .*; look whether its files are whole"),
        AttachedStore(str(tmp_path / "out"), store) as attached,
    ):
        attached.claim_page(ClaimFilter(protocol=str(attached.protocols()[0].name)))


def test_a_newer_layout_is_refused(tmp_path: Path, store: Store) -> None:
    """With what to do."""
    judged(log(tmp_path / "log.jsonl"), tmp_path / "out")
    for file in (tmp_path / "out" / "done").rglob("*.json"):
        file.write_text(file.read_text().replace('"layout": 1', '"layout": 2'))

    with pytest.raises(InputError, match="was written in layout 2, this Citedesk reads 1; update Citedesk"):
        AttachedStore(str(tmp_path / "out"), store)


def test_names_outside_the_folder_are_refused(tmp_path: Path, store: Store) -> None:
    """A folder from elsewhere cannot make the desk read another file."""
    judged(log(tmp_path / "log.jsonl"), tmp_path / "out", block_mib=1)
    (tmp_path / "out" / "claims" / "x").mkdir()
    for file in (tmp_path / "out" / "done").rglob("*.json"):
        file.write_text(file.read_text().replace('"claims/protocol=', '"claims/../claims/protocol='))

    with pytest.raises(InputError, match=r"lacks claims/\.\./claims"):
        AttachedStore(str(tmp_path / "out"), store)


@pytest.mark.parametrize("of_folder", [False, True])
def test_a_link_to_another_place_is_not_followed(tmp_path: Path, store: Store, of_folder: bool) -> None:
    """A folder from elsewhere cannot bring files of this machine in under its own names."""
    judged(log(tmp_path / "log.jsonl"), tmp_path / "out", block_mib=1)
    part = next((tmp_path / "out" / "claims").rglob("*.parquet"))
    moved = part.parent if of_folder else part
    moved.rename(tmp_path / moved.name)
    moved.symlink_to(tmp_path / moved.name)

    with pytest.raises(InputError, match=r"names a file outside itself|lacks claims/"):
        AttachedStore(str(tmp_path / "out"), store)


def test_a_block_that_is_noted_twice_is_refused(tmp_path: Path, store: Store) -> None:
    """A copy that a tool left in the folder does not double rows."""
    judged(log(tmp_path / "log.jsonl"), tmp_path / "out", block_mib=1)
    note = next((tmp_path / "out" / "done").rglob("*.json"))
    note.with_name(f"{note.stem} (copy).json").write_bytes(note.read_bytes())

    with pytest.raises(InputError, match=r"counts claims/.* twice; remove one of the files in done that name it"):
        AttachedStore(str(tmp_path / "out"), store)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket of an object store that runs here; gives what follows the question mark of its addresses."""
    server = pytest.importorskip("moto.server", reason="the extra dev is not installed").ThreadedMotoServer(
        "127.0.0.1", port=0, verbose=False
    )
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    server.start()
    host, port = server.get_host_and_port()
    urllib.request.urlopen(urllib.request.Request(f"http://{host}:{port}/desk", method="PUT"), timeout=60)
    yield f"?endpoint_override={host}:{port}&scheme=http&region=us-east-1"
    server.stop()


@pytest.mark.long
def test_an_object_store_is_read_and_written_as_a_folder_is(tmp_path: Path, store: Store, bucket: str) -> None:
    """The same log from a bucket, into a bucket, attached from there: the same counts, and one claim to its end."""
    from core.input_blocks import place

    system, _ = place(f"s3://desk/in{bucket}")
    with system.open_output_stream("desk/in/log.jsonl") as out:
        out.write(log(tmp_path / "log.jsonl", days=1).read_bytes())
    first = judged(f"s3://desk/in{bucket}", f"s3://desk/out{bucket}", block_mib=1)
    again = judged(f"s3://desk/in{bucket}", f"s3://desk/out{bucket}", block_mib=1)

    with AttachedStore(f"s3://desk/out{bucket}", store) as attached:
        (info,) = attached.protocols()
        page = attached.claim_page(ClaimFilter(protocol=info.name), 5)
        found = attached.claim(page.items[0].claim_uid)

    assert (first.claims, first.resumed, again.resumed) == (2, 0, 1)
    assert page.total == 2
    assert found is not None
    assert found.row.claim == page.items[0].claim
    assert "endpoint" not in str(attached.path)
    assert datetime.now(UTC) > info.last_run
