"""Tokens in the store: written once, revoked once, hashes only."""

from __future__ import annotations

import pytest

from core.errors import InputError, StoreConflict
from core.store import Store, open_store
from core.tokens import mint


def test_a_token_is_kept_without_its_secret(store: Store) -> None:
    """It comes back as it was said, also from a file that was closed; the file holds no secret."""
    secret, new = mint("ann", ["staff", "board"])
    made = store.tokens.add(new, "me")
    path = store.path
    store.close()

    assert (made.token_id, made.principal, made.groups) == (new.token_id, "ann", ("board", "staff"))
    assert secret.rpartition("_")[2].encode() not in path.read_bytes()
    with open_store(path) as opened:
        kept = opened.tokens.find(new.token_id)
        assert kept is not None
        assert (kept.token, kept.sha256) == (made, new.sha256)
        assert opened.tokens.find("0" * 12) is None


def test_writing_twice_is_writing_once(store: Store) -> None:
    """A second token of the same id is refused, whatever differs."""
    _, new = mint("ann")
    first = store.tokens.add(new, "me")
    before = store.revision()

    assert store.tokens.add(new, "me") == first
    assert store.revision() > before
    for other in (new.model_copy(update={"principal": "eve"}), new.model_copy(update={"groups": ("board",)})):
        with pytest.raises(StoreConflict):
            store.tokens.add(other, "me")
    assert store.tokens.all() == [first]


def test_a_token_is_revoked_for_good(store: Store) -> None:
    """Once: the second time changes nothing, and writing it down again does not bring it back."""
    _, new = mint("ann")
    store.tokens.add(new, "me")
    ended = store.tokens.revoke(new.token_id, "me")

    assert ended.revoked_at is not None
    assert store.tokens.revoke(new.token_id, "you") == ended
    assert store.tokens.add(new, "me") == ended
    with pytest.raises(InputError, match="no token 'x'"):
        store.tokens.revoke("x", "me")


def test_tokens_are_listed_in_the_order_of_their_making(store: Store) -> None:
    """Ended ones too."""
    made = [store.tokens.add(mint(name)[1], "me") for name in ("ann", "bob", "cy")]
    store.tokens.revoke(made[0].token_id, "me")

    assert [one.principal for one in store.tokens.all()] == ["ann", "bob", "cy"]
