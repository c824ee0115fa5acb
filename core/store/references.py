"""Works outside the registries: findings with their history, passages that people supplied, and who waits for which."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any
from uuid import uuid4

from core.cited_works import LookedAnswer, SuppliedPassage, Work, reference_of, work_of
from core.errors import InputError
from core.models import CheckedAnswer, Evidence, Resolve, Stage, digest, utc_now
from core.people import Person
from core.references import ReferenceFinding
from core.store import answers, audit, reveals
from core.store.connection import Connection, Session
from core.store.encoding import dump_json, in_utc
from core.store.reference_records import CitedWork, Citing, ClosedWork, StoredFinding

LONGEST = 1_000_000
"""Code points of a passage that somebody supplies."""

_CLOSED = """
select c.claim_uid, c.text, s.cite, s.outcome, s.reason, e.uri, e.title, json_extract_string(r.meta, '$.corpus')
from current_verdicts v join protocols p using (protocol_no) join claims c using (claim_no)
join requests r using (request_no) join stage_verdicts s using (verdict_no)
left join registry_entries e on e.request_no = c.request_no and e.cite = s.cite
where p.name = ? and s.stage = ? and s.outcome in (?, ?) and not ({hidden})
order by c.claim_no, s.position
"""


class References:
    """What one store knows of works outside. See ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection, wrote: Callable[[], None]) -> None:
        """Read and write through this connection, and say when something was written."""
        self._connection, self._wrote = connection, wrote

    def add(self, findings: Sequence[ReferenceFinding], who: str | None = None) -> None:
        """Add findings to the histories of their works; one that is there already, word for word, is passed over."""
        with self._connection.write() as session:
            _add(session, findings, who)
        self._wrote()

    def history(self, work: Work) -> list[StoredFinding]:
        """Everything that was ever found of a work, the latest first."""
        with self._connection.read() as session:
            rows = session.all(
                "select finding_no, finding, text_no, who, recorded_at from reference_findings "
                "where kind = ? and identifier = ? order by finding_no desc",
                list(work),
            )
            texts = answers.texts_of(session, [row[2] for row in rows if row[2] is not None])
        return [
            StoredFinding(
                finding_no=number, finding=_finding(stored, texts.get(text_no)), who=who, recorded_at=in_utc(at)
            )
            for number, stored, text_no, who, at in rows
        ]

    def supply(self, work: Work, text: str, locator: str, who: str, is_whole: bool = False) -> SuppliedPassage:
        """Keep a passage of a work that cannot be opened here; verdicts change only when somebody judges again.

        Raises:
            InputError: The passage is empty, or longer than any page of a work.
        """
        if not text.strip() or len(text) > LONGEST:
            raise InputError(
                f"A passage of {len(text):,} characters cannot be kept" if text.strip() else "The passage is empty",
                f"give between 1 and {LONGEST:,} characters",
            )
        kind, identifier = work
        passage = SuppliedPassage(
            passage_id=uuid4().hex, kind=kind, identifier=identifier, text=text, locator=locator.strip(),
            is_whole=is_whole, who=who, at=utc_now(),
        )  # fmt: skip
        with self._connection.write() as session:
            row = passage.model_dump(exclude={"text", "at"}) | {"recorded_at": passage.at}
            row |= {"text_no": answers.add_texts(session, [text])[text]}
            session.append("supplied_passages", [row])
            subject = f"supplied_passage {passage.passage_id}"
            audit.note(session, [audit.Entry(who, audit.Act.SUPPLIED, subject, audit.of_row(row))])
        self._wrote()
        return passage

    def supplied(self, works: Collection[Work]) -> dict[Work, tuple[SuppliedPassage, ...]]:
        """The passages of some works, in the order of their coming; works without any are left out."""
        found: dict[Work, tuple[SuppliedPassage, ...]] = {}
        with self._connection.read() as session:
            rows = session.all(
                "select passage_id, kind, identifier, text_no, locator, is_whole, who, recorded_at "
                "from supplied_passages where identifier in (select unnest(?::varchar[])) order by recorded_at",
                [sorted({identifier for _, identifier in works})],
            )
            texts = answers.texts_of(session, sorted({row[3] for row in rows}))
        for passage_id, kind, identifier, text_no, locator, is_whole, who, at in rows:
            passage = SuppliedPassage(
                passage_id=passage_id, kind=kind, identifier=identifier, text=texts[text_no], locator=locator,
                is_whole=is_whole, who=who, at=in_utc(at),
            )  # fmt: skip
            if (kind, identifier) in works:
                found[kind, identifier] = (*found.get((kind, identifier), ()), passage)
        return found

    def closed(self, protocol: str, reader: Person | None = None) -> list[ClosedWork]:
        """The works that a protocol could not read or did not ask about, those that most citations wait for first.

        Citations that name no work (no link, DOI or arXiv id) are left out, and claims concealed from the reader.
        """
        with self._connection.read() as session:
            hidden, params = reveals.concealed(session, reader, "c.claim_no")
            waiting = [Resolve.INACCESSIBLE.value, Resolve.NOT_CHECKED.value]
            sql = _CLOSED.format(hidden=hidden)
            rows = session.all(sql, [protocol, Stage.RESOLVABILITY.value, *waiting, *params])
        return _by_work(rows, self.supplied)


def record(
    session: Session, checked: Sequence[CheckedAnswer], claim_nos: Sequence[Sequence[int]], protocol_no: int
) -> None:
    """Keep what citations of a batch were judged by, beside the verdicts that now stand; inside the batch's write."""
    looked = [(one, numbers) for one, numbers in zip(checked, claim_nos, strict=True) if isinstance(one, LookedAnswer)]
    if not looked:
        return
    current = session.pairs(
        "select claim_no, verdict_no from latest_verdicts where protocol_no = ? "
        "and claim_no in (select unnest(?::integer[])) "
        "and verdict_no not in (select verdict_no from verdict_references)",
        [protocol_no, [number for _, numbers in looked for number in numbers]],
    )
    works = [one for answer, _ in looked for one in answer.looked]
    numbers_of = _add(session, [one.found.finding for one in works if one.found.finding], None)
    texts = answers.add_texts(session, [one.evidence.text for one in works if one.evidence])
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    for answer, numbers in looked:
        for one in answer.looked:
            finding, entry = one.found.finding, one.evidence
            row = {
                "cite": one.cite,
                "kind": one.found.kind,
                "identifier": one.found.identifier,
                "finding_no": numbers_of[_sha256(finding)] if finding else None,
                "text_no": texts[entry.text] if entry else None,
                "entry": dump_json(entry.model_dump(exclude={"text"})) if entry else None,
            }
            citing = (no for claim, no in zip(answer.claims, numbers, strict=True) if one.cite in claim.cites)
            rows |= {(current[no], one.cite): row | {"verdict_no": current[no]} for no in citing if no in current}
    session.append("verdict_references", list(rows.values()))


def of_verdict(session: Session, verdict_no: int) -> tuple[CitedWork, ...]:
    """What the citations of a verdict were judged by, when that lies outside the registry."""
    rows = session.all(
        "select r.cite, r.kind, r.identifier, r.text_no, r.entry, f.finding, f.text_no from verdict_references r "
        "left join reference_findings f using (finding_no) where r.verdict_no = ?",
        [verdict_no],
    )
    texts = answers.texts_of(session, sorted({no for row in rows for no in (row[3], row[6]) if no is not None}))
    return tuple(
        CitedWork(
            cite=cite,
            kind=kind,
            identifier=identifier,
            finding=_finding(finding, texts.get(read_no)) if finding else None,
            evidence=Evidence(**json.loads(entry), text=texts[text_no]) if entry else None,
        )
        for cite, kind, identifier, text_no, entry, finding, read_no in rows
    )


def _add(session: Session, findings: Sequence[ReferenceFinding], who: str | None) -> dict[str, int]:
    """Keep findings that are not there; gives the number of each by its sha256."""
    by_sha = {_sha256(one): one for one in findings}
    known: dict[str, int] = session.pairs(
        "select finding_sha256, finding_no from reference_findings "
        "where finding_sha256 in (select unnest(?::varchar[]))",
        [list(by_sha)],
    )
    new = {sha: one for sha, one in by_sha.items() if sha not in known}
    first = session.next_number("reference_findings", "finding_no")
    texts = answers.add_texts(session, [one.read.text for one in new.values() if one.read])
    now = utc_now()
    rows = [
        {
            "finding_no": first + offset,
            "finding_sha256": sha,
            "kind": one.kind,
            "identifier": one.identifier,
            "text_no": texts[one.read.text] if one.read else None,
            "finding": dump_json(_without_text(one)),
            "who": who,
            "recorded_at": now,
        }
        for offset, (sha, one) in enumerate(new.items())
    ]
    session.append("reference_findings", rows)
    return known | {sha: first + offset for offset, sha in enumerate(new)}


def _sha256(finding: ReferenceFinding) -> str:
    """Over everything but whether an answer came from the cache, which says nothing of the work."""
    dump = finding.model_dump(mode="json")
    return digest(dump | {"receipts": [one | {"kept": False} for one in dump["receipts"]]})


def _without_text(finding: ReferenceFinding) -> dict[str, Any]:
    dump = finding.model_dump(mode="json")
    return dump | ({"read": dump["read"] | {"text": ""}} if finding.read else {})


def _finding(stored: str, text: str | None) -> ReferenceFinding:
    values = json.loads(stored)
    if values["read"] is not None:
        values["read"]["text"] = text or ""
    return ReferenceFinding.model_validate(values)


def _by_work(
    rows: Sequence[tuple[Any, ...]], supplied: Callable[[Collection[Work]], Mapping[Work, Sequence[SuppliedPassage]]]
) -> list[ClosedWork]:
    works: dict[Work, dict[str, Any]] = {}
    for claim_uid, claim, cite, outcome, reason, uri, title, corpus in rows:
        reference = reference_of(cite, Evidence(id=cite, text="", uri=uri, title=title) if uri else None)
        if reference is None:
            continue
        kind, identifier = work_of(reference)
        said = {"reason": reason, "is_checked": outcome == Resolve.INACCESSIBLE, "citing": {}}
        first = {"kind": kind, "identifier": identifier, "reference": reference} | said
        one = works.setdefault((kind, identifier), first)
        one["citing"][claim_uid, cite] = Citing(
            claim_uid=claim_uid, claim=claim, cite=cite, corpus=(corpus or "").strip() or None
        )
    given = supplied(set(works))
    found = [
        ClosedWork(**one | {"citing": tuple(one["citing"].values()), "passages": len(given.get(work, ()))})
        for work, one in works.items()
    ]
    return sorted(found, key=lambda one: -len(one.citing))
