"""What the cases do to a store, done to a real one: labels of claims, answers with registries, sources of a corpus."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from core import corpora, label_copies
from core.corpora import AddRequest
from core.gold import is_stale
from core.label_importers import GivenLabel
from core.models import Evidence, Label, digest
from core.store import Store, open_store
from tests.core.store import build

AT = datetime(2026, 11, 30, 9, tzinfo=UTC)


@contextmanager
def empty_store() -> Iterator[Store]:
    """A store of its own, for as long as it is looked at."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "desk.duckdb")) as store:
        yield store


def copied(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The items of an import that look copied; a row that tells no comment or time has those of the others."""
    return label_copies.suspicious(
        GivenLabel(line, row["item"], str(who), word, comment=row.get("comment", "same"), at=row.get("at", AT))
        for line, row in enumerate(rows, 1)
        for who, word in enumerate(row["labels"])
    )


def add_sources(store: Store, ops: Sequence[str]) -> dict[str, int]:
    """Add files of ``add source NAME (text TEXT)`` in order; how many places and versions there are then."""
    folder = store.path.parent
    for op in ops:
        name, text = re.fullmatch(r"add source (\S+) \(text (.*)\)", op, re.S).groups()  # type: ignore[union-attr]
        Path(folder, name).write_text(text, "utf-8")
        corpora.add(store, AddRequest(paths=(Path(folder, name),)), "ann")
    sources = store.corpora.sources()
    return {"sources": len({one.uri for one in sources}), "versions": len(sources)}


def add_entries(store: Store, entries: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """Store a request for each entry; the ids that stand in each request's registry then."""
    for one in entries:
        answer = build.answer(one["request"], evidence=(Evidence(id=one["id"], text=one["text"]),))
        store.record(build.batch(build.checked(answer, [Label.SUPPORTED])))
    return {answer.request_id: [entry.id for entry in answer.evidence] for answer in store.answers()}


def label(store: Store, events: Sequence[Mapping[str, Any]]) -> None:
    """Store labelling events, each on the claim of its item; a ``claim_edited`` gives the item's claim other words.

    A claim's words are its hash here, and a label is bound to the hash that its labeller saw.
    """
    given: list[Any] = [event["label"] if isinstance(event.get("label"), Mapping) else event for event in events]
    said = [one for one in given if "claim_edited" not in one]
    now = {one["item"]: one.get("claim_hash", "") for one in said}
    now |= {
        event["claim_edited"]["item"]: event["claim_edited"]["claim_hash"]
        for event in events
        if "claim_edited" in event
    }
    claims = {item: build.claim(at, text=f"{item} {hashed}") for at, (item, hashed) in enumerate(now.items(), 1)}
    answer = build.answer()
    store.record(build.batch(build.checked(answer, [Label.SUPPORTED] * len(claims), list(claims.values()))))
    store.labels.add(
        [
            build.event(
                f"e{at}",
                build.uid(answer, claims[one["item"]]),
                labeller=one["annotator"],
                label=Label(one["label"]),
                seen_sha256=digest([f"{one['item']} {one.get('claim_hash', '')}", answer.evidence[0].text]),
            )
            for at, one in enumerate(said)
        ],
        [AT + timedelta(minutes=one.get("t", 0)) for one in said],
    )


def exported(store: Store) -> dict[str, Any]:
    """Everybody's current labels, and how much of the history there is; what counts towards agreement."""
    rows = list(store.labels.rows())
    return {
        "export_rows": [
            {"item": row.claim.split()[0], "annotator": row.labeller, "label": str(row.label)} for row in rows
        ],
        "history_kept": len(list(store.labels.events())),
        "labels_used": sum(not is_stale(row) for row in rows),
        "stale_labels": sum(map(is_stale, rows)),
    }
