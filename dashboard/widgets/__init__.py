"""The parts that pages are built from, and ``plain``, the one way into places where Streamlit reads Markdown."""

from __future__ import annotations

import re
from datetime import datetime

from core.models import utc_now

_JOINER = "\u2060"
"""Invisible and of no width; keeps apart what Streamlit would otherwise replace after parsing."""

_PUNCTUATION = re.compile(r"""([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~])""")
_SHORTCODE = re.compile(r":(?=[\w+/-]+[:\[{])")
_LINK = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)(?=[\w-]+\.)", re.IGNORECASE)
_ARROW = re.compile(r"(?<=[<>~-])(?=[-=>])")


BARRED = "not shown: you may not read a source that this claim cites"
"""What stands in the place of a claim that somebody may not read."""


def many(number: int, word: str) -> str:
    """A number with its word: ``1 answer``, ``2 answers``, ``1,000 answers``."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def ago(moment: datetime) -> str:
    """How long something is past, in the largest unit that fits."""
    minutes = int((utc_now() - moment).total_seconds() // 60)
    for length, unit in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= length:
            count = minutes // length
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def showable(text: str) -> str:
    """Put a question mark for each half of a surrogate pair that stands alone: no page can be sent with one.

    They come from JSON escapes and from file names that are not UTF-8. Component data need this not.
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def plain(text: str) -> str:
    """Make a text read exactly as it stands where Streamlit reads Markdown: labels, captions, alerts, headings.

    Every ASCII punctuation mark is escaped (Markdown, HTML, ``$``, directives); emoji codes, bare links and arrows,
    which Streamlit replaces after parsing, are broken by an invisible joiner; a run of white space becomes one blank.
    """
    line = " ".join(showable(text).split())
    for pattern in (_LINK, _ARROW):
        line = pattern.sub(_JOINER, line)
    line = _SHORTCODE.sub(":" + _JOINER, line)
    return _PUNCTUATION.sub(r"\\\1", line)


def plain_svg(text: str) -> str:
    """Make a text read exactly as it stands inside a Plotly figure, which reads a little HTML and LaTeX."""
    line = " ".join(showable(text).split())
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return line.replace("$", "$" + _JOINER)
