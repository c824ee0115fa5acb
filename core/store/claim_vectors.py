"""Vectors of claims, one a claim and model: made when somebody asks for neighbours, and never again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.store import conditions
from core.store.connection import Connection
from core.store.records import ClaimFilter

HELD = 20_000
"""Vectors that are held in memory at most: some 30 MB."""


class ClaimText(NamedTuple):
    """One claim as an embedder reads it."""

    claim_no: int
    claim_uid: str
    text: str


class ClaimVectors:
    """The part of a store that holds vectors of claims; what is computed from texts is no change of the store."""

    def __init__(self, connection: Connection) -> None:
        """Use the store's connection."""
        self._connection = connection

    def texts(self, wanted: ClaimFilter, most: int) -> list[ClaimText]:
        """The claims of a filter, at most so many: the same ones always, whatever they say."""
        with self._connection.read() as session:
            where, params = conditions.condition(session, wanted)
            found = session.all(
                f"select c.claim_no, c.claim_uid, c.text {conditions.tables(where, 'c.')} where {where} "
                "order by c.queue_order, c.claim_no limit ?",
                [*params, most],
            )
        return [ClaimText(*row) for row in found]

    def find(self, model: str, claim_nos: Sequence[int]) -> dict[int, bytes]:
        """The vectors of these claims under a model; claims without one are left out."""
        with self._connection.read() as session:
            return session.pairs(
                "select claim_no, vector from claim_vectors "
                "where model = ? and claim_no in (select unnest(?::integer[]))",
                [model, list(claim_nos)],
            )

    def add(self, model: str, vectors: Mapping[int, bytes]) -> None:
        """Keep vectors, little-endian float32, by the number of their claim; one that is kept already stays."""
        with self._connection.write() as session:
            known = session.pairs(
                "select claim_no, 1 from claim_vectors where model = ? and claim_no in (select unnest(?::integer[]))",
                [model, list(vectors)],
            )
            rows = [
                {"model": model, "claim_no": number, "vector": vector}
                for number, vector in vectors.items()
                if number not in known
            ]
            session.append("claim_vectors", rows)


class HeldVectors(ClaimVectors):
    """The same of a store that cannot be written: in memory, and gone with it."""

    def __init__(self, connection: Connection) -> None:
        """Nothing is held yet."""
        super().__init__(connection)
        self._held: dict[tuple[str, int], bytes] = {}

    def find(self, model: str, claim_nos: Sequence[int]) -> dict[int, bytes]:
        """See ``ClaimVectors.find``."""
        return {number: held for number in claim_nos if (held := self._held.get((model, number))) is not None}

    def add(self, model: str, vectors: Mapping[int, bytes]) -> None:
        """See ``ClaimVectors.add``; of more than ``HELD`` vectors the oldest give way."""
        self._held |= {(model, number): vector for number, vector in vectors.items()}
        for key in list(self._held)[: max(0, len(self._held) - HELD)]:
            self._held.pop(key, None)
