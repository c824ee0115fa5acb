"""``citedesk token``: the secret is printed once; lists and errors for people and programs."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from core.store import open_store
from tests.core.test_cli import Command


@pytest.fixture
def citedesk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command, on an empty store."""
    return Command(monkeypatch, capsys, tmp_path / "desk.duckdb")


def test_the_secret_is_printed_once(citedesk: Command, tmp_path: Path) -> None:
    """Alone on standard output, so that a script can take it; no list shows it, or its hash."""
    ran = citedesk(
        "token", "new", "--principal", "ann", "--group", "staff", "--group", "board", "--expires", "2999-01-31"
    )
    secret = ran.out.strip()

    assert ran.code == 0
    assert ran.out == f"{secret}\n"
    assert secret.startswith("cdk_")
    assert "of ann: reads sources of board, staff and of everyone, until 2999-01-31 (UTC)" in ran.err
    assert secret not in ran.err
    with open_store(tmp_path / "desk.duckdb") as store:
        (token,) = store.tokens.all()
        kept = store.tokens.find(token.token_id)
    assert kept is not None
    for words in (["list"], ["list", "--json"]):
        listed = citedesk("token", *words).out
        assert token.token_id in listed
        assert secret not in listed
        assert kept.sha256 not in listed


def test_a_program_reads_json(citedesk: Command) -> None:
    """One object a line, and nothing else."""
    made = json.loads(citedesk("token", "new", "--principal", "bot", "--json").out)
    ended = json.loads(citedesk("token", "revoke", made["token_id"], "--json").out)
    (listed,) = map(json.loads, citedesk("token", "list", "--json").out.splitlines())

    assert made["secret"].startswith(f"cdk_{made['token_id']}_")
    assert (made["principal"], made["groups"], made["expires_at"], made["revoked_at"]) == ("bot", [], None, None)
    assert ended["revoked_at"]
    assert listed == ended


def test_the_list_says_what_is_good(citedesk: Command) -> None:
    """By id; a store that is not there has no tokens, and listing makes none."""
    assert citedesk("token", "list").out == "There are no tokens.\n"
    token_id = json.loads(citedesk("token", "new", "--principal", "ann", "--json").out)["token_id"]
    citedesk("token", "new", "--principal", "bob")
    assert f"token {token_id} of ann is refused from now on" in citedesk("token", "revoke", token_id).err
    head, ann, bob = citedesk("token", "list").out.splitlines()

    assert head.split() == ["id", "principal", "groups", "created", "used", "expires", "state"]
    assert (ann.split()[1], ann.split()[-1]) == ("ann", "revoked")
    assert (bob.split()[1], bob.split()[-1]) == ("bob", "valid")


def test_a_new_secret_takes_the_place_of_an_old_one(citedesk: Command, tmp_path: Path) -> None:
    """The same caller and groups; the old one ends at its moment, once, and the list names its successor."""
    old = json.loads(citedesk("token", "new", "--principal", "ann", "--group", "staff", "--json").out)
    ran = citedesk("token", "rotate", old["token_id"], "--overlap", "2")
    secret = ran.out.strip()
    again = citedesk("token", "rotate", old["token_id"])
    at_once = citedesk("token", "rotate", secret.split("_")[1], "--overlap", "0")
    with open_store(tmp_path / "desk.duckdb") as store:
        first, second, third = store.tokens.all()

    assert (ran.code, ran.out.count("\n")) == (0, 1)
    assert secret != old["secret"]
    assert f"token {old['token_id']} is taken until" in ran.err
    assert (again.code, again.out) == (2, "")
    assert "was replaced by" in again.err
    assert {(one.principal, one.groups) for one in (first, second, third)} == {("ann", ("staff",))}
    assert [one.successor for one in (first, second, third)] == [second.token_id, third.token_id, None]
    assert first.expires_at is not None
    assert 1.9 < (first.expires_at - second.created_at).total_seconds() / 3600 <= 2
    assert second.standing(third.created_at + timedelta(seconds=1)) == "expired"
    assert at_once.code == 0
    assert f", now {third.token_id}" in citedesk("token", "list").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["new", "--principal", " "], "The token's principal cannot be used"),
        (["new", "--principal", "ann", "--expires", "tomorrow"], "--expires tomorrow is no date"),
        (["new", "--principal", "ann", "--expires", "2026-01-01"], "lies in the past"),
        (["revoke", "x"], "There is no token 'x'"),
        (["rotate", "x"], "There is no token 'x'"),
    ],
)
def test_mistakes_are_one_sentence(citedesk: Command, words: list[str], sentence: str) -> None:
    """Code 2, and nothing on standard output."""
    ran = citedesk("token", *words)

    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert len(ran.err.strip().splitlines()) == 1
