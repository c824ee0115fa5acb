"""A PDF is opened in a process of its own, with little memory and time: see ``core.loaders._pdf_child``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from core.errors import InputError

PATIENCE = 3600.0
"""Seconds after which a process that has not ended by itself is ended; its own limits count processor time."""

_CHILD = Path(__file__).with_name("_pdf_child.py")
_ENDED = "takes more memory or time than a document may, or breaks what reads it"


def ask(what: str, content: bytes, name: object, **how: int) -> tuple[dict[str, Any], bytes]:
    """Have a file read or drawn.

    Args:
        what: ``read`` or ``draw``; see the functions of that name.
        content: The file.
        name: What it is called in a sentence.
        how: Their further arguments.

    Raises:
        InputError: The process had to be ended, or ended itself.
    """
    try:
        done = subprocess.run(  # nosec B603 # our own script, no shell
            [sys.executable, "-I", str(_CHILD)],
            input=json.dumps({what: how}).encode() + b"\n" + content,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
            env={},
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(f"{name} {_ENDED}", "print it to a new PDF, or split it") from error
    head, newline, data = done.stdout.partition(b"\n")
    if done.returncode or not newline:
        raise InputError(f"{name} {_ENDED}", "print it to a new PDF, or split it")
    told: dict[str, Any] = json.loads(head)
    return told, data
