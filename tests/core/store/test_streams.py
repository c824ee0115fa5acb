"""Streams for exports: as many as the list says, in its order, with all that belongs to them."""

from __future__ import annotations

import pytest

from core.models import Label
from core.store import Store, streams
from core.store.records import ClaimFilter, Sort
from tests.core.store import build

PROTOCOL = str(build.PROTOCOL)
FILTERS = [
    ClaimFilter(protocol=PROTOCOL),
    ClaimFilter(protocol=PROTOCOL, sort=Sort.AS_IMPORTED),
    ClaimFilter(protocol=PROTOCOL, labels=(Label.CONTRADICTED, None), flags=("number",)),
    ClaimFilter(protocol=PROTOCOL, unsupported="lenient", text="r1"),
    ClaimFilter(protocol=str(build.protocol(0.9)), sort=Sort.NEWEST_FIRST),
    ClaimFilter(protocol=PROTOCOL, request_id="nobody"),
]


@pytest.mark.parametrize("wanted", FILTERS)
def test_claims_come_with_their_answers(wanted: ClaimFilter, shared: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rows in the same order as without, as many as the screen says, each in its own answer."""
    monkeypatch.setattr(streams, "_ANSWERS_AT_ONCE", 7)
    claims = list(shared.judged_claims(wanted))
    answers = {answer.request_id: answer for answer in shared.answers()}

    assert [claim.row for claim in claims] == list(shared.rows(wanted))
    assert len(claims) == shared.claim_page(wanted).total
    assert all(claim.answer == answers[claim.row.request_id] for claim in claims)


@pytest.mark.parametrize("wanted", FILTERS)
def test_verdicts_are_those_of_the_claims(wanted: ClaimFilter, shared: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two stages a span of every claim of the list, in the order of the list, under its protocol only."""
    monkeypatch.setattr(streams, "_AT_ONCE", 7)
    items = shared.claim_page(wanted, limit=1000).items
    found = list(shared.verdicts(wanted))
    expected = []
    for item in items:
        detail = shared.claim(item.claim_uid, wanted.protocol)
        assert detail is not None
        expected += [(item.claim_uid, one.cite, one.stage, one.outcome) for one in detail.stages]

    assert [(one.claim_uid, one.cite, one.stage, one.outcome) for one in found] == expected
    assert {one.protocol for one in found} <= {wanted.protocol}
    assert {one.verifier for one in found} <= {"lexical"}
