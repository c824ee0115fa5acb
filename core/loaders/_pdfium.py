"""PDFium, which one thread at a time may call: it keeps what it is doing in variables of its own."""

from __future__ import annotations

from threading import RLock

LOCK = RLock()
"""Held by whoever calls PDFium, here and where pages are drawn; one page at a time, so that nobody waits long."""
