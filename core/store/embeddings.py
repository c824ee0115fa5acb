"""Vectors of chunks, one a chunk and model: a chunk keeps its text for ever, so nothing is ever computed again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.store.connection import Connection

_AT_ONCE = 8192


class Embeddings:
    """The part of a store that holds vectors; like the store safe to use from many threads."""

    def __init__(self, connection: Connection) -> None:
        """Use the store's connection. What is computed from texts is no change of them: the revision stays."""
        self._connection = connection

    def add(self, model: str, vectors: Mapping[int, bytes]) -> None:
        """Keep vectors by the number of their chunk; one that is kept already stays as it is.

        Args:
            model: Digest of the model.
            vectors: Little-endian float32, all of one length.
        """
        with self._connection.write() as session:
            known = {
                number
                for (number,) in session.all(
                    "select chunk_no from embeddings where model = ? and chunk_no in (select unnest(?::integer[]))",
                    [model, list(vectors)],
                )
            }
            rows = [
                {"model": model, "chunk_no": number, "vector": vector}
                for number, vector in vectors.items()
                if number not in known
            ]
            session.append("embeddings", rows)

    def lacking(self, model: str, doc_ids: Collection[str]) -> list[int]:
        """The chunks of these documents, as they are cut now, that have no vector under a model; by number."""
        with self._connection.read() as session:
            found = session.all(
                "select k.chunk_no from (select unnest(c.chunk_nos) as chunk_no from current_cuttings c "
                "join documents d using (doc_no) where d.doc_id in (select unnest(?::varchar[]))) k "
                "anti join (select chunk_no from embeddings where model = ?) e using (chunk_no) order by 1",
                [list(doc_ids), model],
            )
        return [number for (number,) in found]

    def texts(self, chunk_nos: Sequence[int]) -> dict[int, str]:
        """What these chunks say, by number."""
        with self._connection.read() as session:
            sql = "select chunk_no, text from chunks where chunk_no in (select unnest(?::integer[]))"
            return session.pairs(sql, [list(chunk_nos)])

    def find(self, model: str, chunk_nos: Sequence[int]) -> dict[int, bytes]:
        """The vectors of these chunks under a model; chunks without one are left out."""
        found: dict[int, bytes] = {}
        for first in range(0, len(chunk_nos), _AT_ONCE):
            with self._connection.read() as session:
                found |= session.pairs(
                    "select chunk_no, vector from embeddings "
                    "where model = ? and chunk_no in (select unnest(?::integer[]))",
                    [model, list(chunk_nos[first : first + _AT_ONCE])],
                )
        return found
