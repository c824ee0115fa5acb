"""A notebook as it may be shown now: every run in plain words, with the answer it served and its frozen registry.

Every reviewer may open every notebook, and each sees in it what their own groups let them: sources that were taken out
of use since are hidden, of those of other groups not even that they were found is told, and what was not served is read
from the quarantine, for reviewers only. Questions and notes are what people wrote, and are read by all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from core import corpora, old_answers, served, withholding
from core.gate import GateReason
from core.models import Answer, CheckedAnswer, ClaimRow, Record, utc_now
from core.notebooks import Cell, Notebook, Run, RunEnd
from core.outcomes import TABLE, Ending, Footnote
from core.people import Person
from core.sources import Withheld
from core.sql_results import SqlResult
from core.store import Store
from core.store.queries import BlockedDraft
from core.store.records import ClaimFilter, Sort
from core.store.sandbox import NAMES_SOURCES, spoken_of

STOPPED, FAILED = "stopped", "failed"
"""How a run ends that was not decided."""


class Reader(Record):
    """Who looks."""

    groups: tuple[str, ...] | None = None
    """None stands for whoever keeps the desk and sees all."""
    reviews: bool = True
    """Whether they may see what was not served."""
    person: Person | None = None
    """Who, where a name is known: a result that somebody else got may speak of verdicts that are hidden from them."""


class ShownRun(Record):
    """One run, as a reader may see it now."""

    run: Run
    words: str
    """What happened, as sentences; empty while it is not over."""
    next_step: str
    """What to do about it, as a sentence."""
    answer: Answer | None = None
    """What was recorded, with its registry; only when something was served."""
    rows: tuple[ClaimRow, ...] = ()
    """Its claim table, in the order of its claims."""
    footnotes: tuple[Footnote, ...] = ()
    excerpts: tuple[tuple[str, str], ...] = ()
    """Labels with the stretches that were served instead of an answer."""
    draft: BlockedDraft | None = None
    """What was not served; only for reviewers, and only as long as it is kept."""

    @property
    def is_served(self) -> bool:
        """Whether there are claims that passed the gate."""
        return self.answer is not None and bool(self.answer.claims)


class ShownCell(Record):
    """One cell, as a reader may see it now."""

    cell: Cell
    runs: tuple[ShownRun, ...] = ()
    hidden: str = ""
    """Why a result is not shown, as a sentence."""


def read(store: Store, notebook: Notebook, reader: Reader) -> list[ShownCell]:
    """Every cell of a notebook in its order, with its runs."""
    return [_cell(store, cell, reader) for cell in notebook.content]


def _cell(store: Store, cell: Cell, reader: Reader) -> ShownCell:
    if cell.result is not None and (hidden := _why_no_result(store, cell, cell.result, reader)):
        return ShownCell(cell=cell.model_copy(update={"result": None}), hidden=hidden)
    return ShownCell(cell=cell, runs=tuple(run(store, one, reader) for one in cell.runs))


def _why_no_result(store: Store, cell: Cell, result: SqlResult, reader: Reader) -> str:
    """Why a result that was kept may say more than its reader would get by asking now; empty when it does not."""
    is_theirs = reader.person is not None and cell.ran_by == reader.person.name
    if reader.person is not None and not is_theirs and store.reveals.concealed(reader.person):
        return _NOT_YET
    if NAMES_SOURCES not in spoken_of(result.sql)[0]:
        return ""
    sees_as_much = reader.groups is None or (
        result.seen_with is not None and set(result.seen_with) <= set(reader.groups)
    )
    if not sees_as_much and store.corpora.any_hidden(reader.groups, utc_now()):
        return _NO_LONGER if is_theirs else _OF_OTHERS
    return _SINCE if store.corpora.changed_between(result.at, utc_now()) else ""


_NOT_YET = (
    "Somebody else got this result, and what judges said of some claims is still hidden from you. Run it yourself."
)
_OF_OTHERS = "Somebody else got this result, and it may name sources that you may not see. Run it yourself."
_NO_LONGER = "You got this result with access groups that you do not have now, or that were not noted. Run it again."
_SINCE = "Who may see which source has changed since this result was kept. Run it again."


def run(store: Store, one: Run, reader: Reader) -> ShownRun:
    """One run with everything that belongs to it."""
    if one.end is None:
        return ShownRun(run=one, words="", next_step="")
    sees_all = _sees_all(store, one.end, reader.groups)
    end = one.end if reader.groups is None else _counted(one.end, sees_all)
    one = one.model_copy(update={"end": end})
    draft = old_answers.draft(store, end.draft_id, reader.groups) if end.draft_id and reader.reviews else None
    shown = ShownRun(run=one, words=words(end, draft), next_step=next_step(end), draft=draft)
    answer = store.queries.answer(end.request_uid) if end.request_uid else None
    if answer is None:
        return shown
    if not _may_see(store, answer, reader.groups):
        hidden = "This answer cites sources that you may not see."
        bare = one.model_copy(update={"end": end.model_copy(update={"excerpts": ()})})
        return shown.model_copy(update={"run": bare, "words": hidden, "next_step": "Ask whoever keeps the desk."})
    whole = CheckedAnswer(answer=answer, claims=(), rows=tuple(_rows(store, answer, end)), stages=())
    checked = old_answers.checked(store, whole, reader.groups)
    changed = {label: source.version for label, source in corpora.changed_since(store, answer.evidence).items()}
    texts = {entry.id: entry.text for entry in checked.answer.evidence}
    answer = withholding.answer(checked.answer, {}, changed)
    if not sees_all:  # what was given they may see; of the rest, a label or a gap would tell that there is something
        answer = answer.model_copy(update={"evidence": tuple(entry for entry in answer.evidence if entry.in_context)})
    return shown.model_copy(
        update={
            "answer": answer,
            "rows": checked.rows,
            "footnotes": served.footnotes(checked),
            "excerpts": tuple((one.label, texts.get(one.label, "")[one.start : one.end]) for one in end.excerpts),
        }
    )


def words(end: RunEnd, draft: BlockedDraft | None = None) -> str:
    """What happened, in sentences for a person."""
    if end.outcome == STOPPED:
        return "Stopped before the end."
    if end.outcome == FAILED:
        return f"Not asked. {end.said}."
    told = f"{TABLE[Ending(end.outcome)].words}."
    if end.reason is not None and end.reason in _REASONS and end.claim_index is not None:
        number = end.claim_index + 1
        if draft is not None and end.claim_index >= len(draft.answer.claims or ()):
            return f"{told} It states something that none of its claims covers."
        return f"{told} {_REASONS[end.reason].format(number=number)}"
    if end.reason is None or end.reason == end.outcome:
        return told
    return f"{told} Reason: {end.reason.replace('_', ' ')}."


def next_step(end: RunEnd) -> str:
    """What a person can do about it, in a sentence."""
    if end.outcome == STOPPED:
        return "Nothing of it was served. Run it again when you like."
    if end.outcome == FAILED:
        return f"{end.advice[:1].upper()}{end.advice[1:]}." if end.advice else "Run it again."
    return _NEXT[Ending(end.outcome)]


def _sees_all(store: Store, end: RunEnd, groups: Collection[str] | None) -> bool:
    """Whether a reader is in the groups of all that was found for a question, so that it may be counted for them."""
    return groups is None or (end.request_id is not None and old_answers.is_card_open(store, end.request_id, groups))


def _counted(end: RunEnd, sees_all: bool) -> RunEnd:
    """How a run ended, for somebody in some groups: how much was searched is of the groups of whoever asked."""
    counts = {name: number for name, number in end.counts.items() if name != "searched"}
    return end.model_copy(update={"counts": counts} if sees_all else {"counts": {}, "notes": ()})


def _may_see(store: Store, answer: Answer, groups: Collection[str] | None) -> bool:
    """Whether a reader is in the groups of all that the generator was given: its words may be those of a source."""
    if groups is None:
        return True
    given = [entry for entry in answer.evidence if entry.in_context]
    barred = withholding.SAID[Withheld.GROUPS]
    return barred not in store.corpora.hidden(given, groups, utc_now()).values() and all(
        not entry.groups or set(entry.groups) & set(groups) for entry in given
    )


def _rows(store: Store, answer: Answer, end: RunEnd) -> Iterable[ClaimRow]:
    if not answer.claims or end.protocol is None:
        return ()
    wanted = ClaimFilter(protocol=end.protocol, request_id=answer.request_id, sort=Sort.AS_IMPORTED)
    return store.rows(wanted)


_REASONS: Mapping[str, str] = {
    GateReason.MISSING_CITATION: "Claim {number} cites nothing, or something was said that no claim covers.",
    GateReason.MALFORMED_CITATION: "Claim {number} has a citation that is no proper id.",
    GateReason.HALLUCINATED_CITATION: "Claim {number} cites something that the generator was never given.",
    GateReason.QUOTE_NOT_VERBATIM: "Claim {number} quotes words that do not stand in what it cites.",
    GateReason.UNSUPPORTED_CLAIM: "Claim {number} is not supported by what it cites.",
}

_NEXT: Mapping[Ending, str] = {
    Ending.ANSWERED: "Open the footnotes to read what each claim rests on.",
    Ending.REPAIRED: "Open the footnotes; what did not hold at first was taken out or corrected.",
    Ending.ABSTAINED_BY_MODEL: "Ask more narrowly, or read below what was found.",
    Ending.ABSTAINED_NO_EVIDENCE: "Ask in the words of the sources, ask another corpus, or add sources to this one.",
    Ending.DEGRADED_EXTRACTIVE: "Read the excerpts, or run it again with another generator.",
    Ending.BLOCKED: "Nothing of the draft was served. Run it again, or ask another generator.",
    Ending.INVALID_OUTPUT: "Run it again, or ask the generator extractive.",
    Ending.INTERRUPTED: "Run it again; nothing of what had come was served.",
    Ending.PROVIDER_UNAVAILABLE: "Run it again later, or ask the generator extractive, which needs no network.",
    Ending.RETRIEVAL_FAILED: "Look at what citedesk doctor says, then run it again.",
    Ending.FORBIDDEN: "Ask under your own name.",
}
