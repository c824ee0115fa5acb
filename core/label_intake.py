"""Labels made in another tool, into the store: which claim is meant, what its words mean, and what cannot be used.

A row names its claim by request and claim id, or by the exact words of claim and passage. Nothing is guessed: a row
that fits no claim, or several, is refused with its reason. Words that are no label of ours need to be told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from core import label_copies, label_importers, plugins
from core.errors import ImportFormatError, InputError
from core.importers import BadLine
from core.importers._file import peek
from core.label_files import LabelReport, Line, add_each
from core.label_importers import ClaimNamed, GivenLabel
from core.models import Label, digest, utc_now
from core.pipeline import batches
from core.store import Store
from core.store.label_records import LabelEvent, LabelKind, SpanToLabel, StoredLabel

IDENTITY = "imported"
"""Who vouches for a labeller's name that came with a file of another tool."""

WORDS = (*Label, LabelKind.NOT_A_CLAIM)
"""What a word of another tool may mean."""

_AT_ONCE = 200


class _Refusal(NamedTuple):
    field: str | None
    reason: str


def meanings(pairs: Sequence[str]) -> dict[str, str]:
    """Read ``THEIRS=OURS`` pairs; a word of theirs may hold an equals sign.

    Raises:
        InputError: There is no equals sign, or ours is no label.
    """
    found = {}
    for pair in pairs:
        theirs, mark, ours = pair.rpartition("=")
        if not mark or not theirs or ours not in WORDS:
            raise InputError(f"--map {pair} maps nothing", f"write THEIRS=OURS, with ours one of: {', '.join(WORDS)}")
        found[theirs] = ours
    return found


def member_of(path: Path) -> ModuleType | None:
    """The one importer that takes a file for its own; none when none does.

    Raises:
        ImportFormatError: The file cannot be opened, or several importers take it for theirs.
    """
    start = peek(path)
    takers = [name for name in plugins.names(label_importers) if plugins.load(label_importers, name).sniff(path, start)]
    if len(takers) > 1:
        raise ImportFormatError(f"{path} may be of several tools", f"name one with --as: {', '.join(takers)}")
    return plugins.load(label_importers, takers[0]) if takers else None


def take(store: Store, path: Path, member: ModuleType, words: Mapping[str, str], guideline: str) -> LabelReport:
    """Store the decisions of a file; each row ends as stored, known or refused.

    Reading a file twice stores nothing twice; a decision that was changed there in the meantime is a new event.

    Args:
        store: The one that holds the claims.
        path: The file.
        member: Of ``core.label_importers``.
        words: What the tool's words mean; our own mean themselves.
        guideline: Under which they were given.

    Raises:
        ImportFormatError: The file as a whole cannot be read.
        StoreError: The store cannot be written; what was stored before stays.
    """
    refused: list[BadLine] = []
    unmapped: Counter[str] = Counter()
    everything: list[GivenLabel] = []
    total = new = 0
    for group in batches(member.read(path), _AT_ONCE):
        total += len(group)
        refused += [one for one in group if isinstance(one, BadLine)]
        given = [one for one in group if isinstance(one, GivenLabel)]
        everything += given
        lines: list[Line] = []
        found = _Claims(store, given)
        for one in given:
            event = _event(found, one, words, guideline, member.__name__)
            if isinstance(event, LabelEvent):
                lines.append((one.line, StoredLabel(event=event, recorded_at=one.at or utc_now())))
                continue
            unmapped[one.word] += event.field == "label"
            refused.append(BadLine(file=path.name, line=one.line, field=event.field, reason=event.reason))
        known = store.labels.known([stored.event.event_id for _, stored in lines])
        lines = list(
            {stored.event.event_id: (at, stored) for at, stored in lines if stored.event.event_id not in known}.values()
        )
        conflicts = add_each(store, path, lines)
        refused += conflicts
        new += len(lines) - len(conflicts)
    suspicious = label_copies.suspicious(everything)
    return LabelReport(
        source=path.name,
        events_read=total,
        events_new=new,
        events_known=total - new - len(refused),
        bad_lines=tuple(sorted(refused, key=lambda bad: bad.line)),
        unmapped={word: count for word, count in unmapped.most_common() if count},
        flags=(label_copies.COPIED,) if suspicious else (),
        suspicious=tuple(suspicious),
    )


class _Claims:
    """The claims that some rows may mean."""

    def __init__(self, store: Store, given: Sequence[GivenLabel]) -> None:
        self._store = store
        names = [one.claim for one in given]
        self._named = store.gold.claims_named(
            {(name.request_id, name.claim_id) for name in names if name.request_id and name.claim_id}
        )
        self._reading = store.gold.claims_reading({name.text for name in names if name.text})
        uids = {uid for uids in (*self._named.values(), *self._reading.values()) for uid in uids}
        self._cites = {uid: facts.cites for uid, facts in store.gold.claims(uids).items()}

    def span(self, given: ClaimNamed) -> SpanToLabel | _Refusal:
        """The one span that a row means, or why it is not known."""
        by_id = bool(given.request_id and given.claim_id)
        if by_id:
            uids = self._named.get((given.request_id or "", given.claim_id or ""), [])
            what = f"claim {given.claim_id!r} of a request {given.request_id!r}"
        elif given.text:
            uids, what = self._reading.get(given.text, []), "claim with these words"
        else:
            return _Refusal("claim", "names no claim: request_id and claim_id are missing, and its text too")
        if not uids:
            return _Refusal(None, f"no {what} is in the store")
        places = [(uid, cite) for uid in uids for cite in self._cites[uid] or (None,)]
        if given.cite:
            places = [(uid, cite) for uid, cite in places if cite == given.cite]
        spans = [span for place in places if (span := self._store.labels.span(*place))]
        if given.evidence and (len(spans) > 1 or not by_id):
            spans = [span for span in spans if span.evidence == given.evidence]
        if len(spans) == 1:
            return spans[0]
        if not spans:
            return _Refusal("evidence", f"the {what} cites no such passage")
        return _Refusal(None, f"{len(spans)} cited passages fit the {what}; name request_id, claim_id and cite")


def _event(
    claims: _Claims, given: GivenLabel, words: Mapping[str, str], guideline: str, tool: str
) -> LabelEvent | _Refusal:
    name = " ".join(given.labeller.split())
    if not name or not name.isprintable():
        return _Refusal("labeller", "is missing, or no name of one line")
    meant = words.get(given.word, given.word)
    if meant not in WORDS:
        return _Refusal("label", f"{given.word!r} is no label, and no --map says what it means")
    span = claims.span(given.claim)
    if isinstance(span, _Refusal):
        return span
    nothing = meant == LabelKind.NOT_A_CLAIM
    # Texts that read otherwise there bind the label to what its labeller saw: here it is stale.
    seen = digest([given.claim.text or span.claim, given.claim.evidence or span.evidence])
    key = [tool, given.item, name, span.claim_uid, span.cite, meant, given.comment, given.at, guideline, seen]
    return LabelEvent(
        event_id=str(uuid5(NAMESPACE_URL, f"citedesk-labels/{digest(key)}")),
        kind=LabelKind.NOT_A_CLAIM if nothing else LabelKind.LABEL,
        claim_uid=span.claim_uid,
        cite=span.cite,
        labeller=name,
        label=None if nothing else Label(meant),
        note=given.comment,
        guideline=guideline,
        seen_sha256=seen,
        identity=IDENTITY,
        active_ms=given.active_ms,
        decided_at=given.at,
    )
