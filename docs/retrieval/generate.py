"""Write ``docs/retrieval.md``: how well passages are found; run as ``python -m docs.retrieval.generate``."""

from __future__ import annotations

from pathlib import Path

from core import retrieval_bench
from core.settings import Settings

HOME = Path(__file__).parent
PAGE = HOME.parent / "retrieval.md"


def page() -> str:
    """The page, from its template beside this file."""
    figures = retrieval_bench.markdown(retrieval_bench.run(Settings()))
    return (HOME / "template.md").read_text(encoding="utf-8").replace("{figures}", figures)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
