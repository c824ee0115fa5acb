"""Bearer tokens: drawn, read and compared; nothing but a hash can be had of one."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.tokens import KeptToken, NewToken, Token, authenticate, bearer, mint

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


def kept(new: NewToken, revoked_at: datetime | None = None) -> KeptToken:
    """What a store gives back of a token."""
    said = new.model_dump(exclude={"sha256"})
    return KeptToken(token=Token(**said, created_at=NOW, revoked_at=revoked_at), sha256=new.sha256)


def test_a_secret_is_written_down_as_its_hash() -> None:
    """The id stands in the secret; the rest of it is nowhere."""
    secret, new = mint(" ann ", ["staff", "board ", "staff"])

    assert secret.startswith(f"cdk_{new.token_id}_")
    assert new.sha256 == hashlib.sha256(secret.encode()).hexdigest()
    assert (new.principal, new.groups, new.expires_at) == ("ann", ("board", "staff"), None)
    assert secret.removeprefix(f"cdk_{new.token_id}_") not in new.model_dump_json()


def test_no_two_secrets_are_alike() -> None:
    """Nor their ids."""
    drawn = [mint("ann") for _ in range(100)]

    assert len({secret for secret, _ in drawn}) == len({new.token_id for _, new in drawn}) == 100


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 201])
def test_names_are_one_line(name: str) -> None:
    """For principals and groups alike; the sentence says which."""
    with pytest.raises(InputError, match="principal"):
        mint(name)
    with pytest.raises(InputError, match="groups"):
        mint("ann", [name])


def test_only_the_secret_itself_is_good() -> None:
    """Not a part of it, not another one with its id, not the hash."""
    secret, new = mint("ann", ["staff"])
    other, _ = mint("eve")
    stolen = f"cdk_{new.token_id}_{other.rpartition('_')[2]}"
    known = {new.token_id: kept(new)}

    found = authenticate(secret, known.get, NOW)
    assert found is not None
    assert (found.principal, found.groups) == ("ann", ("staff",))
    for wrong in (None, "", secret[:-1], secret + "A", secret.upper(), other, stolen, new.sha256, new.token_id):
        assert authenticate(wrong, known.get, NOW) is None


def test_a_token_ends_at_its_moment() -> None:
    """The first moment at which it is refused; a revoked one is refused for good."""
    secret, new = mint("ann", expires_at=NOW + timedelta(days=1))

    assert authenticate(secret, lambda _: kept(new), NOW + timedelta(days=1, microseconds=-1))
    assert authenticate(secret, lambda _: kept(new), NOW + timedelta(days=1)) is None
    assert authenticate(secret, lambda _: kept(new, revoked_at=NOW), NOW) is None
    assert kept(new).token.standing(NOW) == "valid"
    assert kept(new).token.standing(NOW + timedelta(days=2)) == "expired"
    assert kept(new, revoked_at=NOW).token.standing(NOW + timedelta(days=2)) == "revoked"


@pytest.mark.parametrize(
    ("header", "secret"),
    [
        ("Bearer abc", "abc"),
        ("bearer  abc ", "abc"),
        ("Basic abc", None),
        ("abc", None),
        ("Bearer", None),
        ("Bearer ", None),
        ("", None),
        (None, None),
    ],
)
def test_the_header_names_its_kind(header: str | None, secret: str | None) -> None:
    """In any case, as HTTP has it."""
    assert bearer(header) == secret


@given(st.text())
def test_nothing_that_a_caller_sends_is_good_by_chance(given_: str) -> None:
    """Nor does any text, half surrogate pairs too, raise."""
    _, new = mint("ann")

    assert authenticate(given_, lambda _: kept(new), NOW) is None
