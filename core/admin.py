"""Work for a store that another process may have open: done here, or by the desk that holds the store.

A desk lays a *door* beside its store, a file that only its owner can read: where it listens, and a secret. It goes when
the desk closes. One that a killed desk left behind leads nowhere and does no harm, for without the desk the store can
be opened here.
"""

from __future__ import annotations

import json
import os
import secrets
import stat
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any, overload
from urllib.parse import urlsplit

from pydantic import ValidationError

from core import errors
from core.ask_work import AskReport, AskWork
from core.audit_check import AuditReport
from core.backup import BackupReport
from core.backup_work import BackupWork
from core.calibration import Calibration
from core.check import CheckOutcome
from core.comparison import Comparison
from core.corpora import AddReport
from core.corpus_work import (
    CorpusAddWork,
    CorpusPolicyReport,
    CorpusPolicyWork,
    SourcesReport,
    SourcesWork,
    SourceWork,
)
from core.desk import Desk, ImportReport
from core.errors import CitedeskError, StoreBusy
from core.exporting import ExportReport
from core.gate_work import GateReport, GateWork
from core.guideline_work import GuidelinesReport, GuidelineWork
from core.label_files import LabelReport
from core.mark_work import MarksReport, MarkWork
from core.measure_work import (
    AdoptReport,
    AdoptWork,
    CalibrateWork,
    CheckWork,
    CompareWork,
    GoldSetsReport,
    GoldSetsWork,
    TrendsReport,
    TrendsWork,
)
from core.models import Record
from core.people_work import ActsReport, ActsWork, AnchoringReport, AnchoringWork, AuditWork, RolesReport, RoleWork
from core.probe_work import ProbeReport, ProbeWork
from core.queue_work import QueuesReport, QueueWork
from core.settings import Settings
from core.verification import Progress
from core.work import (
    KINDS,
    CostsReport,
    CostsWork,
    ExportWork,
    ImportWork,
    LabelsWork,
    ProtocolsReport,
    ProtocolsWork,
    Report,
    TokensReport,
    TokenWork,
    VerifyWork,
    Work,
    kind_of,
)

SILENCE = 60.0
"""Seconds without a line after which a desk counts as gone; it sends one every few seconds."""

_LARGEST_DOOR = 4096


class Door(Record):
    """How to reach the desk that holds a store."""

    url: str
    """``http://`` and an address of this machine, without a path."""
    secret: str
    pid: int


@overload
def perform(settings: Settings, work: ImportWork | VerifyWork, progress: Progress) -> ImportReport: ...
@overload
def perform(settings: Settings, work: ExportWork, progress: Progress) -> ExportReport: ...
@overload
def perform(settings: Settings, work: CostsWork, progress: Progress) -> CostsReport: ...
@overload
def perform(settings: Settings, work: LabelsWork, progress: Progress) -> LabelReport: ...
@overload
def perform(settings: Settings, work: ProtocolsWork, progress: Progress) -> ProtocolsReport: ...
@overload
def perform(settings: Settings, work: TokenWork, progress: Progress) -> TokensReport: ...
@overload
def perform(settings: Settings, work: CorpusAddWork, progress: Progress) -> AddReport: ...
@overload
def perform(settings: Settings, work: SourcesWork | SourceWork, progress: Progress) -> SourcesReport: ...
@overload
def perform(settings: Settings, work: CorpusPolicyWork, progress: Progress) -> CorpusPolicyReport: ...
@overload
def perform(settings: Settings, work: AskWork, progress: Progress) -> AskReport: ...
@overload
def perform(settings: Settings, work: ProbeWork, progress: Progress) -> ProbeReport: ...
@overload
def perform(settings: Settings, work: GateWork, progress: Progress) -> GateReport: ...
@overload
def perform(settings: Settings, work: QueueWork, progress: Progress) -> QueuesReport: ...
@overload
def perform(settings: Settings, work: MarkWork, progress: Progress) -> MarksReport: ...
@overload
def perform(settings: Settings, work: GuidelineWork, progress: Progress) -> GuidelinesReport: ...
@overload
def perform(settings: Settings, work: RoleWork, progress: Progress) -> RolesReport: ...
@overload
def perform(settings: Settings, work: AuditWork, progress: Progress) -> AuditReport: ...
@overload
def perform(settings: Settings, work: ActsWork, progress: Progress) -> ActsReport: ...
@overload
def perform(settings: Settings, work: AnchoringWork, progress: Progress) -> AnchoringReport: ...
@overload
def perform(settings: Settings, work: CalibrateWork, progress: Progress) -> Calibration: ...
@overload
def perform(settings: Settings, work: GoldSetsWork, progress: Progress) -> GoldSetsReport: ...
@overload
def perform(settings: Settings, work: AdoptWork, progress: Progress) -> AdoptReport: ...
@overload
def perform(settings: Settings, work: CompareWork, progress: Progress) -> Comparison: ...
@overload
def perform(settings: Settings, work: CheckWork, progress: Progress) -> CheckOutcome: ...
@overload
def perform(settings: Settings, work: TrendsWork, progress: Progress) -> TrendsReport: ...
@overload
def perform(settings: Settings, work: BackupWork, progress: Progress) -> BackupReport: ...
def perform(settings: Settings, work: Work, progress: Progress) -> Report:
    """Do a piece of work on the store of the settings, or have it done by the desk that holds the store.

    Raises:
        StoreBusy: Another process holds the store and does not take work.
        CitedeskError: What the work itself raises, wherever it is done.
    """
    try:
        desk = Desk.open(settings)
    except StoreBusy as busy:
        door = find(settings.store)
        if door is None:
            raise
        return _ask(door, work, progress, busy)
    try:
        return work.run(desk, progress)
    finally:
        desk.close()


def door_path(store: Path) -> Path:
    """Where the door to a store lies."""
    place = store.resolve()
    return place.with_name(f"{place.name}.door")


def publish(store: Path, url: str) -> Door:
    """Lay a new door beside a store, readable by its owner only; one that was left there is replaced.

    Raises:
        OSError: The place cannot be written.
    """
    door = Door(url=url, secret=secrets.token_urlsafe(32), pid=os.getpid())
    path = door_path(store)
    part = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(door.model_dump_json())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return door


def remove(store: Path, door: Door) -> None:
    """Take a door away, unless another desk has laid its own there since."""
    if find(store) == door:
        with suppress(OSError):
            door_path(store).unlink()


def find(store: Path) -> Door | None:
    """The door beside a store; none when there is none, when others could have written it, or when it leads away."""
    try:
        with door_path(store).open("rb") as file:
            kept_close = _is_private(os.fstat(file.fileno()))
            door = Door.model_validate_json(file.read(_LARGEST_DOOR))
    except (OSError, ValidationError):
        return None
    return door if kept_close and _is_here(door.url) else None


def _is_private(status: os.stat_result) -> bool:
    if os.name != "posix":
        return True
    return stat.S_ISREG(status.st_mode) and not status.st_mode & 0o077 and status.st_uid == os.geteuid()


def _is_here(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme == "http" and ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False


def _ask(door: Door, work: Work, progress: Progress, busy: StoreBusy) -> Report:
    """Send the work to the desk and follow it to its end."""
    request = urllib.request.Request(
        f"{door.url}/api/admin/{kind_of(work)}",
        data=json.dumps(work.model_dump(), default=_as_json).encode(),
        headers={"content-type": "application/json", "authorization": f"Bearer {door.secret}"},
        method="POST",
    )
    # No proxy of the environment may see the secret.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        reply = opener.open(request, timeout=SILENCE)
    except urllib.error.HTTPError as error:
        with error:
            raise _refused(error, busy) from error
    except OSError as error:  # nobody listens there: the door is an old one, and somebody else holds the store
        raise busy from error
    with reply:
        for message in _messages(reply):
            if "progress" in message:
                progress(*message["progress"])
            elif "report" in message:
                return KINDS[kind_of(work)][1].model_validate(message["report"])
            elif "error" in message:
                raise _as_raised(message["error"])
    raise _cut_short()


def _messages(reply: Any) -> Iterator[dict[str, Any]]:
    try:
        for line in reply:
            yield json.loads(line)
    except (OSError, ValueError) as error:
        raise _cut_short() from error


def _cut_short() -> CitedeskError:
    return CitedeskError("The desk stopped before the work was done", "what was done is kept; give the command again")


def _refused(error: urllib.error.HTTPError, busy: StoreBusy) -> CitedeskError:
    """Why the desk would not take the work; whoever does not know the secret is not the desk that holds the store."""
    if error.code in {401, 404}:
        return busy
    try:
        detail = json.loads(error.read())["detail"]
    except (OSError, ValueError, LookupError, TypeError):
        detail = f"it answered {error.code}"
    return CitedeskError(f"The desk refused the work: {str(detail).rstrip('.')}")


def _as_raised(values: dict[str, Any]) -> CitedeskError:
    """The exception that the work raised in the desk."""
    found = getattr(errors, str(values.get("kind")), None)
    known = found if isinstance(found, type) and issubclass(found, CitedeskError) else CitedeskError
    return known(str(values.get("what")), str(values.get("advice")))


def _as_json(value: object) -> object:
    """What JSON has no word for: a set as a list, a path as it is, also where it is not UTF-8."""
    return sorted(value) if isinstance(value, frozenset) else str(value)
