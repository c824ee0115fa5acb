"""Files of claims and evidence that people labelled, as ``citedesk bench`` reads them: rows, data sets, samples.

A row has ``claim``, ``evidence`` and ``label``, and may have ``dataset``, ``split``, ``request_id`` and, for the
sentences that carry a support, ``evidence_sentences`` with ``support_idx``. Other fields are for people.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from core.importers import BadLine
from core.importers._records import records
from core.metrics.confusion import NOT_SUPPORTED
from core.models import Label, Pair, Record

NOT_FOR_A_VERIFIER = frozenset({Label.UNCITED, Label.UNRESOLVABLE, Label.INACCESSIBLE})
"""Labels that are decided before a verifier is asked; pairs that bear them are set aside and counted."""

LABELS: tuple[str, ...] = (*(label.value for label in Label if label not in NOT_FOR_A_VERIFIER), NOT_SUPPORTED)
"""Labels that a verifier can be measured by."""


class GoldPair(Record):
    """One claim with the evidence that people judged it by."""

    claim: str
    evidence: str
    label: str
    """One of ``LABELS``."""
    dataset: str | None = None
    split: str | None = None
    request_id: str | None = None
    carrying: tuple[str, ...] = ()
    """The sentences of the evidence that carry a support, where the set names them."""

    @property
    def pair(self) -> Pair:
        """What a verifier is given of it."""
        return Pair(claim=self.claim, evidence=self.evidence)


class GoldFile(Record):
    """What one file held."""

    name: str
    """Without its folder."""
    sha256: str
    """Over the file's bytes."""
    rows: int
    """Pairs, refused lines and those set aside, together."""
    set_aside: dict[str, int]
    """Rows whose label no verifier gives, by label."""


class DataSet(Record):
    """The pairs of one data set, or a sample of them."""

    name: str
    split: str
    """What the rows call their part of the set; "" when they name none."""
    files: tuple[GoldFile, ...]
    pairs: tuple[GoldPair, ...]
    total: int
    """Pairs before sampling."""

    def clusters(self) -> list[str | None]:
        """The group of each pair: pairs of one group are not independent.

        The request where every row names one; else the claim or the evidence, whichever has fewer distinct texts.
        """
        if all(one.request_id for one in self.pairs):
            return [one.request_id for one in self.pairs]
        claims, texts = [one.claim for one in self.pairs], [one.evidence for one in self.pairs]
        return list(claims if len(set(claims)) < len(set(texts)) else texts)


class Gold(Record):
    """Everything that some files held, and what of it could not be read."""

    sets: tuple[DataSet, ...]
    files: tuple[GoldFile, ...]
    bad_lines: tuple[BadLine, ...]


def load(paths: Sequence[Path], sample: int | None = None, seed: int = 0) -> Gold:
    """Read files into data sets, in the order in which they come.

    A set is what its rows call it (``dataset``), else its file's name; splits of one name stay apart as ``name.split``.
    ``sample`` keeps at most so many pairs a set, drawn by ``seed`` and the set's name, in their order.

    Raises:
        ImportFormatError: A file as a whole cannot be read.
    """
    found: dict[tuple[str, str], list[GoldPair]] = {}
    sources: dict[tuple[str, str], list[GoldFile]] = {}
    files, bad_lines = [], []
    for path in paths:
        pairs, refused, file = _read(path)
        files.append(file)
        bad_lines += refused
        for one in pairs:
            key = (one.dataset or path.stem, one.split or "")
            found.setdefault(key, []).append(one)
            if file not in sources.setdefault(key, []):
                sources[key].append(file)
    names = Counter(name for name, _ in found)
    sets = [
        _data_set(name if names[name] == 1 else f"{name}.{split or 'unnamed'}", split, pairs, sources[name, split])
        for (name, split), pairs in found.items()
    ]
    drawn = sets if sample is None else [sampled(one, sample, seed) for one in sets]
    return Gold(sets=tuple(drawn), files=tuple(files), bad_lines=tuple(bad_lines))


def sampled(data: DataSet, size: int, seed: int) -> DataSet:
    """At most ``size`` pairs of a set, drawn without replacement, in their order."""
    if size >= len(data.pairs):
        return data
    kept = sorted(Random(f"{seed}:{data.name}").sample(range(len(data.pairs)), size))
    return data.model_copy(update={"pairs": tuple(data.pairs[at] for at in kept)})


def _data_set(name: str, split: str, pairs: Sequence[GoldPair], files: Sequence[GoldFile]) -> DataSet:
    return DataSet(name=name, split=split, files=tuple(files), pairs=tuple(pairs), total=len(pairs))


def _read(path: Path) -> tuple[list[GoldPair], list[BadLine], GoldFile]:
    pairs: list[GoldPair] = []
    refused: list[BadLine] = []
    aside: Counter[str] = Counter()
    for one in _rows(path):
        if isinstance(one, GoldPair):
            pairs.append(one)
        elif isinstance(one, BadLine):
            refused.append(one)
        else:
            aside[one] += 1
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    rows = len(pairs) + len(refused) + aside.total()
    return pairs, refused, GoldFile(name=path.name, sha256=sha256, rows=rows, set_aside=dict(sorted(aside.items())))


def _rows(path: Path) -> Iterator[GoldPair | BadLine | str]:
    """Every row as a pair, as a refused line, or as the label for which it is set aside."""
    for number, value in records(path):
        if isinstance(value, BadLine):
            yield value.model_copy(update={"file": path.name})
            continue
        label = value.get("label")
        if isinstance(label, str) and label in NOT_FOR_A_VERIFIER:
            yield label
            continue
        field, reason = _trouble(value)
        yield _pair(value) if reason is None else BadLine(file=path.name, line=number, field=field, reason=reason)


def _trouble(value: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The first field that cannot be used, and why; nothing when all can."""
    for field in ("claim", "evidence", "label"):
        if value.get(field) is None:
            return field, "is missing"
        if not isinstance(value[field], str):
            return field, "is no text"
    if value["label"] not in LABELS:
        return "label", f"{value['label'][:40]!r} is none of {', '.join(LABELS)}"
    for field in ("dataset", "split", "request_id"):
        if not isinstance(value.get(field), str | None):
            return field, "is no text"
    return None, None


def _pair(value: Mapping[str, Any]) -> GoldPair:
    fields = {name: value.get(name) for name in ("claim", "evidence", "label", "dataset", "split", "request_id")}
    return GoldPair(**fields, carrying=tuple(_carrying(value)))


def _carrying(value: Mapping[str, Any]) -> Iterator[str]:
    """The sentences that ``support_idx`` names, in every group of it; nothing when the fields are of another shape."""
    sentences, groups = value.get("evidence_sentences"), value.get("support_idx")
    if not isinstance(sentences, list) or not isinstance(groups, list):
        return
    flat = [at for group in groups for at in (group if isinstance(group, list) else [group])]
    for at in dict.fromkeys(at for at in flat if isinstance(at, int) and not isinstance(at, bool)):
        if 0 <= at < len(sentences) and isinstance(sentences[at], str) and sentences[at].strip():
            yield sentences[at]
