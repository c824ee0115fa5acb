"""Long work that a person asks for, as records, so that whichever process has the store open can do it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import AwareDatetime, Field, ValidationError

from core import adoption, exporting, failure_report
from core.ask_work import AskReport, AskWork
from core.audit_check import AuditReport
from core.backup import BackupReport
from core.backup_work import BackupWork
from core.calibration import Calibration
from core.check import CheckOutcome
from core.comparison import Comparison
from core.corpora import AddReport
from core.corpus_policy import within
from core.corpus_work import (
    CorpusAddWork,
    CorpusPolicyReport,
    CorpusPolicyWork,
    SourcesReport,
    SourcesWork,
    SourceWork,
)
from core.desk import Desk, ImportReport
from core.errors import InputError
from core.exporting import ExportReport, ExportRequest
from core.gate_work import GateReport, GateWork
from core.guideline_work import AddGuidelineWork, GuidelinesReport, GuidelinesWork, GuidelineWork
from core.label_files import LabelReport
from core.label_work import LabelsWork as LabelsWork
from core.mark_work import AddMarkWork, MarksReport, MarksWork, MarkWork, TakeMarkBackWork
from core.measure_work import (
    AdoptReport,
    AdoptWork,
    CalibrateWork,
    CheckWork,
    CompareWork,
    GoldSetsReport,
    GoldSetsWork,
    MeasureWork,
    TrendsReport,
    TrendsWork,
)
from core.models import MergePolicy, Record
from core.notebook_work import CellWork
from core.people_work import (
    ActsReport,
    ActsWork,
    AnchoringReport,
    AnchoringWork,
    AuditWork,
    GiveGroupsWork,
    GiveRoleWork,
    PeopleWork,
    RolesReport,
    RolesWork,
)
from core.probe_work import ProbeReport, ProbeWork
from core.queue_work import CloseQueueWork, NewQueueWork, QueuesReport, QueuesWork, QueueWork, TopUpWork
from core.reference_policy import ReferencePolicy
from core.reference_work import RecheckReport, RecheckWork
from core.settings import ClaudeSettings, HubSettings, Settings
from core.spend import CostLine
from core.store.audit import Act
from core.store.protocol_log import ProtocolUse
from core.store.queries import QueryCosts
from core.tokens import NewToken, Token
from core.verification import Progress


class Judging(Record):
    """Who judges support, and how; the part of the settings that belongs to the person who asks."""

    verifier: str
    merge: MergePolicy
    thresholds: dict[str, float] = Field(default_factory=dict)
    hub: HubSettings = HubSettings()
    claude: ClaudeSettings = ClaudeSettings()
    references: ReferencePolicy = ReferencePolicy()
    """What may be looked up beyond the answers' registries."""
    remember: bool = True
    """Whether judgements of earlier runs count; where they are kept is the business of whoever does the work."""

    @classmethod
    def of(cls, settings: Settings) -> Judging:
        """The judging that some settings ask for."""
        chosen = settings.model_dump(include={"verifier", "merge", "thresholds", "hub", "claude", "references"})
        return cls(**chosen, remember=settings.cache is not None)

    def over(self, settings: Settings) -> Settings:
        """Settings with this judging put over them; outside, a run may do no more than the desk that does it."""
        chosen = {name: value for name, value in self if name != "remember"}
        chosen["references"] = within(settings.references, self.references)
        return settings.model_copy(update=chosen | ({} if self.remember else {"cache": None}))


class ImportWork(Record):
    """Take the answers of a file into the store and judge them; see ``Desk.import_file``."""

    path: Path
    """Absolute: another process may read it."""
    format: str = "auto"
    mapping: dict[str, str] = Field(default_factory=dict)
    judging: Judging

    def run(self, desk: Desk, progress: Progress) -> ImportReport:
        """Do it."""
        settings = self.judging.over(desk.settings)
        return desk.import_file(self.path, self.format, progress, mapping=self.mapping, settings=settings)


class VerifyWork(Record):
    """Judge what the store holds under other settings; see ``Desk.verify_stored``."""

    judging: Judging
    adopted: str | None = None
    """The name of an adopted protocol, which then says who judges and how."""

    def run(self, desk: Desk, progress: Progress) -> ImportReport:
        """Do it."""
        settings = self.judging.over(desk.settings)
        if self.adopted is not None:
            settings = adoption.checked(settings, adoption.named(desk.store, self.adopted))
        return desk.verify_stored(settings, progress)


class ExportWork(ExportRequest):
    """Write what the store holds to a file; see ``core.exporting.export``. The path is absolute, as above."""

    def run(self, desk: Desk, progress: Progress) -> ExportReport:
        """Do it; what people said is not taken out without a note of who took it."""
        if self.what == "failures":
            return failure_report.export(desk.store, self)
        report = exporting.export(desk.store, self, progress)
        if self.what in {"labels", "gold"}:
            subject = f"export {self.what} {report.rows} {self.out.name}"
            desk.store.audit.note(self.who or desk.settings.labeller, Act.EXPORTED, subject, report.said)
        return report


class ProtocolsReport(Record):
    """Every protocol of a store, in the order of their coming."""

    uses: tuple[ProtocolUse, ...]


class ProtocolsWork(Record):
    """Say under which protocols the store holds verdicts."""

    def run(self, desk: Desk, progress: Progress) -> ProtocolsReport:
        """Do it."""
        return ProtocolsReport(uses=tuple(desk.store.protocol_uses()))


class CostsReport(Record):
    """What a store says was spent."""

    lines: tuple[CostLine, ...]
    questions: QueryCosts | None = None
    """Of that, what questions cost; none when none was asked."""


class CostsWork(Record):
    """Say what was spent on paid models."""

    def run(self, desk: Desk, progress: Progress) -> CostsReport:
        """Do it."""
        found = desk.store.queries.costs()
        asked = found if found.served or found.lost_calls else None
        return CostsReport(lines=tuple(desk.store.costs()), questions=asked)


class TokensReport(Record):
    """Tokens of a store: every one, or the one that was made or revoked."""

    tokens: tuple[Token, ...]


class TokensWork(Record):
    """Say which tokens there are."""

    def run(self, desk: Desk, progress: Progress) -> TokensReport:
        """Do it."""
        return TokensReport(tokens=tuple(desk.store.tokens.all()))


class NewTokenWork(Record):
    """Write down a token; its secret stays with whoever made it."""

    token: NewToken
    who: str

    def run(self, desk: Desk, progress: Progress) -> TokensReport:
        """Do it."""
        return TokensReport(tokens=(desk.store.tokens.add(self.token, self.who),))


class RevokeTokenWork(Record):
    """End a token for good."""

    token_id: str
    who: str

    def run(self, desk: Desk, progress: Progress) -> TokensReport:
        """Do it."""
        return TokensReport(tokens=(desk.store.tokens.revoke(self.token_id, self.who),))


class RotateTokenWork(Record):
    """Put a new token in the place of one; its secret stays with whoever made it."""

    token_id: str
    token: NewToken
    ends_at: AwareDatetime
    """From when on the old one is refused."""
    who: str

    def run(self, desk: Desk, progress: Progress) -> TokensReport:
        """Do it."""
        return TokensReport(tokens=(desk.store.tokens.replace(self.token_id, self.token, self.ends_at, self.who),))


TokenWork = TokensWork | NewTokenWork | RevokeTokenWork | RotateTokenWork
CorpusWork = CorpusAddWork | SourcesWork | SourceWork | CorpusPolicyWork
Work = (
    ImportWork
    | VerifyWork
    | ExportWork
    | LabelsWork
    | ProtocolsWork
    | CostsWork
    | TokenWork
    | CorpusWork
    | AskWork
    | CellWork
    | ProbeWork
    | GateWork
    | QueueWork
    | GuidelineWork
    | MarkWork
    | PeopleWork
    | MeasureWork
    | RecheckWork
    | BackupWork
)
Report = (
    ImportReport
    | ExportReport
    | LabelReport
    | ProtocolsReport
    | CostsReport
    | TokensReport
    | AddReport
    | SourcesReport
    | CorpusPolicyReport
    | AskReport
    | ProbeReport
    | GateReport
    | QueuesReport
    | GuidelinesReport
    | MarksReport
    | RolesReport
    | AuditReport
    | ActsReport
    | AnchoringReport
    | Calibration
    | GoldSetsReport
    | AdoptReport
    | Comparison
    | CheckOutcome
    | TrendsReport
    | RecheckReport
    | BackupReport
)

KINDS: Mapping[str, tuple[type[Work], type[Report]]] = {
    "import": (ImportWork, ImportReport),
    "verify": (VerifyWork, ImportReport),
    "export": (ExportWork, ExportReport),
    "labels": (LabelsWork, LabelReport),
    "protocols": (ProtocolsWork, ProtocolsReport),
    "costs": (CostsWork, CostsReport),
    "tokens": (TokensWork, TokensReport),
    "new-token": (NewTokenWork, TokensReport),
    "revoke-token": (RevokeTokenWork, TokensReport),
    "rotate-token": (RotateTokenWork, TokensReport),
    "corpus": (CorpusAddWork, AddReport),
    "sources": (SourcesWork, SourcesReport),
    "source": (SourceWork, SourcesReport),
    "corpus-policy": (CorpusPolicyWork, CorpusPolicyReport),
    "ask": (AskWork, AskReport),
    "cell": (CellWork, AskReport),
    "probe": (ProbeWork, ProbeReport),
    "gate": (GateWork, GateReport),
    "queues": (QueuesWork, QueuesReport),
    "new-queue": (NewQueueWork, QueuesReport),
    "top-up": (TopUpWork, QueuesReport),
    "close-queue": (CloseQueueWork, QueuesReport),
    "guidelines": (GuidelinesWork, GuidelinesReport),
    "marks": (MarksWork, MarksReport),
    "add-mark": (AddMarkWork, MarksReport),
    "take-mark-back": (TakeMarkBackWork, MarksReport),
    "add-guideline": (AddGuidelineWork, GuidelinesReport),
    "roles": (RolesWork, RolesReport),
    "give-role": (GiveRoleWork, RolesReport),
    "audit": (AuditWork, AuditReport),
    "acts": (ActsWork, ActsReport),
    "anchoring": (AnchoringWork, AnchoringReport),
    "give-groups": (GiveGroupsWork, RolesReport),
    "gold-sets": (GoldSetsWork, GoldSetsReport),
    "calibrate": (CalibrateWork, Calibration),
    "adopt": (AdoptWork, AdoptReport),
    "compare": (CompareWork, Comparison),
    "check": (CheckWork, CheckOutcome),
    "trends": (TrendsWork, TrendsReport),
    "recheck": (RecheckWork, RecheckReport),
    "backup": (BackupWork, BackupReport),
}
"""The names under which work is asked for, each with its record and the record it answers with."""


def kind_of(work: Work) -> str:
    """The name of a piece of work."""
    return next(name for name, (record, _) in KINDS.items() if isinstance(work, record))


def parse(kind: str, values: Any) -> Work:
    """Read a piece of work that came as JSON.

    Raises:
        InputError: There is no such work, or a field of it cannot be used.
    """
    if kind not in KINDS:
        raise InputError(f"There is no work called {kind!r}", f"ask for one of: {', '.join(KINDS)}")
    try:
        return KINDS[kind][0].model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the body"
        raise InputError(f"{field} cannot be used ({first['msg']})", "update Citedesk, then try again") from error
