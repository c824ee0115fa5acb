"""Works outside its registry that an answer cites, and what was found of each: looked up, or supplied by a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from core.corpus_policy import corpus_of
from core.identifiers import identify
from core.models import Answer, CheckedAnswer, Evidence, Label, Record
from core.reference_policy import ReferencePolicy
from core.references import Reference, ReferenceFinding
from core.registry import Registry
from core.resolving import route

Work = tuple[str, str]
"""Kind and identifier: the one spelling under which a work is kept."""

BY_PRESENCE = frozenset({Label.SUPPORTED, Label.SECONDARY_ONLY, Label.CONTRADICTED, Label.WRONG_SCOPE})
"""What a passage that somebody chose can show by what stands in it; the others would judge by what is missing."""

_GAP = "\n\n"


class SuppliedPassage(Record):
    """What somebody with access copied out of a work that cannot be opened here."""

    passage_id: str
    kind: str
    identifier: str
    text: str
    locator: str
    """Where it stands in the work, in their words: a page, a section."""
    is_whole: bool
    """Whether it is the work's whole text, so that what is missing in it is missing."""
    who: str
    at: datetime


class Found(Record):
    """What is known of one work when claims that cite it are judged."""

    kind: str
    identifier: str
    finding: ReferenceFinding | None = None
    """None when nobody was asked."""
    passages: tuple[SuppliedPassage, ...] = ()
    """In the order of their coming; they go before what was read."""

    @property
    def work(self) -> Work:
        """Kind and identifier."""
        return self.kind, self.identifier

    @property
    def supplied(self) -> tuple[SuppliedPassage, ...]:
        """The passages that count: the last whole text alone, else all of them."""
        whole = [one for one in self.passages if one.is_whole]
        return (whole[-1],) if whole else self.passages

    def evidence(self, cite: str, entry: Evidence | None) -> Evidence | None:
        """The text that a citation is judged on, as an entry of its own; none when there is none."""
        uri = entry.uri if entry and entry.uri else None
        title = entry.title if entry else None
        if self.supplied:
            last = self.supplied[-1]
            return Evidence(
                id=cite,
                text=_GAP.join(one.text for one in self.supplied),
                locator="; ".join(one.locator for one in self.supplied if one.locator) or None,
                source_version=f"supplied {last.at:%Y-%m-%dT%H:%M:%SZ}",
                uri=uri,
                title=title,
                meta={"origin": supplied_by(self.supplied)},
            )
        if self.finding is None or self.finding.read is None:
            return None
        return self.finding.read.evidence(cite, uri)

    @property
    def keeps(self) -> frozenset[Label] | None:
        """The labels that this text may give; none means every label, since it is the whole text."""
        if self.supplied:
            return None if self.supplied[-1].is_whole else BY_PRESENCE
        read = self.finding.read if self.finding else None
        return frozenset({Label.SUPPORTED}) if read and not read.is_whole else None


def supplied_by(passages: Sequence[SuppliedPassage]) -> str:
    """Who supplied passages, and when, in words."""
    return "; ".join(f"supplied by {one.who} on {one.at:%d %B %Y}" for one in passages)


class Looked(Record):
    """What one citation of an answer was judged by, when that lies outside the answer's registry."""

    cite: str
    found: Found
    evidence: Evidence | None = None


class LookedAnswer(CheckedAnswer):
    """An answer some citations of which were looked at outside."""

    looked: tuple[Looked, ...] = ()


class Works(Protocol):
    """Who finds out about works."""

    def find(self, references: Sequence[Reference]) -> Mapping[Reference, Found]:
        """What is known of each; references about which nothing may be asked and nothing was supplied are left out."""
        ...


class Citation(Record):
    """One work that an answer names."""

    request_id: str
    cite: str
    reference: Reference
    claims: tuple[str, ...] = ()
    """Ids of the claims that cite it; empty for evidence that none does."""
    corpus: str | None = None
    """The corpus that the answer names."""


def reference_of(cite: str, entry: Evidence | None = None) -> Reference | None:
    """The work that a citation names: by its registry entry's address, else by itself; none when it names none."""
    for text in (entry.uri if entry else None, cite):
        if text and _names_a_work(text):
            return Reference(text=text.strip(), title=entry.title if entry else None)
    return None


def _names_a_work(text: str) -> bool:
    """Whether it is a link of the web, a DOI or an arXiv id; ids of chunks are none, whatever colons they have."""
    return text.strip().lower().startswith(("http://", "https://", "www.")) or identify(text) is not None


def work_of(reference: Reference) -> Work:
    """Kind and identifier of a work; nobody is asked."""
    way = route(reference, ReferencePolicy())
    return way.kind, way.identifier


def citations(answer: Answer, cites: Mapping[str, Sequence[str]]) -> Iterator[Citation]:
    """Every work that an answer cites or has evidence of, once a citation, in the order of evidence, then of claims.

    Args:
        answer: The answer.
        cites: By claim id, the ids that it cites.
    """
    entries = {entry.id: entry for entry in Registry.build(answer.evidence).entries}
    ids = dict.fromkeys([*entries, *(cite for one in cites.values() for cite in one)])
    for cite in ids:
        reference = reference_of(cite, entries.get(cite))
        if reference is not None:
            by = tuple(claim_id for claim_id, one in cites.items() if cite in one)
            corpus = corpus_of(answer)
            yield Citation(request_id=answer.request_id, cite=cite, reference=reference, claims=by, corpus=corpus)
