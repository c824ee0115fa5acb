"""Statistics of abbreviations and sentence starters, learned on law: many times as fast, and cuts fewer texts right."""

from __future__ import annotations

from importlib.util import find_spec

from core.errors import VerifierUnavailable
from core.segmenters import Detector

VERSION = 1


def build() -> Detector:
    """Load the model that comes with the library.

    Raises:
        VerifierUnavailable: The library is not installed.
    """
    if find_spec("nupunkt") is None:
        raise VerifierUnavailable("The segmenter 'nupunkt' is not installed", "run: pip install 'citedesk[nupunkt]'")
    import nupunkt  # only for whom it is chosen

    def detect(text: str) -> list[int]:
        return [end for _, end in nupunkt.sent_spans(text)] if text.strip() else []

    return detect
