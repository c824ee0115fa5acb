"""Data: bring answers in, seeing them first; follow how far that is; undo it."""

from __future__ import annotations

import streamlit as st

from core import intake
from core.desk import ImportReport
from core.errors import CitedeskError
from core.notebook_work import CellWork
from core.people import Role
from core.settings import Settings
from core.store.records import ClaimFilter
from core.work import ImportWork, Judging
from dashboard import jobs, uploads
from dashboard.session import desk, person
from dashboard.widgets import address, file_view, import_list, job_view, judge_choice, plain, reference_choice, showable

NAVIGATION = {"section": "Bring and set up", "place": 10, "role": "admin"}

FILE, JOB = "file", "job"
"""What the address of this page may name."""


def go(**params: str) -> None:
    """Show this page under another address."""
    st.session_state["data_file"] = params.get(FILE)
    st.query_params.from_dict(params)
    st.rerun()


def choose() -> None:
    """Two ways to a file."""
    st.title("Bring your answers")
    st.text("You see how a file is read, and its first rows, before anything of it is stored.")
    upload, path = st.columns(2, border=True)
    number = st.session_state.setdefault("data_upload", 0)  # another widget each time: the last file leaves memory
    with upload:
        sent = st.file_uploader("From your computer", key=f"upload_{number}", max_upload_size=uploads.LARGEST_MB)
    with path, st.form("path", border=False):
        typed = st.text_input("On the machine where the desk runs", placeholder="/home/me/answers.jsonl")
        st.caption("For files of any size; it is read where it lies.")
        asked = st.form_submit_button("Look at it")
    try:
        if sent is not None:
            chosen = uploads.upload(sent.name, sent.getbuffer())
            st.session_state["data_upload"] = number + 1
            go(file=chosen.file_id)
        if asked and typed:
            go(file=uploads.on_this_machine(typed).file_id)
    except CitedeskError as error:
        st.warning(plain(str(error)))
    except OSError as error:
        st.warning(plain(f"The file could not be kept: {error.strerror or error}."))
    with st.expander("What can be read"):
        st.text(", ".join(sorted(intake.formats().values(), key=str.lower)))
        st.text("In a terminal, also while this desk is open:")
        st.code("citedesk import your-answers.jsonl", language=None)


def look(chosen: uploads.Chosen) -> None:
    """Show a chosen file, and take it in when a person says so."""
    st.title("Is this how to read it?")
    titles, said = intake.formats(), desk().store.corpus_policies.current()
    about, bar = st.empty(), st.container(horizontal=True, vertical_alignment="bottom")
    with bar:
        format = file_view.format_of(chosen, titles)
        judging = judge_choice.ask(chosen.file_id, desk().settings, desk().store.adoptions.all())
        judging = judging and reference_choice.ask(chosen, judging, said)
    judge_choice.describe(judging)
    if judging is not None:
        reference_choice.describe(judging, said)
    there = judging is not None and (not judge_choice.is_near(judging) or judge_choice.can_be_had(judging))
    read = file_view.reading(chosen, format)
    with bar:
        ready = there and read and (read[0].answers or read[0].bad_lines)
        pressed = ready and st.button("Take the answers in", type="primary")
        if st.button("Choose another file"):
            uploads.put_away(chosen.file_id)
            go()
    if pressed and read and judging:
        take(chosen, format, read[1], judging)
    if read:
        about.caption(plain(file_view.facts(chosen, read[0], titles)))
        file_view.rows(chosen, read[0])


def take(chosen: uploads.Chosen, format: str, mapping: dict[str, str], settings: Settings) -> None:
    """Begin the import, once: a second click finds the file gone. Without its judge the file stays where it is."""
    if not judge_choice.is_near(settings):
        with st.spinner("Fetching the judge…"):
            if not judge_choice.can_be_had(settings):
                return
    if uploads.release(chosen.file_id) is not None:
        asked = ImportWork(path=chosen.path, format=format, mapping=mapping, judging=Judging.of(settings))
        job = jobs.start(asked, chosen.name, lambda: uploads.delete(chosen))
        go(job=job.job_id)


def over(job: jobs.Job) -> None:
    """Say what came of an import, and where to go from there."""
    job_view.outcome(job)
    report = job.report if isinstance(job.report, ImportReport) else None
    with st.container(horizontal=True):
        if report and report.answers_read and st.button("See the worst claims", type="primary"):
            wanted = ClaimFilter(protocol=report.protocol, reader=me)
            st.switch_page("views/review.py", query_params=address.review_params(wanted))
        if st.button("Bring another file"):
            go()
    if report is not None:
        job_view.details(report)


me = person(Role.ADMIN)
named = st.query_params.get(JOB)
job = jobs.get(named) if named else None
file_id = st.query_params.get(FILE) or st.session_state.get("data_file")
chosen = uploads.get(file_id) if file_id else None
if named and job is None:
    st.info("That import is over, and the desk was started anew since. What it brought is in the list below.")
if job is not None and job.status in jobs.OVER:
    over(job)
elif job is not None:
    st.title(plain(f"Taking in {showable(job.name)}"))
    st.text("You can leave this page; it goes on, and is found here again.")
elif chosen is not None:
    look(chosen)
else:
    choose()
job_view.going([job for job in jobs.going() if not isinstance(job.work, CellWork)])
import_list.import_list(desk().store, me.name)
