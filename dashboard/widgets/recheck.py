"""Asking about one work again, from the page: a job, and what came of it."""

from __future__ import annotations

import streamlit as st

from core.people import Person
from core.reference_policy import Also
from core.reference_work import RecheckReport, RecheckWork
from core.references import Reference
from dashboard import jobs
from dashboard.widgets import job_view, plain, showable

_JOB = "recheck_job"


def begin(reference: Reference, also: frozenset[Also], me: Person, corpora: tuple[str, ...]) -> None:
    """Ask now, in a job, as far as the corpora allow that cite it; a second press while it goes on does nothing."""
    if any(isinstance(job.work, RecheckWork) and job.work.reference == reference for job in jobs.going()):
        return
    work = RecheckWork(reference=reference, also=also, corpora=corpora, who=me.name)
    st.session_state[_JOB] = jobs.start(work, showable(reference.text[:80])).job_id


def follow() -> None:
    """Show how far it is, and at its end what was found."""
    if (job := job_view.follow(_JOB)) and isinstance(job.report, RecheckReport):
        st.toast(plain(f"{job.name}: {job.report.finding.said}"))
