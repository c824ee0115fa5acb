"""The card of a gold set: what the data files hold, in the form in which Hugging Face describes data sets.

Source: the data-set card metadata of the Hub (``configs`` and ``dataset_info`` in the YAML head of README.md).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin

from core import __version__
from core.gold import ClaimGold, GoldCounts, PersonLabel, SpanGold
from core.models import Label, Record

LEVELS: dict[str, type[Record]] = {"spans": SpanGold, "claims": ClaimGold, "labels": PersonLabel}
"""The data files by name, the first one the default."""

_TEXT = """
Labels by people, on whether what an AI answer says is supported by the passages it cites. Made by Citedesk {version};
no verdict of any judge is in here.

- `spans`: one row a claim × cited passage on which all who labelled it agree, as many as were wanted, or which somebody
  adjudicated ({adjudicated}). {disagreements} more are in disagreement, {waiting} wait for labels.
- `claims`: one row a claim of which every cited passage has such a label; the claim's label is theirs merged by the
  rule `{merge}`. {incomplete} more claims have gold for some of their passages only; {not_claims} are no claims, people
  say.
- `labels`: one row a person's current decision, skipped ones too: {decisions} in all, {skipped} skipped, {stale} about
  texts that have changed since, {other_guideline} under another guideline than `{guideline}`, which is the one of
  `spans` and `claims`.

`probability` is that of the claim being drawn into its queue under the queue's `design`: a rate that is to speak of
all claims weighs each with 1 / probability. Rows without one were labelled outside of a queue and are no sample.
`stale` rows speak of texts that have changed since; `guideline_old` rows were made under a guideline that is not the
newest.

| file | rows | sha256 |
| --- | --- | --- |
{files}

| label | means |
| --- | --- |
{labels}

The texts belong to those who wrote them; nothing here licenses them.
"""

_MEANING = {
    Label.SUPPORTED: "the passage entails the claim with its qualifiers",
    Label.PARTIAL: "only part is entailed, a hedge was dropped, or a quotation is not word for word",
    Label.CONTRADICTED: "the passage conflicts with the claim",
    Label.IRRELEVANT: "the passage does not address the claim",
    Label.UNCITED: "a material claim without a citation",
    Label.UNRESOLVABLE: "the id is not part of the request's evidence, or may not be used",
    Label.INACCESSIBLE: "the source exists but cannot be read",
    Label.WRONG_SCOPE: "population, time, unit or causal strength differ",
    Label.SECONDARY_ONLY: "the passage only repeats another source",
}


def text(counts: GoldCounts, data: Path) -> str:
    """The card of the data files in a folder, as Markdown with a YAML head.

    Raises:
        OSError: A data file cannot be read.
    """
    rows = {level: _rows(data / f"{level}.jsonl") for level in LEVELS}
    files = [f"| data/{level}.jsonl | {rows[level]} | {_sha256(data / f'{level}.jsonl')} |" for level in LEVELS]
    labels = [f"| {label} | {meaning} |" for label, meaning in _MEANING.items()]
    guideline = counts.guideline if counts.guideline.isalnum() else json.dumps(counts.guideline).replace("`", "'")
    body = _TEXT.format(
        **counts.model_dump(exclude={"guideline"}),
        guideline=guideline,
        version=__version__,
        files="\n".join(files),
        labels="\n".join(labels),
    )
    return "\n".join(["---", *_head(rows, data), "---", "", "# Gold labels for cited claims", body])


def _head(rows: dict[str, int], data: Path) -> Iterator[str]:
    """The YAML lines; a level without rows is left out of it, for a loader refuses an empty file."""
    filled = [level for level in LEVELS if rows[level]]
    yield "pretty_name: Gold labels for cited claims"
    yield "task_categories:\n- text-classification"
    yield "tags:\n- citations\n- attribution\n- fact-checking"
    if not filled:
        return
    yield "configs:"
    for level in filled:
        yield f"- config_name: {level}\n  data_files:\n  - split: test\n    path: data/{level}.jsonl"
        if level == filled[0]:
            yield "  default: true"
    yield "dataset_info:"
    for level in filled:
        yield f"- config_name: {level}\n  features:"
        for name, field in LEVELS[level].model_fields.items():
            yield from _feature(name, field.annotation)
        size = (data / f"{level}.jsonl").stat().st_size
        yield f"  splits:\n  - name: test\n    num_bytes: {size}\n    num_examples: {rows[level]}"


def _feature(name: str, annotation: Any) -> Iterator[str]:
    inner = [each for each in get_args(annotation) if each not in (NoneType, Ellipsis)]
    kind = inner[0] if inner else annotation
    yield f"  - name: {name}"
    if get_origin(annotation) is tuple and issubclass(kind, Record):
        yield "    list:"
        yield from (f"    - name: {part}\n      dtype: {_dtype(f.annotation)}" for part, f in kind.model_fields.items())
    elif get_origin(annotation) is tuple:
        yield f"    list: {_dtype(kind)}"
    elif kind is Label:
        yield "    dtype:\n      class_label:\n        names:"
        yield from (f"          '{number}': {label}" for number, label in enumerate(Label))
    else:
        yield f"    dtype: {_dtype(kind)}"


def _dtype(kind: Any) -> str:
    return {int: "int64", bool: "bool", float: "float64"}.get(kind, "string")


def _rows(file: Path) -> int:
    with file.open("rb") as lines:
        return sum(1 for _ in lines)


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
