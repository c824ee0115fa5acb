"""Write ``docs/screens.md``: the pages measured as the peers were; run as ``python -m docs.screens.generate``."""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path

from tests.bench_screens import FAST, Figures, measured, middle_and_slow

HOME = Path(__file__).parent
PAGE = HOME.parent / "screens.md"


def page(found: Figures) -> str:
    """The page, from its template beside this file and what was measured."""
    (cold, bare_cold), (repeat, bare_repeat) = found.cold, found.repeat
    press, repaint = statistics.median(found.press), statistics.median(found.repaint)
    values = {
        "claims": f"{found.fits[1]:,}",
        "load": f"{found.load:.0f} on {found.cores} cores",
        "start": f"{found.start[0]:.1f}",
        "bare_start": f"{found.start[1]:.1f}",
        "start_times": _times(*found.start),
        "cold": f"{cold.seconds:.1f}",
        "bare_cold": f"{bare_cold.seconds:.1f}",
        "cold_times": _times(cold.seconds, bare_cold.seconds),
        "repeat": f"{repeat:.1f}",
        "bare_repeat": f"{bare_repeat:.1f}",
        "repeat_times": _times(repeat, bare_repeat),
        "transfer": f"{cold.megabytes:.1f}",
        "requests": str(cold.requests),
        "bare_transfer": f"{bare_cold.megabytes:.1f}",
        "bare_requests": str(bare_cold.requests),
        "transfer_times": _times(cold.megabytes, bare_cold.megabytes),
        "memory": f"{found.memory[0]:.0f}",
        "bare_memory": f"{found.memory[1]:.0f}",
        "memory_times": _times(*found.memory),
        "press": middle_and_slow(found.press),
        "repaint": middle_and_slow(found.repaint),
        "press_times": _times(press, repaint),
        "move": middle_and_slow(found.move),
        "fast": str(found.fast),
        "fast_asked": str(FAST),
        "fits": f"{found.fits[0]:,}",
        "spans": f"{found.fits[1]:,}",
        "rows": str(found.rows),
        "external": str(found.external) if found.external else "none",
    }
    text = (HOME / "template.md").read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _times(ours: float, floor: float) -> str:
    return f"{ours / floor:.1f}×"


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=Path, help="a file of answers to measure on instead of the sample")
    log = parser.parse_args().log
    lines = log.read_text(encoding="utf-8").splitlines() if log else []
    try:
        found = measured([json.loads(line) for line in lines] if log else None)
    except LookupError as error:
        raise SystemExit(f"The pages cannot be measured without a browser: {error}.") from error
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
