"""The store: one DuckDB file behind one class; everything that knows SQL is in this folder."""

from core.store.records import claim_uid
from core.store.store import Store, open_store

__all__ = ["Store", "claim_uid", "open_store"]
