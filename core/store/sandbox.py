"""Questions of strangers: over a copy of the documented views, in a process of its own that can reach nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from core.errors import InputError, StoreError
from core.models import utc_now
from core.people import Person, Role
from core.sql_results import SqlResult
from core.store import reveals, withheld
from core.store.connection import Connection, Session

VIEWS = ("v_requests", "v_claims", "v_verdicts", "v_labels", "v_protocols")
"""What can be asked; ``docs/views.md`` says what their columns mean."""

ROWS = 5_000
SECONDS = 10.0
LONGEST = 20_000
"""Code points of a question."""

_HIDING = frozenset({"query", "query_table"})
_CHILD = Path(__file__).with_name("sandbox_child.py")
NAMES_SOURCES = "v_verdicts"
"""The view that names sources, by words that may be a source's own."""

_OF_CLAIMS = ("v_claims", "v_verdicts", "v_labels")
"""Views with a ``claim_no``, by which what somebody may not know yet is left out."""


class Sandbox:
    """The part of a store that answers SQL; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection, revision: Callable[[], int]) -> None:
        """Read through this connection; ``revision`` tells whether the last copy is still true."""
        self._connection = connection
        self._revision = revision
        self._lock = threading.Lock()
        self._copies: dict[tuple[object, ...], TemporaryDirectory[str]] = {}

    def ask(
        self,
        sql: str,
        reader: Person | None,
        seconds: float = SECONDS,
        rows: int = ROWS,
        only: str | None = None,
    ) -> SqlResult:
        """Answer one SELECT over the views, as one person may see them; None is whoever keeps the desk.

        Args:
            sql: The question.
            reader: Who asks; sources that are hidden from them, or from everybody, are not named.
            seconds: After which it is ended.
            rows: Of the result that are kept.
            only: As if this protocol alone had judged.

        Raises:
            InputError: It is more or something else than one SELECT, the person may not ask, or DuckDB refuses it.
            StoreError: No copy could be made.
        """
        if reader is not None and not reader.may(Role.REVIEWER):
            raise InputError("Only reviewers may ask the views", "ask whoever keeps the desk for that role")
        check(sql)
        with self._lock:
            copy = self._copy(reader)
            told = _run(copy, {"sql": sql, "seconds": seconds, "rows": rows, "only": only})
        if "error" in told:
            raise InputError(f"The question cannot be answered: {_line(str(told['error']))}", _ADVICE)
        return SqlResult.model_validate(told | {"sql": sql})

    def close(self) -> None:
        """Throw the copies away."""
        with self._lock:
            while self._copies:
                self._copies.popitem()[1].cleanup()

    def _copy(self, reader: Person | None) -> Path:
        with self._connection.read() as session:
            ended = withheld.ended(session, utc_now())
        key = (self._revision(), ended, *((reader.name, reader.groups) if reader else ()))
        if key not in self._copies:
            while self._copies:  # one copy at a time; it may be as large as the store
                self._copies.popitem()[1].cleanup()
            folder = TemporaryDirectory(prefix="citedesk-sql-", ignore_cleanup_errors=True)
            try:
                self._write(Path(folder.name, "views.duckdb"), reader)
            except BaseException:
                folder.cleanup()
                raise
            self._copies[key] = folder
        return Path(self._copies[key].name, "views.duckdb")

    def _write(self, path: Path, reader: Person | None) -> None:
        """Copy what a person may see, from one state of the store."""
        groups, now = reader.groups if reader else None, utc_now()

        def tables(session: Session) -> list[tuple[str, str, list[Any]]]:
            of_hidden = withheld.claims_of_hidden(groups, now) if withheld.any_hidden(session, groups, now) else None
            concealed = reveals.concealed(session, reader, "claim_no")
            return [(name, *_shown(name, concealed, of_hidden)) for name in VIEWS]

        self._connection.copy_out(path, tables)


def check(sql: str) -> None:
    """Refuse everything but one SELECT, as DuckDB's own parser reads it.

    Raises:
        InputError: It is no such thing; the message says what it is.
    """
    if not sql.strip() or len(sql) > LONGEST:
        raise InputError(f"The question has {len(sql):,} characters", f"write one SELECT in 1 to {LONGEST:,}")
    if any("\ud800" <= char <= "\udfff" for char in sql):
        raise InputError("The question holds half of a character", "type it anew")
    try:
        with duckdb.connect() as parser:
            found = parser.extract_statements(sql)
    except duckdb.Error as error:
        raise InputError(f"The question cannot be read: {_line(str(error))}", _ADVICE) from error
    if len(found) != 1:
        raise InputError(f"There are {len(found)} statements", "write one SELECT")
    if found[0].type != duckdb.StatementType.SELECT:
        raise InputError(f"{found[0].type.name} is not allowed here", "write one SELECT; nothing can be changed")
    if hidden := _HIDING & _named(_parsed(sql), "function_name"):
        raise InputError(f"{min(hidden)} hides what is asked inside a text", "write the SELECT itself")


def spoken_of(sql: str) -> tuple[frozenset[str], frozenset[str]]:
    """The tables that a checked question reads, and the texts that stand in it, as DuckDB's parser reads it."""
    tree = _parsed(sql)
    return _named(tree, "table_name"), _named(tree, "text")


def _parsed(sql: str) -> object:
    """A SELECT as DuckDB's parser reads it."""
    with duckdb.connect() as parser:
        row = parser.execute("select json_serialize_sql(?)", [sql]).fetchone()
    return json.loads(row[0]) if row else None


def _named(tree: object, field: str) -> frozenset[str]:
    """Every text that stands under a name anywhere in a tree; names of tables and functions in small letters."""
    found: set[str] = set()
    left = [tree]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            if isinstance(text := one.get(field), str):
                found.add(text if field == "text" else text.lower())
            left += one.values()
        elif isinstance(one, list):
            left += one
    return frozenset(found)


_ADVICE = "the views and their columns are listed below the cell"


def _shown(name: str, concealed: reveals.Condition, of_hidden: reveals.Condition | None) -> reveals.Condition:
    """What of a view is copied: no concealed claim, and no source of a claim whose request holds a hidden one."""
    if name not in _OF_CLAIMS:
        return f"select * from {name}", []
    without, params = concealed
    unnamed, numbers = "", list[Any]()
    if name == NAMES_SOURCES and of_hidden is not None:
        unnamed, numbers = f" replace (if(claim_no in ({of_hidden[0]}), null, source) as source)", of_hidden[1]
    return f"select * exclude (claim_no){unnamed} from {name} where not {without}", [*numbers, *params]


def _run(copy: Path, asked: dict[str, Any]) -> dict[str, object]:
    seconds = asked["seconds"]
    try:
        done = subprocess.run(  # nosec B603 # our own script, no shell
            [sys.executable, "-I", str(_CHILD)],
            input=json.dumps({"path": str(copy), **asked}),
            capture_output=True,
            encoding="utf-8",
            timeout=seconds + 2,  # its own start takes a part of it
            check=False,
            env={},
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(f"The question took more than {seconds:g} seconds", "narrow it, or group earlier") from error
    try:
        told = json.loads(done.stdout)
    except ValueError as error:
        why = "it needs more memory or time than a question may have" if done.returncode else "it gave no answer"
        raise InputError(f"The question was ended: {why}", "narrow it, or cut long texts") from error
    if not isinstance(told, dict):
        raise StoreError("The question gave no table", "try again")
    return told


def _line(text: str) -> str:
    return text.strip().splitlines()[0].rstrip(". ") if text.strip() else "it was refused"
