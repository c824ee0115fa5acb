"""What each tool's export is read as."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.importers import BadLine
from core.label_importers import ClaimNamed, GivenLabel, argilla, csv, label_studio, potato

AT = datetime(2026, 11, 3, 10, tzinfo=UTC)
NAMED = ClaimNamed("r1", "c1", None, "The gate is open.", "The gate is open all day.")
DATA = {"request_id": "r1", "claim_id": "c1", "claim": NAMED.text, "evidence": NAMED.evidence}


def put(path: Path, value: Any) -> Path:
    """A file of that JSON value."""
    path.write_text(json.dumps(value), "utf-8")
    return path


def refused(found: list[Any]) -> list[str | None]:
    """The fields of what was refused."""
    return [one.field for one in found if isinstance(one, BadLine)]


def test_label_studio(tmp_path: Path) -> None:
    """Everybody's annotation of a task, with time and lead time; skipped and unfinished ones are refused."""
    choice = {"type": "choices", "from_name": "label", "value": {"choices": ["Yes"]}}
    comment = {"type": "textarea", "from_name": "why", "value": {"text": ["clear"]}}
    annotations = [
        {"completed_by": 7, "result": [choice, comment], "updated_at": "2026-11-03T10:00:00Z", "lead_time": 4.25},
        {
            "completed_by": {"id": 8, "email": "bob@firm.example"},
            "result": [choice],
            "created_at": "2026-11-03T10:00:00Z",
        },
        {"completed_by": 9, "result": [], "was_cancelled": True},
        {"completed_by": 9, "result": []},
    ]
    file = put(tmp_path / "ls.json", [{"id": 3, "data": DATA, "annotations": annotations}, {"id": 4, "data": DATA}])
    found = list(label_studio.read(file))

    assert label_studio.sniff(file, file.read_bytes())
    assert found[:2] == [
        GivenLabel(1, "3", "label-studio user 7", "Yes", NAMED, "clear", AT, 4250),
        GivenLabel(1, "3", "bob@firm.example", "Yes", NAMED, "", AT, None),
    ]
    assert refused(found) == ["was_cancelled", "result"]


def test_argilla(tmp_path: Path) -> None:
    """Both shapes of responses; a draft, and a record with two questions, are refused."""
    fields, metadata = {"claim": NAMED.text, "evidence": NAMED.evidence}, {"request_id": "r1", "claim_id": "c1"}
    record = {"id": "a", "fields": fields, "metadata": metadata, "updated_at": "2026-11-03T11:00:00+01:00"}
    by_question = {"label": [{"value": "Yes", "user_id": "u1"}], "comment": [{"value": "clear", "user_id": "u1"}]}
    by_user = [
        {"user_id": "u2", "status": "submitted", "values": {"label": {"value": "No"}}},
        {"user_id": "u3", "status": "draft", "values": {"label": {"value": "No"}}},
        {"user_id": "u4", "values": {"fluent": {"value": "No"}, "true": {"value": "Yes"}}},
    ]
    file = put(tmp_path / "a.json", [record | {"responses": by_question}, record | {"responses": by_user}])
    found = list(argilla.read(file))

    assert argilla.sniff(file, file.read_bytes())
    assert found[:2] == [
        GivenLabel(1, "a", "u1", "Yes", NAMED, "clear", AT),
        GivenLabel(2, "a", "u2", "No", NAMED, "", AT),
    ]
    assert refused(found) == ["status", "responses"]


def test_potato(tmp_path: Path) -> None:
    """The folder is the person, the assignment says what the item was; two labels on one item are refused."""
    folder = tmp_path / "ann"
    folder.mkdir()
    put(folder / potato.ASSIGNMENT, {"i1": DATA})
    lines = [
        {
            "id": "i1",
            "label_annotations": {"support": {"Yes": "true"}, "comment": {"text_box": "clear"}},
            "behavioral_data": {"time_string": "Time spent: 0d 0h 1m 5s "},
        },
        {"id": "i2", "label_annotations": {"support": {"Yes": "true", "No": "true"}}},
    ]
    file = folder / "annotated_instances.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    found = list(potato.read(file))

    assert potato.sniff(file, file.read_bytes())
    assert found[0] == GivenLabel(1, "i1", "ann", "Yes", NAMED, "clear", None, 65_000)
    assert refused(found) == ["label_annotations"]


def test_csv(tmp_path: Path) -> None:
    """Under the names of the columns; a cell that is no time, and a missing labeller, are refused."""
    file = tmp_path / "labels.csv"
    file.write_text(
        "item,request_id,claim_id,claim,evidence,label,annotator,comment,time\n"
        'x1,r1,c1,The gate is open.,The gate is open all day.,Yes,ann,"clear",2026-11-03T10:00:00Z\n'
        "x2,r1,c2,,,Yes,ann,,yesterday\n"
        "x3,r1,c2,,,Yes,,,\n"
        "x4,r1\n",
        "utf-8",
    )
    found = list(csv.read(file))

    assert csv.sniff(file, file.read_bytes())
    assert found[0] == GivenLabel(2, "x1", "ann", "Yes", NAMED, "clear", AT)
    assert refused(found) == ["time", "labeller", None]
