"""One answer while a vendor's response is read into it: its text, its evidence, and the citations that were attached.

What a vendor says of a place is checked; a citation whose place is wrong is noted and not attached. What has no text is
evidence that cannot be read here, never an empty source.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from core.importers._envelope import Envelope
from core.importers._json import RowError, finite
from core.models import Annotation, Answer, Evidence, GeneratorName
from core.offsets import Located, Offsets, Unit


class Part(NamedTuple):
    """A piece of the answer to which a vendor's offsets refer."""

    shift: int
    """Where it begins in the answer, in code points."""
    offsets: Offsets
    skip: int = 0
    """How much of its beginning was left out of the answer; the shift is as if it were there."""

    @property
    def text(self) -> str:
        """The piece itself."""
        return self.offsets.text


class Draft:
    """An answer in the making."""

    def __init__(self, vendor: str, envelope: Envelope) -> None:
        """Begin with nothing but who answered."""
        self.notes: list[str] = envelope.notes
        self._vendor = vendor
        self._envelope = envelope
        self._text = ""
        self._evidence: list[Evidence] = []
        self._texts: dict[str, set[str]] = {}
        self._apart: dict[str, dict[str, int]] = {}
        self._annotations: dict[Annotation, None] = {}

    def add(self, text: str, *units: Unit, apart: bool = False, skip: int = 0) -> Part:
        """Append a piece of the answer.

        Args:
            text: The piece.
            units: What offsets into it count; see ``Offsets``.
            apart: Whether it is a paragraph of its own and not the next words.
            skip: How many code points at its beginning are no part of the answer.
        """
        if apart and self._text.strip() and text.strip():
            self._text += "\n\n"
        part = Part(len(self._text) - skip, Offsets(text, *units), skip)
        self._text += text[skip:]
        return part

    def supply(
        self,
        id_: str,
        text: str | None,
        *,
        apart: bool = False,
        meta: dict[str, Any] | None = None,
        **fields: str | None,
    ) -> str:
        """Enter evidence into the registry, once.

        Args:
            id_: What citations call it.
            text: The passage; none or blank when the log does not hold it.
            apart: Whether another text under this id is another passage, which gets a number after the id, instead of a
                contradiction, which makes the id mean nothing.
            meta: What else the log says of it.
            fields: Of ``Evidence``.

        Returns:
            The id under which it stands.
        """
        passage = text if text and text.strip() else ""
        name = self._name(id_, passage) if apart else id_
        if passage not in self._texts.setdefault(name, set()):
            self._texts[name].add(passage)
            self._evidence.append(
                Evidence(id=name, text=passage, accessible=bool(passage), meta=finite(meta or {}), **fields)
            )
        return name

    def _name(self, id_: str, passage: str) -> str:
        """The id for a passage of its own: the first passage has the plain one."""
        passages = self._apart.setdefault(id_, {})
        number = passages.setdefault(passage, len(passages) + 1)
        return id_ if number == 1 else f"{id_} ({number})"

    def knows(self, id_: str) -> bool:
        """Whether the registry has an entry of that id."""
        return id_ in self._texts

    def attach(
        self,
        part: Part,
        start: int | None,
        end: int | None,
        cites: Iterable[str],
        field: str,
        stated: str | None = None,
    ) -> None:
        """Attach citations to a stretch of a piece, or note why not.

        Args:
            part: What the offsets refer to.
            start: As the vendor counts; see ``Offsets.locate``.
            end: The same.
            cites: Evidence ids, whether they are in the registry or not.
            field: Where in the row the citation stands, for the note.
            stated: The text that the vendor says stands there.
        """
        self._place(part, part.offsets.locate(start, end, stated), cites, field)

    def attach_at(self, part: Part, at: int | None, cite: str, field: str) -> None:
        """Attach a citation to a point of a piece, or note why not."""
        self._place(part, part.offsets.point(at), [cite], field)

    def attach_whole(self, part: Part, cites: Iterable[str]) -> None:
        """Attach citations to all of a piece."""
        self._place(part, Located((part.skip, len(part.text))), cites, "")

    def answer(self, read: frozenset[str]) -> Answer:
        """The finished record.

        Args:
            read: The fields of the response that became part of it; all others are kept as meta.

        Raises:
            RowError: The response holds no words.
        """
        if not self._text.strip():
            raise RowError(None, "the response holds no answer text, so there is nothing to check")
        envelope = self._envelope
        return Answer(
            request_id=envelope.request_id(),
            query=envelope.query(),
            asked_at=envelope.asked_at(),
            generator=GeneratorName(name=self._vendor, model=envelope.model()),
            answer=self._text,
            evidence=tuple(self._evidence),
            annotations=tuple(self._annotations),
            meta=envelope.meta(read),
            notes=tuple(self.notes),
        )

    def _place(self, part: Part, found: Located, cites: Iterable[str], field: str) -> None:
        problem = found.problem
        if found.span and found.span[0] < part.skip:
            problem = "it lies in what was left out"
        if found.span is None or problem:
            self.notes.append(f"{field}: {problem}; the citation was not attached")
            return
        start, end = (part.shift + at for at in found.span)
        for cite in dict.fromkeys(cites):
            self._annotations[Annotation(start=start, end=end, cite=cite)] = None
