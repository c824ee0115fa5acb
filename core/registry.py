"""The evidence registry of one request: which id means which text, and whether it may be cited.

Ids are opaque strings, compared exactly. Labels mean nothing outside their request, so a registry is built anew for
every answer and hashed, never looked up by list position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property

from core.models import Evidence, Record, Resolution, Resolve, digest


class Registry(Record):
    """The frozen registry: entries in the order supplied, each id and text once."""

    entries: tuple[Evidence, ...] = ()
    conflicts: frozenset[str] = frozenset()
    """Ids that were given two different texts; none of them resolves."""
    noted: tuple[tuple[str, str], ...] = ()
    """What was merged or found wanting while building: the id, and words for a reviewer."""

    @classmethod
    def build(cls, evidence: Sequence[Evidence]) -> Registry:
        """Merge what is the same, keep and mark what contradicts itself, drop nothing silently.

        Of the same id with the same text the first entry's details stand, and the worse of each state (retrieved,
        in context, active, accessible).
        """
        kept: dict[tuple[str, str], Evidence] = {}
        noted: list[tuple[str, str]] = []
        for entry in evidence:
            key = (entry.id, entry.text)
            if key not in kept:
                kept[key] = entry
                if not entry.id.strip():
                    noted.append((entry.id, "An evidence entry has a blank id, so no citation can name it"))
                continue
            kept[key], differs = _merge(kept[key], entry)
            tail = (
                f"; they differed in {', '.join(differs)}, the first stands and of states the worse" if differs else ""
            )
            noted.append((entry.id, f"Evidence {entry.id!r} was given twice with the same text and merged{tail}"))
        seen = Counter(entry.id for entry in kept.values())
        conflicts = frozenset(id_ for id_, texts in seen.items() if texts > 1)
        noted += [(id_, f"Evidence id {id_!r} was given different texts") for id_ in seen if id_ in conflicts]
        return cls(entries=tuple(kept.values()), conflicts=conflicts, noted=tuple(noted))

    @property
    def notes(self) -> tuple[str, ...]:
        """Everything noted, in words."""
        return tuple(note for _, note in self.noted)

    def notes_on(self, cites: Collection[str]) -> tuple[str, ...]:
        """What was noted about these ids."""
        return tuple(note for id_, note in self.noted if id_ in cites)

    @cached_property
    def ids(self) -> frozenset[str]:
        """Every id of the registry, also those in conflict."""
        return frozenset(entry.id for entry in self.entries)

    @cached_property
    def sha256(self) -> str:
        """64 hex over ids, texts, versions and states, in order: what an answer was checked against."""
        return digest(
            [[e.id, e.text, e.source_version, *(getattr(e, state) for state in _STATES)] for e in self.entries]
        )

    @cached_property
    def _by_id(self) -> dict[str, Evidence]:
        return {entry.id: entry for entry in self.entries}

    @cached_property
    def _by_fold(self) -> dict[str, str]:
        return {_fold(entry.id): entry.id for entry in reversed(self.entries) if _fold(entry.id)}

    def resolve(self, cite: str) -> Resolution:
        """Say what one cited id means in this request; an id that is merely close is hinted at, never taken."""
        if cite not in self.ids:
            hint = self._by_fold.get(_fold(cite))
            reason = f"This request has no evidence called {cite!r}"
            if hint is not None:
                reason += f"; {hint!r} differs only in letter case or white space"
            return Resolution(cite=cite, resolve=Resolve.NOT_IN_REGISTRY, reason=reason, hint=hint)
        if cite in self.conflicts:
            return Resolution(
                cite=cite, resolve=Resolve.DUPLICATE_ID, reason=f"{cite!r} means two different texts here"
            )
        entry = self._by_id[cite]
        for state, (resolve, reason) in _STATES.items():
            if not getattr(entry, state):
                return Resolution(cite=cite, resolve=resolve, evidence=entry, reason=reason)
        return Resolution(cite=cite, resolve=Resolve.OK, evidence=entry)


_STATES = {
    "retrieved": (Resolve.NOT_RETRIEVED, "This evidence was not retrieved for the request"),
    "in_context": (Resolve.NOT_IN_CONTEXT, "This evidence was retrieved but not given to the generator"),
    "active": (Resolve.INACTIVE, "This source version is no longer active"),
    "accessible": (Resolve.INACCESSIBLE, "The source exists but cannot be read here"),
}
"""What an entry must be for its text to be judged, in the order in which a lack is reported."""


def _merge(first: Evidence, again: Evidence) -> tuple[Evidence, list[str]]:
    """Take the worse of each state; name the fields in which both differ."""
    differs = [name for name in type(first).model_fields if getattr(first, name) != getattr(again, name)]
    states = {state: getattr(first, state) and getattr(again, state) for state in _STATES}
    return first.model_copy(update=states), differs


def _fold(id_: str) -> str:
    return "".join(id_.split()).casefold()
