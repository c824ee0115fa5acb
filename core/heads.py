"""The beginnings of a text's words: what its patterns may match at all, found in one pass.

A sentence is asked for dozens of expressions and has hardly any of them. Whoever knows with which four letters an
expression begins need not look for it in a sentence without them.
"""

from __future__ import annotations

import re
from functools import lru_cache

_BEGINNING = re.compile(r"([a-z0-9]{1,4})[a-z0-9]*")


@lru_cache(maxsize=8)  # flags, materiality and hints ask for the same sentence
def heads(text: str) -> frozenset[str]:
    """The first four characters, or all of them, of every run of ASCII letters and digits, in lower case.

    Characters of other scripts end a run: *Zürich* has ``z`` and ``rich``.
    """
    return frozenset(_BEGINNING.findall(text.lower()))
