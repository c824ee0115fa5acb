"""What corpora let be asked of the outside; rows are only ever added, and the last one of a corpus counts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from core.corpus_policy import CorpusPolicy
from core.models import Record, utc_now
from core.store import audit
from core.store.connection import Connection
from core.store.encoding import dump_json, in_utc


class SaidOfCorpus(Record):
    """What somebody said of a corpus at some time."""

    corpus: str
    policy: CorpusPolicy | None
    """None: it was to have no policy of its own any more."""
    who: str
    recorded_at: datetime


class CorpusPolicies:
    """The policies of one store's corpora. See ``Store`` for what holds of all its methods."""

    def __init__(self, connection: Connection, wrote: Callable[[], None]) -> None:
        """Read and write through this connection, and say when something was written."""
        self._connection, self._wrote = connection, wrote

    def say(self, corpus: str, policy: CorpusPolicy | None, who: str) -> None:
        """Give a corpus a policy in the place of the one it had, or take it away; saying it again writes nothing."""
        values = None if policy is None else dump_json(_sorted(policy))
        with self._connection.write() as session:
            last = "select policy from corpus_policies where corpus = ? order by policy_no desc limit 1"
            if session.value(last, [corpus]) == values:
                return
            number = session.next_number("corpus_policies", "policy_no")
            row = {"policy_no": number, "corpus": corpus, "policy": values, "who": who, "recorded_at": utc_now()}
            session.append("corpus_policies", [row])
            subject = f"corpus_policy {number}"
            audit.note(session, [audit.Entry(who, audit.Act.SET_POLICY, subject, audit.of_row(row))])
        self._wrote()

    def current(self) -> dict[str, CorpusPolicy]:
        """By corpus, the policy that counts; corpora without one of their own are left out."""
        last = {one.corpus: one.policy for one in self.history()}
        return {corpus: policy for corpus, policy in sorted(last.items()) if policy is not None}

    def history(self, corpus: str | None = None) -> list[SaidOfCorpus]:
        """Everything that was ever said, of one corpus or of all, oldest first."""
        with self._connection.read() as session:
            rows = session.all(
                "select corpus, policy, who, recorded_at from corpus_policies where corpus = coalesce(?, corpus) "
                "order by policy_no",
                [corpus],
            )
        return [
            SaidOfCorpus(
                corpus=name,
                policy=None if values is None else CorpusPolicy.model_validate_json(values),
                who=who,
                recorded_at=in_utc(at),
            )
            for name, values, who, at in rows
        ]


def _sorted(policy: CorpusPolicy) -> dict[str, object]:
    """As JSON in which a set has an order, so that the same policy is the same text."""
    values = policy.model_dump(mode="json")
    return values | {"also": sorted(values["also"])}
