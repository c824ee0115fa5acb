"""Why something that should have been judged was not: a closed list of words, counted and shown, never a label."""

from __future__ import annotations

from enum import StrEnum


class Failure(StrEnum):
    """Why a judge gave no label; its sentence stands beside it. A failure is never scored and never cached."""

    REFUSED = "refused"
    """The provider or the model declined to judge this text."""
    OVERLOADED = "overloaded"
    """The provider answered 529 or 5xx until the attempts or the time were used up."""
    RATE_LIMITED = "rate_limited"
    """The provider answered 429 until the attempts or the time were used up."""
    TIMED_OUT = "timed_out"
    CUT_OFF = "cut_off"
    """The connection broke in the middle, or the answer ended at its limit of tokens."""
    BAD_OUTPUT = "bad_output"
    """The answer was no such object as was asked for, or broke the contract of a judgement."""
    QUOTE_NOT_IN_SPAN = "quote_not_in_span"
    """What the judge gave as evidence does not stand in the cited text."""
    NO_NETWORK = "no_network"
    """The provider could not be reached."""
    UNAUTHORISED = "unauthorised"
    """The key is wrong, may not do this, or is out of credit."""
    REJECTED = "rejected"
    """The provider does not take the request: another 4xx, such as an unknown model."""
    BUDGET = "budget"
    """The budget of the run was used up before this was reached."""
    EXPIRED = "expired"
    """The provider did not come to it in the time a batch is given, or the batch was cancelled."""
    EMPTY = "empty"
    """The claim or the cited text is blank."""
    UNREADABLE = "unreadable"
    """There is text, but nothing in it that this judge can compare: another script, no words."""
    TOO_LONG = "too_long"
    """Claim or cited text is longer than the judge takes."""
    TRUNCATED = "truncated"
    """Only a part of the cited text was read."""
    NO_MODEL = "no_model"
    """The model went away or broke while judging."""
