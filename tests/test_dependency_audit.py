"""A dependency audit never passes in silence."""

from __future__ import annotations

import json

import pytest

from tests import dependency_audit
from tests.browser.conftest import free_port

CLEAN = {"name": "a", "version": "1", "vulns": []}
WEAK = {"name": "b", "version": "2", "vulns": [{"id": "PYSEC-1"}]}


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ([CLEAN], 0, "1 dependencies looked up, 0 known weaknesses.\n"),
        ([CLEAN, WEAK], 1, "b 2: PYSEC-1\n2 dependencies looked up, 1 known weaknesses.\n"),
        ([{"name": "c", "skip_reason": "gone"}], 0, "Dependencies were NOT checked: none of 1 is known there"),
        ([CLEAN, {"name": "c", "skip_reason": "gone"}], 1, "Not looked up: c (gone)\n1 dependencies"),
    ],
)
def test_what_was_found_is_said(
    packages: list[object], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A weakness, and a package that could not be looked up, end with 1."""
    assert dependency_audit.report(json.dumps({"dependencies": packages}), "") == code
    heard = capsys.readouterr()
    assert (heard.err + heard.out).startswith(said)


def test_a_failure_is_no_pass(capsys: pytest.CaptureFixture[str]) -> None:
    """What pip-audit said is shown."""
    assert dependency_audit.report("", "it broke") == 1
    assert "NOT checked" in (said := capsys.readouterr().err)
    assert "it broke" in said


def test_without_the_service_one_line_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Ends with 0, for there is nothing that a person here could mend."""
    assert dependency_audit.main(f"http://127.0.0.1:{free_port()}/") == 0
    assert capsys.readouterr().err.startswith("Dependencies were NOT checked: ")
