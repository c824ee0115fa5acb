"""Answers with their registries: into the store piece by piece, and out again exactly as they were."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from core.errors import StoreError
from core.models import Annotation, Answer, Evidence, GeneratorName, GivenClaim, utc_now
from core.store.conditions import terms_of
from core.store.connection import Session
from core.store.encoding import dump_json, in_utc
from core.text import sha256

WORDS = f"""
insert into question_words
select request_no, unnest(list_distinct({terms_of("query")})) from requests where request_no >= ? and query is not null
"""
"""What topics are counted by, of the requests from a number on; see migration 18."""

FIELDS = (
    "request_id, query, asked_at_as_given, generator_name, generator_model, answer, given_claims, annotations, meta, "
    "notes"
)
"""What an answer is rebuilt from, beside its registry."""

_ENTRY_FIELDS = ("locator", "source_version", "uri", "title", "retrieved", "in_context", "active", "accessible")


def add(session: Session, answers: Mapping[str, Answer], source: str) -> tuple[dict[str, int], int]:
    """Store the answers that are not known yet.

    Args:
        session: A write.
        answers: By uid.
        source: Where they came from, kept with the new ones.

    Returns:
        The request number of every uid, and how many are new.
    """
    numbers: dict[str, int] = session.pairs(
        "select request_uid, request_no from requests where request_uid in (select unnest(?::varchar[]))",
        [list(answers)],
    )
    new = {uid: answer for uid, answer in answers.items() if uid not in numbers}
    first = session.next_number("requests", "request_no")
    numbers |= {uid: first + offset for offset, uid in enumerate(new)}
    now = utc_now()
    session.append("requests", [_request_row(numbers[uid], uid, one, source, now) for uid, one in new.items()])
    if new:
        session.run(WORDS, [first])
    texts = add_texts(session, [entry.text for one in new.values() for entry in one.evidence])
    entries = [
        _entry_row(numbers[uid], position, entry, texts)
        for uid, one in new.items()
        for position, entry in enumerate(one.evidence)
    ]
    session.append("registry_entries", entries)
    return numbers, len(new)


def get(session: Session, request_nos: Sequence[int]) -> dict[int, Answer]:
    """Rebuild answers by request number; each equals the one that was stored, uid included."""
    rows = session.all(f"select request_no, {FIELDS} from requests where request_no in ?", [list(request_nos)])
    entries = registries(session, request_nos)
    return {row[0]: answer_of(row[1:], entries.get(row[0], ())) for row in rows}


def after(session: Session, uid: str | None, limit: int) -> list[Answer]:
    """Give stored answers in the order of their import, beginning after one of them.

    Raises:
        StoreError: No answer has that uid.
    """
    start = 0 if uid is None else session.value("select request_no from requests where request_uid = ?", [uid])
    if start is None:
        raise StoreError(f"No answer {uid} is in the store", "begin again from the first one")
    numbers = session.all(
        "select request_no from standing_requests where request_no > ? order by request_no limit ?", [start, limit]
    )
    found = get(session, [number for (number,) in numbers])
    return [found[number] for (number,) in numbers]


def _request_row(number: int, uid: str, answer: Answer, source: str, now: datetime) -> dict[str, Any]:
    return {"request_no": number, "request_uid": uid, **columns_of(answer), "source": source, "recorded_at": now}


def columns_of(answer: Answer) -> dict[str, Any]:
    """An answer without its registry, as columns."""
    given = None if answer.claims is None else [claim.model_dump() for claim in answer.claims]
    annotations = [one.model_dump() for one in answer.annotations]
    return {
        "request_id": answer.request_id,
        "query": answer.query,
        "asked_at": in_utc(answer.asked_at),
        "asked_at_as_given": answer.asked_at and answer.asked_at.isoformat(),
        "generator_name": answer.generator.name,
        "generator_model": answer.generator.model,
        "answer": answer.answer,
        "given_claims": None if given is None else dump_json(given),
        "annotations": dump_json(annotations) if annotations else None,
        "meta": dump_json(answer.meta),
        "notes": dump_json(list(answer.notes)),
    }


def _entry_row(number: int, position: int, entry: Evidence, texts: Mapping[str, int]) -> dict[str, Any]:
    return {
        "request_no": number,
        "position": position,
        "cite": entry.id,
        "text_no": texts[entry.text],
        **{field: getattr(entry, field) for field in _ENTRY_FIELDS},
        "groups": dump_json(list(entry.groups)),
        "meta": dump_json(entry.meta),
    }


def add_texts(session: Session, texts: Iterable[str]) -> dict[str, int]:
    """Store every evidence text once; gives the number of each."""
    hashes = {text: sha256(text) for text in texts}
    known: dict[str, int] = session.pairs(
        "select sha256, text_no from texts where sha256 in (select unnest(?::varchar[]))", [list(hashes.values())]
    )
    new = [text for text, key in hashes.items() if key not in known]
    first = session.next_number("texts", "text_no")
    known |= {hashes[text]: first + offset for offset, text in enumerate(new)}
    session.append("texts", [{"text_no": known[hashes[text]], "sha256": hashes[text], "text": text} for text in new])
    return {text: known[key] for text, key in hashes.items()}


def registries(session: Session, request_nos: Sequence[int]) -> dict[int, list[Evidence]]:
    """The registry entries of some requests, in their order; requests without evidence are left out.

    Texts are fetched by number, so that no other text is read.
    """
    rows = session.all(
        f"select request_no, text_no, cite, groups, meta, {', '.join(_ENTRY_FIELDS)} from registry_entries "
        "where request_no in ? order by request_no, position",
        [list(request_nos)],
    )
    texts = texts_of(session, sorted({row[1] for row in rows}))
    entries: dict[int, list[Evidence]] = {}
    for number, text_no, cite, groups, meta, *fields in rows:
        entry = Evidence(
            id=cite,
            text=texts[text_no],
            groups=tuple(json.loads(groups)),
            meta=json.loads(meta),
            **dict(zip(_ENTRY_FIELDS, fields, strict=True)),
        )
        entries.setdefault(number, []).append(entry)
    return entries


def cited(entries: Sequence[Evidence], cite: str | None) -> Evidence | None:
    """The entry that a citation means; none when the id means nothing, or two texts."""
    found = [entry for entry in entries if entry.id == cite]
    return found[0] if len({entry.text for entry in found}) == 1 else None


def texts_of(session: Session, text_nos: Sequence[int]) -> dict[int, str]:
    """Evidence texts by number."""
    if not text_nos:
        return {}
    return session.pairs("select text_no, text from texts where text_no in ?", [list(text_nos)])


def answer_of(row: tuple[Any, ...], evidence: Sequence[Evidence]) -> Answer:
    """The answer of a row of ``FIELDS`` and its registry."""
    request_id, query, asked_at, name, model, answer, claims, annotations, meta, notes = row
    given = None if claims is None else tuple(GivenClaim.model_validate(claim) for claim in json.loads(claims))
    return Answer(
        request_id=request_id,
        query=query,
        asked_at=None if asked_at is None else datetime.fromisoformat(asked_at),
        generator=GeneratorName(name=name, model=model),
        answer=answer,
        claims=given,
        evidence=tuple(evidence),
        annotations=tuple(Annotation.model_validate(one) for one in json.loads(annotations or "[]")),
        meta=json.loads(meta),
        notes=tuple(json.loads(notes)),
    )
