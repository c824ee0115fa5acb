"""Could not be opened: sources that answers cite and nobody could read, and the passages that people supply of them."""

from __future__ import annotations

import streamlit as st

from core import passage_files
from core.corpus_policy import own
from core.errors import CitedeskError
from core.people import Role
from core.reference_lookup import kinds_of
from core.reference_policy import Also
from core.store.reference_records import ClosedWork
from core.work import Judging, VerifyWork
from dashboard import jobs
from dashboard.session import desk, person
from dashboard.widgets import address, job_view, many, plain, recheck, reference_tables, reference_view, showable
from dashboard.widgets.nothing_yet import nothing_yet

NAVIGATION = {"section": "Check answers", "place": 50, "role": "reviewer"}

AGAIN = "references_judged_again"
KEPT = "references_kept"
"""What was just kept, to be said once."""

me = person(Role.REVIEWER)
store = desk().store
infos = store.protocols()
TITLE = "Could not be opened"
if not infos:
    words = "Sources that answers cite and nobody could read are listed here. There are no claims in this store yet."
    nothing_yet(me, TITLE, words)
st.title(TITLE)


def shown(work: ClosedWork) -> None:
    """One work: why it is closed, who waits for it, and the form for a passage."""
    st.header(plain(work.reference.title or work.identifier))
    host = reference_view.host(work.reference.text)
    with st.container(horizontal=True, vertical_alignment="center"):
        if host:
            st.link_button(plain(f"Open at {host}"), work.reference.text)
        also = reference_view.also_of(info.protocol.references, desk().settings.references, said, work.corpora)
        why_not = None if also else plain(reference_view.why_not(said, work.corpora))
        if st.button("Recheck", disabled=not also, help=why_not):
            recheck.begin(work.reference, also, me, work.corpora)
    st.text(showable(work.reason))
    if words := own(said, work.corpora):
        st.caption(plain(words))
    recheck.follow()
    past = store.references.history((work.kind, work.identifier))
    if past:
        with st.expander(plain(f"Who was asked: {many(len(past), 'finding')}")):
            st.dataframe(reference_tables.history(past), hide_index=True, alt="Findings, the latest first")
    given = store.references.supplied([(work.kind, work.identifier)]).get((work.kind, work.identifier), ())
    if given:
        st.dataframe(reference_tables.passages(given), hide_index=True, alt="Passages that people supplied")
    supply(work)
    st.text(f"Cited by {many(len(work.citing), 'claim')}:")
    st.dataframe(reference_tables.citing(work.citing), hide_index=True, alt="Claims that cite this source")


def supply(work: ClosedWork) -> None:
    """Take a passage from somebody who can open the work."""
    with st.form(f"supply_{work.kind}_{work.identifier}", clear_on_submit=True):
        st.text("Can you open it? Give the passage that matters; your name and the time are kept with it.")
        typed = st.text_area("Passage", height=140)
        sent = st.file_uploader("Or a file of it", max_upload_size=passage_files.LARGEST_MB)
        locator = st.text_input("Where it stands", placeholder="page 4, section 2.1")
        is_whole = st.checkbox("This is the whole text, so what is missing in it is missing")
        if not st.form_submit_button("Keep the passage", type="primary"):
            return
    try:
        text = passage_files.text_of(sent.name, bytes(sent.getbuffer())) if sent is not None else typed
        store.references.supply((work.kind, work.identifier), text, locator, me.name, is_whole)
    except CitedeskError as error:
        st.warning(plain(str(error)))
        return
    st.session_state[KEPT] = "The passage is kept. Verdicts change only when somebody judges again."
    st.rerun()


def judge_again() -> None:
    """Offer a run that uses what was supplied; it is one of its own, and what stands stays."""
    waiting = sum(bool(one.passages) for one in works)
    if not waiting:
        return
    judge = info.protocol.verifier
    st.text(
        f"People supplied passages of {many(waiting, 'source')} in this list. A new run uses them; old verdicts stay."
    )
    if judge.verifier == "claude" and not me.may(Role.ADMIN):
        st.text("This judge costs money, so an admin has to start it.")
        return
    if not st.button("Judge again with the passages"):
        return
    policy = desk().settings.references.model_copy(
        update={"also": kinds_of(info.protocol.references) | {Also.SUPPLIED}, "chosen": True}
    )
    update = {"verifier": judge.verifier, "thresholds": judge.thresholds, "merge": info.protocol.merge}
    settings = desk().settings.model_copy(update=update | {"references": policy})
    work = VerifyWork(judging=Judging.of(settings))
    st.session_state[AGAIN] = jobs.start(work, "Judging again with the passages").job_id


said = store.corpus_policies.current()
if kept := st.session_state.pop(KEPT, None):
    st.success(plain(kept))
names = [one.name for one in infos]
usual = address.usual_protocol(infos)
name = st.selectbox(
    "Judge", names, index=names.index(usual), format_func=showable, width=320, bind="query-params", key="protocol"
)
info = next(one for one in infos if one.name == name)
works = store.references.closed(name, me)
if not works:
    st.text("Every source that this judge's claims cite could be read, or came with its passage.")
    st.stop()
citations = sum(len(one.citing) for one in works)
st.text(
    f"{many(len(works), 'source')} in {many(citations, 'citation')} could not be read. Closed is not false: these "
    "citations are left out of the unsupported rate until somebody supplies a passage."
)
judge_again()
if going := [job for job in jobs.going() if isinstance(job.work, VerifyWork)]:
    job_view.going(going)
else:
    job_view.follow_judging(AGAIN)
left, right = st.columns([9, 11], gap="medium")
with left:
    event = st.dataframe(
        reference_tables.works(works),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="closed_works",
        alt="Sources that could not be read, those that most citations wait for first",
    )
rows = event.selection.rows
with right:
    shown(works[rows[0] if rows and rows[0] < len(works) else 0])
