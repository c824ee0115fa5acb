"""Whether a queue has labellers who may read what its claims cite: where it has not, labels will be missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.settings import Settings
from core.store import Store
from core.store.queue_records import Queue, Unread


def unread(store: Store, queue: Queue, settings: Settings) -> Unread:
    """Claims of a queue that want labels still and for which it has no labellers, or too few, who may read them."""
    return store.queues.unread(queue.queue_id, readers(store, queue.spec.labellers, settings))


def readers(store: Store, labellers: Collection[str], settings: Settings) -> Mapping[str, Collection[str] | None]:
    """The groups of everybody who may label, by name, as they were when they signed in last.

    Args:
        store: Knows who signed in.
        labellers: Who may label, by name; empty means everybody who ever signed in.
        settings: Say whether people sign in. Where nobody does, each reads everything, and whoever comes may label.
    """
    if settings.sign_in is None:
        return dict.fromkeys(labellers or (settings.labeller,))
    known = {one.name: {*one.groups, *one.told} for one in store.roles.all()}
    return {name: known.get(name, set()) for name in labellers or known}
