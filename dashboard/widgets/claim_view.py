"""What the inspector shows of one claim: texts already cut into pieces, everything else in words. No Streamlit here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from core import glossary
from core.drafts import Draft, abstain
from core.models import ClaimRow, Label, QuoteRow, QuoteState, Resolve, Stage, StageVerdict, Status, Structural
from core.protocol import ClaimProtocol
from core.reveal import HIDDEN
from core.store.records import ClaimDetail, ConcealedClaim
from core.text import segments
from dashboard.widgets import judgement, look, passages
from dashboard.widgets.passages import WINDOW, Pieces

MANY = 200
"""Other claims of an answer that are offered at most; an answer of thousands must not slow down every step."""


def view(
    detail: ClaimDetail, draft: Draft | None, outside: str = "", protocol: ClaimProtocol | None = None
) -> dict[str, Any]:
    """Everything about a claim as the browser draws it.

    Args:
        detail: The claim under one protocol.
        draft: The corrected draft of its whole answer; none while claims of it are hidden from the reader.
        outside: A sentence when the list beside the inspector does not hold this claim.
        protocol: That protocol, which says what the scores need; none when it is not known.
    """
    row = detail.row
    advice = None if detail.concealed else abstain([one for _, one in detail.rows])
    return {
        "uid": detail.claim_uid,
        "protocol": row.protocol,
        "names": look.label_names(),
        "outside": outside,
        **_context(detail),
        "label": row.label or "none",
        "why": _why(detail),
        "flags": ", ".join(look.FLAGS.get(flag, flag) for flag in row.flags),
        "cards": passages.cards(detail, protocol),
        "seen": judgement.seen(row, protocol),
        "quotes": _quotes(row),
        "stages": _stages(detail),
        "action": look.ACTIONS[row.action],
        "draft": _draft(draft),
        "advice": advice.reason if advice else "",
        "scores": _scores(row),
        "notes": list(dict.fromkeys((*row.notes, *detail.answer.notes))),
        **_others(detail),
    }


def missing(uid: str, advice: str) -> dict[str, Any]:
    """What stands in the inspector when there is no such claim."""
    return {"uid": uid, "missing": f"Claim {uid} is not in this store.", "advice": advice}


def concealed(claim: ConcealedClaim, protocol: str) -> dict[str, Any]:
    """A claim of which the reader may not know yet what judges and others said: its words, and nothing else.

    Args:
        claim: Its words.
        protocol: Of the list beside it, for a link.
    """
    answer = claim.answer
    here = claim.fragments if answer is not None and _lie_in(claim.fragments, answer) else ()
    shown: dict[str, Any] = {"before": "", "answer": None, "after": "", "alone": None, "note": ""}
    if answer is not None and here:
        marks = [(start, end, "claim") for start, end in here]
        shown["before"], shown["answer"], shown["after"] = passages.windowed(answer, marks, here[0][0])
    else:
        shown["alone"] = segments(claim.claim, [(0, len(claim.claim), "claim")])
    return {
        "uid": claim.claim_uid,
        "protocol": protocol,
        "names": look.label_names(),
        "question": question(claim.query),
        "place": _asked(claim.asked_at),
        "hidden": f"The verdict is {HIDDEN}.",
        "advice": "A blind queue that is open to you holds this claim. What judges and other people said of it is "
        "shown once you have labelled every passage that it cites, or once the queue is closed.",
        **shown,
    }


def question(query: str | None) -> str:
    """Which question an answer is to, in a few words."""
    return f"In the answer to “{query}”" if query else "In an answer without a recorded question"


def _context(detail: ClaimDetail) -> dict[str, Any]:
    row, answer = detail.row, detail.answer
    place = next(number for number, (uid, _) in enumerate(detail.rows, 1) if uid == detail.claim_uid)
    shown: dict[str, Any] = {
        "question": question(answer.query),
        "place": f"claim {place} of {len(detail.rows)}{_hidden(detail)} · {_asked(answer.asked_at)}",
        "answer": None,
        "before": "",
        "after": "",
        "alone": None,
        "note": "",
    }
    here = row.fragments if answer.answer is not None and _stands(row, answer.answer) else ()
    if answer.answer is not None:
        marks = [(start, end, "claim") for start, end in here]
        others = [other for uid, other in detail.rows if uid != detail.claim_uid and _stands(other, answer.answer)]
        marks += [(start, end, "other") for other in others for start, end in other.fragments]
        marks += passages.comparisons(row, answer.answer, here, "claim")
        middle = here[0][0] if here else 0
        shown["before"], shown["answer"], shown["after"] = passages.windowed(answer.answer, marks, middle)
    if not here:
        whole = [(0, len(row.claim), "claim"), *passages.comparisons(row, row.claim, [(0, len(row.claim))], "claim")]
        shown["alone"] = segments(row.claim, whole)
        shown["note"] = (
            "The log names this claim; it does not stand in the answer word for word."
            if answer.answer
            else "The log holds claims only, without an answer in prose."
        )
    return shown


def _hidden(detail: ClaimDetail) -> str:
    return f" ({detail.concealed} more hidden from you)" if detail.concealed else ""


def _stands(row: ClaimRow, answer: str) -> bool:
    return _lie_in(row.fragments, answer)


def _lie_in(fragments: Sequence[tuple[int, int]], answer: str) -> bool:
    """Whether a claim's fragments lie inside the answer, so that nothing wrong is ever highlighted."""
    return bool(fragments) and all(0 <= start < end <= len(answer) for start, end in fragments)


def _asked(moment: datetime | None) -> str:
    return f"asked {moment.day} {moment:%B %Y}" if moment else "undated"


def _why(detail: ClaimDetail) -> Pieces:
    """The reason for the label in one line, with the differing values marked as they are in both texts."""
    parts: Pieces = []
    for one in judgement.differing(detail.row):
        parts += [(f"{'; ' if parts else ''}{glossary.comparison(one.kind).name}: ", ())]
        if one.kind == "secondary":
            parts += [("the cited text takes this from ", ()), (one.evidence or "another source", ("diff",))]
        elif one.evidence is None:
            parts += [("the claim says ", ()), (one.claim, ("diff",)), (", the cited text does not", ())]
        else:
            parts += [("the claim says ", ()), (one.claim, ("diff",))]
            parts += [(", the cited text ", ()), (one.evidence, ("diff",))]
    if parts:
        return parts
    return [(_reason(detail), ())]


def _reason(detail: ClaimDetail) -> str:
    row = detail.row
    if row.label is None and not row.material and not row.cites:
        return "Nothing to check: this is not a claim that needs a source"
    for stage in (Stage.STRUCTURAL, Stage.RESOLVABILITY, Stage.QUOTE):
        failing = _failing(detail.stages, row.claim_id, stage)
        if failing and (stage is not Stage.QUOTE or row.semantic == Label.SUPPORTED):
            return failing
    for span in row.spans:
        if span.reason and (span.label == row.label or row.label is None):
            return glossary.reason(span.reason)
    return look.MEANING[row.label] if row.label else "the judge gave no verdict"


def _failing(stages: Sequence[StageVerdict], claim_id: str, stage: Stage) -> str:
    fine = {Structural.OK, Resolve.OK, Resolve.NOT_CHECKED, QuoteState.VERBATIM, QuoteState.NOT_GIVEN, "none"}
    for verdict in stages:
        if verdict.claim_id == claim_id and verdict.stage is stage and verdict.outcome not in fine:
            return verdict.reason
    return ""


def _quotes(row: ClaimRow) -> list[dict[str, str]]:
    return [{"text": quote.text, "match": quote.match, "words": _quote_words(row, quote)} for quote in row.quotes]


def _quote_words(row: ClaimRow, quote: QuoteRow) -> str:
    near = quote.nearest
    if quote.match is QuoteState.VERBATIM:
        return "stands word for word in the cited source"
    if near is not None and near.cite not in row.cites:
        return f"not in the cited source, but in {near.cite}"
    if near is not None:
        return f"not word for word; the nearest place, in {near.cite}, differs: {near.differs}"
    return (
        "not word for word" if quote.match is QuoteState.NEAR_MISS else "stands nowhere in the sources of this request"
    )


def _stages(detail: ClaimDetail) -> dict[str, Any]:
    row = detail.row
    mine = [verdict for verdict in detail.stages if verdict.claim_id == row.claim_id]
    cites: tuple[str | None, ...] = row.cites or (None,)
    return {
        "columns": ["Structure", "Resolves", "Quote", "Support", "Person"],
        "cited": len(cites) > 1,
        "lines": [{"cite": cite or "", "cells": list(_cells(detail, mine, cite))} for cite in cites],
    }


def _cells(detail: ClaimDetail, mine: Sequence[StageVerdict], cite: str | None) -> Iterator[dict[str, Any]]:
    words = {Stage.STRUCTURAL: look.STRUCTURE, Stage.RESOLVABILITY: look.RESOLVES, Stage.QUOTE: look.QUOTES}
    for stage in Stage:
        found = [one for one in mine if one.stage is stage and one.cite in (cite, None)]
        if not found or (found[0].status is Status.SKIPPED and found[0].outcome != QuoteState.NOT_GIVEN):
            yield {"word": "not reached", "reason": "", "quiet": True}
        elif stage is Stage.SUPPORT:
            label = Label(found[0].outcome) if found[0].outcome in set(Label) else None
            word = look.of(label).name if label else "not judged"
            yield {"word": word, "reason": glossary.reason(found[0].reason), "quiet": False}
        else:
            yield {
                "word": words[stage].get(found[0].outcome, found[0].outcome),
                "reason": found[0].reason,
                "quiet": False,
            }
    labels = [one.event for one in detail.labels if one.event.cite in (cite, None)]
    if not labels:
        yield {"word": "not labelled yet", "reason": "", "quiet": True}
    else:
        names = dict.fromkeys(look.of(event.label).name if event.label else "skipped" for event in labels)
        people = dict.fromkeys(event.labeller for event in labels)
        yield {"word": ", ".join(names), "reason": ", ".join(people), "quiet": False}


def _draft(draft: Draft | None) -> dict[str, Any] | None:
    if draft is None or all(part.kind == "keep" for part in draft.segments):
        return None
    parts = [
        (_shortened(part.text), ()) if part.kind == "keep" else (part.text, (part.kind,)) for part in draft.segments
    ]
    return {"parts": parts, "gaps": list(draft.gaps)}


def _shortened(kept: str) -> str:
    """What a draft keeps, without the middle of a very long stretch."""
    if len(kept) <= WINDOW:
        return kept
    half = WINDOW // 2
    return f"{kept[:half]}\n[… {len(kept) - 2 * half:,} characters that stay as they are …]\n{kept[-half:]}"


def _scores(row: ClaimRow) -> list[tuple[str, str]]:
    facts = [("judge", row.protocol), ("request", row.request_id), ("claim", row.claim_id)]
    for span in row.spans:
        scores = ", ".join(f"{name} {value:.2f}" for name, value in span.scores.items())
        facts.append((span.cite, scores or ("no scores" if span.label else "not judged")))
    return facts


def _others(detail: ClaimDetail) -> dict[str, Any]:
    count = len(detail.rows) - 1
    place = [uid for uid, _ in detail.rows].index(detail.claim_uid)
    near = detail.rows[max(0, place - MANY // 2) : place + MANY // 2 + 1]
    return {
        "others_title": "The other claim of this answer"
        if count == 1
        else f"The other {count:,} claims of this answer",
        "others": [
            {"uid": uid, "label": row.label or "none", "claim": row.claim, "current": uid == detail.claim_uid}
            for uid, row in near
        ],
    }
