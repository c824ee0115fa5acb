"""What a provider's refusal means, from its status, its own word and its headers; and how long to wait after it."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from random import random

from core.asking import Setback
from core.models import Failure, utc_now

DOWN = frozenset({Failure.OVERLOADED, Failure.RATE_LIMITED, Failure.TIMED_OUT, Failure.CUT_OFF})
"""The provider is in trouble, not the request: another attempt may succeed."""

OF_TYPE = {
    "overloaded_error": Failure.OVERLOADED,
    "api_error": Failure.OVERLOADED,
    "rate_limit_error": Failure.RATE_LIMITED,
    "timeout_error": Failure.TIMED_OUT,
    "authentication_error": Failure.UNAUTHORISED,
    "permission_error": Failure.UNAUTHORISED,
    "billing_error": Failure.UNAUTHORISED,
    "invalid_request_error": Failure.REJECTED,
    "not_found_error": Failure.REJECTED,
}
"""What the types of Anthropic's errors mean."""

_OF_STATUS = {401: Failure.UNAUTHORISED, 402: Failure.UNAUTHORISED, 403: Failure.UNAUTHORISED, 408: Failure.TIMED_OUT}
_OF_STATUS |= {409: Failure.OVERLOADED, 413: Failure.TOO_LONG, 429: Failure.RATE_LIMITED, 504: Failure.TIMED_OUT}

_MAX_BACKOFF = 30.0


def of_status(status: int, kind: str | None, headers: Mapping[str, str], request_id: str | None) -> Setback:
    """What an answer without a message means; status 200 is an error in the middle of a stream."""
    by_type = OF_TYPE.get(kind or "", Failure.CUT_OFF if status < 400 else Failure.REJECTED)
    failure = _OF_STATUS.get(status) or (Failure.OVERLOADED if status >= 500 else by_type)
    again = failure in DOWN or headers.get("x-should-retry") == "true"
    return Setback(
        failure,
        f"Claude answered {status if status >= 400 else 'half'}" + (f" ({kind})" if kind else ""),
        again=again and headers.get("x-should-retry") != "false",
        wait=_retry_after(headers),
        hopeless=failure is Failure.UNAUTHORISED or status == 404,
        billed=status < 400,
        request_id=request_id,
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that the provider asks to wait, from either form of the header; none when it does not say."""
    said = headers.get("retry-after", "")
    try:
        return max(float(headers["retry-after-ms"]) / 1000 if "retry-after-ms" in headers else float(said), 0.0)
    except ValueError:
        pass
    try:
        return max((parsedate_to_datetime(said) - utc_now()).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None


def backoff(first: float, number: int) -> float:
    """Seconds before the attempt after attempt ``number``: doubled each time, with a quarter of chance."""
    return min(first * 2.0 ** min(number - 1, 30), _MAX_BACKOFF) * (1 - 0.25 * random())
