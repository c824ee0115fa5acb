"""What a policy may say, and what it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from core.errors import InputError
from core.reference_policy import Also, Credential, ReferencePolicy


def test_the_default_asks_nobody() -> None:
    """The registry of the request only."""
    assert ReferencePolicy().also == frozenset()


@pytest.mark.parametrize(
    "wrong",
    [
        {"contact": "nobody"}, {"contact": "a@b.example\r\nX-Evil: 1"}, {"contact": "http://a.example"},
        {"deny": ("http://a.example",)}, {"allow": ("*",)}, {"also": ["everything"]},
        {"limits": {"seconds": 0}}, {"lives": {"gone_after_hours": 1}},
        {"endpoints": {"doi": {"url": "file:///x", "per_second": 1}}},
        {"loopback": True}, {"network": "loopback"}, {"credentials": [{"host": "a.example", "secret": "x"}]},
        {"credentials": [{"host": "a.example", "header": "Host", "env": "X"}]},
    ],
)  # fmt: skip
def test_what_a_policy_cannot_say(wrong: dict[str, Any]) -> None:
    """Neither nonsense, nor a secret itself, nor that addresses of this machine may be opened."""
    with pytest.raises(ValidationError):
        ReferencePolicy.model_validate(wrong)


def test_a_policy_comes_from_plain_data() -> None:
    """As a settings file has it."""
    found = ReferencePolicy.model_validate_json(
        '{"also": ["urls"], "contact": "a@b.example", "deny": ["*.Example.org"]}'
    )

    assert found.also == {Also.URLS}
    assert found.permits("example.org")
    assert not found.permits("www.example.org")


def test_a_secret_is_read_from_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first line of a file, or a variable; never part of the record."""
    path = tmp_path / "key"
    path.write_text("Bearer abc\nsecond line\n", encoding="utf-8")
    monkeypatch.setenv("DESK_KEY", "Bearer def")

    assert Credential(host="a.example", file=path).secret() == "Bearer abc"
    assert Credential(host="a.example", env="DESK_KEY").secret() == "Bearer def"
    assert "abc" not in repr(Credential(host="a.example", file=path))


@pytest.mark.parametrize("content", ["", "\n", "två\n", "a\x07b\n"])
def test_a_secret_that_cannot_be_sent(tmp_path: Path, content: str) -> None:
    """The message names the place and nothing of what is in it."""
    path = tmp_path / "key"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(InputError, match="on one line"):
        Credential(host="a.example", file=path).secret()
    with pytest.raises(InputError, match="cannot be read"):
        Credential(host="a.example", file=tmp_path / "none").secret()
