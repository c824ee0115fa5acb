"""What a person is writing about a span before they label it, so that they can go on elsewhere; never a label."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.models import utc_now
from core.store.connection import Connection, Session
from core.store.encoding import dump_json
from core.store.label_records import Draft, Place


class Drafts:
    """The drafts of a store, the one kind of row that is overwritten; see ``Store`` for what holds of all methods."""

    def __init__(self, connection: Connection) -> None:
        """Read and write through this connection; a draft changes nothing that anybody else reads."""
        self._connection = connection

    def save(self, labeller: str, queue_id: str | None, drafts: Sequence[tuple[Place, Draft]]) -> None:
        """Keep a person's drafts in the place of earlier ones; an empty one only takes the earlier away.

        Args:
            labeller: Whose.
            queue_id: The queue in which they were written.
            drafts: Each with its claim uid and cite; one of an unknown span is passed over.
        """
        with self._connection.write() as session:
            latest = {number: one for place, one in drafts if (number := _span_no(session, place)) is not None}
            forget(session, [(labeller, number) for number in latest])
            at = utc_now()
            rows = [
                {
                    "span_no": number,
                    "labeller": labeller,
                    "queue_id": queue_id,
                    "draft": dump_json(one.model_dump(mode="json")),
                    "recorded_at": at,
                }
                for number, one in latest.items()
                if one != Draft()
            ]
            session.append("label_drafts", rows)

    def of(self, labeller: str, places: Collection[Place]) -> dict[Place, Draft]:
        """A person's drafts of some spans."""
        if not places:
            return {}
        with self._connection.read() as session:
            found = session.all(
                "select c.claim_uid, s.cite, d.draft from label_drafts d join spans s using (span_no) "
                "join claims c using (claim_no) where d.labeller = ?",
                [labeller],
            )
        drafts = {(uid, cite): Draft.model_validate_json(draft) for uid, cite, draft in found}
        return {place: drafts[place] for place in places if place in drafts}


def forget(session: Session, spans: Sequence[tuple[str, int]]) -> None:
    """Drop drafts of labellers on spans: they have labelled them."""
    for labeller in {name for name, _ in spans}:
        mine = [span_no for name, span_no in spans if name == labeller]
        session.run("delete from label_drafts where labeller = ? and span_no in ?", [labeller, mine])


def _span_no(session: Session, place: Place) -> int | None:
    found = session.value(
        "select s.span_no from spans s join claims c using (claim_no) "
        "where c.claim_uid = ? and s.cite is not distinct from ?",
        list(place),
    )
    return None if found is None else int(found)
