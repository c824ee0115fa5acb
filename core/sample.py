"""The sample that ships with Citedesk: answers over invented sources, judged at set-up, with hand labels of ours."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from core import extraction
from core.labelling import GUIDELINE
from core.models import Answer, Label
from core.settings import Settings, data_path
from core.store import Store, claim_uid
from core.store.records import LabelEvent, LabelKind

LABELLER = "sample gold"
"""The name under which our hand labels of the sample are stored."""

STRICTER = {"supported": 0.9}
"""The other run's thresholds: the same verifier under another protocol, so that Trends has two to compare."""


def answers_path() -> Path:
    """Where the sample answers are, in a checkout or in a wheel."""
    return data_path("samples", "answers.jsonl")


def settings(base: Settings) -> Iterator[tuple[str, Settings]]:
    """The settings of each run over the sample, with the name that run gets."""
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
    for line in data_path("samples", "gold.jsonl").read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        uid, cites = uids[gold["request_id"], gold["claim"]]
        # A leaked marker names an id that extraction does not read as a citation: the claim is labelled as a whole.
        cite = gold["cite"] if gold["cite"] in cites else None
        seen = store.span_to_label(uid, cite)
        assert seen is not None  # gold.jsonl names claims of the answers that were recorded just before
        yield LabelEvent(
            event_id=str(uuid5(NAMESPACE_URL, f"citedesk-sample/{uid}/{cite}")),
            kind=LabelKind.LABEL,
            claim_uid=uid,
            cite=cite,
            labeller=LABELLER,
            label=Label(gold["label"]),
            note=gold["note"],
            guideline=GUIDELINE,
            seen_sha256=seen.seen_sha256,
        )
