"""Judgements kept from run to run: what was judged once under a protocol is not judged again under it.

A judgement is found by the hash of exactly what the verifier was given and of the verifier protocol. Kept is the
judgement, with snippets of at most 25 words, never claim or evidence; a failed one is never kept. The cache can make
work cheaper and nothing else: a row or a file that is not sound is as good as none.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from core import verifiers
from core.cache_file import clause, open_file, transaction
from core.judge_time import JudgeTime, Stopwatch
from core.models import Judgement, Pair, Record, Status, digest
from core.protocol import VerifierProtocol
from core.spend import Call

KEPT_AT_ONCE = 256
"""Pairs after which what was judged is committed: no more than these are judged again after a kill."""

LARGEST = 256 * 1024 * 1024
"""Bytes in use above which the judgements kept longest ago make room; some 400,000 judgements."""

SNIPPET_WORDS = 25
"""A judgement that quotes more of a text in one piece is not kept."""

_KEYS_AT_ONCE = 500
"""Values in one query; SQLite takes 999 in its oldest versions."""

_log = logging.getLogger(__name__)


class SpanJudge(Protocol):
    """What judges pairs under one protocol: ``core.semantic.Judge``, or one that remembers."""

    @property
    def protocol(self) -> VerifierProtocol:
        """What decides its labels."""
        ...

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair, in order."""
        ...


class CacheTrouble(Exception):
    """A cache file cannot be used."""


class Kept(Record):
    """What a cache file holds."""

    judgements: int
    bytes: int
    """On the disk, the write-ahead log included."""


class VerdictCache:
    """One file of judgements; safe to use from many threads and processes.

    Trouble with the file is said once, in one sentence on the log, and ends its use by this object: it never raises.

    Args:
        path: The file; it and its folder are made when the first judgement is kept, for their owner only.
        largest: Bytes in use that it may grow to.
    """

    def __init__(self, path: Path, largest: int = LARGEST) -> None:
        """Nothing is opened yet."""
        self.path = path
        self._largest = largest
        self._given_up = False

    def find(self, keys: Sequence[bytes]) -> dict[bytes, Judgement]:
        """The judgements kept under some keys; those that are not there, or not as they were written, are left out."""
        if self._given_up or not keys:
            return {}
        try:
            if not self.path.exists():
                return {}
            with closing(open_file(self.path)) as connection:
                return dict(_read(connection, keys))
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)
            return {}

    def keep(self, judgements: Mapping[bytes, Judgement]) -> None:
        """Keep judgements, all of them in one transaction; those that may not be kept are passed over."""
        rows = [_sealed(key, judgement) for key, judgement in judgements.items() if _may_be_kept(judgement)]
        if self._given_up or not rows:
            return
        try:
            with closing(open_file(self.path)) as connection, transaction(connection):
                connection.executemany("insert or replace into judgements values (?, ?, ?)", rows)
                self._make_room(connection)
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)

    def look(self) -> Kept:
        """What the file holds; nothing is changed, and a file that is not there is not made.

        Raises:
            CacheTrouble: It cannot be used; the message is a clause that says why.
        """
        try:
            if not self.path.exists():
                return Kept(judgements=0, bytes=0)
            with closing(open_file(self.path)) as connection:
                if (said := connection.execute("pragma quick_check(1)").fetchone()[0]) != "ok":
                    raise CacheTrouble(f"it is damaged ({said.splitlines()[-1]})")
                (count,) = connection.execute("select count(*) from judgements").fetchone()
                wal = self.path.with_name(f"{self.path.name}-wal")
                size = self.path.stat().st_size + (wal.stat().st_size if wal.exists() else 0)
        except (sqlite3.Error, OSError) as error:
            raise CacheTrouble(clause(error)) from error
        return Kept(judgements=count, bytes=size)

    def _give_up(self, error: sqlite3.Error | OSError) -> None:
        self._given_up = True
        _log.warning("The verdict cache %s is not used (%s); judging goes on without it.", self.path, clause(error))

    def _make_room(self, connection: sqlite3.Connection) -> None:
        """Take out the oldest fifth when more is in use than the file may hold."""
        pages, free, size = (
            int(connection.execute(f"pragma {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        if (pages - free) * size > self._largest:
            connection.execute(
                "delete from judgements where rowid < (select rowid from judgements order by rowid "
                "limit 1 offset (select count(*) / 5 from judgements))"
            )


class RememberingJudge:
    """A judge that asks its cache first and keeps what it had to judge.

    Args:
        judge: Who judges what is not kept.
        cache: Where judgements are kept.
    """

    def __init__(self, judge: SpanJudge, cache: VerdictCache) -> None:
        """Keep both; nothing was found in the cache yet."""
        self._watch = Stopwatch()
        self._judge = judge
        self._cache = cache

    @property
    def protocol(self) -> VerifierProtocol:
        """That of the judge: remembering decides nothing."""
        return self._judge.protocol

    @property
    def answers_at_once(self) -> int | None:
        """As the judge wants it."""
        return verifiers.answers_at_once(self._judge)

    def spent(self) -> list[Call]:
        """The paid calls of the judge since this was asked last; what was kept costs nothing."""
        return verifiers.spent(self._judge)

    def took(self) -> list[JudgeTime]:
        """How long the judge took since this was asked last, and how many spans were kept."""
        return [*verifiers.took(self._judge), *([one] if (one := self._watch.take()) else [])]

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair, in order, exactly as the judge would; what was kept costs nothing.

        Raises:
            VerifierUnavailable: What the judge raises; all whole groups before it are kept.
        """
        protocol = self.protocol.sha256
        keys = {pair: key_of(pair, protocol) for pair in dict.fromkeys(pairs)}
        kept = self._cache.find(list(keys.values()))
        known = {pair: kept[key] for pair, key in keys.items() if key in kept and _fits(kept[key], pair)}
        self._watch.note(cached=len(known))
        missing = [pair for pair in keys if pair not in known]
        size = KEPT_AT_ONCE if self.answers_at_once is None else max(len(missing), 1)
        for start in range(0, len(missing), size):
            group = missing[start : start + size]
            judged = dict(zip(group, self._judge.judge(group), strict=True))
            self._cache.keep({keys[pair]: judgement for pair, judgement in judged.items()})
            known |= judged
        return [known[pair] for pair in pairs]


def key_of(pair: Pair, protocol_sha256: str) -> bytes:
    """32 bytes that name a judgement: over claim, evidence and the verifier protocol, and nothing else."""
    return bytes.fromhex(digest([protocol_sha256, pair.claim, pair.evidence]))


def _may_be_kept(judgement: Judgement) -> bool:
    """Whether something was judged, and its snippets are snippets, also where words are not set apart."""
    quoted = [text for one in judgement.qualifiers for text in (one.claim, one.evidence or "")]
    short = all(len(text.split()) <= SNIPPET_WORDS and len(text) <= 10 * SNIPPET_WORDS for text in quoted)
    return judgement.status is Status.JUDGED and short


def _fits(judgement: Judgement, pair: Pair) -> bool:
    """Whether a kept judgement could be one of this pair."""
    start, end = judgement.start, judgement.end
    inside = start is None or (end is not None and 0 <= start < end <= len(pair.evidence))
    return judgement.status is Status.JUDGED and judgement.label is not None and inside


def _sealed(key: bytes, judgement: Judgement) -> tuple[bytes, str, bytes]:
    text = json.dumps(judgement.model_dump())  # in ASCII, so that lone surrogates survive
    return key, text, _seal(key, text)


def _seal(key: bytes, text: str) -> bytes:
    """A hash over a row, so that a changed row is seen."""
    return hashlib.sha256(key + text.encode()).digest()


def _read(connection: sqlite3.Connection, keys: Sequence[bytes]) -> Iterator[tuple[bytes, Judgement]]:
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        some = keys[start : start + _KEYS_AT_ONCE]
        places = ",".join("?" * len(some))
        for key, text, seal in connection.execute(
            f"select key, judgement, seal from judgements where key in ({places})", some
        ):
            if not isinstance(text, str) or _seal(key, text) != seal:
                continue
            try:
                yield key, Judgement.model_validate(json.loads(text))
            except (ValidationError, ValueError):  # written by another version under the same protocol
                continue
