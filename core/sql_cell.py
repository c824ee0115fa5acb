"""A question to the documented views, for analysts: one SELECT, what it gave, and whose verdicts it speaks of."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.people import Person
from core.sql_results import SqlResult
from core.store import Store
from core.store.sandbox import ROWS, SECONDS, spoken_of

_JUDGED = frozenset({"v_verdicts", "v_protocols"})
_RATES = ("rate", "share", "percent", "pct", "ratio")
_TRUTHS = ("unsupported", "supported", "lift")


def ask(store: Store, sql: str, reader: Person | None = None, seconds: float = SECONDS, rows: int = ROWS) -> SqlResult:
    """Answer a question as one person may see it, with what must be read beside the answer.

    Args:
        store: Whose views are asked.
        sql: One SELECT.
        reader: Claims that are concealed from them are in no view; None is whoever keeps the desk.
        seconds: After which it is ended.
        rows: Of the result that are kept.

    Raises:
        InputError: It is something else, not for this person, wrong, or too large; one sentence.
    """
    result = store.sandbox.ask(sql, reader, seconds, rows)

    def under(protocol: str) -> SqlResult:
        return store.sandbox.ask(sql, reader, seconds, rows, protocol)

    left_out = len(store.reveals.concealed(reader)) if reader else 0
    notes = tuple(_notes(store, result, left_out, under))
    return result.model_copy(update={"notes": notes, "seen_with": reader.groups if reader else None})


def _notes(store: Store, result: SqlResult, left_out: int, under: Callable[[str], SqlResult]) -> Iterator[str]:
    tables, texts = spoken_of(result.sql)
    if tables & _JUDGED:
        yield from _whose(store, result, texts, under)
    if left_out:
        yield f"{left_out:,} claims are not counted here: what judges said of them is still hidden from you."
    if result.cut:
        yield f"There are more rows; the first {len(result.rows):,} are kept."


def _whose(store: Store, result: SqlResult, texts: frozenset[str], under: Callable[[str], SqlResult]) -> Iterator[str]:
    """Names the judges behind a result; several in one figure are a warning.

    A question that names one judge speaks of that one alone when it gives the same as if no other had judged.
    """
    known = [info.name for info in store.protocols()]
    if "protocol" in result.columns:
        at = result.columns.index("protocol")
        judges = sorted({str(row[at]) for row in result.rows if row[at] is not None})
        yield f"Judged by {', '.join(judges)}; every row says by which." if judges else "No judge is in this result."
        return
    named = [name for name in known if name in texts or name.partition("@")[0] in texts]
    if len(known) == 1 or (len(named) == 1 and _same(result, under(named[0]))):
        yield f"Judged by {(named or known)[0]}."
    elif known:
        what = "A rate in it is of no judge" if _has_rate(result) else "A figure in it is of no judge"
        yield (
            f"Mixes {len(known)} protocols: {', '.join(known)}. {what}; add protocol to the columns, or ask for one of "
            "them with where protocol = '…'."
        )


def _same(one: SqlResult, two: SqlResult) -> bool:
    """Whether two results hold the same rows, in any order and but for how sums were rounded."""

    def rows(result: SqlResult) -> list[str]:
        return sorted(
            str([f"{value:.9g}" if isinstance(value, float) else value for value in row]) for row in result.rows
        )

    return one.cut == two.cut and rows(one) == rows(two)


def _has_rate(result: SqlResult) -> bool:
    names = [name.lower() for name in result.columns]
    return any(word in name for name in names for word in (*_RATES, *_TRUTHS))
