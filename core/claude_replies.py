"""What Claude's messages say: the object or the words in them, and the tokens they cost.

A message is the SDK's; it has no type here, for ``core.claude`` alone imports the SDK.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.asking import Block, Output, Question, Setback, Written, read, unfinished
from core.claude_blocks import cited
from core.models import Failure
from core.spend import Usage


def read_message(message: Any, question: Question[Output]) -> Output | Setback:
    """Make the object of a message; see ``core.asking.read``."""
    if message is None:
        return Setback(Failure.CUT_OFF, "The answer broke off before its beginning", again=True, billed=True)
    details = message.stop_details
    return read(_text_of(message), message.stop_reason, details.category if details else None, question)


def written(message: Any) -> Written | Setback:
    """Take an answer as it was written, if it was written to its end."""
    if message is None:
        return Setback(Failure.CUT_OFF, "The answer broke off before its beginning", again=True, billed=True)
    details = message.stop_details
    setback = unfinished(message.stop_reason, details.category if details else None)
    return setback or Written(_text_of(message), message.model, tuple(_blocks(message)))


def _text_of(message: Any) -> str:
    return "".join(block.text for block in message.content if block.type == "text")


def _blocks(message: Any) -> Iterator[Block]:
    for block in message.content:
        if block.type == "text":
            yield Block(block.text, tuple(cited(one.model_dump()) for one in block.citations or ()))


def usage_of(message: Any) -> Usage:
    """The tokens of a message, each kind apart."""
    usage = message.usage
    written, read_back = usage.cache_creation_input_tokens or 0, usage.cache_read_input_tokens or 0
    hour = usage.cache_creation.ephemeral_1h_input_tokens if usage.cache_creation else 0
    return Usage(
        input=usage.input_tokens,
        output=usage.output_tokens,
        cache_read=read_back,
        cache_write_5m=max(written - hour, 0),
        cache_write_1h=hour,
    )
