"""An answer with the provider's own citations, read: which entry of the registry each one means, and nothing guessed.

A citation names a document by its place in the request. What stood at that place is known from when the request was
made; a place that was not filled, or a stretch that does not stand there, is a problem in fixed words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.asking import Block, Cited
from core.models import Evidence, GivenClaim
from core.replies import LONGEST, Reply

NONE = "NONE"
"""What is answered when the documents do not hold an answer."""

CHARACTERS, PAGES, BLOCKS = "char_location", "page_location", "content_block_location"
"""Where a citation may point: into a text, onto pages of a file, at parts that were sent one by one."""


def read(blocks: Sequence[Block], documents: Sequence[Evidence]) -> Reply:
    """Make claims of what is cited; the whole prose stays beside them, so that what no claim covers is seen.

    Args:
        blocks: Of the answer, in order.
        documents: The entries of the registry in the order in which they were sent as documents.
    """
    prose = "".join(block.text for block in blocks).strip()
    if len(prose) > LONGEST:
        return Reply(problems=("the answer is too long",))
    if prose.rstrip(".") == NONE and not any(block.citations for block in blocks):
        return Reply()
    claims: list[GivenClaim] = []
    problems: list[str] = []
    for block in blocks:
        if not block.citations or not block.text.strip():
            continue
        wrong = next((said for one in block.citations if (said := _trouble(one, documents))), "")
        if wrong:
            problems.append(f"claims[{len(claims)}]: {wrong}")
        claims.append(_claim(block, documents) if not wrong else GivenClaim(text=block.text.strip()))
    if problems:
        return Reply(problems=tuple(problems))
    return Reply(answer=prose, claims=tuple(claims))


def _claim(block: Block, documents: Sequence[Evidence]) -> GivenClaim:
    cites = tuple(dict.fromkeys(documents[one.document].id for one in block.citations))
    # A quote must stand in every passage that its claim cites; of several passages the stretches stay in meta.
    quotes = tuple(dict.fromkeys(one.text for one in block.citations)) if len(cites) == 1 else ()
    places = [_place(one, documents[one.document].id) for one in block.citations]
    return GivenClaim(text=block.text.strip(), citation_ids=cites, quotes=quotes, meta={"citations": places})


def _place(cited: Cited, cite: str) -> dict[str, Any]:
    """Where a citation points, with the label that it means; starts and ends as the provider gives them."""
    return {"cite": cite, "type": cited.kind, "start": cited.start, "end": cited.end, "text": cited.text}


def _trouble(cited: Cited, documents: Sequence[Evidence]) -> str:
    """What is wrong with a citation, in fixed words; empty when it can be used."""
    if cited.kind not in (CHARACTERS, PAGES, BLOCKS):
        return "a citation is of a kind that was not asked for"
    if not 0 <= cited.document < len(documents):
        return "a citation names a document that was not sent"
    if cited.kind == CHARACTERS and documents[cited.document].text[cited.start : cited.end] != cited.text:
        return "a citation does not stand where it says"
    return ""
