"""A run folder read as if it were a store: its Parquet files stand where the tables stand, and nothing is copied.

A database in memory gets the schema that every store has; then the tables that a run folder fills give way to views of
the same names, columns and types over its files. What reads a store reads these too; what writes is refused.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from core.errors import InputError, StoreError
from core.input_blocks import shown
from core.models import Evidence, StageVerdict
from core.people import Person
from core.run_folder import BlockReport, RunFolder
from core.store import answers
from core.store.attached_parts import parts_of
from core.store.attached_views import CURRENT, OF_CLAIMS, OF_REQUESTS, PARTS, ROW_JSON, VIEWS, WIDER, list_of
from core.store.claim_vectors import HeldVectors
from core.store.connection import Connection, Session
from core.store.encoding import dump_json
from core.store.migration import migrate
from core.store.records import ClaimDetail
from core.store.reveals import Reveals
from core.store.review import read_row
from core.store.store import Store

_NAME = "desk"


class AttachedConnection(Connection):
    """A connection to one state of a run folder, which only reads.

    Args:
        folder: The run folder; what is finished in it now is what is read.

    Raises:
        InputError: It is none, a file that it names is missing or was changed, or it holds too much for one desk.
    """

    def __init__(self, folder: RunFolder) -> None:
        """Lay views over the files; of those only the ends are read."""
        self.path = Path(shown(folder.where))
        self._lock = threading.RLock()
        self._last = {}
        self._changes = {}
        self._shown = shown(folder.where)
        reports, notes = folder.done(), folder.runs()
        if not reports or not notes:
            raise InputError(f"{self._shown} holds no finished verification", "name the folder given to verify --out")
        self.parts = parts_of(folder, reports)
        self.refused = len({(report.block, bad.line) for report in reports for bad in report.bad_lines})
        self._root = duckdb.connect(config={"storage_compatibility_version": "v1.0.0"})
        try:
            self._root.execute("set global TimeZone = 'UTC'")
            self._root.execute("set global autoinstall_known_extensions = false")
            self._root.execute("set global parquet_metadata_cache = true")  # of files that never change
            self._root.execute(f"attach ':memory:' as {_NAME}")
            self._root.execute(f"use {_NAME}")
            migrate(self._root, self.path)
            _register(self._root, folder)
            _fill(self._root, self.parts, notes, reports)
        except duckdb.Error as error:
            self._root.close()
            raise self._explained(error) from error

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Refuse.

        Raises:
            StoreError: Always.
        """
        raise StoreError(
            f"{self._shown} is attached for reading only", "import its answers into your store to label or queue them"
        )
        yield  # a generator, as the context manager that it takes the place of

    @contextmanager
    def _session(self) -> Iterator[duckdb.DuckDBPyConnection]:
        try:
            with self._root.cursor() as cursor:
                cursor.execute(f"use {_NAME}")
                cursor.begin()
                yield cursor
        except duckdb.Error as error:
            raise self._explained(error) from error

    def _explained(self, error: duckdb.Error) -> StoreError:
        said = str(error).splitlines()[0].rstrip(". ")
        return StoreError(
            f"The attached run {self._shown} cannot be read: {said}",
            "look whether its files are whole, and attach it again; verify into a new folder if they are not",
        )


class _Reveals(Reveals):
    """What is shown of an attached run is noted in the store beside it, where claims are labelled."""

    def __init__(self, connection: Connection, beside: Reveals) -> None:
        super().__init__(connection)
        self._beside = beside

    def note(self, person: str, claim_uids: Collection[str], place: str) -> int:
        """See ``Reveals.note``."""
        return self._beside.note(person, claim_uids, place)


class AttachedStore(Store):
    """A run folder beside a store. What people did in that store holds here too: sources, marks, saved views.

    Args:
        where: A path or an address.
        beside: The store.

    Raises:
        InputError: As ``AttachedConnection`` does.
    """

    def __init__(self, where: str, beside: Store) -> None:
        """Read what is finished in the folder."""
        self.where = where
        connection = AttachedConnection(RunFolder(where))
        super().__init__(connection.path, connection)
        self.reveals = _Reveals(connection, beside.reveals)
        self.claim_vectors = HeldVectors(connection)
        self._attached = connection
        self._beside = beside
        self.corpora, self.time_marks, self.saved_views = beside.corpora, beside.time_marks, beside.saved_views
        self.corpus_policies = beside.corpus_policies

    def claim(self, claim_uid: str, protocol: str | None = None, reader: Person | None = None) -> ClaimDetail | None:
        """See ``Store.claim``; reads the row group of one answer, and labels there are none."""
        with self._connection.read() as session:
            found = session.all(
                "select p.name, v.verdict_no, c.request_no from claims c join claim_verdicts v using (claim_no) "
                "join protocols p using (protocol_no) where c.claim_uid = ? order by v.verdict_no desc",
                [claim_uid],
            )
            chosen = next((row for row in found if protocol in (None, row[0])), None)
            hidden = self.concealed_from(reader)
            if chosen is None or claim_uid in hidden:
                return None
            name, verdict_no, request_no = chosen
            part = next(
                one for one in self._attached.parts if one["first_verdict"] <= verdict_no <= one["last_verdict"]
            )
            row = request_no - part["first_request"]
            answer, evidence = _answer(session, part, row)
            rows = session.all(
                f"select claim_uid, {ROW_JSON}, to_json(stages) from read_parquet(?) where answer_row = ? "
                "order by position",
                [part["claims"], row],
            )
        here = next(stages for uid, _, stages in rows if uid == claim_uid)
        of_answer = tuple((uid, read_row(row_json)) for uid, row_json, _ in rows if uid not in hidden)
        return ClaimDetail(
            claim_uid=claim_uid,
            row=dict(of_answer)[claim_uid],
            answer=answers.answer_of(answer, evidence),
            stages=tuple(StageVerdict.model_validate(stage) for stage in json.loads(here)),
            rows=of_answer,
            protocols=tuple(dict.fromkeys(row[0] for row in found if row[0] != name)),
            labels=(),
            works=(),
            concealed=len(rows) - len(of_answer),
        )

    def concealed_from(self, reader: Person | None) -> set[str]:
        """Claims of this run that a person is to label blind in the store beside it, and has not labelled yet."""
        hidden = self._beside.reveals.concealed(reader) if reader else set()
        if not hidden:
            return set()
        with self._connection.read() as session:
            found = session.all(
                "select claim_uid from claims where claim_uid in (select unnest(?::varchar[]))", [list(hidden)]
            )
        return {uid for (uid,) in found}

    def unread(self) -> int:
        """Lines or rows of the input that could not be read, of what is finished; none of their claims is here."""
        return self._attached.refused

    def doubled(self) -> int:
        """Rows of claims that their judge judged twice, because their answers stand in the input twice."""
        with self._connection.read() as session:
            return int(
                session.value("select count(*) - count(distinct (protocol_no, claim_uid)) from attached_claims") or 0
            )


def _register(root: duckdb.DuckDBPyConnection, folder: RunFolder) -> None:
    if not folder.is_here:
        from fsspec.implementations.arrow import ArrowFSWrapper

        class Attached(ArrowFSWrapper):  # type: ignore[misc]  # fsspec ships no types
            protocol = "attached"

            @classmethod
            def _strip_protocol(cls, path: str) -> str:
                return path.removeprefix("attached://")

        root.register_filesystem(Attached(folder.system))


def _fill(
    root: duckdb.DuckDBPyConnection,
    parts: Sequence[Mapping[str, Any]],
    notes: Sequence[Any],
    reports: Sequence[BlockReport],
) -> None:
    numbers = {str(note.protocol): number for number, note in enumerate(notes, start=1)}
    for note in notes:
        number, name = numbers[str(note.protocol)], str(note.protocol)
        full = dump_json(note.protocol.model_dump())
        root.execute("insert into protocols values (?, ?, ?, ?)", [number, note.protocol.sha256, name, full])
        run = [number, name, number, note.started_at, "attached run", None, note.package_version]
        root.execute("insert into runs values (?, ?, ?, ?, ?, ?, ?)", run)
        claims = sum(report.claims for report in reports if report.protocol == name)
        root.execute("insert into batches values (?, ?, ?, ?)", [name, number, claims, note.started_at])
    root.execute(PARTS)
    columns = ("claims", "answers", "first_claim", "first_request", "first_verdict", "is_first")
    values = [[part[column] for part in parts] for column in columns]
    root.execute(
        "insert into parts select unnest(?::varchar[]), unnest(?::varchar[]), unnest(?::integer[]), "
        "unnest(?::integer[]), unnest(?::integer[]), unnest(?::boolean[]), unnest(?::integer[])",
        [*values, [numbers[part["protocol"]] for part in parts]],
    )
    root.execute(OF_CLAIMS.format(files=list_of([part["claims"] for part in parts])))
    root.execute(OF_REQUESTS.format(files=list_of([part["answers"] for part in parts if part["is_first"]])))
    for table, (source, said) in VIEWS.items():
        known = root.execute(
            "select column_name, data_type from duckdb_columns() where database_name = ? and table_name = ? "
            "order by column_index",
            [_NAME, table],
        ).fetchall()
        chosen = ", ".join(f'({said.get(name, "null")})::{WIDER.get(name, kind)} as "{name}"' for name, kind in known)
        root.execute(f"drop table {table}")
        root.execute(f"create view {table} as select {chosen} from {source}")
    for view, table in CURRENT.items():
        root.execute(f"create or replace view {view} as select * from {table}")


def _answer(session: Session, part: Mapping[str, Any], row: int) -> tuple[tuple[Any, ...], list[Evidence]]:
    found = session.one(
        f"select {answers.FIELDS}, evidence from read_parquet(?, file_row_number = true) where file_row_number = ?",
        [part["answers"], row],
    )
    if found is None:
        raise StoreError(f"{part['answers']} lacks an answer", "verify into a new folder")
    *fields, evidence = found
    return tuple(fields), [Evidence.model_validate(entry) for entry in json.loads(evidence)]
