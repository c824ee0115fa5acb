"""Exports: as many rows as the screen says, each file whole or not at all, gold in the form that others load."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from core import exporting, gold, label_files, queues
from core.errors import InputError
from core.exporting import ExportRequest, export
from core.models import Label, MergePolicy, digest
from core.store import Store
from core.store.records import ClaimFilter
from tests.core.store import build
from tests.core.store.conftest import empty, shared, store

__all__ = ["empty", "shared", "store"]

PROTOCOL = str(build.PROTOCOL)


def request(what: str, out: Path, **changes: Any) -> ExportRequest:
    """A request under the protocol that most of the store was judged by."""
    return ExportRequest.model_validate({"what": what, "out": out, "protocol": PROTOCOL, "guideline": "v1"} | changes)


def rows_in(path: Path) -> int:
    """How many claims a file holds."""
    if path.suffix == ".parquet":
        return int(pq.read_table(path).num_rows)
    if path.suffix == ".csv":
        with path.open(encoding="utf-8-sig", newline="") as file:
            return sum(1 for _ in csv.DictReader(file))
    if path.suffix == ".jsonld":
        return len(json.loads(path.read_text("utf-8"))["items"])
    return path.read_text("utf-8").count("\n")


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".jsonld"])
@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"labels": (Label.CONTRADICTED, None)},
        {"flags": ("number",), "unsupported": "strict"},
        {"request_id": "r3"},
        {"text": "nothing has these words"},
    ],
)
def test_a_file_has_as_many_claims_as_the_screen_says(
    suffix: str, filters: dict[str, Any], shared: Store, tmp_path: Path
) -> None:
    """Under every filter, in every format, the count said, the rows in the file and the total are the same."""
    out = tmp_path / f"claims{suffix}"
    report = export(shared, request("claims", out, **filters))
    total = shared.claim_page(ClaimFilter(protocol=PROTOCOL, **filters)).total

    assert report.rows == rows_in(out) == total
    assert f"{total} claims judged by {PROTOCOL}" in report.said


def test_a_report_counts_all_claims_and_takes_no_filter(shared: Store, tmp_path: Path) -> None:
    """A rate of chosen claims under the name of the judge would mislead."""
    out = tmp_path / "report.html"

    assert export(shared, request("report", out)).rows == 200
    for what in ("claims", "report"):
        with pytest.raises(InputError, match="all claims"):
            export(shared, request(what, out, labels=(Label.PARTIAL,)))


@pytest.mark.parametrize(
    ("what", "name", "named"),
    [
        ("claims", "c.xls", ".csv, .html, .jsonl, .jsonld, .md, .parquet"),
        ("report", "r.csv", "one of: .html, .md"),
        ("verdicts", "v.html", "one of: .csv, .jsonl, .parquet"),
        ("gold", "g.html", "one of: .csv, .jsonl, .parquet"),
    ],
)
def test_a_suffix_that_nobody_writes_is_refused(
    what: str, name: str, named: str, shared: Store, tmp_path: Path
) -> None:
    """The sentence names those that are written, and no file appears."""
    with pytest.raises(InputError) as refused:
        export(shared, request(what, tmp_path / name))

    assert named in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_verdicts_are_a_row_a_stage(shared: Store, tmp_path: Path) -> None:
    """Every stage of every citation of every claim."""
    out = tmp_path / "verdicts.parquet"
    report = export(shared, request("verdicts", out))
    table = pq.read_table(out)

    assert report.rows == table.num_rows == len(list(shared.verdicts(ClaimFilter(protocol=PROTOCOL))))
    assert set(table.column("stage").to_pylist()) == {"structural", "support"}


def test_a_failure_leaves_the_old_file(shared: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing half-written stands in its place, and nothing is left beside it."""
    out = tmp_path / "claims.csv"
    out.write_text("old")

    def broken(wanted: object) -> Iterator[object]:
        yield from list(Store.rows(shared, ClaimFilter(protocol=PROTOCOL)))[:3]
        raise OSError("no space")

    monkeypatch.setattr(shared, "rows", broken)
    with pytest.raises(OSError, match="no space"):
        export(shared, request("claims", out))

    assert [path.name for path in tmp_path.iterdir()] == ["claims.csv"]
    assert out.read_text() == "old"


def label_two_claims(store: Store) -> None:
    """Two claims with two citations each; the first has labels on both, the second on one; bob skips."""
    claims = [build.claim(number, cites=("C1", "C2")) for number in (1, 2)]
    one = build.checked(build.answer(), [Label.SUPPORTED, Label.SUPPORTED], claims)
    store.record(build.batch(one))
    first, second = (build.uid(one.answer, claim) for claim in claims)
    seen = {
        (uid, cite): digest([claim.text, "The gate is open." if cite == "C1" else None])
        for uid, claim in zip((first, second), claims, strict=True)
        for cite in ("C1", "C2")
    }
    store.labels.add(
        [
            build.event("e1", first, "C1", seen_sha256=seen[first, "C1"]),
            build.event("e2", first, "C2", label=Label.UNRESOLVABLE, seen_sha256=seen[first, "C2"]),
            build.event("e3", second, "C1", label=Label.PARTIAL, seen_sha256=seen[second, "C1"]),
            build.event("e4", second, "C2", kind="skip", label=None, reason="Later", labeller="bob"),
        ]
    )


def test_a_gold_set_is_a_folder_that_describes_itself(store: Store, tmp_path: Path) -> None:
    """Data files with a card: rows, features and hashes in it are those of the files; no verdict is in it."""
    label_two_claims(store)
    out = tmp_path / "gold"
    report = export(store, request("gold", out))
    card = out.joinpath("README.md").read_text("utf-8")
    head = yaml.safe_load(card.split("---\n")[1])
    files = {path.stem: path.read_text("utf-8").splitlines() for path in (out / "data").iterdir()}

    assert "3 spans and 1 claims" in report.said
    assert {name: len(lines) for name, lines in files.items()} == {"spans": 3, "claims": 1, "labels": 4}
    assert [config["config_name"] for config in head["configs"]] == ["spans", "claims", "labels"]
    for info in head["dataset_info"]:
        lines = files[info["config_name"]]
        assert info["splits"][0]["num_examples"] == len(lines)
        assert [feature["name"] for feature in info["features"]] == list(json.loads(lines[0]))
        assert hashlib.sha256((out / "data" / f"{info['config_name']}.jsonl").read_bytes()).hexdigest() in card
    (claim,) = map(json.loads, files["claims"])
    assert (claim["labels"], claim["label"], claim["merge"]) == (["supported", "unresolvable"], "unresolvable", "all")
    assert "lexical" not in card + "".join(line for lines in files.values() for line in lines)


@pytest.mark.parametrize(("level", "rows"), [("spans", 3), ("claims", 1), ("labels", 4)])
def test_gold_in_one_file_is_one_level(level: str, rows: int, store: Store, tmp_path: Path) -> None:
    """The suffix names the format."""
    label_two_claims(store)
    out = tmp_path / "gold.jsonl"
    report = export(store, request("gold", out, level=level))

    assert report.rows == rows_in(out) == rows


def test_a_place_that_is_taken_is_not_written_over(store: Store, tmp_path: Path) -> None:
    """A folder with something in it, or a file, stays as it is."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").touch()
    (tmp_path / "file").touch()
    for name in ("full", "file"):
        with pytest.raises(InputError, match="is there already"):
            export(store, request("gold", tmp_path / name))
    with pytest.raises(InputError, match="is a folder"):
        export(store, request("labels", tmp_path / "full"))


def test_an_empty_set_has_no_features(store: Store, tmp_path: Path) -> None:
    """Without labels there is a card that says so, and nothing that a loader would stumble over."""
    exporting.export_gold_set(store, gold.of(store, "v1", MergePolicy.ALL), tmp_path / "gold")
    head = yaml.safe_load((tmp_path / "gold" / "README.md").read_text("utf-8").split("---\n")[1])

    assert "configs" not in head
    assert "dataset_info" not in head


def test_no_export_joins_two_protocols(shared: Store, tmp_path: Path) -> None:
    """With two in the store one has to be named."""
    with pytest.raises(InputError, match="Several protocols"):
        export(shared, request("claims", tmp_path / "c.csv", protocol=None))
    with pytest.raises(InputError, match="No protocol"):
        export(shared, request("claims", tmp_path / "c.csv", protocol="claude@1+00000000"))


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".jsonld"])
def test_progress_counts_up_to_the_total(suffix: str, shared: Store, tmp_path: Path) -> None:
    """Every claim is told once it is written; of verdicts it is not known how many there will be."""
    told: list[tuple[int, int]] = []
    export(shared, request("claims", tmp_path / f"claims{suffix}"), lambda *now: told.append(now))
    assert told == [(done, 200) for done in range(1, 201)]

    told.clear()
    if suffix != ".jsonld":
        report = export(shared, request("verdicts", tmp_path / f"verdicts{suffix}"), lambda *now: told.append(now))
        assert told == [(done, 0) for done in range(1, report.rows + 1)]


def test_an_export_that_is_stopped_leaves_nothing(shared: Store, tmp_path: Path) -> None:
    """Neither half a file nor what was made beside it."""

    def stop(done: int, _total: int) -> None:
        if done == 100:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        export(shared, request("claims", tmp_path / "claims.csv"), stop)
    assert list(tmp_path.iterdir()) == []


def in_a_queue(store: Store) -> str:
    """The two claims in a queue of everything, one of them labelled in it by ann."""
    label_two_claims(store)
    queue = queues.everything(store)
    (row,) = (one for one in store.labels.rows() if one.event_id == "e3")
    again = {"queue_id": queue.queue_id, "seen_sha256": row.seen_sha256, "label": Label.PARTIAL, "labeller": "ann"}
    store.labels.add([build.event("e9", row.claim_uid, "C1", **again)])
    return queue.queue_id


def test_gold_says_how_its_claims_were_drawn(store: Store, tmp_path: Path) -> None:
    """In a queue: its design and the probability; outside of any: nothing, which is no sample."""
    queue_id = in_a_queue(store)
    export(store, request("gold", tmp_path / "spans.jsonl"))
    found = [json.loads(line) for line in (tmp_path / "spans.jsonl").read_text("utf-8").splitlines()]

    assert {(one["queue_id"], one["design"], one["probability"]) for one in found} == {
        (None, None, None),
        (queue_id, "census", 1.0),
    }


def test_labels_say_how_their_claims_were_drawn_and_come_back_the_same(store: Store, tmp_path: Path) -> None:
    """A reader sees design and probability beside each event; the file is taken in again without a new event."""
    in_a_queue(store)
    out = tmp_path / "labels.jsonl"
    export(store, request("labels", out))
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    report = label_files.take(store, out)

    assert [(one["event_id"], one["design"], one["probability"]) for one in lines][-1] == ("e9", "census", 1.0)
    assert {one["design"] for one in lines[:-1]} == {None}
    assert (report.events_new, report.events_known, report.bad_lines) == (0, 5, ())


def test_pseudonyms_are_stable_and_tell_no_name(store: Store, tmp_path: Path) -> None:
    """The same person is the same in every file of this store; the secret stays beside it, for its owner alone."""
    label_two_claims(store)
    names = []
    for out, more in ((tmp_path / "a.jsonl", {"what": "labels"}), (tmp_path / "b.jsonl", {"level": "labels"})):
        export(store, request(more.pop("what", "gold"), out, pseudonyms=True, **more))
        names.append({json.loads(line)["labeller"] for line in out.read_text("utf-8").splitlines()})
        assert not any(name in out.read_text("utf-8") for name in ('"ann"', '"bob"'))
    secret = store.path.with_name(store.path.name + ".pseudonyms")

    assert names[0] == names[1]
    assert len(names[0]) == 2
    assert secret.stat().st_mode & 0o077 == 0


def test_stale_gold_is_written_on_request(store: Store, tmp_path: Path) -> None:
    """Marked, and otherwise left out."""
    label_two_claims(store)
    (row,) = (one for one in store.labels.rows() if one.event_id == "e3")
    store.labels.add([build.event("e8", row.claim_uid, "C2", labeller="ann", seen_sha256="0" * 64)])
    without = export(store, request("gold", tmp_path / "a.jsonl"))
    with_stale = export(store, request("gold", tmp_path / "b.jsonl", stale=True))
    found = [json.loads(line)["stale"] for line in (tmp_path / "b.jsonl").read_text("utf-8").splitlines()]

    assert (without.rows, with_stale.rows, sum(found)) == (3, 4, 1)
