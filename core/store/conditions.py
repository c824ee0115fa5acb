"""What a filter says, as SQL over current verdicts ``v``, ``claims c`` and ``requests r``, and the values it speaks of.

A condition names no table that it does not need, so that ``tables`` joins no more than that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from core.store import reveals
from core.store.connection import Session
from core.store.encoding import in_utc
from core.store.records import MANY_CITES, ClaimFilter

NO_LABEL = "none"
WORST_FIRST = (
    "contradicted",
    "unresolvable",
    "wrong_scope",
    "uncited",
    "irrelevant",
    "partial",
    "inaccessible",
    NO_LABEL,
    "secondary_only",
    "supported",
)
"""Labels in the order of the review list."""

_ALIAS = re.compile(r"\b([cr])\.")
LABEL = f"coalesce(v.label, '{NO_LABEL}')"
FAILURE = "split_part(v.why, ': ', 1)"
"""The kind of failure, for claims without a label: their reason begins with it."""

GENERATOR = "coalesce(r.generator_model, r.generator_name)"
"""The one name of a generator, over ``requests r``."""

REASON = f"""case
  when v.label is null then 'none.' || {FAILURE}
  when v.label = 'unresolvable' then 'unresolvable.' || if(v.resolve in ('ok', 'not_checked'), v.structural, v.resolve)
  when v.label = 'uncited' then 'uncited.' || v.structural
  when v.label = 'partial' and v.semantic = 'supported' then 'partial.quote_' || v.quote
  when v.label in ('contradicted', 'wrong_scope', 'partial', 'secondary_only') and len(v.differing) > 0
    then v.label || '.' || v.differing[1]
  else v.label end"""
"""The stable code of why a claim has its label: the label, and what settled it where that is known."""

JUDGED = "v.attempted and v.label is not null and v.label <> 'inaccessible'"
"""Claims that a rate is over."""

CITES = f"least(v.cite_count, {MANY_CITES})"


def age_of(days: str) -> str:
    """The age of a source in words, from the days between it and the question."""
    return (
        f"case when {days} is null then 'unknown' when {days} <= 30 then 'month' when {days} <= 365 then 'year' "
        f"when {days} <= 1095 then 'three_years' else 'older' end"
    )


AGE = age_of("r.asked_at::date - v.source_date")
Where = tuple[str, list[Any]]


def terms_of(column: str) -> str:
    """The words of a text column, folded, as a list; what terms and topics are compared by."""
    return f"regexp_extract_all(lower({column}), '[\\p{{L}}\\p{{N}}]{{3,}}')"


def condition(session: Session, wanted: ClaimFilter) -> Where:
    """What is true of the claims that a filter holds, with its parameters in order."""
    under: Where = ("v.protocol_no = (select protocol_no from protocols where name = ?)", [wanted.protocol])
    return _joined([under], session, wanted)


def condition_under(session: Session, protocols: Sequence[str], wanted: ClaimFilter) -> Where:
    """The same under each of several protocols; the filter's own is set aside."""
    under = "v.protocol_no in (select protocol_no from protocols where name in ?)"
    return _joined([(under, [list(protocols)])], session, wanted)


def tables(*said: str) -> str:
    """The tables that conditions and orders speak of, no more, as a ``from`` clause.

    At 100,000 claims the joins are half of the time.
    """
    aliases = set(_ALIAS.findall(" ".join(said)))
    claims = " join claims c using (claim_no)" if aliases & {"c", "r"} else ""
    requests = " join requests r using (request_no)" if "r" in aliases else ""
    return f"from current_verdicts v{claims}{requests}"


def _joined(parts: list[Where], session: Session, wanted: ClaimFilter) -> Where:
    hidden, reader = reveals.concealed(session, wanted.reader, "v.claim_no")
    if wanted.concealed:
        parts += [(hidden, reader), *_about_claims(wanted)]
    else:
        parts += [(f"not {hidden}", reader), *_about_claims(wanted), *_about_verdicts(wanted)]
    return " and ".join(text for text, _ in parts), [value for _, values in parts for value in values]


def _about_verdicts(wanted: ClaimFilter) -> Iterator[Where]:
    if wanted.labels:
        yield f"{LABEL} in ?", [[str(label) if label else NO_LABEL for label in wanted.labels]]
    if wanted.flags:
        yield "list_has_any(v.flags, ?::varchar[])", [list(wanted.flags)]
    if wanted.structural:
        yield "v.structural in ?", [[str(word) for word in wanted.structural]]
    if wanted.source is not None:
        yield "v.source = ?", [wanted.source]
    if wanted.unsupported is not None:
        yield "v.unsupported_lenient" if wanted.unsupported == "lenient" else "v.unsupported_strict", []
    for other, labels in wanted.beside:
        of = "(select protocol_no from protocols where name = ?)"
        some = f" and {LABEL} in ?" if labels else ""
        words = [[str(label) if label else NO_LABEL for label in labels]] if labels else []
        yield (
            f"v.claim_no in (select v.claim_no from current_verdicts v where v.protocol_no = {of}{some})",
            [other, *words],
        )
    if wanted.failures:
        yield f"v.label is null and {FAILURE} in ?", [[str(kind) for kind in wanted.failures]]
    if wanted.judged_only:
        yield JUDGED, []
    if wanted.reason is not None:
        yield f"{REASON} = ?", [wanted.reason]
    if wanted.differs:
        yield "list_has_any(v.differing, ?::varchar[])", [list(wanted.differs)]
    if wanted.cite_count is not None:
        yield f"{CITES} = ?", [wanted.cite_count]
    if wanted.age is not None:
        yield f"{AGE} = ?", [wanted.age]


def _about_claims(wanted: ClaimFilter) -> Iterator[Where]:
    if wanted.request_id is not None:
        yield "r.request_id = ?", [wanted.request_id]
    for word in wanted.text.split():
        # contains() takes the word as it is: % and _ are nothing special
        # requests are searched once each, not once a claim
        asked = "contains(lower(q.query), lower(?)) or contains(lower(q.request_id), lower(?))"
        of_request = f"c.request_no in (select q.request_no from requests q where {asked})"
        yield f"(contains(lower(c.text), lower(?)) or {of_request})", [word] * 3
    if wanted.claim_uids is not None:
        yield "c.claim_uid in (select unnest(?::varchar[]))", [list(wanted.claim_uids)]
    if wanted.bucket is not None:
        yield "r.asked_at >= ? and r.asked_at < ?", [in_utc(moment) for moment in wanted.bucket]
    if wanted.undated:
        yield "r.asked_at is null", []
    if wanted.topic is not None:
        yield "c.request_no in (select w.request_no from question_words w where w.word = ?)", [wanted.topic]
    if wanted.terms:
        yield f"list_has_all({terms_of('c.text')}, ?::varchar[])", [list(wanted.terms)]
    if wanted.attempted_only:
        yield "v.attempted", []
    if wanted.generator is not None:
        yield f"coalesce({GENERATOR}, '') = ?", [wanted.generator]
    if wanted.corpus:
        yield "r.request_uid in (select request_uid from query_log where corpus = ?)", [wanted.corpus]
    elif wanted.corpus is not None:
        yield "r.request_uid not in (select request_uid from query_log)", []
