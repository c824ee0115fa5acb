"""What the inspector says of works outside: how they stand, who was asked and when, and what was found before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from core.cited_works import Work, reference_of, work_of
from core.corpus_policy import CorpusPolicy, corpus_of, of_corpora, own
from core.reference_lookup import kinds_of
from core.reference_policy import Also, ReferencePolicy
from core.references import Exists, Matches, Reachable, Receipt, Reference, ReferenceFinding
from core.store.records import ClaimDetail
from core.store.reference_records import StoredFinding
from core.store.references import References

EXISTS = {
    Exists.YES: "it exists",
    Exists.NO: "its registrar has no such work",
    Exists.UNKNOWN: "whether it exists is not known",
}
MATCHES = {
    Matches.YES: "it is the work that is meant",
    Matches.DIFFERS: "it differs from what the answer says of it",
    Matches.OTHER_WORK: "the registries describe another work",
    Matches.UNKNOWN: "whether it is the work that is meant is not known",
}
REACHABLE = {
    Reachable.LIVE: "it can be opened here",
    Reachable.BLOCKED: "it cannot be opened from here",
    Reachable.GONE: "it is gone",
    Reachable.SOFT_GONE: "its page says that it is gone",
    Reachable.ARCHIVED: "only a copy in an archive was read",
    Reachable.UNKNOWN: "whether it can be opened is not known",
}
NOT_ASKED = "The desk looks nothing up of this kind; whoever runs it can allow that with CITEDESK_REFERENCES__ALSO."
SHOWN = 20
"""Findings of a history that are shown."""


def also_of(
    protocol: str | None, policy: ReferencePolicy, said: Mapping[str, CorpusPolicy], corpora: Collection[str]
) -> frozenset[Also]:
    """Whom a recheck may ask: what the verdict's own protocol looked up, else what the desk does, as the corpora allow.

    Args:
        protocol: What the claim protocol says of references.
        policy: The desk's.
        said: The policies of corpora, by name.
        corpora: Those that answers which cite the work name.
    """
    if kinds := kinds_of(protocol):
        policy = policy.model_copy(update={"also": kinds, "chosen": True})
    policy = of_corpora(policy, said, corpora)
    return policy.also - {Also.SUPPLIED} if not policy.offline else frozenset()


def why_not(said: Mapping[str, CorpusPolicy], corpora: Collection[str]) -> str:
    """Why nobody is asked again: what the corpora say, else the desk."""
    words = own(said, corpora)
    return (
        f"{words} Whoever runs the desk can change that with: citedesk corpus references NAME" if words else NOT_ASKED
    )


def corpora_of(detail: ClaimDetail) -> tuple[str, ...]:
    """The corpus that the answer of a claim names, if it names one."""
    name = corpus_of(detail.answer)
    return (name,) if name else ()


def added(
    view: dict[str, Any],
    detail: ClaimDetail,
    store: References,
    said: Mapping[str, CorpusPolicy],
    may_ask: bool,
) -> dict[str, Any]:
    """The view of a claim with what is known outside put on the cards of its citations.

    Args:
        view: What ``claim_view.view`` made.
        detail: The same claim.
        store: Where findings are.
        said: The policies of corpora, by name.
        may_ask: Whether somebody can be asked again from here.
    """
    corpora = corpora_of(detail)
    asking = {
        "policy": own(said, corpora),
        "may_ask": may_ask,
        "why_not": "" if may_ask else why_not(said, corpora),
    }
    cards = [card | {"work": _work(card["cite"], detail, store.history, asking)} for card in view["cards"]]
    return view | {"cards": cards}


def reference(detail: ClaimDetail, cite: str) -> Reference | None:
    """The work that a citation of a claim names; none when it names none."""
    return reference_of(cite, next((one for one in detail.answer.evidence if one.id == cite), None))


def _work(
    cite: str, detail: ClaimDetail, history: Callable[[Work], Sequence[StoredFinding]], asking: dict[str, Any]
) -> dict[str, Any] | None:
    named = reference(detail, cite)
    if named is None:
        return None
    then = next((one.finding for one in detail.works if one.cite == cite), None)
    past = list(history(work_of(named)))
    latest = past[0].finding if past else then
    at = host(named.text)
    return {
        "host": at,
        "uri": named.text if at else "",
        "said": latest.said if latest else "Nobody was asked about this work outside.",
        "axes": axes(latest) if latest and latest.receipts else "",
        "when": f"asked {when(latest.at)}" if latest and latest.at else "",
        "receipts": [receipt(one) for one in latest.receipts] if latest else [],
        "history": [_past(one) for one in past[1 : SHOWN + 1]],
    } | asking


def axes(finding: ReferenceFinding) -> str:
    """The three axes in one sentence."""
    fields = f" ({', '.join(finding.differs)})" if finding.differs else ""
    text = f"{EXISTS[finding.exists]}; {MATCHES[finding.matches]}{fields}; {REACHABLE[finding.reachable]}"
    return f"{text[0].upper()}{text[1:]}."


def receipt(one: Receipt) -> str:
    """One question in a line: who was asked, when, and what came back."""
    status = f" ({one.status})" if one.status else ""
    return f"{one.who}, {when(one.at)}: {one.said}{status}"


def when(moment: datetime) -> str:
    """A moment for a person, in UTC."""
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def _past(one: StoredFinding) -> str:
    asked = f", asked by {one.who}" if one.who else ""
    return f"{when(one.finding.at or one.recorded_at)}{asked}: {one.finding.said}"


def host(text: str) -> str:
    """The host of a link of the web; empty for anything else."""
    try:
        uri = urlsplit(text)
        return uri.hostname or "" if uri.scheme in ("http", "https") else ""
    except ValueError:
        return ""
