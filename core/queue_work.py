"""Queues at the command line, as work that whichever process has the store open can do."""

from __future__ import annotations

from core import queues
from core.desk import Desk
from core.models import Record, utc_now
from core.store.queue_records import Queue, QueueSpec, QueueState
from core.verification import Progress


class QueueLine(Record):
    """One queue with how far it is."""

    queue: Queue
    state: QueueState
    margin: float | None = None
    """Of a new draw: half the width of the 95 % interval of a share of one half, in [0, 1]."""
    remarks: tuple[str, ...] = ()
    """Of a new draw."""


class QueuesReport(Record):
    """Queues: every one, or the one that was made or changed."""

    queues: tuple[QueueLine, ...]


class QueuesWork(Record):
    """Say which queues there are."""

    who: str

    def run(self, desk: Desk, progress: Progress) -> QueuesReport:
        """Do it."""
        found = desk.store.queues.states(self.who, utc_now())
        return QueuesReport(queues=tuple(QueueLine(queue=queue, state=state) for queue, state in found))


class NewQueueWork(Record):
    """Make a queue; see ``core.queues.make``."""

    spec: QueueSpec
    who: str

    def run(self, desk: Desk, progress: Progress) -> QueuesReport:
        """Do it."""
        made = queues.make(desk.store, self.spec, self.who)
        return _one(desk, made.queue.queue_id, self.who, queues.margin(made.draw), made.draw.remarks)


class TopUpWork(Record):
    """Draw more claims into a queue; see ``core.queues.top_up``."""

    queue_id: str
    more: int
    who: str

    def run(self, desk: Desk, progress: Progress) -> QueuesReport:
        """Do it."""
        draw = queues.top_up(desk.store, self.queue_id, self.more, self.who)
        return _one(desk, self.queue_id, self.who, queues.margin(draw), draw.remarks)


class CloseQueueWork(Record):
    """Give out nothing more of a queue, or open it again."""

    queue_id: str
    who: str
    open_again: bool = False

    def run(self, desk: Desk, progress: Progress) -> QueuesReport:
        """Do it."""
        change = desk.store.queues.open if self.open_again else desk.store.queues.close
        change(self.queue_id, self.who)
        return _one(desk, self.queue_id, self.who)


QueueWork = QueuesWork | NewQueueWork | TopUpWork | CloseQueueWork


def _one(
    desk: Desk, queue_id: str, who: str, margin: float | None = None, remarks: tuple[str, ...] = ()
) -> QueuesReport:
    state = desk.store.queues.state(queue_id, who, utc_now())
    line = QueueLine(queue=desk.store.queues.get(queue_id), state=state, margin=margin, remarks=remarks)
    return QueuesReport(queues=(line,))
