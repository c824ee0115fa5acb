"""The sample that ships with Citedesk: answers over invented sources, judged at set-up, with hand labels of ours."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from core import corpora, extraction
from core.corpora import AddReport, AddRequest
from core.guidelines import FIRST
from core.models import Answer, Label
from core.segmenters import DEFAULT
from core.settings import Settings, data_path
from core.store import Store, claim_uid
from core.store.gold_records import SAMPLE_LABELLER
from core.store.label_records import LabelEvent, LabelKind

LABELLER = SAMPLE_LABELLER

STRICTER = {"supported": 0.9}
"""The other run's thresholds: the same verifier under another protocol, so that Trends has two to compare."""


CORPUS = "sample"
"""The corpus of the sample sources."""

WITHDRAWN = "/travel-policy-v1.md"
"""The source that version 2 replaced."""


def answers_path() -> Path:
    """Where the sample answers are, in a checkout or in a wheel."""
    return data_path("samples", "answers.jsonl")


def load_corpus(store: Store, who: str, progress: corpora.Progress | None = None) -> AddReport:
    """Take the sample sources into the corpus ``CORPUS``; the withdrawn version of one of them is there, out of use."""
    report = corpora.add(store, AddRequest(paths=(data_path("samples", "corpus"),), corpus=CORPUS), who, progress)
    for file in report.files:
        if file.source.uri.endswith(WITHDRAWN) and file.source.active:
            store.corpora.deactivate(file.source.doc_id, CORPUS, who)
    return report


def settings(base: Settings) -> Iterator[tuple[str, Settings]]:
    """The settings of each run over the sample, with the name that run gets."""
    base = base.model_copy(update={"segmenter": DEFAULT})  # the hand labels are of its claims
    yield "sample answers, stricter threshold", base.model_copy(update={"thresholds": STRICTER})
    yield "sample answers", base  # last, so that pages open on the verifier as it is


def gold_events(store: Store, answers: Iterable[Answer]) -> Iterator[LabelEvent]:
    """Turn our hand labels into label events on claims that the store holds.

    The event ids are made from the labelled place, so loading the sample twice labels nothing twice.
    """
    uids = {
        (answer.request_id, claim.text): (claim_uid(answer.uid, extraction.SPLITTER, claim), claim.cites)
        for answer in answers
        for claim in extraction.claims(answer)
    }
    labelled = []
    for line in data_path("samples", "gold.jsonl").read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        uid, cites = uids[gold["request_id"], gold["claim"]]
        # A leaked marker names an id that extraction does not read as a citation: the claim is labelled as a whole.
        labelled.append((uid, gold["cite"] if gold["cite"] in cites else None, gold))
    seen = {(span.claim_uid, span.cite): span.seen_sha256 for span in store.labels.spans([one[:2] for one in labelled])}
    for uid, cite, gold in labelled:
        yield LabelEvent(
            event_id=str(uuid5(NAMESPACE_URL, f"citedesk-sample/{uid}/{cite}")),
            kind=LabelKind.LABEL,
            claim_uid=uid,
            cite=cite,
            labeller=LABELLER,
            label=Label(gold["label"]),
            note=gold["note"],
            guideline=FIRST,
            seen_sha256=seen[uid, cite],  # gold.jsonl names claims of the answers that were recorded just before
        )
