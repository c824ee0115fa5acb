"""The versions of the labelling guideline: numbered, and never rewritten."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from core.models import Record, utc_now
from core.store import audit
from core.store.connection import Connection, Session
from core.store.encoding import in_utc
from core.text import sha256

_FIELDS = "guideline, text, sha256, who, recorded_at"


class GuidelineText(Record):
    """One version as it was written."""

    guideline: str
    """``v1``, ``v2``, …"""
    text: str
    """Markdown; see ``core.guidelines``."""
    sha256: str
    who: str
    recorded_at: datetime


class Guidelines:
    """The guidelines of a store; see ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection, wrote: Callable[[], None]) -> None:
        """Read and write through this connection, and say when something was written."""
        self._connection = connection
        self._wrote = wrote

    def list(self) -> list[GuidelineText]:
        """Every version, the oldest first."""
        with self._connection.read() as session:
            return _all(session)

    def get(self, guideline: str) -> GuidelineText | None:
        """One version; none when it is not here."""
        return next((one for one in self.list() if one.guideline == guideline), None)

    def add(self, text: str, who: str) -> GuidelineText:
        """Keep a text as the next version; a text that is a version already is not written again."""
        with self._connection.write() as session:
            known = _all(session)
            new = GuidelineText(
                guideline=f"v{len(known) + 1}", text=text, sha256=sha256(text), who=who, recorded_at=utc_now()
            )
            for one in known:
                if one.sha256 == new.sha256:
                    return one
            row = new.model_dump()
            session.append("guidelines", [row])
            subject = f"guideline {new.guideline}"
            audit.note(session, [audit.Entry(who, audit.Act.WROTE_GUIDELINE, subject, audit.of_row(row))])
        self._wrote()
        return new


def _all(session: Session) -> list[GuidelineText]:
    found = session.all(f"select {_FIELDS} from guidelines order by length(guideline), guideline")
    names = _FIELDS.split(", ")
    return [
        GuidelineText.model_validate(dict(zip(names, row[:-1], strict=False)) | {"recorded_at": in_utc(row[-1])})
        for row in found
    ]
