"""What a provider's refusal means: its word, whether to try again, how long to wait."""

from __future__ import annotations

from datetime import timedelta
from email.utils import format_datetime

import pytest

from core.models import Failure, utc_now
from core.setbacks import backoff, of_status


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_the_wait_that_is_asked_for(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds or milliseconds; nonsense is as good as nothing."""
    assert of_status(429, "rate_limit_error", headers, None).wait == seconds


def test_a_date_to_wait_for() -> None:
    """The other form of the header."""
    wait = of_status(429, None, {"retry-after": format_datetime(utc_now() + timedelta(seconds=60))}, None).wait

    assert wait is not None
    assert 57 < wait <= 60


@pytest.mark.parametrize(
    ("status", "kind", "failure", "again", "hopeless"),
    [
        (200, "overloaded_error", Failure.OVERLOADED, True, False),
        (200, "something_new", Failure.CUT_OFF, True, False),
        (400, "invalid_request_error", Failure.REJECTED, False, False),
        (400, "billing_error", Failure.UNAUTHORISED, False, True),
        (401, None, Failure.UNAUTHORISED, False, True),
        (404, "not_found_error", Failure.REJECTED, False, True),
        (408, None, Failure.TIMED_OUT, True, False),
        (418, None, Failure.REJECTED, False, False),
        (429, None, Failure.RATE_LIMITED, True, False),
        (502, None, Failure.OVERLOADED, True, False),
        (529, "overloaded_error", Failure.OVERLOADED, True, False),
    ],
)
def test_every_status_has_a_word(status: int, kind: str | None, failure: Failure, again: bool, hopeless: bool) -> None:
    """Ours by status, else by the provider's own word; only what may pass is tried again."""
    setback = of_status(status, kind, {}, "req_1")

    assert (setback.failure, setback.again, setback.hopeless) == (failure, again, hopeless)
    assert setback.request_id == "req_1"


def test_the_provider_has_the_last_word_on_trying_again() -> None:
    """Its header beats our table, both ways."""
    assert of_status(418, None, {"x-should-retry": "true"}, None).again
    assert not of_status(529, None, {"x-should-retry": "false"}, None).again


def test_waits_double_up_to_a_limit() -> None:
    """With up to a quarter of chance taken off, so that many callers do not come back at once."""
    for number, most in ((1, 0.5), (2, 1.0), (4, 4.0), (100, 30.0)):
        assert 0.75 * most <= backoff(0.5, number) <= most
    assert backoff(0.0, 3) == 0.0
