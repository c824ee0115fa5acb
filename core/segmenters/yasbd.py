"""Rules for English and for scripts with signs of their own."""

from __future__ import annotations

from core.segmenters import Detector

VERSION = 1


def build() -> Detector:
    """Compile the rules, once a process."""
    from yasbd import BoundaryDetector  # a quarter of a second that a listing should not cost

    detect: Detector = BoundaryDetector("en").detect
    return detect
