"""The HTTP contract: what is asked and answered, as records, and one table from which routes and document are made."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, Field, StringConstraints, model_validator

from core.gate import GateReason, Level
from core.models import GeneratorName, Record
from core.outcomes import TABLE, Ending, Excerpt, Footnote, Outcome, ServedClaim

Word = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]*$", max_length=40)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class QueryBody(Record):
    """A question."""

    query: Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
    """What is asked; how long it may be is a setting of the desk."""
    corpus: Line | None = None
    """Which corpus is asked; none: the desk's default one."""
    user: Line | None = None
    """Who asks; when given, the token's principal."""
    accept: tuple[Literal["excerpts"], ...] = Field(default=(), max_length=8)
    """What is taken instead of an answer when there is none: ``excerpts`` of the sources."""


class ServedBody(Record):
    """An answer, assembled from claims that passed the gate, or the sentence that says that there is none."""

    outcome: Literal["answered", "repaired", "abstained_by_model", "abstained_no_evidence"]
    gate: Level
    """What every claim was held to."""
    generator: GeneratorName
    """Who wrote or picked the claims."""
    answer: str
    claims: tuple[ServedClaim, ...]
    citations: tuple[Footnote, ...]
    """What the labels of the claims mean."""

    @model_validator(mode="after")
    def _every_claim_has_its_footnotes(self) -> ServedBody:
        if bool(self.claims) is self.outcome.startswith("abstained"):
            raise ValueError("an answer has claims, and an abstention none")
        labels = {one.label for one in self.citations}
        if not all(claim.citations and labels.issuperset(claim.citations) for claim in self.claims):
            raise ValueError("every served claim cites, and every label has its footnote")
        return self


class ExcerptsBody(Record):
    """No answer, but stretches of the sources as they stand."""

    outcome: Literal["degraded_extractive"]
    gate: Level
    excerpts: tuple[Excerpt, ...] = Field(min_length=1)


class BlockedDetail(Record):
    """The first failure, in the order of the claims."""

    reason: GateReason
    claim_index: int = Field(ge=0)
    """Which claim, counted from 0; the number of claims when prose states what no claim covers."""


class BlockedBody(Record):
    """There was an answer, and the gate stopped it. Nothing of it is in here."""

    detail: BlockedDetail


class FailedDetail(Record):
    """What kind of failure it was."""

    reason: Word


class FailedBody(Record):
    """There is no answer."""

    detail: FailedDetail


class RefusedBody(Record):
    """The request was not taken."""

    detail: str
    """One sentence."""


class HealthBody(Record):
    """What is open."""

    status: Literal["ok"]
    version: str
    store: str
    """The name of the file, without its folder."""
    claims: int = Field(ge=0)


class Told(NamedTuple):
    """What a caller is told at the end."""

    status: int
    body: BaseModel


INTERNAL_ERROR = "internal_error"
"""The reason of a failure of ours, beside the outcomes."""


def told(outcome: Outcome) -> Told:
    """What a caller is told of an outcome.

    Raises:
        ValidationError: The outcome breaks the contract, so that nothing of it may be told.
    """
    said = outcome.body()
    if "detail" in said and said["detail"].get("reason") is None and outcome.outcome is not Ending.BLOCKED:
        said = {"detail": {"reason": str(outcome.outcome)}}
    return Told(outcome.status, BODY_OF[outcome.outcome].model_validate(said))


def failed(reason: str, status: int) -> Told:
    """The body of a failure that is no outcome of a question."""
    return Told(status, FailedBody(detail=FailedDetail(reason=reason)))


BODY_OF: Mapping[Ending, type[BaseModel]] = {
    ending: BlockedBody
    if ending is Ending.BLOCKED
    else ExcerptsBody
    if ending is Ending.DEGRADED_EXTRACTIVE
    else ServedBody
    if rule.logged
    else FailedBody
    for ending, rule in TABLE.items()
}
"""The record that each outcome is told in."""


class Reply(NamedTuple):
    """One status that an operation may answer with."""

    status: int
    body: type[BaseModel]
    when: str
    headers: tuple[str, ...] = ()


REFUSALS = (
    Reply(400, RefusedBody, "the body is not JSON, or a field of it cannot be used; or a foreign host name"),
    Reply(401, RefusedBody, "no token, or one that is unknown, expired or revoked", ("WWW-Authenticate",)),
    Reply(403, FailedBody, "forbidden: the body's user is not the token's"),
    Reply(403, RefusedBody, "a page of another origin sent it"),
    Reply(404, RefusedBody, "there is no such corpus, or none that the token may read: the same words"),
    Reply(413, RefusedBody, "the body, or the question in it, is too large"),
    Reply(415, RefusedBody, "the body is not application/json"),
    Reply(429, RefusedBody, "too many questions of this token, or of all together", ("Retry-After",)),
    Reply(500, FailedBody, f"a failure of ours ({INTERNAL_ERROR})"),
    Reply(503, RefusedBody, "the store cannot be used, or the desk is closing"),
)
"""How a question can end before anybody has looked for an answer, or without an outcome."""

OUTCOMES = tuple(
    Reply(status, BODY_OF[ending], str(ending)) for ending, rule in TABLE.items() for status in rule.statuses
)
"""How it can end otherwise."""


class Operation(NamedTuple):
    """One thing that can be asked of the API."""

    name: str
    """Of the handler, and in the document."""
    method: Literal["GET", "POST"]
    path: str
    summary: str
    replies: tuple[Reply, ...]
    body: type[BaseModel] | None = None
    with_token: bool = False
    streams: bool = False
    """Whether its 200 is a stream of server-sent events."""


OPERATIONS = (
    Operation("query", "POST", "/api/query", "Ask a question", OUTCOMES + REFUSALS, QueryBody, with_token=True),
    Operation(
        "query_stream",
        "POST",
        "/api/query/stream",
        "Ask a question and follow its stages; the last event is `answer` or `error`, only that one holds an answer",
        (Reply(200, ServedBody, "events `status`, then one `answer` or `error`"), *REFUSALS),
        QueryBody,
        with_token=True,
        streams=True,
    ),
    Operation(
        "health",
        "GET",
        "/api/health",
        "Say whether the desk can work",
        (
            Reply(200, HealthBody, "it can"),
            Reply(400, RefusedBody, "a foreign host name"),
            Reply(503, RefusedBody, "it cannot, and why"),
        ),
    ),
    Operation(
        "document",
        "GET",
        "/api/openapi.json",
        "This document",
        (Reply(200, BaseModel, "OpenAPI 3.1"), Reply(400, RefusedBody, "a foreign host name")),
    ),
)
"""Every operation; routes and document are both made of this."""


def phrase(status: int) -> str:
    """The usual words for a status."""
    return HTTPStatus(status).phrase
