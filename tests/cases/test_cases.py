"""Every case of the field goes through the product: read by an adapter of its area, compared by one comparer.

The areas in ``MUST_PASS`` are built and fail here when they are broken; of the others what already holds is counted.
"""

from __future__ import annotations

import importlib
from keyword import iskeyword
from pathlib import Path
from typing import Any

import pytest

from tests.cases import adapters
from tests.cases.compare import differences
from tests.cases.material import spelt_out
from tests.cases.tally import Tally

MUST_PASS = frozenset(
    "parse split structural resolve quote render import generate security store calibrate trends".split()
)

MAX_LINES = 40


def test_case(case: dict[str, Any], tally: Tally) -> None:
    """The product says of the case's input what the case expects."""
    area, given = case["area"], spelt_out(case["input"])
    name = f"{area}_" if iskeyword(area) else area
    if name not in adapter_names():
        tally.not_adapted(area, "of a later issue")
        pytest.skip(f"{area}: of a later issue")
    adapter = importlib.import_module(f"{adapters.__name__}.{name}")
    for field, reason in adapter.LATER.items():
        if field in given:
            tally.not_adapted(area, reason)
            pytest.skip(f"{area}: {reason}")
    try:
        faults = differences(given, case["expected"], adapter.observe(given))
    except BaseException:
        tally.failed(area)
        raise
    if not faults:
        tally.passed(area)
        return
    tally.failed(area)
    told = "\n".join([f"{case['id']}: {case['why']}", *faults])
    if area not in MUST_PASS:
        pytest.xfail(told.replace("\n", " | ")[:300])
    pytest.fail(told, pytrace=False)


def adapter_names() -> list[str]:
    """The areas that have an adapter."""
    return sorted(file.stem for file in Path(adapters.__path__[0]).glob("[!_]*.py"))


@pytest.mark.parametrize("name", adapter_names())
def test_an_adapter_only_renames(name: str) -> None:
    """An adapter is short and knows no case; what is not built yet it names by the input field that needs it."""
    adapter = importlib.import_module(f"{adapters.__name__}.{name}")
    lines = Path(str(adapter.__file__)).read_text("utf-8").splitlines()

    assert adapter.__doc__
    assert callable(adapter.observe)
    assert all(isinstance(reason, str) for reason in adapter.LATER.values())
    assert len(lines) <= MAX_LINES
    assert not any(
        f"{prefix}-" in line for line in lines for prefix in ("PAR SPL STR RES QUO REN IMP SEM SEC CAL TRE".split())
    )
