"""Work on corpora, as records; see ``core.work``."""

from __future__ import annotations

from enum import StrEnum

from pydantic import AwareDatetime, Field

from core import corpora
from core.corpora import AddReport, AddRequest
from core.corpus_policy import CorpusPolicy
from core.desk import Desk
from core.errors import InputError, VerifierUnavailable
from core.models import Record
from core.sources import Source
from core.store.corpus_policies import SaidOfCorpus
from core.store.source_log import SourceEvent
from core.verification import Progress


class CorpusAddWork(AddRequest):
    """Take files and folders into a corpus, and make them ready to be asked; see ``core.corpora.add``."""

    def run(self, desk: Desk, progress: Progress) -> AddReport:
        """Do it; progress is told of files first, then of the passages that are read for their meaning.

        Whoever breaks it off and does it again loses and doubles nothing, in either half.
        """
        report = corpora.add(desk.store, self, desk.settings.labeller, progress)
        try:
            desk.answering.retriever.prepare_documents({file.source.doc_id for file in report.files}, progress)
        except VerifierUnavailable as error:  # the files are in all the same
            return report.model_copy(update={"trouble": str(error)})
        return report


class SourcesReport(Record):
    """Some sources, with what was done about them where one was asked for."""

    sources: tuple[Source, ...]
    chunks: int = 0
    """Of the one that was asked for."""
    events: tuple[SourceEvent, ...] = ()
    policies: dict[str, CorpusPolicy] = Field(default_factory=dict)
    """What the corpora of these sources let be asked outside; those that say nothing of their own are left out."""


class SourcesWork(Record):
    """List the sources of a corpus, or of all; or show one with its other versions and its story."""

    corpus: str | None = None
    doc_id: str | None = None

    def run(self, desk: Desk, progress: Progress) -> SourcesReport:
        """Do it.

        Raises:
            InputError: There is no such source.
        """
        held, said = desk.store.corpora, desk.store.corpus_policies.current()
        if self.doc_id is None:
            policies = {name: one for name, one in said.items() if self.corpus in (None, name)}
            return SourcesReport(sources=tuple(held.sources(self.corpus)), policies=policies)
        found = [one for one in held.sources_of([self.doc_id]) if self.corpus in (None, one.corpus)]
        if not found:
            raise InputError(f"There is no source {self.doc_id}", "see: citedesk corpus list")
        places = dict.fromkeys((one.corpus, one.uri) for one in found)
        versions = [version for place in places for version in held.versions(*place)]
        chunks = held.chunk_count(self.doc_id)
        policies = {name: one for name, one in said.items() if name in {corpus for corpus, _ in places}}
        events = tuple(held.events(self.doc_id))
        return SourcesReport(sources=tuple(versions), chunks=chunks, events=events, policies=policies)


class SourceChange(StrEnum):
    """What can be said of a source that is there."""

    ACTIVATE = "activate"
    DEACTIVATE = "deactivate"
    RETAIN = "retain"
    ALLOW = "allow"


class SourceWork(Record):
    """Say something of a source, in one corpus or in all that hold it."""

    change: SourceChange
    doc_id: str
    corpus: str | None = None
    until: AwareDatetime | None = None
    """With retain: from when on it is withheld; none means never."""
    groups: tuple[str, ...] = ()
    """With allow: who may see it; empty means everyone."""

    def run(self, desk: Desk, progress: Progress) -> SourcesReport:
        """Do it."""
        held, who = desk.store.corpora, desk.settings.labeller
        if self.change is SourceChange.ACTIVATE:
            found = held.activate(self.doc_id, self.corpus, who)
        elif self.change is SourceChange.DEACTIVATE:
            found = held.deactivate(self.doc_id, self.corpus, who)
        elif self.change is SourceChange.RETAIN:
            found = held.retain(self.doc_id, self.corpus, self.until, who)
        else:
            groups = sorted({corpora.named(group, "group") for group in self.groups})
            found = held.allow(self.doc_id, self.corpus, groups, who)
        return SourcesReport(sources=tuple(found))


class CorpusPolicyReport(Record):
    """What corpora let be asked outside."""

    policies: dict[str, CorpusPolicy]
    """Of those that say something of their own, by name."""
    history: tuple[SaidOfCorpus, ...] = ()
    """Of the one that was asked for, oldest first."""
    sources: int = 0
    """Of that one: how many sources this desk holds of it."""


class CorpusPolicyWork(Record):
    """Say what a corpus lets be asked outside for its answers, or see what was said."""

    corpus: str | None = None
    """None: of all; then nothing changes."""
    change: bool = False
    policy: CorpusPolicy | None = None
    """In the place of the one it has; with ``change``, none takes it away."""

    def run(self, desk: Desk, progress: Progress) -> CorpusPolicyReport:
        """Do it.

        Raises:
            InputError: The corpus has no proper name.
        """
        held = desk.store.corpus_policies
        if self.corpus is None:
            return CorpusPolicyReport(policies=held.current())
        name = corpora.named(self.corpus, "corpus")
        if self.change:
            held.say(name, self.policy, desk.settings.labeller)
        found = {one: policy for one, policy in held.current().items() if one == name}
        sources = len(desk.store.corpora.sources(name))
        return CorpusPolicyReport(policies=found, history=tuple(held.history(name)), sources=sources)
