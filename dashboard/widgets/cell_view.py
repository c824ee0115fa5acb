"""What a run of a question shows, as data for the browser: words, and texts already cut into pieces. No Streamlit here.

A passage is found by the claim that cites it and the label that it cites, never by a place in a list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from core import glossary
from core.generators import Event
from core.hits import BELOW, NO_ROOM
from core.models import Answer, ClaimRow, Evidence, GivenClaim
from core.notebook_files import cost
from core.notebook_reading import FAILED, STOPPED, ShownRun
from core.notebooks import RunEnd, Setup
from core.outcomes import ABSTENTION, TABLE, Ending
from core.store.records import ClaimDetail
from core.text import segments
from core.withholding import HIDDEN
from dashboard.widgets import look, many, passages

EXTRACTIVE = "extractive"
ONLY_EXCERPTS = "These are excerpts: every sentence is copied from a source, nothing is written by a model."

_CUT = {BELOW: "found, but not near enough to be used", NO_ROOM: "found, but there was no room for it"}


def view(shown: ShownRun, focus: bool = False) -> dict[str, Any]:
    """A run that is over.

    Args:
        shown: As its reader may see it.
        focus: Whether the page shall scroll to it.
    """
    run, end = shown.run, shown.run.end
    assert end is not None, "a run that is not over is shown by `going` or `lost`"
    data = _bare(run.run_id, setup_words(run.setup, end), focus) | {
        "tone": _tone(end),
        "words": shown.words,
        "next": shown.next_step,
        "stages": _checks(end, shown),
        "facts": _facts(end),
    }
    if end.outcome not in (STOPPED, FAILED):
        data["spent"] = f"{seconds(end.total_s)} · {cost(end)}"
        first = f"first words {seconds(end.first_content_s)} · " if end.first_content_s is not None else ""
        data["times"] = f"first event {seconds(end.first_event_s)} · {first}checks {seconds(end.validation_s)}"
    if shown.answer is not None:
        data |= _answered(shown.answer, shown.rows)
        data["note"] = ONLY_EXCERPTS if shown.is_served and (end.generator or "").startswith(EXTRACTIVE) else ""
        data["abstention"] = ABSTENTION if not shown.answer.claims and not shown.excerpts else ""
        data["excerpts"] = [{"label": label, "text": text} for label, text in shown.excerpts if text]
    if shown.draft is not None:
        why = f"As reviewers see it until {_day(shown.draft.keep_until)}; nobody else does."
        data["draft"] = _answered(shown.draft.answer, shown.draft.rows) | {"why": why}
    return data


def going(events: Sequence[Event], waiting: bool, stopping: bool) -> tuple[str, list[str]]:
    """Of a run that is under way: what is being done, and what is done."""
    done, now = progress(events)
    words = "Waiting for other work to end" if waiting else "Stopping" if stopping else now
    return f"{words}…", done


def lost(run_id: str, setup: Setup) -> dict[str, Any]:
    """A run whose desk went down meanwhile."""
    return _bare(run_id, setup_words(setup), focus=False) | {
        "tone": "refused",
        "words": "The desk was started anew while this question was being answered.",
        "next": "Nothing of it was served. Run it again.",
    }


def setup_words(setup: Setup, end: RunEnd | None = None) -> str:
    """Who answers and judges, of what corpus, in a line."""
    writer = ":".join(filter(None, (end.generator, end.model))) if end and end.generator else setup.generator
    judge = end.protocol if end and end.protocol else setup.verifier
    return f"{setup.corpus} corpus · {writer} · {judge} · gate {setup.gate}"


def progress(events: Sequence[Event]) -> tuple[list[str], str]:
    """What of a question is done, and what is being done, in words."""
    done: list[str] = []
    now = "Getting ready"
    packed = 0
    for event in events:
        counts = event.counts
        packed = counts.get("packed", packed)
        if event.stage == "retrieved":
            done.append(f"{counts['packed'] + counts['cut']} found, {counts['packed']} near enough")
        elif event.stage == "registry_frozen":
            done.append("registry")
        elif event.stage == "generated":
            done.append(many(counts["claims"], "claim"))
        elif event.stage == "gate":
            failed = counts["failed"]
            done.append(f"{many(failed, 'claim')} refused" if failed else "gate passed")
        stage = "checking_one" if event.stage == "checking" and "claim" in counts else event.stage
        now = _NOW.get(stage, now).format(packed=many(packed, "passage"), **_counted(counts))
    return done, now


_NOW: Mapping[str, str] = {
    "preparing": "Getting ready",
    "retrieving": "Searching the corpus",
    "embedding": "Reading passages for the first time, {done} of {of}",
    "retrieved": "Reading {packed}",
    "generating": "Reading {packed} and writing",
    "first_words": "Writing",
    "checking": "Checking {claims}",
    "checking_one": "Checking claim {claim} of {all}",
    "gate": "Deciding at the gate",
    "repairing": "Repairing, attempt {attempt}",
    "done": "Writing it down",
}


def _counted(counts: Mapping[str, int]) -> dict[str, str]:
    words = {name: f"{counts.get(name, 0):,}" for name in ("done", "of", "attempt")}
    number = {"claim": f"{counts.get('claim', 0):,}", "all": f"{counts.get('claims', 0):,}"}
    return words | number | {"claims": many(counts.get("claims", 0), "claim")}


def _bare(run_id: str, setup: str, focus: bool) -> dict[str, Any]:
    """The frame of every run, whatever became of it."""
    lists = ("stages", "facts", "claims", "passages", "evidence", "excerpts")
    words = ("words", "next", "note", "abstention", "evidence_title", "spent", "times")
    return {
        "run": run_id,
        "setup": setup,
        "focus": focus,
        "tone": "none",
        "names": look.label_names(),
        "draft": None,
        **{name: [] for name in lists},
        **dict.fromkeys(words, ""),
    }


def _tone(end: RunEnd) -> str:
    if end.outcome in (STOPPED, FAILED):
        return "refused" if end.outcome == FAILED else "none"
    rule = TABLE[Ending(end.outcome)]
    answered = end.outcome in (Ending.ANSWERED, Ending.REPAIRED)
    return "served" if answered else "none" if rule.logged else "refused"


def _checks(end: RunEnd, shown: ShownRun) -> list[dict[str, Any]]:
    """What was found and what held, as marks; what was not looked at has none."""
    found: list[dict[str, Any]] = []
    if end.counts:
        packed, cut = end.counts.get("packed", 0), end.counts.get("cut", 0)
        found.append({"text": f"{packed + cut} found, {packed} used", "ok": packed > 0})
    if not shown.is_served or shown.answer is None:
        return found
    found.append({"text": many(len(shown.answer.claims or ()), "claim"), "ok": True})
    held = {"citations": ["ids"], "quotes": ["ids", "quotes"], "support": ["ids", "quotes", "support"]}
    return found + [{"text": text, "ok": True} for text in held.get(end.gate or "", [])]


def _facts(end: RunEnd) -> list[list[str]]:
    """Times and cost, each with what it means."""
    if end.outcome in (STOPPED, FAILED):
        return []
    tokens = f"{end.tokens:,} in {many(end.calls, 'call')}" if end.calls else "none: no paid model was called"
    return [
        ["First event", seconds(end.first_event_s)],
        ["First words", seconds(end.first_content_s)],
        ["Checks", seconds(end.validation_s)],
        ["In all", seconds(end.total_s)],
        ["Attempts", str(end.attempts)],
        ["Tokens", tokens],
        ["Cost", cost(end)],
        *([["Reason", f"{end.status} {end.reason}"]] if end.reason else []),
        *([["Request", end.request_id]] if end.request_id else []),
        *([["Registry", end.registry_sha256[:12]]] if end.registry_sha256 else []),
        *[["Note", note] for note in end.notes],
    ]


def seconds(value: float | None) -> str:
    """A stretch of time in words."""
    if value is None:
        return "never came"
    return f"{round(value * 1000)} ms" if value < 1 else f"{value:.1f} s"


def _answered(answer: Answer, rows: Sequence[ClaimRow]) -> dict[str, Any]:
    """Claims, the passages behind their citations, and all evidence of the request."""
    by_claim = {row.claim_id: row for row in rows}
    claims, cited = [], []
    for claim in answer.claims or ():
        row = by_claim.get(claim.claim_id or "")
        cites = list(dict.fromkeys(cite for cite in claim.citation_ids if cite.strip()))
        claims.append(_claim(claim, row, cites))
        cited += _passages(claim, row, cites, answer)
    used = sum(entry.in_context for entry in answer.evidence)
    title = f"Evidence: {used} of {many(len(answer.evidence), 'passage')} were given to the generator"
    return {
        "claims": claims,
        "passages": cited,
        "evidence": [_entry(entry) for entry in answer.evidence],
        "evidence_title": title if answer.evidence else "",
    }


def _claim(claim: GivenClaim, row: ClaimRow | None, cites: Sequence[str]) -> dict[str, Any]:
    name = claim.claim_id or ""
    label = (row and row.label) or "none"
    why = next((span.reason for span in row.spans if span.reason), "") if row else ""
    return {
        "id": name,
        "text": claim.text,
        "label": label,
        "why": glossary.reason(why) if why else "",
        "cites": [{"key": key(name, cite), "label": cite} for cite in cites],
    }


def key(claim_id: str, label: str) -> str:
    """The name of one citation of one claim; claim ids hold no blank, labels may hold anything."""
    return f"{claim_id} {label}"


def _passages(claim: GivenClaim, row: ClaimRow | None, cites: Sequence[str], answer: Answer) -> list[dict[str, Any]]:
    cards: dict[str, dict[str, Any]] = {}
    if row is not None:
        detail = ClaimDetail(
            claim_uid="", row=row, answer=answer, stages=(), rows=(("", row),), protocols=(), labels=()
        )
        spans = zip(row.spans, passages.cards(detail), strict=True)
        cards = {span.cite: card for span, card in spans}
    unjudged = {"title": "", "meta": "", "uri": "", "host": "", "label": "none", "reason": "", "passage": None}
    unjudged |= {"before": "", "after": "", "warning": "Nothing was judged here, so no passage is shown."}
    places = {entry.id: entry.locator or entry.title or "" for entry in answer.evidence}
    wanted = ("title", "meta", "uri", "host", "label", "reason", "warning", "before", "passage", "after")
    return [
        {"key": key(claim.claim_id or "", cite), "cite": cite, "where": places.get(cite, "")}
        | {name: cards.get(cite, unjudged | {"title": cite})[name] for name in wanted}
        for cite in cites
    ]


def _entry(entry: Evidence) -> dict[str, Any]:
    cut = str(entry.meta.get("cut", ""))
    cosine = entry.meta.get("cosine")
    near = f"nearness {cosine:.2f}" if isinstance(cosine, float) else ""
    version = f"version {entry.source_version}" if entry.source_version else ""
    text = entry.text[: 2 * passages.WINDOW]
    return {
        "label": entry.id,
        "title": entry.title or "",
        "meta": " · ".join(filter(None, (entry.locator, version, near))),
        "used": entry.in_context,
        "state": "given to the generator" if entry.in_context else _CUT.get(cut, "not given to the generator"),
        "text": segments(text, []) if text else None,
        "hidden": f"{entry.meta[HIDDEN]}, so its text is not shown." if HIDDEN in entry.meta else "",
    }


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"
