"""Who looks: whoever sits at the desk's own machine reviews; in every doubt a stranger looks."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dashboard.widgets import visitor


@pytest.mark.parametrize(
    ("address", "headers", "near"),
    [
        (None, {"Host": "127.0.0.1:8501"}, True),
        (None, {"host": "localhost"}, True),
        (None, {"Host": "[::1]:8501"}, True),
        ("192.0.2.7", {"Host": "127.0.0.1:8501"}, False),
        (None, {"Host": "desk.example"}, False),
        (None, {"Host": "localhost", "X-Forwarded-For": "192.0.2.7"}, False),
        (None, {"Host": "localhost", "Forwarded": "for=192.0.2.7"}, False),
    ],
)
def test_who_looks(address: str | None, headers: dict[str, str], near: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address of the connection, the name that was asked for, and what a proxy says must all agree."""
    monkeypatch.setattr("dashboard.widgets.visitor.st.context", SimpleNamespace(ip_address=address, headers=headers))
    reader = visitor.reader()

    assert (reader.groups, reader.reviews) == ((None, True) if near else ((), False))
