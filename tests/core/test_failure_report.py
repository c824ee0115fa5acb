"""The one-page report: whole, harmless, small, and with the figures of the page."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from core import failure_report, failures
from core.models import Label
from core.store import Store
from core.store.records import ClaimFilter
from tests.core.store import build
from tests.core.store.conftest import empty as empty  # a fixture
from tests.core.store.conftest import store as store

ODD = "<script>alert(1)</script> & write to ann@example.org"
WANTED = ClaimFilter(protocol=str(build.PROTOCOL))
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def filled(store: Store) -> Store:
    """Forty answers, some with texts that a careless page would run."""
    for number in range(40):
        about = [build.claim(1, text=f"Claim {number} {ODD} {'long ' * 500}"), build.claim(2)]
        of = build.answer(f"r{number}", query=f"What of {ODD}?")
        labels = [[Label.CONTRADICTED, Label.PARTIAL, Label.IRRELEVANT][number % 3], Label.SUPPORTED]
        store.record(build.batch(build.checked(of, labels, about)))
    return store


def test_it_names_judge_number_date_and_data(store: Store) -> None:
    """The same figures as the page, from the same functions."""
    page = failure_report.page(filled(store), WANTED, "strict", "all claims", NOW)
    found = failures.overview(store, WANTED, "strict")

    assert str(build.PROTOCOL) in page
    assert f"n = {found.judged}" in page
    assert "2026-11-30 12:00 UTC" in page
    assert store.slices.data_sha256(WANTED) in page
    assert f"{found.failed} of {found.judged}" in page
    for reason in found.reasons:
        assert f"{reason.words} · {reason.claims}" in re.sub("</?bdi>", "", page)


def test_nothing_in_it_runs_or_is_fetched(store: Store) -> None:
    """No script, no address, no name of a person; a policy that forbids the rest."""
    page = failure_report.page(filled(store), WANTED, "strict", ODD, NOW)

    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "ann@example.org" not in page
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)\s*=", page)
    assert "http://" not in page
    assert "https://" not in page


def test_it_is_small_and_fit_for_paper(store: Store) -> None:
    """Far below 5 MB, in both schemes, and printable."""
    page = failure_report.page(filled(store), WANTED, "strict", "all claims", NOW)

    assert len(page.encode()) < 200_000
    assert "color-scheme: light dark" in page
    assert "@media print" in page


def test_nothing_to_report_is_said(store: Store) -> None:
    """A page all the same."""
    page = failure_report.page(store, WANTED, "strict", "all claims", NOW)

    assert "None of these claims was judged" in page
    assert "There is none." in page


def test_the_data_have_a_name_of_their_own(store: Store) -> None:
    """Another verdict is other data; another filter too."""
    store.record(build.batch(build.checked(build.answer(), [Label.PARTIAL, Label.SUPPORTED])))
    before = store.slices.data_sha256(WANTED)
    narrower = store.slices.data_sha256(WANTED.model_copy(update={"labels": (Label.PARTIAL,)}))
    store.record(build.batch(build.checked(build.answer(), [Label.CONTRADICTED, Label.SUPPORTED])))

    assert len({before, narrower, store.slices.data_sha256(WANTED)}) == 3
