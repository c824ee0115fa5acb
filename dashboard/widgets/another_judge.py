"""Another judge over the claims that the store holds: chosen on a page, done by a job, found again after leaving it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.people import Person, Role
from core.store.records import ProtocolInfo
from core.work import Judging, VerifyWork
from dashboard import jobs
from dashboard.session import desk
from dashboard.widgets import job_view, judge_choice

_JOB = "another_judge_job"
_PLACE = "another"


def offer(me: Person, infos: Sequence[ProtocolInfo]) -> None:
    """Let an admin choose a judge for all answers, and show how far it is; say the same as a command.

    Args:
        me: Who looks.
        infos: The protocols that judged something.
    """
    if not me.may(Role.ADMIN):
        st.text("An admin of this desk lets another judge judge the answers.")
        return
    going = [job for job in jobs.going() if isinstance(job.work, VerifyWork)]
    if going:
        job_view.going(going)
        return
    job_view.follow_judging(_JOB)
    settings, adopted = desk().settings, desk().store.adoptions.all()
    used = {info.protocol.verifier.verifier for info in infos}
    fresh = next((kind for kind in judge_choice.KINDS if kind not in used), "")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        judging = judge_choice.ask(_PLACE, settings, adopted, fresh)
        pressed = st.button("Let it judge every answer here", type="primary", disabled=judging is None)
    judge_choice.describe(judging)
    if judging is not None and pressed and judge_choice.can_be_had(judging):
        st.session_state[_JOB] = jobs.start(VerifyWork(judging=Judging.of(judging)), "answers in the store").job_id
        st.rerun()
    st.caption("In a terminal, also while this desk is open:")
    st.code(f"citedesk verify --verifier {judging.verifier if judging else 'NAME'}", language=None)
