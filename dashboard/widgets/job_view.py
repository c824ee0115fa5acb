"""How far a job is, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from core import intake
from core.desk import ImportReport
from core.importers import BadLine
from core.work import ExportWork, ImportWork, VerifyWork
from dashboard import jobs
from dashboard.jobs import OVER, Job, Status
from dashboard.widgets import many, plain, showable

LOOK_EVERY = 0.5
"""Seconds between two looks at a job."""

SHOWN = 200
"""Refused rows and notes that a page lists; a download has them all."""


def going(watched: list[Job]) -> None:
    """Show jobs that are not over, and run the page again as soon as one of them is."""

    @st.fragment(run_every=LOOK_EVERY if watched else None)
    def bars() -> None:
        for job in watched:
            _bar(job)
        if any(job.status in OVER for job in watched):
            st.rerun()

    bars()


def follow(key: str) -> Job | None:
    """Show how far a job is that this visit began; when it is over, say once why it ended early, if it did.

    Args:
        key: Where the session keeps the job's id.

    Returns:
        The job, once, when it is done; none before, and where it ended early.
    """
    job = jobs.get(st.session_state.get(key, ""))
    if job is None:
        return None
    if job.status not in OVER:
        going([job])
        return None
    del st.session_state[key]
    if job.status is Status.STOPPED:
        st.info(plain(f"Stopped before the end. {_stays(job)}"))
    elif job.error is not None:
        st.warning(plain(str(job.error)))
    return job if job.status is Status.DONE else None


def follow_judging(key: str) -> None:
    """Follow a job that judges, and say once how many claims it judged under which protocol."""
    if (job := follow(key)) and isinstance(job.report, ImportReport):
        st.toast(plain(f"{many(job.report.verdicts_new, 'claim')} judged by {job.report.protocol}."))


def _stays(job: Job) -> str:
    """What stays of a job that is stopped, as a sentence."""
    if isinstance(job.work, ImportWork):
        return "What is in by then stays, in whole answers, and can be undone on Data."
    if isinstance(job.work, VerifyWork):
        return "What was judged by then stays, in whole answers; begin it again for the rest."
    return "What was recorded by then stays."


def _bar(job: Job) -> None:
    share = min(1.0, job.done / job.total) if job.total else 0.0
    with st.container(border=True):
        st.progress(share, plain(f"{job.name}: {words(job)}"))
        if st.button("Stop", key=f"stop_{job.job_id}", help=plain(_stays(job))):
            job.stop()


def words(job: Job) -> str:
    """How far a job is, for a person."""
    if job.status is Status.WAITING:
        return "waiting for another one to end"
    if not job.done:
        return "just begun"
    pace = job.pace()
    verb = "written" if isinstance(job.work, ExportWork) else "judged"
    parts = [f"{job.done:,} of {job.total:,} rows {verb}" if job.total else f"{job.done:,} rows {verb}"]
    if pace:
        parts.append(f"{pace:,.0f} a second" if pace >= 1 else "less than one a second")
    if (left := job.seconds_left()) is not None and job.done < job.total:
        parts.append(f"about {span(left)} left")
    return " · ".join(parts)


def span(seconds: float) -> str:
    """A stretch of time in the largest unit that says enough."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def outcome(job: Job) -> None:
    """Say what came of a job that is over."""
    if job.status is Status.STOPPED:
        st.title("Stopped before the end.")
        st.text("What was in by then stays, in whole answers. Bring the file again for the rest, or undo it below.")
    elif not isinstance(job.report, ImportReport):
        st.title("Nothing could be taken in.")
        _failed(job)
    else:
        _report(job.report)


def _failed(job: Job) -> None:
    if job.error is None:
        return
    path = str(getattr(job.work, "path", ""))
    said = [text.replace(path, job.name) if path else text for text in (job.error.what, job.error.advice)]
    st.warning(plain(f"{said[0]}."))
    if said[1]:
        st.text(showable(f"{said[1][0].upper()}{said[1][1:]}."))


def _report(report: ImportReport) -> None:
    taken = report.answers_new + report.answers_known
    st.title(plain(f"{report.source} brought {many(taken, 'answer') if taken else 'no answer'}."))
    facts = {
        "New answers": report.answers_new,
        "There already": report.answers_known,
        "Rows refused": len(report.bad_lines),
        "Claims judged": report.verdicts_new,
    }
    for place, (name, number) in zip(st.columns(len(facts), border=True), facts.items(), strict=True):
        place.metric(plain(name), f"{number:,}")
    st.caption(plain(f"Judged by {report.protocol}. Read {many(taken + len(report.bad_lines), 'row')}."))


def details(report: ImportReport) -> None:
    """What was refused, with the reasons, and what was put right."""
    if report.bad_lines:
        st.header(plain(f"Refused: {many(len(report.bad_lines), 'row')}"))
        refused_rows(report.bad_lines[:SHOWN])
        download(lambda: report.bad_lines, report.source, "job", "Download the refused rows")
    if report.notes:
        with st.expander(f"What was put right on the way: {len(report.notes):,}"):
            notes = pd.DataFrame({"Note": [showable(note) for note in report.notes[:SHOWN]]})
            st.dataframe(notes, hide_index=True, alt="What was put right while reading")


def refused_rows(rows: Sequence[BadLine]) -> None:
    """List rows that were refused, each with its reason."""
    cells = [(bad.line, showable(bad.field or ""), showable(bad.reason)) for bad in rows]
    st.dataframe(
        pd.DataFrame(cells, columns=["Line", "Field", "Why"]),
        hide_index=True,
        column_config={
            "Line": st.column_config.NumberColumn(width=70),
            "Field": st.column_config.TextColumn(width=170),
            "Why": st.column_config.TextColumn(width="large"),
        },
        alt="Refused rows with line, field and reason",
    )


def download(rows: Callable[[], Sequence[BadLine]], name: str, key: str, words: str) -> None:
    """Offer refused rows as CSV; they are fetched when somebody wants them."""
    st.download_button(
        plain(words),
        lambda: intake.refused_table(rows()).encode(),
        file_name=f"refused-{showable(name)}.csv",
        mime="text/csv",
        on_click="ignore",
        key=f"refused_{key}",
    )
