"""The comparer: what the cases' grammar means, and that nothing passes by being left unsaid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cases.compare import differences
from tests.cases.meanings import mean_the_same

ANSWER = {"answer": "A toll [1]. See b."}
MARKER = {"of": "answer", "text": "[1]", "start": 7, "end": 10, "ids": ["1"]}
SEEN = {"start": 7, "end": 10, "ids": ["1"]}

RIGHT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"markers": [MARKER]}, {"markers": [SEEN]}),
    ({"marker_count": 1}, {"markers": [SEEN]}),
    ({"claim_count_min": 1}, {"claims": [SEEN, SEEN]}),
    ({"not_citations": [{"start": 12, "end": 15}]}, {"markers": [SEEN]}),
    ({"label": "partial"}, {"label": "partial"}),
    ({"label_in": ["partial", "supported"]}, {"label": "partial"}),
    ({"label_not": ["supported"]}, {"label": ["partial", "irrelevant"]}),
    ({"flags_include": ["stale_source_version"]}, {"flags": ["This source version is no longer active"]}),
    ({"status": "duplicate_id_conflict"}, {"status": "duplicate_id"}),
    ({"findings": [{"claim": 1}, {"claim": 0}]}, {"findings": [{"claim": 0, "x": 1}, {"claim": 1}]}),
    (
        {"claims": [{"contains": "toll", "ids": ["1"]}]},
        {"claims": [{"text": "no", "ids": []}, {"text": "A toll", "ids": ["1"]}]},
    ),
    ({"claims_each_include": [["a", "b"]]}, {"claims": [{"text": "b a"}]}),
    (
        {"claims_each_include_or_link": [{"claim_has": ["b"], "resolved": {"it": "toll"}}]},
        {"claims": [{"text": "b", "linked": ["A toll"]}]},
    ),
    ({"each": {"status": "uncited"}}, {"each": [{"status": "uncited"}] * 2}),
    ({"kappa": 0.6875, "tolerance": 1e-6}, {"kappa": 0.68750001}),
    ({"text_must_match": ["a\\s+b"], "text_must_not_contain": ["ab"]}, {"text": "a  b"}),
    (
        {"verbatim": False, "near_miss": "optional", "near_miss_kind": "ellipsis", "nearest": SEEN},
        {"verbatim": False, "near_miss": False, "nearest": None},
    ),
    ({"near_miss": "optional", "nearest": SEEN}, {"near_miss": True, "nearest": {"start": 9, "end": 20}}),
    ({"rows": [{"id": "1", "cost": None}]}, {"rows": [{"id": "1", "cost": None, "more": 2}]}),
]

WRONG: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"markers": [MARKER]}, {"markers": [{**SEEN, "start": 6}]}),
    ({"markers": [MARKER]}, {"markers": [{**SEEN, "ids": ["1", "2"]}]}),
    ({"markers": [MARKER]}, {"markers": [SEEN, {"start": 11, "end": 12, "ids": ["b"]}]}),
    ({"markers": [{**MARKER, "text": "[2]"}]}, {"markers": [SEEN]}),
    ({"marker_count": 1}, {"markers": []}),
    ({"claim_count_min": 2}, {"claims": [SEEN]}),
    ({"not_citations": [{"start": 9, "end": 15}]}, {"markers": [SEEN]}),
    ({"label": "partial"}, {"label": "supported"}),
    ({"label": None}, {"label": "supported"}),
    ({"label_in": ["partial"]}, {"label": None}),
    ({"label_not": ["supported"]}, {"label": ["partial", "supported"]}),
    ({"flags_include": ["stale_source_version"]}, {"flags": [""]}),
    ({"status": "unresolvable"}, {"status": "inaccessible"}),
    ({"findings": []}, {"findings": [{"claim": 0}]}),
    ({"findings": [{"claim": 0}, {"claim": 0}]}, {"findings": [{"claim": 0}, {"claim": 1}]}),
    ({"claims": [{"contains": "toll", "ids": ["1"]}]}, {"claims": [{"text": "A toll", "ids": []}]}),
    ({"claims_each_include": [["a", "b"]]}, {"claims": [{"text": "a"}, {"text": "b"}]}),
    (
        {"claims_each_include_or_link": [{"claim_has": ["b"], "resolved": {"it": "toll"}}]},
        {"claims": [{"text": "b", "linked": []}]},
    ),
    ({"each": {"status": "uncited"}}, {"each": []}),
    ({"kappa": 0.6875, "tolerance": 1e-6}, {"kappa": 0.688}),
    ({"count_is": True}, {"count_is": 1}),
    ({"ids": ["a"]}, {"ids": "a"}),
    ({"text_must_match": ["a\\s+b"]}, {"text": "ab"}),
    ({"text_must_not_contain": ["ab"]}, {"text": "ab"}),
    ({"near_miss": "optional", "nearest": SEEN}, {"near_miss": True, "nearest": {"start": 11, "end": 20}}),
    ({"near_miss": True, "nearest": SEEN}, {"near_miss": True, "nearest": {"start": 7, "end": 11}}),
    ({"rows": [{"id": "1", "cost": None}]}, {"rows": [{"id": "1"}]}),
]


@pytest.mark.parametrize(("expected", "observed"), RIGHT)
def test_what_is_right_passes(expected: dict[str, Any], observed: dict[str, Any]) -> None:
    """The grammar of the cases is understood."""
    assert differences(ANSWER, expected, observed) == []


@pytest.mark.parametrize(("expected", "observed"), WRONG)
def test_what_is_wrong_is_told(expected: dict[str, Any], observed: dict[str, Any]) -> None:
    """One sentence a fault."""
    assert differences(ANSWER, expected, observed)


def test_nothing_observed_never_passes() -> None:
    """Each field of each case asks for an observation of its own."""
    for file in Path(__file__).parent.glob("*.jsonl"):
        for line in filter(None, file.read_text("utf-8").split("\n")):
            case = json.loads(line)
            for key, value in case["expected"].items():
                is_rule = key == "tolerance" or case["expected"].get("near_miss") == "optional"
                assert is_rule or differences(case["input"], {key: value}, {}), f"{case['id']}: {key}"


@pytest.mark.parametrize(
    ("expected", "ours", "same"),
    [
        ("partial", "partial", True),
        ("partial", "partially supported", False),
        ("case_variant", "letter case", True),
        ("case_variant", "invisible character", False),
        ("title_mismatch", "the title does not match: a mismatch", True),
        ("title_mismatch", "the year does not match", False),
    ],
)
def test_meanings(expected: str, ours: str, same: bool) -> None:
    """Labels are compared as they are; of other words the meaning counts."""
    assert mean_the_same(expected, ours) is same
