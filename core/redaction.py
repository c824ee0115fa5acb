"""What a log may say: no secret, no text of a source, nothing that names a person.

An exception's words may quote what it stumbled over, so of an exception only its kind and its places are told; our own
sentences (``CitedeskError``) are for whoever keeps the desk, and stay.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import CitedeskError
from core.masking import mask

LONGEST = 600
"""Code points of a message that are kept."""

HIDDEN = "[secret]"

_NAMES = "authorization|cookie|api[_-]?key|citedesk-line|password|secret|token"
_KIND = r"\b(?:basic|bearer|digest)\s+"
_SECRETS = re.compile(
    rf"(?P<kept>{_KIND}|(?:{_NAMES})\w*(?:[\\\"']*\s*[=:]\s*|[\"'],\s*)(?:b(?=[\"']))?[\\\"']*(?:{_KIND})?)"
    r"[^\s\"',;\\]+(?:;\s*[^\s=;,]+=[^\s\"',;\\]+)*"
    r"|\bcdk_\w{4,}[\w-]*|\bsk-[\w-]{8,}|\bhf_\w{8,}|\beyJ[\w-]+\.[\w.-]+",
    re.I,
)
"""What stands behind a name of secrets, in a header, an assignment or a list, with its kind before it and all cookies
behind it; and what has the shape of one: ours, Anthropic's, a model hub's, a JWT."""


def clean(text: str) -> str:
    """A message without secrets, people's addresses and numbers masked, and cut where it gets long."""
    found = mask(_SECRETS.sub(lambda match: f"{match['kept'] or ''}{HIDDEN}", text[: 4 * LONGEST]))
    return found if len(found) <= LONGEST else f"{found[:LONGEST]}…"


def told(error: BaseException) -> str:
    """The kind of an exception, our own sentence if it is one, and where it was raised, innermost last."""
    lines = [_named(error)]
    for frame in traceback.extract_tb(error.__traceback__):
        place = Path(frame.filename)
        lines.append(f"  {place.parent.name}/{place.name}, line {frame.lineno}, in {frame.name}")
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n".join([told(before), *lines] if before else lines)


def install() -> None:
    """Have every log record of this process, and what threads and finalisers raise, told like this; once is enough."""
    if logging.getLogRecordFactory() is _record:
        return
    logging.setLogRecordFactory(_record)
    if threading.excepthook is threading.__excepthook__:  # nobody else listens
        threading.excepthook = lambda raised: _ended("A thread ended with an error", raised.exc_value)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = lambda raised: _ended("An error could not be raised", raised.exc_value)


def _record(*made_of: Any, **more: Any) -> logging.LogRecord:
    """A record as ``logging`` makes it, cleaned; its arguments stay where they can, for some formatters read them."""
    record = logging.LogRecord(*made_of, **more)
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(record.args, tuple):
        record.args = tuple(map(_worded, record.args))
    elif isinstance(record.args, Mapping):  # "%(name)s"
        record.args = {name: _worded(value) for name, value in record.args.items()}
    if isinstance(record.msg, BaseException):
        record.msg = _named(record.msg)
    try:
        message = record.getMessage()
    except (TypeError, ValueError, LookupError):  # it does not fit its arguments
        message, record.args = str(record.msg), ()
    cleaned = clean(_without_words(message, error))
    if cleaned != message or not isinstance(record.args, tuple):
        record.msg, record.args = cleaned, ()
    if error is not None:
        record.exc_text = told(error)
    return record


def _without_words(message: str, error: BaseException | None) -> str:
    words = str(error).strip() if error is not None and not isinstance(error, CitedeskError) else ""
    return message.replace(words, type(error).__name__) if words else message


def _worded(value: object) -> object:
    if isinstance(value, BaseException):
        return _named(value)
    return clean(value) if isinstance(value, str) else value


def _named(error: BaseException) -> str:
    name = type(error).__name__
    return f"{name}: {clean(str(error))}" if isinstance(error, CitedeskError) else name


def _ended(what: str, error: BaseException | None) -> None:
    if error is not None and not isinstance(error, SystemExit):
        logging.getLogger("citedesk").error("%s", what, exc_info=error)
