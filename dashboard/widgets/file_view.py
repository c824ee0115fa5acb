"""A chosen file before anything of it is stored: how it is read, its first rows, and the columns of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from core import intake
from core.errors import CitedeskError
from core.importers import FIELDS, guess
from core.intake import Look, LookedAt
from dashboard.session import settings
from dashboard.uploads import Chosen
from dashboard.widgets import job_view, many, plain, showable

AUTO = "auto"
NOT_THERE = "— not in this table"
LONGEST = 400
"""Characters of a text that a preview shows."""

NAMES: Mapping[str, str] = {
    "answer": "Answer",
    "query": "Question",
    "evidence": "Passages",
    "evidence_ids": "Ids of the passages",
    "claim": "Claim (one a row)",
    "claims": "Claims (a list)",
    "citation_ids": "Ids that are cited",
    "quote": "Quotation",
    "request_id": "Request id",
    "asked_at": "Asked at",
    "model": "Model",
    "generator": "Written by",
    "claim_id": "Claim id",
}
"""What the fields of a table are called, in the order in which they are asked for."""

FIRST = 4
"""Of these that are always shown; the others unfold."""


def reading(chosen: Chosen, format: str) -> tuple[Look, dict[str, str]] | None:
    """Read the first rows of a file; of a table ask which column holds what.

    Returns:
        What the rows give, and the mapping they were read with; none when the file cannot be read, which is said.
    """
    segmenter = settings().segmenter
    try:
        found = intake.look(chosen.path, format, segmenter=segmenter)
        mapping = _columns(chosen, found.columns) if found.columns else {}
        return (intake.look(chosen.path, format, mapping, segmenter) if mapping else found), mapping
    except CitedeskError as error:
        _refusal(error, chosen)
        return None


def facts(chosen: Chosen, found: Look, titles: Mapping[str, str]) -> str:
    """The file in a line: name, size, how it is read."""
    size = f"{chosen.size / 2**20:,.1f} MB" if chosen.size >= 2**20 else f"{chosen.size / 1024:,.1f} KB"
    return f"{chosen.name} · {size} · read as {titles.get(found.format, found.format)}. Nothing is stored yet."


def rows(chosen: Chosen, found: Look) -> None:
    """Show the first rows as they would go in, and those that would be refused."""
    if found.problem:
        st.warning(plain(found.problem.replace(str(chosen.path), chosen.name)))
    if found.answers:
        _answers(found.answers)
    if found.bad_lines:
        st.caption(plain(f"{many(len(found.bad_lines), 'row')} of the first {intake.ROWS} would be refused:"))
        job_view.refused_rows(found.bad_lines)


def _refusal(error: CitedeskError, chosen: Chosen) -> None:
    what, advice = (text.replace(str(chosen.path), chosen.name) for text in (error.what, error.advice))
    st.warning(plain(f"{what}."))
    if advice:
        st.text(showable(f"{advice[0].upper()}{advice[1:]}."))


def format_of(chosen: Chosen, titles: Mapping[str, str]) -> str:
    """Ask for the format, which is recognised unless a person says otherwise; gives an importer's name or ``auto``."""
    options = [AUTO, *sorted(titles, key=lambda name: titles[name].lower())]
    return st.selectbox(
        "Format",
        options,
        format_func=lambda name: "Recognise it" if name == AUTO else titles[name],
        key=f"format_{chosen.file_id}",
        persist_state="session",
        width=250,
    )


def _columns(chosen: Chosen, columns: Sequence[str]) -> dict[str, str]:
    """Ask which column holds what; gives the mapping to read with."""
    told = guess(columns)
    picked: dict[str, str] = {}
    names = list(NAMES) + [field for field in FIELDS if field not in NAMES]
    shown = [field for place, field in enumerate(names) if place < FIRST or field in told]
    with st.container(border=True):
        st.text("Which column holds what?")
        picked |= _pickers(chosen, columns, told, shown)
        if rest := [field for field in names if field not in shown]:
            with st.expander("More columns"):
                picked |= _pickers(chosen, columns, told, rest)
    return intake.mapping_of(columns, picked)


def _pickers(chosen: Chosen, columns: Sequence[str], told: Mapping[str, str], fields: Sequence[str]) -> dict[str, str]:
    picked = {}
    for start in range(0, len(fields), FIRST):
        for place, field in zip(st.columns(FIRST), fields[start : start + FIRST], strict=False):
            options = ["", *columns]
            picked[field] = place.selectbox(
                plain(NAMES.get(field, field)),
                options,
                index=options.index(told.get(field, "")),
                format_func=lambda name: showable(name or NOT_THERE),
                key=f"column_{chosen.file_id}_{field}",
                persist_state="session",
            )
    return picked


def _answers(answers: Sequence[LookedAt]) -> None:
    claims, cited, usable = (sum(getattr(one, name) for one in answers) for name in ("claims", "citations", "usable"))
    counts = f"{many(claims, 'claim')}, {many(cited, 'citation')}, {usable:,} of them to a passage that is here"
    st.caption(plain(f"In the first {many(len(answers), 'answer')}: {counts}."))
    if cited and not usable:
        st.warning(
            "No citation leads to a passage, so each would be unresolvable. Is a column or a format chosen wrongly?"
        )
    frame = pd.DataFrame([_cells(one) for one in answers])
    st.dataframe(
        frame.loc[:, (frame != "").any()],
        hide_index=True,
        column_config={
            "Answer": st.column_config.TextColumn(width="large"),
            "Question": st.column_config.TextColumn(width="medium"),
        },
        alt="The first answers of the file, as they would go in",
    )


def _cells(one: LookedAt) -> dict[str, object]:
    return {
        "Question": _short(one.query or ""),
        "Answer": _short(one.text),
        "Claims": one.claims,
        "Citations": one.citations,
        "Passages": one.passages,
        "Asked": one.asked_at.strftime("%Y-%m-%d %H:%M UTC") if one.asked_at else "",
        "Request": _short(one.request_id),
        "Notes": _short(" · ".join(one.notes)),
    }


def _short(text: str) -> str:
    line = " ".join(showable(text).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
