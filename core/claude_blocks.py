"""Documents and citations in the shapes of Anthropic's protocol (``citations`` of the Messages API)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.asking import Cited, Sent

_UNITS = {"char_location": "char_index", "page_location": "page_number"}


def document(sent: Sent) -> dict[str, Any]:
    """A document that may be cited."""
    source = {"type": "text", "media_type": "text/plain", "data": sent.text}
    title = {"title": sent.title} if sent.title else {}
    return {"type": "document", "source": source, **title, "citations": {"enabled": True}}


def cited(given: Mapping[str, Any]) -> Cited:
    """One citation; pages and parts are counted as the provider counts them, and what it does not say is -1."""
    kind = str(given.get("type"))
    unit = _UNITS.get(kind, "block_index")
    found = [given.get(name) for name in ("document_index", f"start_{unit}", f"end_{unit}")]
    index, start, end = (one if isinstance(one, int) else -1 for one in found)
    return Cited(kind, index, start, end, str(given.get("cited_text") or ""))
