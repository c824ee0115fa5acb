"""What a judge says in the words of people who never met one: judges, failures, qualifiers, scores.

Pages and reports speak from here, so that they never disagree. These are words of ours; what an answer or a source says
is added by whoever shows it, under its own rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from core.failure import Failure
from core.models import Action, Label, Qualifier, QuoteState, SpanRow, Status

JUDGES: Mapping[str, str] = {
    "nli": "a small language model on this machine that reads claim and passage together; it is free, reads English, "
    "and sends nothing anywhere",
    "lexical": "a baseline on this machine that counts the words and numbers in common; it does not understand them",
    "cosine": "a baseline on this machine that compares subjects; it overlooks negations and other values",
    "claude": "a Claude model at Anthropic; every claim and the passage it cites are sent there, and every call costs "
    "money",
    "hub": "a published model of your choice, fetched once and then run on this machine",
}
"""What each verifier is, by the name before the colon: the rest of a sentence that begins with its name."""


def judge(verifier: str) -> str:
    """What a verifier is, in a clause; of one without an entry only that nothing is known about it here."""
    return JUDGES.get(verifier.partition(":")[0], "a judge that this version of Citedesk does not describe")


class Trouble(NamedTuple):
    """A failure in words."""

    what: str
    """What happened, as a clause."""
    then: str
    """What to do, as a clause; empty when nothing would help."""


FAILURES: Mapping[Failure, Trouble] = {
    Failure.REFUSED: Trouble("the model declined to judge this text", "ask another judge"),
    Failure.OVERLOADED: Trouble("the model was overloaded", "ask again"),
    Failure.RATE_LIMITED: Trouble("too many questions were asked at once", "ask again later"),
    Failure.TIMED_OUT: Trouble("no answer came in time", "ask again"),
    Failure.CUT_OFF: Trouble("the answer broke off", "ask again"),
    Failure.BAD_OUTPUT: Trouble("the judge's answer made no sense", "ask again"),
    Failure.QUOTE_NOT_IN_SPAN: Trouble("the judge quoted words that the passage does not have", "ask again"),
    Failure.NO_NETWORK: Trouble("the model could not be reached", "look at the network, then ask again"),
    Failure.UNAUTHORISED: Trouble("the key was not accepted", "look at the key, then ask again"),
    Failure.REJECTED: Trouble("the provider did not take the question", "look at the model's name, then ask again"),
    Failure.BUDGET: Trouble("the budget was used up before", "ask again with a larger one"),
    Failure.EXPIRED: Trouble("the provider did not come to it in time", "ask again"),
    Failure.EMPTY: Trouble("there is no text to compare", ""),
    Failure.UNREADABLE: Trouble("the judge cannot read this text", "ask another judge"),
    Failure.TOO_LONG: Trouble("the text is longer than the judge reads", "ask another judge"),
    Failure.TRUNCATED: Trouble("the passage was not read to its end", "ask another judge"),
    Failure.NO_MODEL: Trouble("the model went away while judging", "ask again"),
}


def failure_in(reason: str) -> Failure | None:
    """The failure that a stored reason begins with (``overloaded: …``); none when it begins with none."""
    word, colon, _ = reason.partition(": ")
    return Failure(word) if colon and word in set(Failure) else None


def failure_of(span: SpanRow) -> Failure | None:
    """Why a span was not judged; none when it was, or when no kind of failure was noted."""
    return failure_in(span.reason) if span.label is None and span.status in (Status.FAILED, Status.TRUNCATED) else None


def not_judged(reason: str) -> str:
    """A stored reason in words: ``not judged: the model was overloaded, ask again``; any other stays as it is."""
    failure = failure_in(reason)
    if failure is None:
        return reason
    trouble = FAILURES[failure]
    return f"not judged: {', '.join(filter(None, trouble))}"


def reason(stored: str) -> str:
    """A stored reason for a person: a failure in words, and what was written beside it; any other as it stands."""
    words = not_judged(stored)
    if words == stored:
        return stored
    return f"{words[0].upper()}{words[1:]}. {stored.partition(': ')[2]}".rstrip()


class Comparison(NamedTuple):
    """What one kind of qualifier compares, in words."""

    name: str
    differs: str
    """What it means that both sides differ, as a clause."""


QUALIFIERS: Mapping[str, Comparison] = {
    "number": Comparison("number", "another value stands there"),
    "unit": Comparison("unit", "the number is given in another unit"),
    "date": Comparison("date", "another date stands there"),
    "period": Comparison("period", "it holds for another time"),
    "sample_size": Comparison("size of the study", "another number took part"),
    "quantifier": Comparison("how many", "the claim speaks of more, or of fewer"),
    "bound": Comparison("limit", "a limit or a range became a plain value"),
    "negation": Comparison("negation", "one denies what the other affirms"),
    "population": Comparison("who or where", "it holds for others"),
    "hedge": Comparison("how sure", "the claim is surer than the source"),
    "causality": Comparison("cause", "the source found it together, not as a cause"),
    "name": Comparison("name", "another name stands there"),
    "secondary": Comparison("second-hand", "the source passes on what another one says"),
}
"""By kind, in the order of importance to a reader."""


def comparison(kind: str) -> Comparison:
    """A kind of qualifier in words, also one that only a judge knows."""
    return QUALIFIERS.get(kind, Comparison(kind.replace("_", " "), "both differ"))


def compared(one: Qualifier) -> str:
    """One comparison in a sentence without its stop: ``period: the claim says …, the cited text …``."""
    name = comparison(one.kind).name
    if one.kind == "secondary" and one.agrees is not True:
        return f"{name}: the cited text takes this from “{one.evidence}”"
    theirs = f"the cited text “{one.evidence}”" if one.evidence is not None else "the cited text does not"
    return f"{name}: the claim says “{one.claim}”, {theirs}"


class Score(NamedTuple):
    """What a named score stands for."""

    name: str
    label: Label | None = None
    """The label that a high one speaks for."""


SCORES: Mapping[str, Score] = {
    "entailment": Score("passage says it (entailment)", Label.SUPPORTED),
    "neutral": Score("passage leaves it open (neutral)"),
    "contradiction": Score("passage says otherwise (contradiction)", Label.CONTRADICTED),
    "not_entailment": Score("passage does not say it"),
    "coverage": Score("words and numbers found there", Label.SUPPORTED),
    "words": Score("of these, words"),
    "numbers": Score("of these, numbers"),
    "cosine": Score("nearness of subject (cosine)", Label.SUPPORTED),
}
"""By the name that a verifier gives it."""


def score(name: str) -> Score:
    """What a score stands for, also one that only a judge knows."""
    return SCORES.get(name, Score(name.replace("_", " ")))


def thresholds(values: Mapping[str, float]) -> str:
    """The least scores for labels, in words: ``supported from 0.29, contradicted from 0.5``; empty without any."""
    return ", ".join(f"{name.replace('_', ' ')} from {value:g}" for name, value in values.items())


ACTIONS: Mapping[Action, str] = {
    Action.KEEP: "keep",
    Action.SOFTEN: "soften",
    Action.CORRECT: "correct",
    Action.DROP_CITATION: "drop the citation",
    Action.ADD_EVIDENCE: "add evidence",
    Action.RE_RETRIEVE: "retrieve again",
    Action.STATE_LIMIT: "state the limit",
    Action.NARROW_SCOPE: "narrow the scope",
    Action.CITE_PRIMARY: "cite the primary source",
    Action.NONE: "nothing to do yet",
}
"""What to do about a claim, as a clause."""

QUOTATIONS: Mapping[QuoteState, str] = {
    QuoteState.VERBATIM: "stands there word for word",
    QuoteState.NEAR_MISS: "does not stand there word for word",
    QuoteState.NOT_FOUND: "was found nowhere",
    QuoteState.NOT_GIVEN: "could not be looked up: nothing readable is cited",
}
"""How a quotation fared; the rest of a sentence that begins with it."""
