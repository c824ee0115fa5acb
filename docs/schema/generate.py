"""Write the JSON Schemas of the contracts beside this file; run as ``python -m docs.schema.generate``."""

from __future__ import annotations

import json
from pathlib import Path

from core.models import ClaimRow

HOME = Path(__file__).parent


def schemas() -> dict[str, str]:
    """File name → JSON text, for every contract that leaves the house."""
    row = ClaimRow.model_json_schema(mode="serialization")
    return {"claim-row.schema.json": json.dumps(row, indent=2, ensure_ascii=False) + "\n"}


if __name__ == "__main__":
    for name, text in schemas().items():
        (HOME / name).write_text(text, encoding="utf-8")
